// Random weights and activations made where they are needed, by hashing each word's index.
#pragma once

#include "gpu/cuda/lane/lane.cuh"
#include "gpu/format/fragment_layout.h"

namespace loadline::gpu {

enum class Filling : std::int32_t {
    Zeroes,
    Codes,   ///< every bit random: codes in any layout
    Scales,  ///< E4M4 bytes 64 to 111, 2^-7 to almost 2^-4: as blocks of weights have them; 0 of what fills
             ///< up a tile, as kernels count on it
    Halves,  ///< fp16, of either sign, 1/2 to almost 2
    BFloats, ///< bf16, the same
};

struct FillArgs {
    Chunk* to = nullptr;
    std::int64_t chunks = 0;
    std::uint32_t seed = 0;
    Filling filling = Filling::Zeroes;
    Layout layout = Layout::PlanesFlat; ///< of scales, of any number of matrices one after the other
    KBitShape shape;
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

/// A mask of the four bytes from `first` on that are scales of weights.
LOADLINE_LANE std::uint32_t scalesOfWeights(const FillArgs& a, std::int64_t first) {
    std::uint32_t mask = 0;
    LOADLINE_ROLLED
    for (int i = 0; i < 4; ++i) {
        const BlockPlace place = a.layout == Layout::Fragments ? fragmentBlock(a.shape, first + i)
                                                               : planesTiledBlock(a.shape, first + i);
        const bool there = place.row < a.shape.n && place.block < blocksPerRow(a.shape);
        mask |= there ? 0xffU << 8 * i : 0;
    }
    return mask;
}

/// Grid: any; blocks stride over the chunks.
template <class Lane>
LOADLINE_LANE void fill(const Lane& lane, const FillArgs& a) {
    const bool filledUp = a.filling == Filling::Scales && a.layout != Layout::PlanesFlat;
    const std::int64_t stride = static_cast<std::int64_t>(lane.gridX()) * fillThreads;
    for (std::int64_t i = static_cast<std::int64_t>(lane.blockX()) * fillThreads + lane.thread();
         i < a.chunks; i += stride) {
        Chunk out = {};
        LOADLINE_UNROLL
        for (int w = 0; w < 4; ++w) {
            out.word[w] = filledWord(a.filling, hashWord(static_cast<std::uint64_t>(i) * 4 + w, a.seed));
            if (filledUp) {
                out.word[w] &= scalesOfWeights(a, i * 16 + w * 4);
            }
        }
        lane.store(a.to + i, out);
    }
}

} // namespace loadline::gpu
