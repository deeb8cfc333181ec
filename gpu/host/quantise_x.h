// Activations as bytes: per block of 32 the largest magnitude becomes 127.
#pragma once

#include "gpu/host/lane_kernels.h"

namespace loadline::gpu {

/// The element of a block that byte `byte` of pass `pass` holds: the inverse of Fields::signBit.
template <int Bits>
LOADLINE_INLINE constexpr int elementOfByte(int pass, int byte) {
    using Field = Fields<Bits>;
    return pass / Field::perByte * Field::perWord + byte * Field::perByte + pass % Field::perByte;
}

template <int Bits>
LOADLINE_INLINE inline void quantiseBlock(const float* x, std::int8_t* x8, float* scale, std::int32_t* sum) {
    float largest = 0;
    for (int e = 0; e < blockLength; ++e) {
        const float magnitude = __builtin_fabsf(x[e]);
        largest = magnitude > largest ? magnitude : largest;
    }
    constexpr float most = 127;
    const float toByte = largest > 0 ? most / largest : 0;
    std::int32_t total = 0;
    for (int pass = 0; pass < 8; ++pass) {
        for (int byte = 0; byte < 4; ++byte) {
            const auto value =
                static_cast<std::int32_t>(__builtin_rintf(x[elementOfByte<Bits>(pass, byte)] * toByte));
            x8[4 * pass + byte] = static_cast<std::int8_t>(value);
            total += value;
        }
    }
    *scale = largest / (most * most); // once for x, once for the codebook
    *sum = -128 * total;
}

template <typename V>
void quantiseX(const LaneJob& job, std::int8_t* x8, float* scale, std::int32_t* sum, UnitRange rows) {
    const std::int64_t blocks = job.k / blockLength;
    for (std::int64_t at = rows.begin * blocks; at < rows.end * blocks; ++at) {
        const float* x = job.x + at * blockLength;
        if (job.bits < 4) {
            quantiseBlock<2>(x, x8 + at * blockLength, scale + at, sum + at);
        } else {
            quantiseBlock<4>(x, x8 + at * blockLength, scale + at, sum + at);
        }
    }
}

} // namespace loadline::gpu
