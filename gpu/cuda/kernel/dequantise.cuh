// Flat bit planes to fp16, W[N, K] row by row.
#pragma once

#include "gpu/cuda/kernel/decode.cuh"

namespace loadline::gpu {

// A thread decodes one block of 32 and parks its 64 bytes in shared memory; the warp then stores its 2 KB
// contiguously. Chunks are swizzled so that neither side meets a bank twice.

struct DequantiseArgs {
    const std::uint32_t* planes = nullptr; ///< flat
    const std::uint8_t* scales = nullptr;  ///< E4M4, flat
    const float* codebook = nullptr;       ///< 2^k values
    Chunk* weights = nullptr;              ///< out: fp16, 4 chunks a block
    std::int64_t blocks = 0;               ///< N K / 32
};

inline constexpr int dequantiseThreads = 256;
inline constexpr int dequantiseSharedBytes = dequantiseThreads * 64;

namespace detail {
LOADLINE_LANE std::uint32_t parkedChunk(int block, int chunk) {
    return static_cast<std::uint32_t>(block * 64 + (chunk ^ (block >> 1 & 3)) * 16);
}
} // namespace detail

/// Grid: (ceil(blocks / 256)).
template <int Bits, class Lane>
LOADLINE_LANE void dequantise(const Lane& lane, const DequantiseArgs& a) {
    constexpr int width = 1 << Bits; // the shuffle looks at no more bits of a code than it has
    const std::int64_t block = static_cast<std::int64_t>(lane.blockX()) * dequantiseThreads + lane.thread();
    const float entry = a.codebook[lane.inWarp() & (width - 1)];
    std::uint32_t plane[Bits] = {};
    float scale = 0;
    if (block < a.blocks) {
        loadPlanes(lane, a.planes + block * Bits, plane);
        scale = decodeScale(lane, a.scales[block]);
    }
    std::uint32_t nibbles[4];
    LOADLINE_UNROLL
    for (int j = 0; j < 4; ++j) {
        nibbles[j] = nibblesInPlanes<Bits>(plane, j);
    }
    LOADLINE_UNROLL
    for (int chunk = 0; chunk < 4; ++chunk) {
        Chunk out = {};
        LOADLINE_UNROLL
        for (int pair = 0; pair < 4; ++pair) {
            float value[2];
            LOADLINE_UNROLL
            for (int half = 0; half < 2; ++half) {
                const int e = 8 * chunk + 2 * pair + half;
                std::uint32_t code = nibbles[e % 4] >> (e / 4 * 4);
                if constexpr (Bits == 5) {
                    code = (code & 15U) | (plane[4] >> e & 1U) << 4U;
                }
                value[half] = lane.shuffle(entry, code, width) * scale;
            }
            out.word[pair] = lane.packHalves(value[0], value[1]);
        }
        lane.storeShared(detail::parkedChunk(lane.thread(), chunk), out);
    }
    lane.syncWarp();
    const int firstOfWarp = lane.warp() * warpLanes;
    const std::int64_t firstBlock = block - lane.inWarp();
    LOADLINE_UNROLL
    for (int i = 0; i < 4; ++i) {
        const int chunk = i * warpLanes + lane.inWarp();
        if (firstBlock + chunk / 4 < a.blocks) {
            lane.store(
                a.weights + firstBlock * 4 + chunk,
                lane.template loadShared<Chunk>(detail::parkedChunk(firstOfWarp + chunk / 4, chunk % 4)));
        }
    }
}

} // namespace loadline::gpu
