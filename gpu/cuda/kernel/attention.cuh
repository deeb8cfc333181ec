// Simple attention by tensor cores: decode with split K and V, causal prefill. Not FlashAttention.
#pragma once

#include "gpu/cuda/lane/lane.cuh"
#include "gpu/format/host_device.h"

namespace loadline::gpu {

// Both tile K and V by 64 positions. Prefill: four warps of 16 queries of one head share the tile. Decode:
// the query heads of one KV head are the 16 rows, and each warp takes 16 of the tile's positions; a block
// takes a piece of the context, and every warp leaves its own partial result for combineAttention.

struct AttentionArgs {
    const std::uint16_t* q = nullptr; ///< fp16, [batch, m, queryHeads, D]
    const std::uint16_t* k = nullptr; ///< fp16, [batch, context, kvHeads, D]
    const std::uint16_t* v = nullptr;
    std::uint16_t* out = nullptr; ///< fp16, as q
    float* partial = nullptr;     ///< decode: attentionPartials
    int batch = 0;
    int m = 1; ///< queries per sequence, at the end of the context
    int context = 0;
    int queryHeads = 0;
    int kvHeads = 0;
    int splits = 1;  ///< decode: blocks over the context
    float scale = 0; ///< of scores, times log2(e)
};

inline constexpr int attentionTile = 64;
inline constexpr int attentionThreads = 128;

template <int HeadDim, bool Prefill>
struct AttentionShape {
    static constexpr int rowWarps = Prefill ? 4 : 1;
    static constexpr int rows = 16 * rowWarps;
    static constexpr int stages = HeadDim == 256 ? 1 : 2;
    /// Positions between two corrections of a warp's sums: more take more registers.
    static constexpr int pass = !Prefill ? 16 : (HeadDim == 256 ? 32 : 64);
    static constexpr std::uint32_t rowBytes = HeadDim * 2;
    static constexpr std::uint32_t queryBytes = rows * rowBytes;
    static constexpr std::uint32_t tileBytes = attentionTile * rowBytes; ///< of K, and of V
    static constexpr std::uint32_t sharedBytes = queryBytes + stages * 2 * tileBytes;
};

/// Floats of a warp's partial result: 16 rows of sums, then their maxima, then their weights.
LOADLINE_HD constexpr int attentionPartFloats(int headDim) {
    return 16 * headDim + 32;
}

LOADLINE_HD constexpr int attentionRowTiles(int queryHeads, int kvHeads) {
    return (queryHeads / kvHeads + 15) / 16;
}

/// Floats that a decode needs in `partial`.
LOADLINE_HD constexpr std::int64_t attentionPartials(int batch, int queryHeads, int kvHeads, int headDim,
                                                     int splits) {
    return static_cast<std::int64_t>(batch) * kvHeads * attentionRowTiles(queryHeads, kvHeads) * splits * 4 *
           attentionPartFloats(headDim);
}

namespace detail {

/// What a warp has of its 16 rows: a lane's rows are lane/4 and lane/4 + 8.
template <int HeadDim>
struct AttentionState {
    MmaResult sum[HeadDim / 8] = {};
    float most[2] = {-1e30F, -1e30F};
    float weight[2] = {};
};

/// 16-byte chunk `chunk` of a row, placed so that eight rows' chunks lie in different banks.
template <int HeadDim>
LOADLINE_LANE std::uint32_t attentionPlace(int row, int chunk) {
    return static_cast<std::uint32_t>(row * HeadDim * 2 + (chunk ^ (row & 7)) * 16);
}

/// Rows of HeadDim halves to shared memory, `stride` halves apart, zeroes from row `valid` on.
template <int HeadDim, class Lane>
LOADLINE_LANE void loadRows(const Lane& lane, std::uint32_t to, const std::uint16_t* from,
                            std::int64_t stride, int rows, int valid) {
    constexpr int chunks = HeadDim / 8;
    for (int i = lane.thread(); i < rows * chunks; i += attentionThreads) {
        const int row = i / chunks;
        const int chunk = i % chunks;
        const bool in = row < valid;
        lane.copyAsync(to + attentionPlace<HeadDim>(row, chunk), from + (in ? row * stride + chunk * 8 : 0),
                       in);
    }
}

/// One pass of `Pass` positions from `position` of the tile at `keys`, `values`; a lane's rows see keys below
/// limit.
template <int HeadDim, int Pass, class Lane>
LOADLINE_LANE void attend(const Lane& lane, std::uint32_t queries, int queryRow, std::uint32_t keys,
                          std::uint32_t values, int position, int firstKey, const int (&limit)[2],
                          float scale, AttentionState<HeadDim>& state) {
    const int inWarp = lane.inWarp();
    MmaResult score[Pass / 8] = {};
    LOADLINE_UNROLL
    for (int step = 0; step < HeadDim / 16; ++step) {
        std::uint32_t q[4];
        lane.loadMatrices(q,
                          queries + attentionPlace<HeadDim>(queryRow + inWarp % 16, step * 2 + inWarp / 16));
        LOADLINE_UNROLL
        for (int n = 0; n < Pass / 16;
             ++n) { // matrices: eight keys with their lower, upper eight; the next eight
            std::uint32_t k[4];
            lane.loadMatrices(k,
                              keys + attentionPlace<HeadDim>(position + n * 16 + inWarp % 8 + inWarp / 16 * 8,
                                                             step * 2 + inWarp / 8 % 2));
            lane.mma(score[2 * n], q, k[0], k[1]);
            lane.mma(score[2 * n + 1], q, k[2], k[3]);
        }
    }
    float most[2] = {state.most[0], state.most[1]};
    LOADLINE_UNROLL
    for (int n = 0; n < Pass / 8; ++n) {
        LOADLINE_UNROLL
        for (int i = 0; i < 4; ++i) {
            const int key = firstKey + position + n * 8 + inWarp % 4 * 2 + i % 2;
            float& s = score[n].value[i];
            s = key < limit[i / 2] ? s * scale : -lane.infinity();
            most[i / 2] = s > most[i / 2] ? s : most[i / 2];
        }
    }
    LOADLINE_UNROLL
    for (int half = 0; half < 2; ++half) {
        LOADLINE_UNROLL
        for (int mask = 1; mask < 4; mask *= 2) {
            const float other = lane.shuffleXor(most[half], mask);
            most[half] = other > most[half] ? other : most[half];
        }
        const float shrink = lane.exp2(state.most[half] - most[half]);
        state.most[half] = most[half];
        state.weight[half] *= shrink;
        LOADLINE_UNROLL
        for (int d = 0; d < HeadDim / 8; ++d) {
            state.sum[d].value[2 * half] *= shrink;
            state.sum[d].value[2 * half + 1] *= shrink;
        }
    }
    LOADLINE_UNROLL
    for (int n = 0; n < Pass / 16; ++n) {
        std::uint32_t p[4];
        LOADLINE_UNROLL
        for (int r = 0; r < 4; ++r) { // register r: rows g + 8 (r % 2), eight keys r / 2
            MmaResult& s = score[2 * n + r / 2];
            float pair[2];
            LOADLINE_UNROLL
            for (int i = 0; i < 2; ++i) {
                pair[i] = lane.exp2(s.value[r % 2 * 2 + i] - most[r % 2]);
                state.weight[r % 2] += pair[i];
            }
            p[r] = lane.packHalves(pair[0], pair[1]);
        }
        LOADLINE_UNROLL
        for (int d = 0; d < HeadDim / 16; ++d) {
            std::uint32_t v[4];
            lane.loadMatricesTransposed(
                v, values + attentionPlace<HeadDim>(position + n * 16 + inWarp % 16, d * 2 + inWarp / 16));
            lane.mma(state.sum[2 * d], p, v[0], v[1]);
            lane.mma(state.sum[2 * d + 1], p, v[2], v[3]);
        }
    }
}

} // namespace detail

/// Grid: decode (row tiles, splits, batch x kvHeads); prefill (ceil(m / 64), 1, batch x queryHeads).
template <int HeadDim, bool Prefill, class Lane>
LOADLINE_LANE void attention(const Lane& lane, const AttentionArgs& a) {
    using Shape = AttentionShape<HeadDim, Prefill>;
    const int perKv = a.queryHeads / a.kvHeads;
    const int sequence = lane.blockZ() / (Prefill ? a.queryHeads : a.kvHeads);
    const int head = lane.blockZ() % (Prefill ? a.queryHeads : a.kvHeads); // of queries, or of K and V
    const int firstRow = lane.blockX() * Shape::rows;
    const int allRows = Prefill ? a.m : perKv;
    const int kvHead = Prefill ? head / perKv : head;
    const std::int64_t queryStride = Prefill ? static_cast<std::int64_t>(a.queryHeads) * HeadDim : HeadDim;
    const std::int64_t query = static_cast<std::int64_t>(sequence) * a.m * a.queryHeads * HeadDim +
                               (Prefill ? head : head * perKv) * HeadDim + firstRow * queryStride;
    const std::int64_t keyStride = static_cast<std::int64_t>(a.kvHeads) * HeadDim;
    const std::int64_t key = static_cast<std::int64_t>(sequence) * a.context * keyStride + kvHead * HeadDim;

    // Keys that some row of this block may see, in whole tiles.
    const int past = a.context - a.m;
    const int lastRow = firstRow + Shape::rows < a.m ? firstRow + Shape::rows : a.m;
    const int visible = Prefill ? past + lastRow : a.context;
    const int tiles = (visible + attentionTile - 1) / attentionTile;
    const int begin = static_cast<int>(static_cast<std::int64_t>(tiles) * lane.blockY() / a.splits);
    const int end = static_cast<int>(static_cast<std::int64_t>(tiles) * (lane.blockY() + 1) / a.splits);
    const auto load = [&](int tile, int stage) {
        const std::uint32_t to = Shape::queryBytes + static_cast<std::uint32_t>(stage) * 2 * Shape::tileBytes;
        const std::int64_t from = key + static_cast<std::int64_t>(tile) * attentionTile * keyStride;
        detail::loadRows<HeadDim>(lane, to, a.k + from, keyStride, attentionTile,
                                  a.context - tile * attentionTile);
        detail::loadRows<HeadDim>(lane, to + Shape::tileBytes, a.v + from, keyStride, attentionTile,
                                  a.context - tile * attentionTile);
    };
    detail::loadRows<HeadDim>(lane, 0, a.q + query, queryStride, Shape::rows, allRows - firstRow);
    if (begin < end) {
        load(begin, 0);
    }
    lane.commitCopies();

    const int g = lane.inWarp() / 4;
    const int warpRow = Prefill ? lane.warp() * 16 : 0;
    int limit[2];
    LOADLINE_UNROLL
    for (int half = 0; half < 2; ++half) {
        const int row = firstRow + warpRow + g + half * 8;
        limit[half] = Prefill && past + row + 1 < a.context ? past + row + 1 : a.context;
    }
    detail::AttentionState<HeadDim> state;
    for (int tile = begin; tile < end; ++tile) {
        const int stage = Shape::stages == 1 ? 0 : (tile - begin) % 2;
        if (Shape::stages == 2 && tile + 1 < end) {
            load(tile + 1, 1 - stage);
        }
        lane.commitCopies();
        lane.template waitCopies<Shape::stages - 1>();
        lane.sync();
        const std::uint32_t keys =
            Shape::queryBytes + static_cast<std::uint32_t>(stage) * 2 * Shape::tileBytes;
        if constexpr (Prefill) {
            for (int position = 0; position < attentionTile; position += Shape::pass) {
                detail::attend<HeadDim, Shape::pass>(lane, 0, warpRow, keys, keys + Shape::tileBytes,
                                                     position, tile * attentionTile, limit, a.scale, state);
            }
        } else {
            detail::attend<HeadDim, Shape::pass>(lane, 0, 0, keys, keys + Shape::tileBytes, lane.warp() * 16,
                                                 tile * attentionTile, limit, a.scale, state);
        }
        lane.sync();
        if (Shape::stages == 1 && tile + 1 < end) {
            load(tile + 1, 0);
        }
    }
    lane.template waitCopies<0>();

    LOADLINE_UNROLL
    for (int half = 0; half < 2; ++half) {
        LOADLINE_UNROLL
        for (int mask = 1; mask < 4; mask *= 2) {
            state.weight[half] += lane.shuffleXor(state.weight[half], mask);
        }
        const int row = warpRow + g + half * 8;
        if constexpr (Prefill) {
            if (firstRow + row < allRows) {
                std::uint16_t* const to = a.out + query + row * queryStride + lane.inWarp() % 4 * 2;
                LOADLINE_UNROLL
                for (int d = 0; d < HeadDim / 8; ++d) {
                    to[d * 8] = lane.toHalf(state.sum[d].value[2 * half] / state.weight[half]);
                    to[d * 8 + 1] = lane.toHalf(state.sum[d].value[2 * half + 1] / state.weight[half]);
                }
            }
        } else {
            const std::int64_t tileOfRows =
                static_cast<std::int64_t>(lane.blockZ()) * attentionRowTiles(a.queryHeads, a.kvHeads) +
                lane.blockX();
            float* const part = a.partial + ((tileOfRows * a.splits + lane.blockY()) * 4 + lane.warp()) *
                                                attentionPartFloats(HeadDim);
            LOADLINE_UNROLL
            for (int d = 0; d < HeadDim / 8; ++d) {
                part[row * HeadDim + d * 8 + lane.inWarp() % 4 * 2] = state.sum[d].value[2 * half];
                part[row * HeadDim + d * 8 + lane.inWarp() % 4 * 2 + 1] = state.sum[d].value[2 * half + 1];
            }
            if (lane.inWarp() % 4 == 0) {
                part[16 * HeadDim + row] = state.most[half];
                part[16 * HeadDim + 16 + row] = state.weight[half];
            }
        }
    }
}

inline constexpr int combineThreads = 512;
/// A share for each of a head's parts, then the sums of each thread and of each warp.
LOADLINE_HD constexpr int combineSharedBytes(int splits) {
    return (4 * splits + combineThreads + combineThreads / warpLanes) * 4;
}

namespace detail {

/// Over the whole block: `join` of two values, which may be in any order.
template <class Lane, class Join>
LOADLINE_LANE float overBlock(const Lane& lane, float value, std::uint32_t room, const Join& join) {
    LOADLINE_UNROLL
    for (int mask = 16; mask > 0; mask /= 2) {
        value = join(value, lane.shuffleXor(value, mask));
    }
    if (lane.inWarp() == 0) {
        lane.storeShared(room + static_cast<std::uint32_t>(lane.warp() * 4), value);
    }
    lane.sync();
    value = lane.template loadShared<float>(room);
    for (int warp = 1; warp < combineThreads / warpLanes; ++warp) {
        value = join(value, lane.template loadShared<float>(room + static_cast<std::uint32_t>(warp * 4)));
    }
    lane.sync(); // the room can be used again
    return value;
}

} // namespace detail

/// Joins a decode's partial results: all threads take parts at the same time, first for what the parts weigh,
/// then, in groups of HeadDim threads, for their sums. Grid: (batch x queryHeads); combineThreads.
template <int HeadDim, class Lane>
LOADLINE_LANE void combineAttention(const Lane& lane, const AttentionArgs& a) {
    constexpr int groups = combineThreads / HeadDim;
    constexpr int atOnce = 8;
    const int perKv = a.queryHeads / a.kvHeads;
    const int sequence = lane.blockX() / a.queryHeads;
    const int head = lane.blockX() % a.queryHeads;
    const int inKv = head % perKv;
    const std::int64_t tile = (static_cast<std::int64_t>(sequence) * a.kvHeads + head / perKv) *
                                  attentionRowTiles(a.queryHeads, a.kvHeads) +
                              inKv / 16;
    const int row = inKv % 16;
    const int parts = a.splits * 4;
    const auto share = [](int part) { return static_cast<std::uint32_t>(part * 4); };
    const std::uint32_t sums = share(parts);
    const std::uint32_t room = sums + combineThreads * 4;
    const float* const first = a.partial + tile * parts * attentionPartFloats(HeadDim);

    float most = -1e30F;
    for (int p = lane.thread(); p < parts; p += combineThreads) {
        const float m = first[p * attentionPartFloats(HeadDim) + 16 * HeadDim + row];
        most = m > most ? m : most;
    }
    most = detail::overBlock(lane, most, room, [](float x, float y) { return x > y ? x : y; });
    float weight = 0;
    for (int p = lane.thread(); p < parts; p += combineThreads) {
        const float* const part = first + p * attentionPartFloats(HeadDim) + 16 * HeadDim + row;
        const float ofPart = lane.exp2(part[0] - most);
        lane.storeShared(share(p), ofPart);
        weight += ofPart * part[16];
    }
    weight = detail::overBlock(lane, weight, room, [](float x, float y) { return x + y; });

    const int dimension = lane.thread() % HeadDim;
    float sum = 0;
    for (int begin = lane.thread() / HeadDim; begin < parts; begin += groups * atOnce) {
        float value[atOnce];
        LOADLINE_UNROLL
        for (int i = 0; i < atOnce; ++i) { // all under way at the same time
            const int p = begin + i * groups;
            value[i] = p < parts ? first[p * attentionPartFloats(HeadDim) + row * HeadDim + dimension] : 0;
        }
        LOADLINE_UNROLL
        for (int i = 0; i < atOnce; ++i) {
            const int p = begin + i * groups;
            sum += p < parts ? lane.template loadShared<float>(share(p)) * value[i] : 0;
        }
    }
    lane.storeShared(sums + static_cast<std::uint32_t>(lane.thread() * 4), sum);
    lane.sync();
    if (lane.thread() < HeadDim) {
        for (int group = 1; group < groups; ++group) {
            sum += lane.template loadShared<float>(
                sums + static_cast<std::uint32_t>((group * HeadDim + dimension) * 4));
        }
        a.out[static_cast<std::int64_t>(lane.blockX()) * HeadDim + dimension] = lane.toHalf(sum / weight);
    }
}

} // namespace loadline::gpu
