// A time with five significant digits as a whole number that grows with the time.
#pragma once

#include <cstdint>
#include <optional>

namespace loadline {

/// Magnitude of the largest code.
inline constexpr std::int32_t mostTimeCode = 1'710'001;

/// 0: not measured (NaN); 1: zero; d x 10^e with five digits d: 2 + 90,000 (e + 10) + d - 10,000, e from -10
/// to 8, that is 1e-6 to 9.9999e12; of a negative time the code of its magnitude, negated. A time is rounded
/// to five digits; below 1e-6 it becomes zero, above 9.9999e12 not measured.
std::int32_t timeCodeOf(double us);

/// Returns the double nearest to the decimal that the code stands for: the value that strtod reads from its
/// digits. Nothing if no time has this code.
std::optional<double> timeOfCode(std::int64_t code);

} // namespace loadline
