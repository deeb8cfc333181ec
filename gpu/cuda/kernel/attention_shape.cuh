// Attention's arguments and geometry: where keys and values lie, tiles, partial results.
#pragma once

#include "gpu/cuda/lane/lane.cuh"
#include "gpu/format/host_device.h"
#include "gpu/format/kv_block.h"

namespace loadline::gpu {

struct AttentionArgs {
    const std::uint16_t* q = nullptr; ///< fp16, [batch, m, queryHeads, D]
    const std::uint16_t* k = nullptr; ///< fp16, [KV blocks, kvBlockTokens, kvHeads, D]: kv_block.h
    const std::uint16_t* v = nullptr;
    const std::int32_t* blocks = nullptr;  ///< [batch, tableStride]: where keys 16 i to 16 i + 15 lie
    const std::int32_t* lengths = nullptr; ///< [batch]: keys of a sequence, at least m
    std::uint16_t* out = nullptr;          ///< fp16, as q
    float* partial = nullptr;              ///< decode, of several splits: attentionPartials
    int batch = 0;
    int m = 1; ///< queries per sequence, at the end of its keys
    int tableStride = 0;
    int queryHeads = 0;
    int kvHeads = 0;
    int splits = 1;  ///< decode: blocks of threads over a sequence
    float scale = 0; ///< of scores, times log2(e)
};

inline constexpr int attentionTile = 64;
inline constexpr int attentionThreads = 128;
inline constexpr int attentionWarps = attentionThreads / warpLanes;

template <int HeadDim, bool Prefill>
struct AttentionShape {
    static constexpr int rowWarps = Prefill ? attentionWarps : 1;
    static constexpr int rows = 16 * rowWarps;
    static constexpr int stages = HeadDim == 256 ? 1 : 2;
    /// Positions between two corrections of a warp's sums: more take more registers.
    static constexpr int pass = !Prefill ? 16 : (HeadDim == 256 ? 32 : 64);
    static constexpr std::uint32_t rowBytes = HeadDim * 2;
    static constexpr std::uint32_t queryBytes = rows * rowBytes;
    static constexpr std::uint32_t tileBytes = attentionTile * rowBytes; ///< of K, and of V
    static constexpr std::uint32_t sharedBytes = queryBytes + stages * 2 * tileBytes;

    // Decode: where its warps' results are joined, once no tile is needed any more.
    static constexpr std::uint32_t jointPitch = (HeadDim + 8) * 4; ///< of a row: no bank is met twice
    static constexpr std::uint32_t warpStatistics = 16 * 8;        ///< of a warp's rows: maximum, weight
    static constexpr std::uint32_t jointSums = (attentionWarps + 1) * warpStatistics;
    static_assert(Prefill || jointSums + attentionWarps * 16 * jointPitch <= sharedBytes);
};

LOADLINE_HD constexpr int attentionRowTiles(int queryHeads, int kvHeads) {
    return (queryHeads / kvHeads + 15) / 16;
}

/// Floats that a decode needs in `partial`: of each query head and split a sum per dimension, and behind them
/// all of each a maximum and a weight.
LOADLINE_HD constexpr std::int64_t attentionPartials(int batch, int queryHeads, int headDim, int splits) {
    return splits == 1 ? 0 : static_cast<std::int64_t>(batch) * queryHeads * splits * (headDim + 2);
}

} // namespace loadline::gpu
