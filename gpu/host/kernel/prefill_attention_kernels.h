// Causal prefill attention for any vector type V (lane_stream.h): blocks of queries over blocks of K and V in
// fp32, so that these are converted once for many queries and come from the caches.
#pragma once

#include "gpu/host/kernel/attention_math.h"
#include "gpu/host/kernel/kernel_table.h"

namespace loadline::gpu {

// Scores lie as [key][row]: a lane is a row, so that greatest scores and weights need no sums across lanes,
// and as such they are what the product with V broadcasts from.

/// Rows whose scores are worked on at a time, and their groups in a block.
template <typename V>
inline constexpr int scoreRows = 3 * V::lanes;
inline constexpr int scoreGroups = 4;
template <typename V>
inline constexpr int prefillRowsOf = scoreGroups * scoreRows<V>;
/// K lies as [headDim / 16][key][16], so that a step from key to key is a constant.
inline constexpr int keyColumns = 16;

/// sum[M][Vectors] += x(k, m) panel[k][vector], for `depth` k.
template <typename V, int XStep, int XRowStep, int PanelStep, int M, int Vectors>
LOADLINE_INLINE inline void addProducts(typename V::F (&sum)[M][Vectors], const float* x, const float* panel,
                                        int depth) {
    for (int k = 0; k < depth; ++k, x += XStep, panel += PanelStep) {
        typename V::F w[Vectors];
        unroll<Vectors>([&](auto v) LOADLINE_INLINE { w[v] = V::load(panel + v * V::lanes); });
        unroll<M>([&](auto m) LOADLINE_INLINE {
            const typename V::F factor = V::broadcast(x[m * XRowStep]);
            unroll<Vectors>([&](auto v) LOADLINE_INLINE { sum[m][v] = V::fma(w[v], factor, sum[m][v]); });
        });
    }
}

/// A block of queries on its way through the context.
template <typename V>
class PrefillWork {
public:
    using F = typename V::F;
    static constexpr int rows = scoreRows<V>;
    static constexpr int valueColumns = 2 * V::lanes; ///< V lies as [headDim / these][key][these]

    PrefillWork(const AttentionJob& job, PrefillBlock block, float* scratch)
        : job_(job), block_(block), perKv_(job.qHeads / job.kvHeads), keys_(scratch),
          values_(keys_ + prefillKeys * job.headDim),
          scores_(values_ + prefillKeys * (job.headDim + valueColumns)),
          queries_(scores_ + prefillKeys * rows), sums_(queries_ + prefillRowsOf<V> * job.headDim),
          most_(sums_ + prefillRowsOf<V> * job.headDim), weight_(most_ + prefillRowsOf<V>),
          shrink_(weight_ + prefillRowsOf<V>) {}

    void run() {
        const std::int64_t past = job_.context - job_.queries;
        const std::int64_t allRows = job_.queries * perKv_;
        const std::int64_t left = allRows - block_.firstRow;
        const auto ours = static_cast<int>(left < prefillRowsOf<V> ? left : prefillRowsOf<V>);
        const int groups = (ours + rows - 1) / rows;
        for (int group = 0; group < groups; ++group) {
            start(group, ours);
        }
        const std::int64_t visible = past + (block_.firstRow + ours - 1) / perKv_ + 1;
        for (std::int64_t key = 0; key < visible; key += prefillKeys) {
            loadKeys(key, visible);
            for (int group = 0; group < groups; ++group) {
                const int end = (group + 1) * rows < ours ? (group + 1) * rows : ours;
                const std::int64_t seen = past + (block_.firstRow + end - 1) / perKv_ + 1 - key;
                const auto count = static_cast<int>(seen < prefillKeys ? seen : prefillKeys);
                if (count > 0) {
                    attend(group, (end - group * rows + V::lanes - 1) / V::lanes, key, count);
                }
            }
        }
        for (int row = 0; row < ours; ++row) {
            finish(row);
        }
    }

private:
    /// Returns the offset at which a row of q, or of out, begins.
    [[nodiscard]] std::int64_t placeOf(int row) const {
        const std::int64_t at = block_.firstRow + row;
        const std::int64_t query = block_.sequence * job_.queries + at / perKv_;
        return (query * job_.qHeads + block_.kvHead * perKv_ + at % perKv_) * job_.headDim;
    }

