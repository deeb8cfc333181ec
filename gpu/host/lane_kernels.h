// K-bit kernels over the lane layout, for any vector type V. Each file that uses them compiles for its own
// instruction set and gives a V of an unnamed namespace, so that no two share an instance.
#pragma once

#include "gpu/host/kernel_table.h"
#include "gpu/host/unroll.h"

namespace loadline::gpu {

inline constexpr int groupRows = 16;
inline constexpr int blockLength = 32;

template <int Bits>
struct Fields {
    static constexpr int bits = Bits < 4 ? 2 : 4;
    static constexpr int perWord = 32 / bits;
    static constexpr int perByte = 8 / bits;
    static constexpr bool signs = Bits % 2 != 0;

    /// laneSignBit(Bits, e).
    static constexpr int signBit(int e) {
        return 8 * (e / perByte % 4) + perByte * (e / perWord) + e % perByte;
    }
};

/// What a kernel keeps of a job while it works on lanes [lane, lane + V::lanes) of a group.
template <typename V>
struct LaneStream {
    const std::uint32_t* words;
    const std::uint8_t* scaleBytes;
    const float* scaleFloats;
    std::int64_t blocks;

    LOADLINE_INLINE LaneStream(const LaneJob& job, std::int64_t group, int lane)
        : words(job.words + group * (job.k / blockLength) * job.bits * groupRows + lane),
          scaleBytes(job.scaleBytes == nullptr
                         ? nullptr
                         : job.scaleBytes + group * (job.k / blockLength) * groupRows + lane),
          scaleFloats(job.scaleBytes == nullptr
                          ? job.scaleFloats + group * (job.k / blockLength) * groupRows + lane
                          : nullptr),
          blocks(job.k / blockLength) {}

