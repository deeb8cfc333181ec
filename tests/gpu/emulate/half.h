// fp16 on the host, exact: what the emulated lane computes with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace loadline::gpu::emulate {

inline float halfToFloat(std::uint16_t bits) {
    const int exponent = bits >> 10 & 31;
    const int mantissa = bits & 1023;
    const float sign = (bits & 0x8000) != 0 ? -1.0F : 1.0F;
    if (exponent == 31) {
        return mantissa != 0 ? std::nanf("") : sign * INFINITY;
    }
    return exponent == 0 ? sign * std::ldexp(static_cast<float>(mantissa), -24)
                         : sign * std::ldexp(static_cast<float>(1024 + mantissa), exponent - 25);
}

/// Rounds to nearest, ties to even.
inline std::uint16_t halfFromDouble(double value) {
    const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
    const double size = std::fabs(value);
    if (std::isnan(value)) {
        return 0x7fff;
    }
    if (size >= 65520.0) {
        return static_cast<std::uint16_t>(sign | 0x7c00);
    }
    if (size == 0) {
        return sign;
    }
    int exponent = 0;
    std::frexp(size, &exponent); // size = f * 2^exponent, f in [0.5, 1)
    const int unit = std::max(exponent - 11, -24);
    const auto count = static_cast<int>(std::nearbyint(std::ldexp(size, -unit)));
    // In steps of 2^-24 up to 1024 the pattern is the count; each further power of two adds 1024.
    const int pattern = unit == -24 ? count : (unit + 24) * 1024 + count;
    return static_cast<std::uint16_t>(sign | pattern);
}

} // namespace loadline::gpu::emulate
