// Decode attention for any vector type V (lane_stream.h): K and V are read once for all heads that share
// them.
#pragma once

#include "gpu/host/kernel/attention_math.h"
#include "gpu/host/kernel/kernel_table.h"

namespace loadline::gpu {

/// Positions whose K and V of one head stay in the first cache for all of its query heads.
inline constexpr int decodeKeys = 32;
/// Query heads at a time.
inline constexpr int decodeHeads = 4;

/// Halves of a position beyond which tiles are half as long: two of K and two of V are to fit a second cache.
inline constexpr std::int64_t wideRow = 2048;

/// K or V of one head in a tile.
struct HeadTile {
    const std::uint16_t* rows = nullptr;
    /// As many positions of a head as these, side by side, of what comes next; null: nothing is called.
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

/// scores[Heads][decodeKeys] = q k, noScore past the last position.
template <typename V, int Heads>
LOADLINE_INLINE inline void decodeScores(const AttentionJob& job, const float* q, const HeadTile& keys,
                                         float* scores) {
    constexpr int together = V::lanes / Heads;
    constexpr int lineHalves = 32;
    for (int first = 0; first < keys.count; first += together) {
        const std::uint16_t* rows[together]; // scores of positions past the last are overwritten below
        unroll<together>([&](auto t) LOADLINE_INLINE {
            const int position = first + t < keys.count ? first + t : keys.count - 1;
            rows[t] = keys.rows + position * keys.stride;
        });
        typename V::F sums[V::lanes];
        unroll<V::lanes>([&](auto i) LOADLINE_INLINE { sums[i] = V::zero(); });
        for (int d = 0; d < job.headDim; d += V::lanes) {
            typename V::F key[together];
            unroll<together>([&](auto t) LOADLINE_INLINE {
                key[t] = V::loadHalf(rows[t] + d);
                if ((d / V::lanes + t) % (lineHalves / V::lanes) == 0) { // one line, once
                    prefetchNext<1>(keys, first + t, d, job.headDim);
                }
            });
            unroll<Heads>([&](auto h) LOADLINE_INLINE {
                const typename V::F query = V::load(q + h * job.headDim + d);
                unroll<together>([&](auto t) LOADLINE_INLINE {
                    sums[h * together + t] = V::fma(query, key[t], sums[h * together + t]);
                });
            });
        }
        alignas(64) float totals[V::lanes];
        V::store(totals, V::totals(sums));
        unroll<Heads>([&](auto h) LOADLINE_INLINE {
            unroll<together>([&](auto t) LOADLINE_INLINE {
                scores[h * decodeKeys + first + t] = totals[h * together + t];
            });
        });
    }
    for (int h = 0; h < Heads; ++h) {
        for (int t = keys.count; t < decodeKeys; ++t) {
            scores[h * decodeKeys + t] = noScore;
        }
    }
}

/// Scores of one head to weights; what the sums so far shrink by.
template <typename V>
LOADLINE_INLINE inline typename V::F decodeWeights(float scale, float* scores, float& most, float& weight) {
    const typename V::F factor = V::broadcast(scale);
    typename V::F greatest = V::broadcast(noScore);
    for (int t = 0; t < decodeKeys; t += V::lanes) {
        const typename V::F score = V::mul(V::load(scores + t), factor);
        greatest = V::max(greatest, score);
        V::store(scores + t, score);
    }
    const float before = most;
    const float found = V::greatest(greatest);
    most = found > before ? found : before;
    const typename V::F newMost = V::broadcast(most);
    typename V::F sum = V::zero();
    for (int t = 0; t < decodeKeys; t += V::lanes) {
        const typename V::F share = exp2Of<V>(V::sub(V::load(scores + t), newMost));
        sum = V::add(sum, share);
        V::store(scores + t, share);
    }
    const typename V::F shrink = exp2Of<V>(V::broadcast(before - most));
    alignas(64) float shrinks[V::lanes];
    V::store(shrinks, shrink);
    weight = weight * shrinks[0] + V::total(sum);
    return shrink;
}

/// sums[Heads][headDim] = sums shrink + weights v, for `Vectors` vectors from `d` on.
template <typename V, int Heads, int Vectors>
LOADLINE_INLINE inline void decodeColumns(const AttentionJob& job, const HeadTile& values, int d,
                                          const float* weights, const typename V::F (&shrink)[Heads],
                                          float* sums) {
    typename V::F sum[Heads][Vectors];
    unroll<Heads>([&](auto h) LOADLINE_INLINE {
        unroll<Vectors>([&](auto v) LOADLINE_INLINE {
            sum[h][v] = V::mul(V::load(sums + h * job.headDim + d + v * V::lanes), shrink[h]);
        });
    });
    for (int t = 0; t < values.count; ++t) {
        const std::uint16_t* row = values.rows + t * values.stride + d;
        typename V::F value[Vectors];
        unroll<Vectors>([&](auto v) LOADLINE_INLINE { value[v] = V::loadHalf(row + v * V::lanes); });
        prefetchNext<Vectors * V::lanes>(values, t, d, job.headDim);
        unroll<Heads>([&](auto h) LOADLINE_INLINE {
            const typename V::F share = V::broadcast(weights[h * decodeKeys + t]);
            unroll<Vectors>([&](auto v) LOADLINE_INLINE { sum[h][v] = V::fma(value[v], share, sum[h][v]); });
        });
    }
    unroll<Heads>([&](auto h) LOADLINE_INLINE {
        unroll<Vectors>(
            [&](auto v) LOADLINE_INLINE { V::store(sums + h * job.headDim + d + v * V::lanes, sum[h][v]); });
    });
}

/// The state of some query heads: where their part of a partial lies.
struct HeadState {
    float* sums = nullptr; ///< [heads][headDim]
    float* most = nullptr;
    float* weight = nullptr;
};

template <typename V, int Heads>
LOADLINE_INLINE inline void decodeTile(const AttentionJob& job, const float* q, const HeadTile& keys,
                                       const HeadTile& values, const HeadState& state) {
    alignas(64) float scores[Heads * decodeKeys];
    decodeScores<V, Heads>(job, q, keys, scores);
    typename V::F shrink[Heads];
    unroll<Heads>([&](auto h) LOADLINE_INLINE {
        shrink[h] = decodeWeights<V>(job.scale, scores + h * decodeKeys, state.most[h], state.weight[h]);
    });
    int d = 0;
    for (; d + V::valueVectors * V::lanes <= job.headDim; d += V::valueVectors * V::lanes) {
        decodeColumns<V, Heads, V::valueVectors>(job, values, d, scores, shrink, state.sums);
    }
    for (; d < job.headDim; d += V::lanes) {
        decodeColumns<V, Heads, 1>(job, values, d, scores, shrink, state.sums);
    }
}

/// Query heads `first` to `end` of a tile, `Heads` at a time, then fewer.
template <typename V, int Heads = decodeHeads>
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
