// Random weights and activations made where they are needed, by hashing each word's index.
#pragma once

#include "gpu/cuda/lane/lane.cuh"

namespace loadline::gpu {

enum class Filling : std::int32_t {
    Zeroes,
    Codes,   ///< every bit random: codes in any layout
    Scales,  ///< E4M4 bytes 64 to 111, 2^-7 to almost 2^-4: as blocks of weights have them
    Halves,  ///< fp16, of either sign, 1/2 to almost 2
    BFloats, ///< bf16, the same
};

struct FillArgs {
    Chunk* to = nullptr;
    std::int64_t chunks = 0;
    std::uint32_t seed = 0;
    Filling filling = Filling::Zeroes;
};

inline constexpr int fillThreads = 256;

/// A 32-bit finaliser (Prospecting for Hash Functions, Wellons: lowbias32) over index and seed.
LOADLINE_LANE std::uint32_t hashWord(std::uint64_t index, std::uint32_t seed) {
    auto x = static_cast<std::uint32_t>(index) ^ static_cast<std::uint32_t>(index >> 32U) * 0x9e3779b9U ^
             seed * 0x85ebca6bU;
    x ^= x >> 16U;
    x *= 0x7feb352dU;
    x ^= x >> 15U;
    x *= 0x846ca68bU;
    return x ^ x >> 16U;
}

LOADLINE_LANE std::uint32_t filledWord(Filling filling, std::uint32_t random) {
    switch (filling) {
    case Filling::Codes:
        return random;
    case Filling::Scales: { // exponent 4, 5 or 6: of the two random bits, 3 becomes 1
        const std::uint32_t top = random >> 4U & 0x03030303U;
        const std::uint32_t three = top & top >> 1U & 0x01010101U;
        return 0x40404040U + ((top ^ three << 1U) << 4U) + (random & 0x0f0f0f0fU);
    }
    case Filling::Halves: // the lowest bit of the exponent is random: 14 or 15
        return (random & 0x87ff87ffU) | 0x38003800U;
    case Filling::BFloats: // 126 or 127
        return (random & 0x80ff80ffU) | 0x3f003f00U;
    default:
        return 0;
    }
}

/// Grid: any; blocks stride over the chunks.
template <class Lane>
LOADLINE_LANE void fill(const Lane& lane, const FillArgs& a) {
    const std::int64_t stride = static_cast<std::int64_t>(lane.gridX()) * fillThreads;
    for (std::int64_t i = static_cast<std::int64_t>(lane.blockX()) * fillThreads + lane.thread();
         i < a.chunks; i += stride) {
        Chunk out = {};
        LOADLINE_UNROLL
        for (int w = 0; w < 4; ++w) {
            out.word[w] = filledWord(a.filling, hashWord(static_cast<std::uint64_t>(i) * 4 + w, a.seed));
        }
        lane.store(a.to + i, out);
    }
}

} // namespace loadline::gpu
