// K-bit GEMV for any vector type V (lane_stream.h): a weight is decoded once for several rows of x.
#pragma once

#include "gpu/host/kernel/int8_kernels.h"

namespace loadline::gpu {

/// How often a sum is split so that additions need not wait for each other.
template <typename V, int Bits, int M>
constexpr int chainsOf(int sums) {
    constexpr int wanted = V::template chains<Bits, M>;
    return sums >= wanted ? 1 : wanted / sums;
}

/// parts += the products of a block, without its scale; of the chains each element has one.
template <typename V, int Bits, int M, int Vectors, int Chains>
LOADLINE_INLINE inline void addBlock(const typename V::template Book<Bits>& book,
                                     const std::uint32_t* (&records)[Vectors], const float* x, std::int64_t k,
                                     typename V::F (&parts)[Chains][M][Vectors]) {
    decodeRecords<V, Bits>(book, records, [&](auto e, const typename V::F(&values)[Vectors]) LOADLINE_INLINE {
#pragma GCC unroll 16
        for (int m = 0; m < M; ++m) {
            const typename V::F input = V::broadcast(x[m * k + e]);
#pragma GCC unroll 16
            for (int v = 0; v < Vectors; ++v) {
                parts[e % Chains][m][v] = V::fma(values[v], input, parts[e % Chains][m][v]);
            }
        }
    });
}

/// `Vectors` neighbouring vectors at a time, so that they share what is loaded of x.
template <typename V, int Bits, int M, int Vectors>
LOADLINE_INLINE inline void gemvVectors(const LaneJob& job, std::int64_t group, int lane, std::int64_t m0) {
    constexpr int sums = M * Vectors;
    constexpr int chains = chainsOf<V, Bits, M>(sums);
    const LaneStream<V, Bits, Vectors> stream(job, group, lane);
    const auto book = V::template loadBook<Bits>(job.book);
    typename V::F sum[M][Vectors];
    unroll<sums>([&](auto i) LOADLINE_INLINE { sum[i / Vectors][i % Vectors] = V::zero(); });
    const float* x = job.x + m0 * job.k;
    for (std::int64_t block = 0; block < stream.blocks(); ++block, x += blockLength) {
        stream.prefetch(block);
        typename V::F parts[chains][M][Vectors];
        unroll<chains * sums>(
            [&](auto i) LOADLINE_INLINE { parts[i / sums][i % sums / Vectors][i % Vectors] = V::zero(); });
        const std::uint32_t* records[Vectors];
        stream.records(block, records);
        addBlock<V, Bits>(book, records, x, job.k, parts);
        unroll<Vectors>([&](auto v) LOADLINE_INLINE {
            const typename V::F scale = stream.scale(block, v);
            unroll<M>([&](auto m) LOADLINE_INLINE {
                unroll<chains - 1>([&](auto c) LOADLINE_INLINE {
                    parts[0][m][v] = V::add(parts[0][m][v], parts[c + 1][m][v]);
                });
                sum[m][v] = V::fma(parts[0][m][v], scale, sum[m][v]);
            });
        });
    }
    unroll<sums>([&](auto i) LOADLINE_INLINE {
        storeLanes<V>(job, m0 + i / Vectors, group * groupRows + lane + i % Vectors * V::lanes,
                      sum[i / Vectors][i % Vectors]);
    });
}

/// Some rows of x, for as many groups at a time as the registers hold sums of.
template <typename V, int Bits, int M>
void gemvTile(const LaneJob& job, UnitRange groups, std::int64_t m0) {
    if constexpr (M == 1 && V::template looksUpBytes<Bits>) {
        return V::gemvByBytes(job, groups, m0);
    }
    constexpr int perGroup = groupRows / V::lanes;
    constexpr int together = V::template groupsTogether<Bits, M>;
    std::int64_t group = groups.begin;
    for (; group + together <= groups.end; group += together) {
        gemvVectors<V, Bits, M, together * perGroup>(job, group, 0, m0);
    }
    if constexpr (together > 1) {
        for (; group < groups.end; ++group) {
            gemvVectors<V, Bits, M, perGroup>(job, group, 0, m0);
        }
    }
}

/// All rows of x for some groups, in the largest tiles, then of 8, 4, 3, 2 and 1.
template <typename V, int Bits, bool Int8, int M = (Int8 ? V::tileInt8 : V::tileM)>
void gemvRows(const LaneJob& job, UnitRange groups, std::int64_t m0) {
    for (; job.rowsM - m0 >= M; m0 += M) {
        if constexpr (Int8) {
            gemvTileInt8<V, Bits, M>(job, groups, m0);
        } else {
            gemvTile<V, Bits, M>(job, groups, m0);
        }
    }
    if constexpr (M > 1) {
        gemvRows<V, Bits, Int8, (M > 8 ? 8 : M > 4 ? 4 : M - 1)>(job, groups, m0);
    }
}

/// A few groups at a time: their weights stay in the caches for the next rows of x.
template <typename V, int Bits, bool Int8>
void gemvGroups(const LaneJob& job, UnitRange groups) {
    constexpr std::int64_t step = 2;
    for (std::int64_t group = groups.begin; group < groups.end; group += step) {
        gemvRows<V, Bits, Int8>(job, {group, group + step < groups.end ? group + step : groups.end}, 0);
    }
}

template <typename V, bool Int8>
void gemv(const LaneJob& job, UnitRange groups) {
    switch (job.bits) {
    case 2:
        return gemvGroups<V, 2, Int8>(job, groups);
    case 3:
        return gemvGroups<V, 3, Int8>(job, groups);
    case 4:
        return gemvGroups<V, 4, Int8>(job, groups);
    default:
        return gemvGroups<V, 5, Int8>(job, groups);
    }
}

} // namespace loadline::gpu