    /// Queries, scaled, as [headDim][row]; rows past the last repeat it and are never stored.
    void start(int group, int ours) {
        const F scale = V::broadcast(job_.scale);
        float* const to = queries_ + static_cast<std::int64_t>(group) * rows * job_.headDim;
        for (int first = 0; first < rows; first += V::lanes) {
            const float* from[V::lanes];
            for (int i = 0; i < V::lanes; ++i) {
                const int row = group * rows + first + i;
                from[i] = job_.q + placeOf(row < ours ? row : ours - 1);
            }
            for (int d = 0; d < job_.headDim; d += V::lanes) {
                F square[V::lanes];
                for (int i = 0; i < V::lanes; ++i) {
                    square[i] = V::load(from[i] + d);
                }
                V::transpose(square);
                for (int i = 0; i < V::lanes; ++i) {
                    V::store(to + (d + i) * rows + first, V::mul(square[i], scale));
                }
            }
        }
        float* const sums = sums_ + static_cast<std::int64_t>(group) * rows * job_.headDim;
        for (int i = 0; i < rows * job_.headDim; ++i) {
            sums[i] = 0;
        }
        for (int row = group * rows; row < (group + 1) * rows; ++row) {
            most_[row] = noScore;
            weight_[row] = 0;
        }
    }

    /// Converts up to prefillKeys positions from `first` on, and calls those that come next.
    void loadKeys(std::int64_t first, std::int64_t visible) {
        constexpr int lineHalves = 32;
        const std::int64_t stride = static_cast<std::int64_t>(job_.kvHeads) * job_.headDim;
        const std::int64_t at = first * stride + block_.kvHead * static_cast<std::int64_t>(job_.headDim);
        const std::uint16_t* key = job_.keys[block_.sequence] + at;
        const std::uint16_t* value = job_.values[block_.sequence] + at;
        const std::int64_t count = visible - first < prefillKeys ? visible - first : prefillKeys;
        for (std::int64_t i = 0; i < count; ++i, key += stride, value += stride) {
            if (first + i + prefillKeys < visible) {
                for (int d = 0; d < job_.headDim; d += lineHalves) {
                    __builtin_prefetch(key + prefillKeys * stride + d);
                    __builtin_prefetch(value + prefillKeys * stride + d);
                }
            }
            for (int d = 0; d < job_.headDim; d += V::lanes) {
                float* const toKey = keys_ + (d / keyColumns * prefillKeys + i) * keyColumns + d % keyColumns;
                float* const toValue =
                    values_ + (d / valueColumns * prefillKeys + i) * valueColumns + d % valueColumns;
                V::store(toKey, V::loadHalf(key + d));
                V::store(toValue, V::loadHalf(value + d));
            }
        }
    }

    void attend(int group, int vectors, std::int64_t firstKey, int count) {
        if (vectors == 3) {
            attendVectors<3>(group, firstKey, count);
        } else if (vectors == 2) {
            attendVectors<2>(group, firstKey, count);
        } else {
            attendVectors<1>(group, firstKey, count);
        }
    }

    template <int Vectors>
    void attendVectors(int group, std::int64_t firstKey, int count) {
        for (int key = 0; key < count; key += V::scoreKeys) {
            score<Vectors>(group, key);
        }
        hide<Vectors>(group, firstKey, count);
        unroll<Vectors>([&](auto v) LOADLINE_INLINE { weigh(group, v * V::lanes, count); });
        for (int d = 0; d < job_.headDim; d += valueColumns) {
            if (d + valueColumns <= job_.headDim) {
                addValues<2>(group, d, Vectors * V::lanes, count);
            } else {
                addValues<1>(group, d, Vectors * V::lanes, count);
            }
        }
    }

