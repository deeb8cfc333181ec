// Bounds that no kernel can beat: reading, writing and copying device memory, and an empty node.
#pragma once

#include "gpu/cuda/lane/lane.cuh"

namespace loadline::gpu {

struct CeilingArgs {
    const Chunk* from = nullptr;
    Chunk* to = nullptr;
    std::int64_t chunks = 0;
};

inline constexpr int ceilingThreads = 512;
inline constexpr int ceilingUnroll = 4; ///< loads under way per thread

/// Visits chunks of this thread, `ceilingUnroll` at a time: of(first, step) while all exist, then one by one.
template <class Lane, class Four, class One>
LOADLINE_LANE void eachChunk(const Lane& lane, std::int64_t chunks, const Four& four, const One& one) {
    const std::int64_t stride = static_cast<std::int64_t>(lane.gridX()) * ceilingThreads;
    std::int64_t i = static_cast<std::int64_t>(lane.blockX()) * ceilingThreads + lane.thread();
    for (; i + (ceilingUnroll - 1) * stride < chunks; i += ceilingUnroll * stride) {
        four(i, stride);
    }
    for (; i < chunks; i += stride) {
        one(i);
    }
}

/// Reads everything; stores one chunk only if all of a thread's words happen to XOR to a value no data has,
/// so that the reading cannot be left out. Grid: any.
template <class Lane>
LOADLINE_LANE void readAll(const Lane& lane, const CeilingArgs& a) {
    std::uint32_t mixed = 0;
    const auto mix = [&](const Chunk& c) { mixed ^= c.word[0] ^ c.word[1] ^ c.word[2] ^ c.word[3]; };
    eachChunk(
        lane, a.chunks,
        [&](std::int64_t i, std::int64_t stride) {
            Chunk c[ceilingUnroll];
            LOADLINE_UNROLL
            for (int u = 0; u < ceilingUnroll; ++u) {
                c[u] = lane.stream(a.from + i + u * stride);
            }
            LOADLINE_UNROLL
            // NOLINTNEXTLINE(modernize-loop-convert): as all that is unrolled
            for (int u = 0; u < ceilingUnroll; ++u) {
                mix(c[u]);
            }
        },
        [&](std::int64_t i) { mix(lane.stream(a.from + i)); });
    if (mixed == 0x5bd1e995U && a.to != nullptr) {
        lane.store(a.to, {{mixed, mixed, mixed, mixed}});
    }
}

template <class Lane>
LOADLINE_LANE void copyAll(const Lane& lane, const CeilingArgs& a) {
    eachChunk(
        lane, a.chunks,
        [&](std::int64_t i, std::int64_t stride) {
            Chunk c[ceilingUnroll];
            LOADLINE_UNROLL
            for (int u = 0; u < ceilingUnroll; ++u) {
                c[u] = lane.stream(a.from + i + u * stride);
            }
            LOADLINE_UNROLL
            for (int u = 0; u < ceilingUnroll; ++u) {
                lane.store(a.to + i + u * stride, c[u]);
            }
        },
        [&](std::int64_t i) { lane.store(a.to + i, lane.stream(a.from + i)); });
}

template <class Lane>
LOADLINE_LANE void writeAll(const Lane& lane, const CeilingArgs& a) {
    const auto word = static_cast<std::uint32_t>(lane.thread());
    const Chunk c = {{word, word, word, word}};
    eachChunk(
        lane, a.chunks,
        [&](std::int64_t i, std::int64_t stride) {
            LOADLINE_UNROLL
            for (int u = 0; u < ceilingUnroll; ++u) {
                lane.store(a.to + i + u * stride, c);
            }
        },
        [&](std::int64_t i) { lane.store(a.to + i, c); });
}

} // namespace loadline::gpu
