// Limits of a call's time, measured or imported: its ratios and logarithms stay finite.
#pragma once

namespace loadline {

inline constexpr double leastTimeUs = 1e-6;
inline constexpr double mostTimeUs = 1e12;

inline constexpr bool isKernelTime(double us) {
    return us >= leastTimeUs && us <= mostTimeUs; // not of NaN
}

} // namespace loadline
