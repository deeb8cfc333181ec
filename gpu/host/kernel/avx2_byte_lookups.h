// K-bit GEMV for k = 5 and one row of x with AVX2: a permutation of floats finds 8 values, fewer than the 16
// magnitudes, while one of bytes has 16 and finds 32 bytes at once. So the four bytes of floats are looked up
// one by one and put together: a vector is then 4 elements of 2 rows, not one element of 8 rows.
#pragma once

#include "gpu/host/kernel/lane_stream.h"

#if defined(__x86_64__)
#include <immintrin.h>

namespace loadline::gpu {

/// Byte b of the magnitude of each field, in both halves.
template <typename V>
struct ByteTables {
    typename V::I of[4];
};

template <typename V>
LOADLINE_INLINE inline ByteTables<V> loadByteTables(const float* book) {
    alignas(32) std::uint8_t bytes[4][32];
    for (int field = 0; field < 16; ++field) {
        std::uint8_t four[4];
        __builtin_memcpy(four, book + field, sizeof four);
        for (int b = 0; b < 4; ++b) {
            bytes[b][field] = bytes[b][field + 16] = four[b];
        }
    }
    ByteTables<V> tables;
    unroll<4>([&](auto b) LOADLINE_INLINE {
        tables.of[b] = _mm256_load_si256(reinterpret_cast<const typename V::I*>(bytes[b]));
    });
    return tables;
}

/// parts[First] += x times a row, parts[First + 1] += x times the next; from the low and the high halves of
/// their values.
template <typename V, int First>
LOADLINE_INLINE inline void addRows(typename V::I low, typename V::I high, typename V::F x,
                                    typename V::F (&parts)[4]) {
    const typename V::I values[] = {_mm256_unpacklo_epi16(low, high), _mm256_unpackhi_epi16(low, high)};
    parts[First] = V::fma(_mm256_castsi256_ps(values[0]), x, parts[First]);
    parts[First + 1] = V::fma(_mm256_castsi256_ps(values[1]), x, parts[First + 1]);
}

/// parts[i] += x values of rows i and i + 4. `fields`: a field in each byte; `signs`: their signs, each the
/// highest bit of a byte.
template <typename V>
LOADLINE_INLINE inline void addFields(const ByteTables<V>& tables, typename V::I fields, typename V::I signs,
                                      typename V::F x, typename V::F (&parts)[4]) {
    typename V::I bytes[4];
    unroll<4>([&](auto b) LOADLINE_INLINE { bytes[b] = _mm256_shuffle_epi8(tables.of[b], fields); });
    bytes[3] = _mm256_xor_si256(bytes[3], signs);
    addRows<V, 0>(_mm256_unpacklo_epi8(bytes[0], bytes[1]), _mm256_unpacklo_epi8(bytes[2], bytes[3]), x,
                  parts);
    addRows<V, 2>(_mm256_unpackhi_epi8(bytes[0], bytes[1]), _mm256_unpackhi_epi8(bytes[2], bytes[3]), x,
                  parts);
}

/// Lane i: the total of row i.
template <typename V>
LOADLINE_INLINE inline typename V::F totalsOfRows(const typename V::F (&parts)[4]) {
    typename V::F pairs[2];
    unroll<2>([&](auto i) LOADLINE_INLINE {
        pairs[i] = V::add(_mm256_unpacklo_ps(parts[2 * i], parts[2 * i + 1]),
                          _mm256_unpackhi_ps(parts[2 * i], parts[2 * i + 1]));
    });
    return V::add(_mm256_shuffle_ps(pairs[0], pairs[1], 0x44), _mm256_shuffle_ps(pairs[0], pairs[1], 0xEE));
}

/// The sums of 8 rows over a block, without its scale.
template <typename V>
LOADLINE_INLINE inline typename V::F byteLookupBlock(const ByteTables<V>& tables, const std::uint32_t* record,
                                                     const float* x) {
    using Field = Fields<5>;
    constexpr int highestBit = 7;
    const typename V::I lowFields = _mm256_set1_epi8(15);
    const typename V::I highestBits = _mm256_set1_epi8(INT8_MIN);
    const typename V::I signs = V::loadI(record + Field::bits * groupRows);
    typename V::F parts[4];
    unroll<4>([&](auto i) LOADLINE_INLINE { parts[i] = V::zero(); });
    unroll<Field::bits>([&](auto vector) LOADLINE_INLINE {
        constexpr int element = vector * Field::perWord;
        const typename V::I word = V::loadI(record + vector * groupRows);
        const typename V::F first = V::template repeated<4>(x + element);
        const typename V::F last = V::template repeated<4>(x + element + 4);
        const auto add = [&](typename V::I fields, typename V::I fieldSigns, typename V::F input)
                             LOADLINE_INLINE {
                                 addFields<V>(tables, _mm256_and_si256(fields, lowFields),
                                              _mm256_and_si256(fieldSigns, highestBits), input, parts);
                             };
        add(word, V::template shifted<highestBit - Field::signBit(element)>(signs),
            _mm256_shuffle_ps(first, last, 0x88)); // even elements
        add(V::template shifted<-Field::bits>(word),
            V::template shifted<highestBit - Field::signBit(element + 1)>(signs),
            _mm256_shuffle_ps(first, last, 0xDD)); // odd ones
    });
    return totalsOfRows<V>(parts);
}

template <typename V>
void gemvByteLookups(const LaneJob& job, UnitRange groups, std::int64_t m) {
    constexpr int vectors = groupRows / V::lanes;
    const ByteTables<V> tables = loadByteTables<V>(job.book);
    for (std::int64_t group = groups.begin; group < groups.end; ++group) {
        const LaneStream<V, 5, vectors> stream(job, group, 0);
        const float* x = job.x + m * job.k;
        typename V::F sums[vectors];
        unroll<vectors>([&](auto v) LOADLINE_INLINE { sums[v] = V::zero(); });
        for (std::int64_t block = 0; block < stream.blocks(); ++block, x += blockLength) {
            stream.prefetch(block);
            const std::uint32_t* records[vectors];
            stream.records(block, records);
            unroll<vectors>([&](auto v) LOADLINE_INLINE {
                sums[v] = V::fma(byteLookupBlock<V>(tables, records[v], x), stream.scale(block, v), sums[v]);
            });
        }
        unroll<vectors>([&](auto v) LOADLINE_INLINE {
            storeLanes<V>(job, m, group * groupRows + v * V::lanes, sums[v]);
        });
    }
}

} // namespace loadline::gpu
#endif
