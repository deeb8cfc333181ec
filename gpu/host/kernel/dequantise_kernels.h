// K-bit weights to rows of fp32 or fp16, for any vector type V (lane_stream.h).
#pragma once

#include "gpu/host/kernel/lane_stream.h"

namespace loadline::gpu {

/// The 32 weights of a block for each row of a vector, scaled: rows[row][32], as floats or halves.
template <typename V, int Bits, typename Value>
LOADLINE_INLINE inline void dequantiseBlock(const typename V::template Book<Bits>& book,
                                            const std::uint32_t* record, typename V::F scale, Value* rows) {
    typename V::F square[V::lanes];
    const std::uint32_t* records[] = {record};
    decodeRecords<V, Bits>(book, records, [&](auto e, const typename V::F(&value)[1]) LOADLINE_INLINE {
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
    const auto book = V::template loadBook<Bits>(weights.book);
    alignas(64) Value block[V::lanes * blockLength];
    for (int lane = 0; lane < groupRows; lane += V::lanes) {
        const LaneStream<V, Bits, 1> stream(weights, group, lane);
        const std::int64_t firstRow = group * groupRows + lane;
        for (std::int64_t index = 0; index < stream.blocks(); ++index) {
            stream.prefetch(index);
            const std::uint32_t* records[1];
            stream.records(index, records);
            dequantiseBlock<V, Bits>(book, records[0], stream.scale(index), block);
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
