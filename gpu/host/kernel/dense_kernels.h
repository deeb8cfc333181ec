// GEMM by panels of fp32, and dense GEMV, for any vector type V: see lane_stream.h.
#pragma once

#include "gpu/host/kernel/lane_stream.h"

namespace loadline::gpu {

/// sums[M][32] += xTile[depth][V::gemmTile] * panel[depth][32], for M rows of x and V::gemmColumns columns.
template <typename V, int M>
LOADLINE_INLINE inline void gemmColumns(float* sums, const float* panel, const float* xTile, int depth) {
    constexpr int vectors = V::gemmColumns / V::lanes;
    typename V::F sum[M][vectors];
    unroll<M>([&](auto m) LOADLINE_INLINE {
        unroll<vectors>(
            [&](auto v) LOADLINE_INLINE { sum[m][v] = V::load(sums + m * gemmPanelRows + v * V::lanes); });
    });
    for (int k = 0; k < depth; ++k, panel += gemmPanelRows, xTile += V::gemmTile) {
        typename V::F w[vectors];
        unroll<vectors>([&](auto v) LOADLINE_INLINE { w[v] = V::load(panel + v * V::lanes); });
        unroll<M>([&](auto m) LOADLINE_INLINE {
            const typename V::F x = V::broadcast(xTile[m]);
            unroll<vectors>([&](auto v) LOADLINE_INLINE { sum[m][v] = V::fma(w[v], x, sum[m][v]); });
        });
    }
    unroll<M>([&](auto m) LOADLINE_INLINE {
        unroll<vectors>(
            [&](auto v) LOADLINE_INLINE { V::store(sums + m * gemmPanelRows + v * V::lanes, sum[m][v]); });
    });
}

template <typename V, int M = V::gemmTile>
void gemmTile(float* sums, const float* panel, const float* xTile, int depth, int rows) {
    if (rows == M) {
        for (int column = 0; column < gemmPanelRows; column += V::gemmColumns) {
            gemmColumns<V, M>(sums + column, panel + column, xTile, depth);
        }
    } else if constexpr (M > 1) {
        gemmTile<V, M - 1>(sums, panel, xTile, depth, rows);
    }
}

/// The panels of 32 rows of W from `groups`, all of K and of M; fill(group, k, depth, panel) makes the panel
/// of two groups.
template <typename V, typename Job, typename Fill>
void gemmGroups(const Job& job, UnitRange groups, float* scratch, Fill fill) {
    float* panel = scratch;
    float* sums = scratch + gemmPanelRows * gemmPanelK;
    for (std::int64_t group = groups.begin; group < groups.end; group += 2) {
        for (std::int64_t m0 = 0; m0 < job.rowsM; m0 += gemmRowsM) {
            const auto rowsM = static_cast<int>(job.rowsM - m0 < gemmRowsM ? job.rowsM - m0 : gemmRowsM);
            for (int i = 0; i < rowsM * gemmPanelRows; ++i) {
                sums[i] = 0;
            }
            for (std::int64_t k = 0; k < job.k; k += gemmPanelK) {
                const auto depth = static_cast<int>(job.k - k < gemmPanelK ? job.k - k : gemmPanelK);
                fill(group, k, depth, panel);
                for (int m = 0; m < rowsM; m += V::gemmTile) {
                    const float* xTile = job.xTiles + (m0 + m) * job.k + k * V::gemmTile;
                    gemmTile<V>(sums + m * gemmPanelRows, panel, xTile, depth,
                                rowsM - m < V::gemmTile ? rowsM - m : V::gemmTile);
                }
            }
            const std::int64_t row = group * groupRows;
            const std::int64_t rows = job.n - row < gemmPanelRows ? job.n - row : gemmPanelRows;
            for (int m = 0; m < rowsM; ++m) {
                float* to = job.y + (m0 + m) * job.n + row;
                for (std::int64_t i = 0; i < rows; ++i) {
                    to[i] = sums[m * gemmPanelRows + i];
                }
            }
        }
    }
}

/// Decodes `depth` K of one group into 16 columns of a panel.
template <typename V, int Bits>
void decodePanel(const LaneJob& job, std::int64_t group, std::int64_t k, int depth, float* panel) {
    const auto book = V::template loadBook<Bits>(job.book);
    for (int lane = 0; lane < groupRows; lane += V::lanes) {
        const LaneStream<V, Bits, 1> stream(job, group, lane);
        for (int block = 0; block < depth / blockLength; ++block) {
            const std::int64_t at = k / blockLength + block;
            const typename V::F scale = stream.scale(at);
            float* to = panel + block * blockLength * gemmPanelRows + lane;
            stream.prefetch(at);
            const std::uint32_t* records[1];
            stream.records(at, records);
            decodeRecords<V, Bits>(book, records,
                                   [&](auto e, const typename V::F(&value)[1]) LOADLINE_INLINE {
                                       V::store(to + e * gemmPanelRows, V::mul(value[0], scale));
                                   });
        }
    }
}

template <typename V>
void gemm(const LaneJob& job, UnitRange groups, float* scratch) {
    const std::int64_t allGroups = (job.n + groupRows - 1) / groupRows;
    gemmGroups<V>(job, groups, scratch, [&](std::int64_t first, std::int64_t k, int depth, float* panel) {
        for (std::int64_t group = first; group < first + 2 && group < allGroups; ++group) {
            float* to = panel + (group - first) * groupRows;
            switch (job.bits) {
            case 2:
                decodePanel<V, 2>(job, group, k, depth, to);
                break;
            case 3:
                decodePanel<V, 3>(job, group, k, depth, to);
                break;
            case 4:
                decodePanel<V, 4>(job, group, k, depth, to);
                break;
            default:
                decodePanel<V, 5>(job, group, k, depth, to);
                break;
            }
        }
    });
}

template <typename V>
LOADLINE_INLINE inline typename V::F loadWeights(const DenseJob& job, std::int64_t row, std::int64_t k) {
    const std::int64_t at = row * job.k + k;
    return job.fp32 != nullptr ? V::load(job.fp32 + at) : V::loadHalf(job.fp16 + at);
}

/// The next panel's part of a row: it lies too far from this one for the processor to foresee.
LOADLINE_INLINE inline void prefetchPanel(const DenseJob& job, std::int64_t row, std::int64_t k) {
    constexpr int lineBytes = 64;
    const int width = job.fp32 != nullptr ? 4 : 2;
    const char* weights = job.fp32 != nullptr ? reinterpret_cast<const char*>(job.fp32)
                                              : reinterpret_cast<const char*>(job.fp16);
    const std::int64_t depth = job.k - k < gemmPanelK ? job.k - k : gemmPanelK;
    for (std::int64_t at = 0; at < depth * width; at += lineBytes) {
        __builtin_prefetch(weights + (row * job.k + k) * width + at);
    }
}

template <typename V>
void denseGemm(const DenseJob& job, UnitRange groups, float* scratch) {
    gemmGroups<V>(job, groups, scratch, [&](std::int64_t group, std::int64_t k, int depth, float* panel) {
        for (int column = 0; column < gemmPanelRows; column += V::lanes) {
            const std::int64_t first = group * groupRows + column;
            for (int i = 0; i < V::lanes && first + i < job.n; ++i) {
                prefetchPanel(job, first + i, k + gemmPanelK);
            }
            for (int at = 0; at < depth; at += V::lanes) {
                typename V::F square[V::lanes];
                for (int i = 0; i < V::lanes; ++i) { // rows past the last are never stored
                    square[i] = loadWeights<V>(job, first + i < job.n ? first + i : job.n - 1, k + at);
                }
                V::transpose(square);
                for (int i = 0; i < V::lanes; ++i) {
                    V::store(panel + (at + i) * gemmPanelRows + column, square[i]);
                }
            }
        }
    });
}

/// Calls the line, 32 halves, that each of some rows will need a little later. Rows of fp32 come fast enough.
template <int Rows>
LOADLINE_INLINE inline void prefetchRows(const DenseJob& job, std::int64_t row, std::int64_t k) {
    constexpr std::int64_t ahead = 1024;
    if (job.fp32 == nullptr) {
        unroll<Rows>([&](auto r)
                         LOADLINE_INLINE { __builtin_prefetch(job.fp16 + (row + r) * job.k + k + ahead); });
    }
}

template <typename V, int M, int Rows>
LOADLINE_INLINE inline void denseRows(const DenseJob& job, std::int64_t row, std::int64_t m0) {
    typename V::F sum[Rows][M];
    unroll<Rows>([&](auto r)
                     LOADLINE_INLINE { unroll<M>([&](auto m) LOADLINE_INLINE { sum[r][m] = V::zero(); }); });
    constexpr int step = 32; // K is a multiple of it
    for (std::int64_t begin = 0; begin < job.k; begin += step) {
        prefetchRows<Rows>(job, row, begin);
        unroll<step / V::lanes>([&](auto part) LOADLINE_INLINE {
            const std::int64_t k = begin + part * V::lanes;
            typename V::F x[M];
            unroll<M>([&](auto m) LOADLINE_INLINE { x[m] = V::load(job.x + (m0 + m) * job.k + k); });
            unroll<Rows>([&](auto r) LOADLINE_INLINE {
                const typename V::F w = loadWeights<V>(job, row + r, k);
                unroll<M>([&](auto m) LOADLINE_INLINE { sum[r][m] = V::fma(w, x[m], sum[r][m]); });
            });
        });
    }
    unroll<Rows>([&](auto r) LOADLINE_INLINE {
        unroll<M>([&](auto m) LOADLINE_INLINE { job.y[(m0 + m) * job.n + row + r] = V::total(sum[r][m]); });
    });
}

template <typename V, int M = 4>
void denseRowsM(const DenseJob& job, std::int64_t begin, std::int64_t end, std::int64_t m0) {
    constexpr int together = V::lanes >= 16 || M <= 2 ? 4 : 2; // as registers allow
    for (; job.rowsM - m0 >= M; m0 += M) {
        std::int64_t row = begin;
        for (; row + together <= end; row += together) {
            denseRows<V, M, together>(job, row, m0);
        }
        for (; row < end; ++row) {
            denseRows<V, M, 1>(job, row, m0);
        }
    }
    if constexpr (M > 1) {
        denseRowsM<V, M - 1>(job, begin, end, m0);
    }
}

template <typename V>
void denseGemv(const DenseJob& job, UnitRange groups) {
    for (std::int64_t group = groups.begin; group < groups.end; ++group) {
        const std::int64_t row = group * groupRows;
        denseRowsM<V>(job, row, row + groupRows < job.n ? row + groupRows : job.n, 0);
    }
}

template <typename V>
void packX(const float* x, std::int64_t rowsM, std::int64_t k, float* xTiles, UnitRange tiles) {
    for (std::int64_t tile = tiles.begin; tile < tiles.end; ++tile) {
        float* to = xTiles + tile * V::gemmTile * k;
        for (std::int64_t at = 0; at < k; ++at) {
            for (int row = 0; row < V::gemmTile; ++row) {
                const std::int64_t m = tile * V::gemmTile + row;
                *to++ = m < rowsM ? x[m * k + at] : 0;
            }
        }
    }
}

} // namespace loadline::gpu
