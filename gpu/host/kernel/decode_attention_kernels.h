// Decode attention for any vector type V (lane_stream.h): K and V are read once for all heads that share
// them.
#pragma once

#include "gpu/host/kernel/attention_math.h"
#include "gpu/host/kernel/kernel_table.h"

namespace loadline::gpu {

/// Positions whose K and V of one head stay in the first cache for all of its query heads.
inline constexpr int decodeKeys = 32;
/// Halves of a position beyond which tiles are half as long: two of K and two of V are to fit a second cache.
inline constexpr std::int64_t wideRow = 2048;

/// K or V of one head in a tile.
struct HeadTile {
    const std::uint16_t* rows = nullptr;
    /// The next positions to prefetch, as many of a head as these, side by side; null: nothing is prefetched.
    const std::uint16_t* next = nullptr;
    std::int64_t stride = 0; ///< halves from one position to the next
    int count = 0;           ///< positions, decodeKeys at most
};

/// Calls as much of the next tile as is read of this one, in the order of memory, a line or two at a time: at
/// once they would wait for each other, and the arithmetic for them.
template <int Halves>
LOADLINE_INLINE inline void prefetchNext(const HeadTile& tile, int position, int d, int headDim) {
    constexpr int lineHalves = 32;
    if (tile.next != nullptr) {
        unroll<(Halves + lineHalves - 1) / lineHalves>([&](auto i) LOADLINE_INLINE {
            __builtin_prefetch(tile.next + position * headDim + d + i * lineHalves, 0, 2);
        });
    }
}

/// Scores of a tile are [decodeKeys][Heads]: a vector holds those of `positionsOf` positions.
template <typename V, int Heads>
inline constexpr int positionsOf = V::lanes / Heads;

/// scores = q k; of the positions past the last, up to a whole vector, noScore.
template <typename V, int Heads>
LOADLINE_INLINE inline void decodeScores(const AttentionJob& job, const float* q, const HeadTile& keys,
                                         float* scores) {
    constexpr int together = positionsOf<V, Heads>;
    constexpr int lineHalves = 32;
    for (int first = 0; first < keys.count; first += together) {
        const std::uint16_t* rows[together]; // scores of positions past the last are overwritten below
        unroll<together>([&](auto t) LOADLINE_INLINE {
            const int position = first + t < keys.count ? first + t : keys.count - 1;
            rows[t] = keys.rows + position * keys.stride;
        });
        typename V::F sums[V::lanes];
        unroll<V::lanes>([&](auto i) LOADLINE_INLINE { sums[i] = V::zero(); });
        for (int line = 0; line < job.headDim; line += lineHalves) {
            unroll<together>([&](auto t)
                                 LOADLINE_INLINE { prefetchNext<1>(keys, first + t, line, job.headDim); });
            const int end = line + lineHalves < job.headDim ? line + lineHalves : job.headDim;
            for (int d = line; d < end; d += V::lanes) {
                typename V::F key[together];
                unroll<together>([&](auto t) LOADLINE_INLINE { key[t] = V::loadHalf(rows[t] + d); });
                unroll<Heads>([&](auto h) LOADLINE_INLINE {
                    typename V::F query = V::load(q + h * job.headDim + d);
                    V::keep(query);
                    unroll<together>([&](auto t) LOADLINE_INLINE {
                        sums[t * Heads + h] = V::fma(query, key[t], sums[t * Heads + h]);
                    });
                });
            }
        }
        V::store(scores + first * Heads, V::totals(sums));
    }
    for (int t = keys.count; t % together != 0; ++t) {
        for (int h = 0; h < Heads; ++h) {
            scores[t * Heads + h] = noScore;
        }
    }
}

/// The state of some query heads: where their part of a partial lies.
struct HeadState {
    float* sums = nullptr; ///< [heads][headDim]
    float* most = nullptr;
    float* weight = nullptr;
};

/// join(all lanes of a head) in each of its lanes.
template <typename V, int Heads, int Count = Heads, typename Join>
LOADLINE_INLINE inline typename V::F joinedPositions(typename V::F value, Join join) {
    if constexpr (Count < V::lanes) {
        return joinedPositions<V, Heads, 2 * Count>(join(value, V::template swapped<Count>(value)), join);
    } else {
        return value;
    }
}

template <typename V, int Heads>
LOADLINE_INLINE inline void storeHeads(float* to, typename V::F value) {
    alignas(64) float all[V::lanes];
    V::store(all, value);
    __builtin_memcpy(to, all, Heads * sizeof *to);
}

/// Scores of `count` positions to weights; shrink: what the sums so far are multiplied with.
template <typename V, int Heads>
LOADLINE_INLINE inline void decodeWeights(float scale, int count, float* scores, const HeadState& state,
                                          float* shrink) {
    const typename V::F factor = V::broadcast(scale);
    typename V::F greatest = V::broadcast(noScore);
    for (int at = 0; at < count * Heads; at += V::lanes) {
        const typename V::F score = V::mul(V::load(scores + at), factor);
        greatest = V::max(greatest, score);
        V::store(scores + at, score);
    }
    greatest = joinedPositions<V, Heads>(greatest, [](typename V::F a, typename V::F b)
                                                       LOADLINE_INLINE { return V::max(a, b); });
    const typename V::F before = V::template repeated<Heads>(state.most);
    const typename V::F most = V::max(before, greatest);
    typename V::F sum = V::zero();
    for (int at = 0; at < count * Heads; at += V::lanes) {
        const typename V::F share = exp2Of<V>(V::sub(V::load(scores + at), most));
        sum = V::add(sum, share);
        V::store(scores + at, share);
    }
    sum = joinedPositions<V, Heads>(sum, [](typename V::F a, typename V::F b)
                                             LOADLINE_INLINE { return V::add(a, b); });
    const typename V::F shrinks = exp2Of<V>(V::sub(before, most));
    storeHeads<V, Heads>(shrink, shrinks);
    storeHeads<V, Heads>(state.most, most);
    storeHeads<V, Heads>(state.weight, V::fma(V::template repeated<Heads>(state.weight), shrinks, sum));
}

/// sums[Heads][headDim] = sums shrink + weights v, for `Vectors` vectors from `d` on.
template <typename V, int Heads, int Vectors>
LOADLINE_INLINE inline void decodeColumns(const AttentionJob& job, const HeadTile& values, int d,
                                          const float* weights, const float* shrink, float* sums) {
    typename V::F sum[Heads][Vectors];
    unroll<Heads>([&](auto h) LOADLINE_INLINE {
        const typename V::F factor = V::broadcast(shrink[h]);
        unroll<Vectors>([&](auto v) LOADLINE_INLINE {
            sum[h][v] = V::mul(V::load(sums + h * job.headDim + d + v * V::lanes), factor);
        });
    });
    for (int t = 0; t < values.count; ++t) {
        const std::uint16_t* row = values.rows + t * values.stride + d;
        typename V::F value[Vectors];
        unroll<Vectors>([&](auto v) LOADLINE_INLINE { value[v] = V::loadHalf(row + v * V::lanes); });
        prefetchNext<Vectors * V::lanes>(values, t, d, job.headDim);
        unroll<Heads>([&](auto h) LOADLINE_INLINE {
            const typename V::F share = V::broadcast(weights[t * Heads + h]);
            unroll<Vectors>([&](auto v) LOADLINE_INLINE { sum[h][v] = V::fma(value[v], share, sum[h][v]); });
        });
    }
    unroll<Heads>([&](auto h) LOADLINE_INLINE {
        unroll<Vectors>(
            [&](auto v) LOADLINE_INLINE { V::store(sums + h * job.headDim + d + v * V::lanes, sum[h][v]); });
    });
}

template <typename V, int Heads>
LOADLINE_INLINE inline void decodeTile(const AttentionJob& job, const float* q, const HeadTile& keys,
                                       const HeadTile& values, const HeadState& state) {
    constexpr int vectors = Heads > 4 ? V::valueVectors / 2 : V::valueVectors;
    alignas(64) float scores[Heads * decodeKeys];
    float shrink[Heads];
    decodeScores<V, Heads>(job, q, keys, scores);
    decodeWeights<V, Heads>(job.scale, keys.count, scores, state, shrink);
    int d = 0;
    for (; d + vectors * V::lanes <= job.headDim; d += vectors * V::lanes) {
        decodeColumns<V, Heads, vectors>(job, values, d, scores, shrink, state.sums);
    }
    for (; d < job.headDim; d += V::lanes) {
        decodeColumns<V, Heads, 1>(job, values, d, scores, shrink, state.sums);
    }
}

/// Query heads `first` to `end` of a tile, `Heads` at a time, then fewer: K and V become floats once for
/// each.
template <typename V, int Heads = V::decodeHeads>
void decodeTileHeads(const AttentionJob& job, const float* q, HeadTile& keys, HeadTile& values,
                     float* partial, int first, int end) {
    float* const states = partial + static_cast<std::int64_t>(job.qHeads) * job.headDim;
    for (; end - first >= Heads; first += Heads) {
        const std::int64_t at = static_cast<std::int64_t>(first) * job.headDim;
        decodeTile<V, Heads>(job, q + at, keys, values,
                             {partial + at, states + first, states + job.qHeads + first});
        keys.next = values.next = nullptr; // called once
    }
    if constexpr (Heads > 1) {
        decodeTileHeads<V, Heads / 2>(job, q, keys, values, partial, first, end);
    }
}

template <typename V>
void decodeAttention(const AttentionJob& job, ContextPart part, float* partial) {
    const std::int64_t headDim = job.headDim;
    const std::int64_t stride = job.kvHeads * headDim;
    const int perKv = job.qHeads / job.kvHeads;
    const float* q = job.q + part.sequence * job.qHeads * headDim;
    const std::uint16_t* keys = job.keys[part.sequence];
    const std::uint16_t* values = job.values[part.sequence];
    for (std::int64_t i = 0; i < job.qHeads * headDim; ++i) {
        partial[i] = 0;
    }
    for (std::int64_t h = 0; h < job.qHeads; ++h) {
        partial[job.qHeads * headDim + h] = noScore;
        partial[job.qHeads * (headDim + 1) + h] = 0;
    }
    const int tile = stride > wideRow ? decodeKeys / 2 : decodeKeys;
    for (std::int64_t first = part.begin; first < part.end; first += tile) {
        const auto count = static_cast<int>(part.end - first < tile ? part.end - first : tile);
        const bool more = first + 2 * tile <= part.ahead;
        for (int head = 0; head < job.kvHeads; ++head) {
            const std::int64_t at = first * stride + head * headDim;
            const std::int64_t next = (first + tile) * stride + head * tile * headDim;
            HeadTile keyTile{keys + at, more ? keys + next : nullptr, stride, count};
            HeadTile valueTile{values + at, more ? values + next : nullptr, stride, count};
            decodeTileHeads<V>(job, q, keyTile, valueTile, partial, head * perKv, (head + 1) * perKv);
        }
    }
}

template <typename V>
void combineAttention(const AttentionJob& job, std::int64_t sequence, const float* partials,
                      std::int64_t parts, std::int64_t stride) {
    const std::int64_t values = static_cast<std::int64_t>(job.qHeads) * job.headDim;
    for (int head = 0; head < job.qHeads; ++head) {
        float* const out = job.out + sequence * values + head * static_cast<std::int64_t>(job.headDim);
        float most = noScore;
        for (std::int64_t part = 0; part < parts; ++part) {
            const float here = partials[part * stride + values + head];
            most = here > most ? here : most;
        }
        typename V::F weight = V::zero();
        for (std::int64_t part = 0; part < parts; ++part) {
            const float* const from = partials + part * stride;
            const typename V::F share = exp2Of<V>(V::broadcast(from[values + head] - most));
            weight = V::fma(share, V::broadcast(from[values + job.qHeads + head]), weight);
            for (int d = 0; d < job.headDim; d += V::lanes) {
                const typename V::F sum = V::load(from + head * static_cast<std::int64_t>(job.headDim) + d);
                V::store(out + d, part == 0 ? V::mul(share, sum) : V::fma(share, sum, V::load(out + d)));
            }
        }
        alignas(64) float weights[V::lanes];
        V::store(weights, weight);
        const typename V::F inverse = V::broadcast(1 / weights[0]);
        for (int d = 0; d < job.headDim; d += V::lanes) {
            V::store(out + d, V::mul(V::load(out + d), inverse));
        }
    }
}

} // namespace loadline::gpu
