// Decoding shared by the k-bit kernels: scales, and transposing bit planes to fields.
#pragma once

#include "gpu/cuda/lane/lane.cuh"

namespace loadline::gpu {

/// E4M4 to fp32, exact for all bytes: the byte as the top of an fp32 with bias 127 (subnormal where its
/// exponent is 0), times 2^(127 - 11).
template <class Lane>
LOADLINE_LANE float decodeScale(const Lane& lane, std::uint32_t byte) {
    return lane.bitsToFloat(byte << 19U) * 8.3076749736557242e34F; // 2^116
}

/// Loads the k words of a block's bit planes; `word` points to the first.
template <int Bits, class Lane>
LOADLINE_LANE void loadPlanes(const Lane& lane, const std::uint32_t* word, std::uint32_t (&plane)[Bits]) {
    if constexpr (Bits == 4) {
        const Chunk c = lane.stream(reinterpret_cast<const Chunk*>(word));
        LOADLINE_UNROLL
        for (int b = 0; b < 4; ++b) {
            plane[b] = c.word[b];
        }
    } else if constexpr (Bits == 2) {
        const HalfChunk c = lane.stream(reinterpret_cast<const HalfChunk*>(word));
        plane[0] = c.word[0];
        plane[1] = c.word[1];
    } else {
        LOADLINE_UNROLL
        for (int b = 0; b < Bits; ++b) {
            plane[b] = lane.stream(word + b);
        }
    }
}

/// The code of element e, bit by bit, as the published kernels extract it.
template <int Bits>
LOADLINE_LANE std::uint32_t codeInPlanes(const std::uint32_t (&plane)[Bits], int e) {
    std::uint32_t code = 0;
    LOADLINE_UNROLL
    for (int b = 0; b < Bits; ++b) {
        code |= (plane[b] >> e & 1U) << b;
    }
    return code;
}

/// Nibble i holds the low four bits of the code of element j + 4 i: one shift and one and-or a plane.
template <int Bits>
LOADLINE_LANE std::uint32_t nibblesInPlanes(const std::uint32_t (&plane)[Bits], int j) {
    constexpr int planes = Bits - Bits / 5; // k = 5: the fifth is not in the nibble
    std::uint32_t nibbles = 0;
    LOADLINE_UNROLL
    for (int b = 0; b < planes; ++b) {
        const std::uint32_t moved = b >= j ? plane[b] << (b - j) : plane[b] >> (j - b);
        nibbles |= moved & (0x11111111U << b);
    }
    return nibbles;
}

} // namespace loadline::gpu