    /// scores[key ...][rows] for V::scoreKeys keys; those past the last of a block mean nothing.
    template <int Vectors>
    LOADLINE_INLINE void score(int group, int key) {
        const float* queries = queries_ + static_cast<std::int64_t>(group) * rows * job_.headDim;
        F sum[V::scoreKeys][Vectors];
        unroll<V::scoreKeys>([&](auto m) LOADLINE_INLINE {
            unroll<Vectors>([&](auto v) LOADLINE_INLINE { sum[m][v] = V::zero(); });
        });
        for (int d = 0; d < job_.headDim; d += keyColumns) {
            addProducts<V, 1, keyColumns, rows>(sum, keys_ + d * prefillKeys + key * keyColumns,
                                                queries + d * rows, keyColumns);
        }
        unroll<V::scoreKeys>([&](auto m) LOADLINE_INLINE {
            unroll<Vectors>([&](auto v) LOADLINE_INLINE {
                V::store(scores_ + (key + m) * rows + v * V::lanes, sum[m][v]);
            });
        });
    }

    /// Rows do not see positions after their own.
    template <int Vectors>
    void hide(int group, std::int64_t firstKey, int count) {
        const std::int64_t past = job_.context - job_.queries;
        const std::int64_t first = block_.firstRow + static_cast<std::int64_t>(group) * rows;
        for (int key = count - 1; key >= 0; --key) {
            const std::int64_t before = (firstKey + key - past) * perKv_ - first; // rows of earlier positions
            if (before <= 0) {
                return;
            }
            for (int row = 0; row < before && row < Vectors * V::lanes; ++row) {
                scores_[key * rows + row] = noScore;
            }
        }
    }

    /// Scores of a vector of rows to weights.
    LOADLINE_INLINE void weigh(int group, int column, int count) {
        float* const scores = scores_ + column;
        float* const most = most_ + group * rows + column;
        float* const weight = weight_ + group * rows + column;
        const F before = V::load(most);
        F greatest = before;
        for (int key = 0; key < count; ++key) {
            greatest = V::max(greatest, V::load(scores + key * rows));
        }
        F sum = V::zero();
        for (int key = 0; key < count; ++key) {
            const F share = exp2Of<V>(V::sub(V::load(scores + key * rows), greatest));
            sum = V::add(sum, share);
            V::store(scores + key * rows, share);
        }
        const F shrink = exp2Of<V>(V::sub(before, greatest));
        V::store(most, greatest);
        V::store(weight, V::fma(V::load(weight), shrink, sum));
        V::store(shrink_ + column, shrink);
    }

    /// sums[row][d ...] = sums shrink + weights v, for the first `end` rows of a group.
    template <int Vectors, int M = V::gemmTile>
    void addValues(int group, int d, int end, int count, int row = 0) {
        for (; end - row >= M; row += M) {
            float* const sums = sums_ + static_cast<std::int64_t>(group * rows + row) * job_.headDim + d;
            F sum[M][Vectors];
            unroll<M>([&](auto m) LOADLINE_INLINE {
                const F shrink = V::broadcast(shrink_[row + m]);
                unroll<Vectors>([&](auto v) LOADLINE_INLINE {
                    sum[m][v] = V::mul(V::load(sums + m * job_.headDim + v * V::lanes), shrink);
                });
            });
            addProducts<V, rows, 1, valueColumns>(sum, scores_ + row, values_ + d * prefillKeys, count);
            unroll<M>([&](auto m) LOADLINE_INLINE {
                unroll<Vectors>([&](auto v) LOADLINE_INLINE {
                    V::store(sums + m * job_.headDim + v * V::lanes, sum[m][v]);
                });
            });
        }
        constexpr int third = V::gemmTile / 3; // a vector of rows is whole thirds of tiles
        if constexpr (M > third) {
            addValues<Vectors, M - third>(group, d, end, count, row);
        }
    }

    void finish(int row) {
        const float* const sums = sums_ + static_cast<std::int64_t>(row) * job_.headDim;
        float* const out = job_.out + placeOf(row);
        const F inverse = V::broadcast(1 / weight_[row]);
        for (int d = 0; d < job_.headDim; d += V::lanes) {
            V::store(out + d, V::mul(V::load(sums + d), inverse));
        }
    }

    const AttentionJob& job_;
    PrefillBlock block_;
    int perKv_;
    float* keys_;
    float* values_;
    float* scores_;
    float* queries_;
    float* sums_;
    float* most_;
    float* weight_;
    float* shrink_;
};

template <typename V>
void prefillAttention(const AttentionJob& job, PrefillBlock block, float* scratch) {
    PrefillWork<V>(job, block, scratch).run();
}

} // namespace loadline::gpu
