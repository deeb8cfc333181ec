// E4M4: the scale of a block in one byte, 4 bits of exponent and 4 of mantissa, no sign.
#pragma once

#include "gpu/format/host_device.h"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace loadline::gpu {

inline constexpr int e4m4Bias = 11;
inline constexpr float e4m4Max = 31;                   ///< 2^4 (1 + 15/16)
inline constexpr float e4m4LeastNormal = 1.0F / 1024;  ///< 2^-10
inline constexpr float e4m4Least = 1.0F / (1024 * 16); ///< 2^-14, the least subnormal

LOADLINE_HD inline float floatFromBits(std::uint32_t bits) {
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

LOADLINE_HD inline std::uint32_t bitsOfFloat(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

/// e > 0: 2^(e - 11) (1 + m/16); e = 0: 2^-10 m/16; byte = e * 16 + m. The mantissa is rounded half to even
/// and then held at 15: it never carries into the exponent (bitsandbytes at df55daf8). Nothing below 0 or
/// NaN gives a scale (0); above 31 gives 31.
LOADLINE_HD inline std::uint8_t encodeE4m4(float absmax) {
    if (!(absmax > 0)) {
        return 0;
    }
    if (absmax >= e4m4Max) {
        return 0xFF;
    }
    const int exponent = static_cast<int>(bitsOfFloat(absmax) >> 23) - 127; // floor(log2), of fp32 normals
    const int stored = exponent + e4m4Bias;
    if (stored <= 0) {
        const int mantissa = static_cast<int>(rintf(absmax / e4m4LeastNormal * 16));
        return static_cast<std::uint8_t>(mantissa > 15 ? 15 : mantissa);
    }
    const float scale = floatFromBits(static_cast<std::uint32_t>(exponent + 127) << 23);
    const int mantissa = static_cast<int>(rintf((absmax / scale - 1) * 16));
    return static_cast<std::uint8_t>(stored << 4 | (mantissa > 15 ? 15 : mantissa));
}

/// Exact for every byte.
LOADLINE_HD inline float decodeE4m4(std::uint8_t byte) {
    if (byte < 16) {
        return static_cast<float>(byte) * e4m4Least;
    }
    return floatFromBits((static_cast<std::uint32_t>(byte) << 19) + (116U << 23));
}

/// One shift and one addition, 0 kept: exact from 2^-10 up, wrong for bytes 1 to 15 (it reads byte m as
/// 2^-11 (1 + m/16)), as the published GEMM kernels decode.
LOADLINE_HD inline float decodeE4m4Branchless(std::uint8_t byte) {
    return byte == 0 ? 0 : floatFromBits((static_cast<std::uint32_t>(byte) << 19) + (116U << 23));
}

} // namespace loadline::gpu
