// Simple attention by tensor cores over KV blocks: decode with split K and V, causal prefill. Not
// FlashAttention.
#pragma once

#include "gpu/cuda/kernel/attention_shape.cuh"

namespace loadline::gpu {

// Both tile K and V by 64 positions. Prefill: four warps of 16 queries of one head share the tile. Decode:
// the query heads of one KV head are the 16 rows, so that K and V are read once for all of them, and each
// warp takes 16 of the tile's positions; a block takes a piece of the keys, joins its warps' results and
// leaves them for combineAttention.

namespace detail {

/// A warp's results of its 16 rows: a lane's rows are lane/4 and lane/4 + 8.
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

inline constexpr int tileBlocks = attentionTile / kvBlockTokens;

/// The KV blocks of a tile; behind the sequence's last block that one again.
struct TileBlocks {
    std::int32_t of[tileBlocks];
};

/// The keys and values of one sequence and head. What arguments give is worked out anew: registers are few.
template <int HeadDim, class Lane>
class PagedKeys {
public:
    LOADLINE_LANE PagedKeys(const Lane& lane, const AttentionArgs& a, int sequence, int kvHead)
        : lane_(lane), a_(a), sequence_(sequence), kvHead_(kvHead), length_(lane.load(a.lengths + sequence)) {
    }

    [[nodiscard]] LOADLINE_LANE int length() const { return length_; }

    [[nodiscard]] LOADLINE_LANE TileBlocks blocksOf(int tile) const {
        TileBlocks blocks;
        LOADLINE_UNROLL
        for (int i = 0; i < tileBlocks; ++i) {
            blocks.of[i] = blockOf(tile, i);
        }
        return blocks;
    }

    /// Copies K and then V of a tile to shared memory, zeroes behind the sequence's end.
    LOADLINE_LANE void load(std::uint32_t to, int tile, const TileBlocks& blocks) const {
        LOADLINE_UNROLL
        for (int i = 0; i < tileBlocks; ++i) {
            loadBlock(to, tile, i, blocks.of[i]);
        }
    }
    /// Copies the same, each block looked up when it is needed: fewer registers.
    LOADLINE_LANE void load(std::uint32_t to, int tile) const {
        LOADLINE_ROLLED
        for (int i = 0; i < tileBlocks; ++i) {
            loadBlock(to, tile, i, blockOf(tile, i));
        }
    }

private:
    [[nodiscard]] LOADLINE_LANE std::int32_t blockOf(int tile, int i) const {
        const int last = (length_ - 1) / kvBlockTokens;
        const int index = tile * tileBlocks + i;
        return lane_.load(a_.blocks + static_cast<std::int64_t>(sequence_) * a_.tableStride +
                          (index < last ? index : last));
    }

    LOADLINE_LANE void loadBlock(std::uint32_t to, int tile, int i, std::int32_t block) const {
        constexpr int chunks = HeadDim / 8;
        constexpr int rowsAtOnce = attentionThreads / chunks; // no more than a KV block has
        const int chunk = lane_.thread() % chunks;
        LOADLINE_UNROLL
        for (int first = 0; first < kvBlockTokens; first += rowsAtOnce) {
            const int inBlock = first + lane_.thread() / chunks;
            const int row = i * kvBlockTokens + inBlock;
            const std::int64_t token = static_cast<std::int64_t>(block) * kvBlockTokens + inBlock;
            const std::int64_t from = (token * a_.kvHeads + kvHead_) * HeadDim + chunk * 8;
            const std::uint32_t place = to + attentionPlace<HeadDim>(row, chunk);
            const bool in = tile * attentionTile + row < length_;
            lane_.copyAsync(place, a_.k + from, in);
            lane_.copyAsync(place + attentionTile * HeadDim * 2, a_.v + from, in);
        }
    }

