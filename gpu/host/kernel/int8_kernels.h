// K-bit GEMV on bytes, for any vector type V (lane_stream.h): activations and codebook as bytes, summed as
// integers within a block.
#pragma once

#include "gpu/host/kernel/lane_stream.h"

namespace loadline::gpu {

template <typename V, int Bits, int M>
void gemvTileInt8(const LaneJob& job, UnitRange groups, std::int64_t m0) {
    using Field = Fields<Bits>;
    constexpr int passes = 8;
    const typename V::I book = V::loadBook8(job.book8);
    for (std::int64_t group = groups.begin; group < groups.end; ++group) {
        for (int lane = 0; lane < groupRows; lane += V::lanes) {
            const LaneStream<V, Bits, 1> stream(job, group, lane);
            typename V::F sum[M];
            unroll<M>([&](auto m) LOADLINE_INLINE { sum[m] = V::zero(); });
            for (std::int64_t block = 0; block < stream.blocks(); ++block) {
                const std::int64_t at = block * job.rowsM + m0;
                const std::int8_t* x8 = job.x8 + at * blockLength;
                stream.prefetch(block);
                const std::uint32_t* records[1];
                stream.records(block, records);
                const std::uint32_t* record = records[0];
                typename V::I signs = V::zeroI();
                if constexpr (Field::signs) {
                    signs = V::loadI(record + Field::bits * groupRows);
                }
                typename V::I part[M];
                unroll<M>([&](auto m) LOADLINE_INLINE { part[m] = V::startInt8(job.x8Sum[at + m]); });
                unroll<passes>([&](auto pass) LOADLINE_INLINE {
                    constexpr int signBit =
                        Field::signBit(pass / Field::perByte * Field::perWord + pass % Field::perByte);
                    const typename V::I word = V::loadI(record + pass / Field::perByte * groupRows);
                    const typename V::I value =
                        V::template bytes<Bits, pass % Field::perByte * Field::bits, signBit>(book, word,
                                                                                              signs);
#pragma GCC unroll 16
                    for (int m = 0; m < M; ++m) {
                        part[m] = V::dotInt8(part[m], value, V::broadcast4(x8 + m * blockLength + 4 * pass));
                    }
                });
                const typename V::F scale = stream.scale(block);
                unroll<M>([&](auto m) LOADLINE_INLINE {
                    const typename V::F both = V::mul(scale, V::broadcast(job.x8Scale[at + m]));
                    sum[m] = V::fma(V::toFloat(part[m]), both, sum[m]);
                });
            }
            unroll<M>([&](auto m)
                          LOADLINE_INLINE { storeLanes<V>(job, m0 + m, group * groupRows + lane, sum[m]); });
        }
    }
}

/// The element of a block that byte `byte` of pass `pass` holds: the inverse of Fields::signBit.
template <int Bits>
LOADLINE_INLINE constexpr int elementOfByte(int pass, int byte) {
    using Field = Fields<Bits>;
    return pass / Field::perByte * Field::perWord + byte * Field::perByte + pass % Field::perByte;
}

/// Loops of one operation each, so that compilers make vectors of them.
template <int Bits>
LOADLINE_INLINE inline void quantiseBlock(const float* x, std::int8_t* x8, float* scale, std::int32_t* sum) {
    std::int32_t largestBits = 0; // without their sign, floats compare as their bits do
    for (int e = 0; e < blockLength; ++e) {
        std::int32_t bits = 0;
        __builtin_memcpy(&bits, x + e, sizeof bits);
        bits &= INT32_MAX;
        largestBits = bits > largestBits ? bits : largestBits;
    }
    float largest = 0;
    __builtin_memcpy(&largest, &largestBits, sizeof largest);
    constexpr float most = 127;
    // Beside infinities and NaNs all are 0, and the scale, which is one of them, makes the block's sums NaN.
    // Below `least` the factor would be infinite: as 0, they are off by no more than that.
    constexpr float least = 4e-37F;
    const bool finite = largestBits < 0x7f800000;
    const float toByte = finite && largest >= least ? most / largest : 0;
    const std::int32_t kept = finite ? -1 : 0;
    std::int32_t values[blockLength];
    std::int32_t total = 0;
    for (int e = 0; e < blockLength; ++e) {
        std::int32_t bits = 0;
        __builtin_memcpy(&bits, x + e, sizeof bits);
        bits &= kept;
        float value = 0;
        __builtin_memcpy(&value, &bits, sizeof value);
        values[e] = static_cast<std::int32_t>(__builtin_rintf(value * toByte));
        total += values[e];
    }
    for (int at = 0; at < blockLength; ++at) {
        x8[at] = static_cast<std::int8_t>(values[elementOfByte<Bits>(at / 4, at % 4)]);
    }
    *scale = largest / (most * most); // once for x, once for the codebook
    *sum = -128 * total;
}

template <typename V>
void quantiseX(const LaneJob& job, std::int8_t* x8, float* scale, std::int32_t* sum, UnitRange rows) {
    const std::int64_t blocks = job.k / blockLength;
    for (std::int64_t row = rows.begin; row < rows.end; ++row) {
        for (std::int64_t block = 0; block < blocks; ++block) {
            const float* x = job.x + row * job.k + block * blockLength;
            const std::int64_t at = block * job.rowsM + row;
            if (job.bits < 4) {
                quantiseBlock<2>(x, x8 + at * blockLength, scale + at, sum + at);
            } else {
                quantiseBlock<4>(x, x8 + at * blockLength, scale + at, sum + at);
            }
        }
    }
}

} // namespace loadline::gpu