    [[nodiscard]] LOADLINE_INLINE typename V::F scale(std::int64_t block, int lane = 0) const {
        return scaleBytes != nullptr ? V::scaleE4m4(scaleBytes + block * groupRows + lane)
                                     : V::load(scaleFloats + block * groupRows + lane);
    }
};

/// op(e, codebook values of element e in each lane of some neighbouring vectors) for the 32 elements of a
/// record, e a constant.
template <typename V, int Bits, int Vectors, typename Op>
LOADLINE_INLINE inline void decodeRecord(const typename V::Book& book, const std::uint32_t* record, Op op) {
    using Field = Fields<Bits>;
    typename V::I signs[Vectors];
    unroll<Vectors>([&](auto i) LOADLINE_INLINE {
        if constexpr (Field::signs) {
            signs[i] = V::loadI(record + Field::bits * groupRows + i * V::lanes);
        } else {
            signs[i] = V::zeroI();
        }
    });
    unroll<Field::bits>([&](auto v) LOADLINE_INLINE {
        typename V::Word word[Vectors];
        unroll<Vectors>([&](auto i) LOADLINE_INLINE {
            word[i] = V::template word<Bits>(V::loadI(record + v * groupRows + i * V::lanes));
        });
        unroll<Field::perWord>([&](auto f) LOADLINE_INLINE {
            constexpr int e = v * Field::perWord + f;
            typename V::F values[Vectors];
            unroll<Vectors>([&](auto i) LOADLINE_INLINE {
                values[i] =
                    V::template value<Bits, f * Field::bits, Field::signBit(e)>(book, word[i], signs[i]);
            });
            op(std::integral_constant<int, e>{}, values);
        });
    });
}

/// A row of y for the lanes of a group that exist.
template <typename V>
LOADLINE_INLINE inline void storeLanes(const LaneJob& job, std::int64_t m, std::int64_t firstRow,
                                       typename V::F value) {
    float* to = job.y + m * job.n + firstRow;
    if (firstRow + V::lanes <= job.n) {
        V::store(to, value);
    } else {
        alignas(64) float all[V::lanes];
        V::store(all, value);
        for (int lane = 0; firstRow + lane < job.n; ++lane) {
            to[lane] = all[lane];
        }
    }
}

/// `Vectors` neighbouring vectors of a group at a time, so that they share what is loaded of x.
template <typename V, int Bits, int M, int Vectors>
LOADLINE_INLINE inline void gemvVectors(const LaneJob& job, const typename V::Book& book, std::int64_t group,
                                        int lane, std::int64_t m0) {
    const LaneStream<V> stream(job, group, lane);
    typename V::F sum[M][Vectors];
    unroll<M * Vectors>([&](auto i) LOADLINE_INLINE { sum[i / Vectors][i % Vectors] = V::zero(); });
    const float* x = job.x + m0 * job.k;
    for (std::int64_t block = 0; block < stream.blocks; ++block, x += blockLength) {
        typename V::F part[M][Vectors];
        unroll<M * Vectors>([&](auto i) LOADLINE_INLINE { part[i / Vectors][i % Vectors] = V::zero(); });
        decodeRecord<V, Bits, Vectors>(book, stream.words + block * Bits * groupRows,
                                       [&](auto e, const typename V::F(&values)[Vectors]) LOADLINE_INLINE {
                                           unroll<M>([&](auto m) LOADLINE_INLINE {
                                               const typename V::F input = V::broadcast(x[m * job.k + e]);
                                               unroll<Vectors>([&](auto v) LOADLINE_INLINE {
                                                   part[m][v] = V::fma(values[v], input, part[m][v]);
                                               });
                                           });
                                       });
        unroll<Vectors>([&](auto v) LOADLINE_INLINE {
            const typename V::F scale = stream.scale(block, v * V::lanes);
            unroll<M>([&](auto m) LOADLINE_INLINE { sum[m][v] = V::fma(part[m][v], scale, sum[m][v]); });
        });
    }
    unroll<M * Vectors>([&](auto i) LOADLINE_INLINE {
        storeLanes<V>(job, m0 + i / Vectors, group * groupRows + lane + i % Vectors * V::lanes,
                      sum[i / Vectors][i % Vectors]);
    });
}

template <typename V, int Bits, int M>
void gemvTile(const LaneJob& job, std::int64_t group, std::int64_t m0) {
    constexpr int vectors = M == 1 ? groupRows / V::lanes : 1; // registers allow no more
    const typename V::Book book = V::loadBook(job.book);
    for (int lane = 0; lane < groupRows; lane += vectors * V::lanes) {
        gemvVectors<V, Bits, M, vectors>(job, book, group, lane, m0);
    }
}

template <typename V, int Bits, int M>
void gemvTileInt8(const LaneJob& job, std::int64_t group, std::int64_t m0) {
    using Field = Fields<Bits>;
    constexpr int passes = 8;
    const typename V::I book = V::loadBook8(job.book8);
    for (int lane = 0; lane < groupRows; lane += V::lanes) {
        const LaneStream<V> stream(job, group, lane);
        typename V::F sum[M];
        unroll<M>([&](auto m) LOADLINE_INLINE { sum[m] = V::zero(); });
        const std::int8_t* x8 = job.x8 + m0 * job.k;
        const float* x8Scale = job.x8Scale + m0 * stream.blocks;
        const std::int32_t* x8Sum = job.x8Sum + m0 * stream.blocks;
        for (std::int64_t block = 0; block < stream.blocks; ++block, x8 += blockLength) {
            const std::uint32_t* record = stream.words + block * Bits * groupRows;
            typename V::I signs = V::zeroI();
            if constexpr (Field::signs) {
                signs = V::loadI(record + Field::bits * groupRows);
            }
            typename V::I part[M];
            unroll<M>([&](auto m)
                          LOADLINE_INLINE { part[m] = V::startInt8(x8Sum[m * stream.blocks + block]); });
            unroll<passes>([&](auto pass) LOADLINE_INLINE {
                const typename V::I word = V::loadI(record + pass / Field::perByte * groupRows);
                const typename V::I value =
                    V::template bytes<Bits, pass % Field::perByte * Field::bits, pass>(book, word, signs);
                unroll<M>([&](auto m) LOADLINE_INLINE {
                    part[m] = V::dotInt8(part[m], value, V::broadcast4(x8 + m * job.k + 4 * pass));
                });
            });
            const typename V::F scale = stream.scale(block);
            unroll<M>([&](auto m) LOADLINE_INLINE {
                const typename V::F both = V::mul(scale, V::broadcast(x8Scale[m * stream.blocks + block]));
                sum[m] = V::fma(V::toFloat(part[m]), both, sum[m]);
            });
        }
        unroll<M>([&](auto m)
                      LOADLINE_INLINE { storeLanes<V>(job, m0 + m, group * groupRows + lane, sum[m]); });
    }
}

/// All rows of x for some groups, in tiles of V::tileM, then of 4, 3, 2 and 1.
template <typename V, int Bits, bool Int8, int M = V::tileM>
void gemvRows(const LaneJob& job, std::int64_t group, std::int64_t m0) {
    for (; job.rowsM - m0 >= M; m0 += M) {
        if constexpr (Int8) {
            gemvTileInt8<V, Bits, M>(job, group, m0);
        } else {
            gemvTile<V, Bits, M>(job, group, m0);
        }
    }
    if constexpr (M > 1) {
        gemvRows<V, Bits, Int8, (M > 4 ? 4 : M - 1)>(job, group, m0);
    }
}

template <typename V, int Bits, bool Int8>
void gemvGroups(const LaneJob& job, UnitRange groups) {
    for (std::int64_t group = groups.begin; group < groups.end; ++group) {
        gemvRows<V, Bits, Int8>(job, group, 0);
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

/// The 32 weights of a block for each row of a vector, scaled: rows[row][32], as floats or halves.
template <typename V, int Bits, typename Value>
LOADLINE_INLINE inline void dequantiseBlock(const typename V::Book& book, const std::uint32_t* record,
                                            typename V::F scale, Value* rows) {
    typename V::F square[V::lanes];
    decodeRecord<V, Bits, 1>(book, record, [&](auto e, const typename V::F(&value)[1]) LOADLINE_INLINE {
        square[e % V::lanes] = V::mul(value[0], scale);
        if constexpr (e % V::lanes == V::lanes - 1) {
            V::transpose(square);
            unroll<V::lanes>([&](auto row) LOADLINE_INLINE {
                V::store(rows + row * blockLength + e + 1 - V::lanes, square[row]);
            });
        }
    });
}

/// W of one group in rows: whole cache lines leave at once, so that stores can go past the caches.
template <typename V, int Bits, typename Value>
void dequantiseGroup(const DequantiseJob& job, std::int64_t group, Value* to) {
    constexpr int blockBytes = blockLength * static_cast<int>(sizeof(Value));
    const LaneJob& weights = job.weights;
    const typename V::Book book = V::loadBook(weights.book);
    alignas(64) Value block[V::lanes * blockLength];
    for (int lane = 0; lane < groupRows; lane += V::lanes) {
        const LaneStream<V> stream(weights, group, lane);
        const std::int64_t firstRow = group * groupRows + lane;
        for (std::int64_t index = 0; index < stream.blocks; ++index) {
            dequantiseBlock<V, Bits>(book, stream.words + index * Bits * groupRows, stream.scale(index),
                                     block);
            for (int row = 0; row < V::lanes && firstRow + row < weights.n; ++row) {
                V::copyLines(to + (firstRow + row) * weights.k + index * blockLength,
                             block + static_cast<std::ptrdiff_t>(row * blockLength), blockBytes,
                             job.streaming);
            }
        }
    }
}

template <typename V, int Bits>
void dequantiseGroup(const DequantiseJob& job, std::int64_t group) {
    if (job.fp32 != nullptr) {
        dequantiseGroup<V, Bits>(job, group, job.fp32);
    } else {
        dequantiseGroup<V, Bits>(job, group, job.fp16);
    }
}

template <typename V>
void dequantiseGroups(const DequantiseJob& job, UnitRange groups) {
    for (std::int64_t group = groups.begin; group < groups.end; ++group) {
        switch (job.weights.bits) {
        case 2:
            dequantiseGroup<V, 2>(job, group);
            break;
        case 3:
            dequantiseGroup<V, 3>(job, group);
            break;
        case 4:
            dequantiseGroup<V, 4>(job, group);
            break;
        default:
            dequantiseGroup<V, 5>(job, group);
            break;
        }
    }
    V::endStores();
}

} // namespace loadline::gpu