    const Lane& lane_;
    const AttentionArgs& a_;
    int sequence_;
    int kvHead_;
    int length_;
};

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

/// A lane's weights become those of its whole rows.
template <int HeadDim, class Lane>
LOADLINE_LANE void sumWeights(const Lane& lane, AttentionState<HeadDim>& state) {
    LOADLINE_UNROLL
    for (int half = 0; half < 2; ++half) {
        LOADLINE_UNROLL
        for (int mask = 1; mask < 4; mask *= 2) {
            state.weight[half] += lane.shuffleXor(state.weight[half], mask);
        }
    }
}

/// The rows from `out` on that are there: `rows` of the warp's 16.
template <int HeadDim, class Lane>
LOADLINE_LANE void storeRows(const Lane& lane, std::uint16_t* out, std::int64_t stride, int rows,
                             const AttentionState<HeadDim>& state) {
    LOADLINE_UNROLL
    for (int half = 0; half < 2; ++half) {
        const int row = lane.inWarp() / 4 + half * 8;
        if (row < rows) {
            std::uint16_t* const to = out + row * stride + lane.inWarp() % 4 * 2;
            LOADLINE_UNROLL
            for (int d = 0; d < HeadDim / 8; ++d) {
                to[d * 8] = lane.toHalf(state.sum[d].value[2 * half] / state.weight[half]);
                to[d * 8 + 1] = lane.toHalf(state.sum[d].value[2 * half + 1] / state.weight[half]);
            }
        }
    }
}

struct alignas(8) TwoFloats {
    float of[2];
};

/// Joins the results of a decode's warps under each row's largest maximum. Of the rows that are there, from
/// query head `head` of all sequences on, the answer is stored where the block had all keys, else the block's
/// part of it.
template <int HeadDim, class Lane>
LOADLINE_LANE void joinWarps(const Lane& lane, const AttentionArgs& a, std::int64_t head, int rows,
                             AttentionState<HeadDim>& state) {
    using Shape = AttentionShape<HeadDim, false>;
    const auto statistics = [](int warp, int row) {
        return static_cast<std::uint32_t>(warp) * Shape::warpStatistics + static_cast<std::uint32_t>(row * 8);
    };
    const auto sums = [](int warp, int row, int dimension) {
        return Shape::jointSums + static_cast<std::uint32_t>(warp * 16 + row) * Shape::jointPitch +
               static_cast<std::uint32_t>(dimension * 4);
    };
    const int g = lane.inWarp() / 4;
    const int t = lane.inWarp() % 4;
    if (t == 0) {
        LOADLINE_UNROLL
        for (int half = 0; half < 2; ++half) {
            lane.storeShared(statistics(lane.warp(), g + half * 8),
                             TwoFloats{{state.most[half], state.weight[half]}});
        }
    }
    lane.sync();
    LOADLINE_UNROLL
    for (int half = 0; half < 2; ++half) {
        const int row = g + half * 8;
        TwoFloats of[attentionWarps];
        float most = state.most[half];
        LOADLINE_UNROLL
        for (int warp = 0; warp < attentionWarps; ++warp) {
            of[warp] = lane.template loadShared<TwoFloats>(statistics(warp, row));
            most = of[warp].of[0] > most ? of[warp].of[0] : most;
        }
        float weight = 0;
        LOADLINE_UNROLL
        for (int warp = 0; warp < attentionWarps; ++warp) {
            weight += lane.exp2(of[warp].of[0] - most) * of[warp].of[1];
        }
        if (lane.warp() == 0 && t == 0) {
            lane.storeShared(statistics(attentionWarps, row), TwoFloats{{most, weight}});
        }
        const float shrink = lane.exp2(state.most[half] - most);
        LOADLINE_UNROLL
        for (int d = 0; d < HeadDim / 8; ++d) {
            lane.storeShared(sums(lane.warp(), row, d * 8 + t * 2),
                             TwoFloats{{state.sum[d].value[2 * half] * shrink,
                                        state.sum[d].value[2 * half + 1] * shrink}});
        }
    }
    lane.sync();
    float* const ofStatistics =
        a.partial + static_cast<std::int64_t>(a.batch) * a.queryHeads * a.splits * HeadDim;
    for (int i = lane.thread(); i < rows * HeadDim; i += attentionThreads) {
        const int row = i / HeadDim;
        const int dimension = i % HeadDim;
        float sum = 0;
        LOADLINE_UNROLL
        for (int warp = 0; warp < attentionWarps; ++warp) {
            sum += lane.template loadShared<float>(sums(warp, row, dimension));
        }
        const auto joint = lane.template loadShared<TwoFloats>(statistics(attentionWarps, row));
        if (a.splits == 1) {
            a.out[(head + row) * HeadDim + dimension] = lane.toHalf(sum / joint.of[1]);
        } else {
            const std::int64_t part = (head + row) * a.splits + lane.blockY();
            a.partial[part * HeadDim + dimension] = sum;
            if (dimension < 2) {
                ofStatistics[2 * part + dimension] = dimension == 0 ? joint.of[0] : joint.of[1];
            }
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
    const std::int64_t queryStride = Prefill ? static_cast<std::int64_t>(a.queryHeads) * HeadDim : HeadDim;
    const std::int64_t query = static_cast<std::int64_t>(sequence) * a.m * a.queryHeads * HeadDim +
                               (Prefill ? head : head * perKv) * HeadDim + firstRow * queryStride;
    detail::loadRows<HeadDim>(lane, 0, a.q + query, queryStride, Shape::rows, allRows - firstRow);

    // Keys that some row of this block may see, in whole tiles.
    const detail::PagedKeys<HeadDim, Lane> keys(lane, a, sequence, Prefill ? head / perKv : head);
    const int past = keys.length() - a.m;
    const int lastRow = firstRow + Shape::rows < a.m ? firstRow + Shape::rows : a.m;
    const int visible = Prefill ? past + lastRow : keys.length();
    const int tiles = (visible + attentionTile - 1) / attentionTile;
    const int begin = static_cast<int>(static_cast<std::int64_t>(tiles) * lane.blockY() / a.splits);
    const int end = static_cast<int>(static_cast<std::int64_t>(tiles) * (lane.blockY() + 1) / a.splits);
    const auto placeOf = [](int stage) {
        return Shape::queryBytes + static_cast<std::uint32_t>(stage) * 2 * Shape::tileBytes;
    };
    const detail::TileBlocks first = keys.blocksOf(begin);
    // The blocks of the tile after those that are loaded; with one stage, registers are too few to look them
    // up ahead.
    [[maybe_unused]] detail::TileBlocks next = Shape::stages == 2 ? keys.blocksOf(begin + 1) : first;
    if (begin < end) {
        keys.load(placeOf(0), begin, first);
    }
    lane.commitCopies();

    const int warpRow = Prefill ? lane.warp() * 16 : 0;
    int limit[2];
    LOADLINE_UNROLL
    for (int half = 0; half < 2; ++half) {
        const int row = firstRow + warpRow + lane.inWarp() / 4 + half * 8;
        limit[half] = Prefill && past + row + 1 < keys.length() ? past + row + 1 : keys.length();
    }
    detail::AttentionState<HeadDim> state;
    for (int tile = begin; tile < end; ++tile) {
        const int stage = Shape::stages == 1 ? 0 : (tile - begin) % 2;
        const auto loadNext = [&](int to) {
            if (tile + 1 < end) {
                if constexpr (Shape::stages == 2) {
                    keys.load(placeOf(to), tile + 1, next);
                    next = keys.blocksOf(tile + 2);
                } else {
                    keys.load(placeOf(to), tile + 1);
                }
            }
        };
        if (Shape::stages == 2) {
            loadNext(1 - stage);
        }
        lane.commitCopies();
        lane.template waitCopies<Shape::stages - 1>();
        lane.sync();
        const std::uint32_t at = placeOf(stage);
        if constexpr (Prefill) {
            for (int position = 0; position < attentionTile; position += Shape::pass) {
                detail::attend<HeadDim, Shape::pass>(lane, 0, warpRow, at, at + Shape::tileBytes, position,
                                                     tile * attentionTile, limit, a.scale, state);
            }
        } else {
            detail::attend<HeadDim, Shape::pass>(lane, 0, 0, at, at + Shape::tileBytes, lane.warp() * 16,
                                                 tile * attentionTile, limit, a.scale, state);
        }
        lane.sync();
        if (Shape::stages == 1) {
            loadNext(0);
        }
    }
    lane.template waitCopies<0>();

    detail::sumWeights(lane, state);
    if constexpr (Prefill) {
        detail::storeRows(lane, a.out + query + warpRow * queryStride, queryStride,
                          allRows - firstRow - warpRow, state);
    } else {
        lane.sync(); // no warp waits for copies to where results are joined
        const int rows = allRows - firstRow < Shape::rows ? allRows - firstRow : Shape::rows;
        detail::joinWarps(lane, a, query / HeadDim, rows, state);
    }
}

} // namespace loadline::gpu
