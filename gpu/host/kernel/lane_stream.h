// Shared by all kernels over the lane layout: walk its records and decode them, for any vector type V. Each
// file that uses these kernels compiles for its own instruction set and gives a V of an unnamed namespace, so
// that no two share an instance.
#pragma once

#include "gpu/host/kernel/kernel_table.h"
#include "gpu/host/kernel/unroll.h"

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
    static constexpr int signBit(int e) { return 2 * bits * (e % perWord / 2) + 2 * (e / perWord) + e % 2; }
};

/// `Vectors` neighbouring vectors of lanes, from lane `lane` of a group on; if they are more than a group
/// has, they go on in the next one.
template <typename V, int Bits, int Vectors>
class LaneStream {
public:
    static constexpr int perGroup = groupRows / V::lanes;

    LOADLINE_INLINE LaneStream(const LaneJob& job, std::int64_t group, int lane)
        : blocks_(job.k / blockLength), words_(job.words + group * blocks_ * Bits * groupRows + lane),
          firstScale_(group * blocks_ * groupRows + lane), scaleBytes_(job.scaleBytes),
          scaleFloats_(job.scaleFloats) {}

    [[nodiscard]] LOADLINE_INLINE std::int64_t blocks() const { return blocks_; }

    /// The record of a block for each vector.
    LOADLINE_INLINE void records(std::int64_t block, const std::uint32_t* (&to)[Vectors]) const {
        unroll<Vectors>([&](auto i) LOADLINE_INLINE {
            to[i] = words_ + (i / perGroup * blocks_ + block) * Bits * groupRows + i % perGroup * V::lanes;
        });
    }

    [[nodiscard]] LOADLINE_INLINE typename V::F scale(std::int64_t block, int vector = 0) const {
        const std::int64_t at = firstScale_ + (vector / perGroup * blocks_ + block) * groupRows +
                                static_cast<std::int64_t>(vector % perGroup) * V::lanes;
        return scaleBytes_ != nullptr ? V::scaleE4m4(scaleBytes_ + at) : V::load(scaleFloats_ + at);
    }

    /// Calls what is a few kilobytes ahead, as processors look ahead too little where little is computed for
    /// each byte. Past the end it does nothing.
    LOADLINE_INLINE void prefetch(std::int64_t block) const {
        constexpr int groups = (Vectors + perGroup - 1) / perGroup;
        constexpr int ahead = 32 / groups;
        constexpr int lineWords = 16;
        unroll<groups * Bits>([&](auto i) LOADLINE_INLINE {
            __builtin_prefetch(words_ + (i / Bits * blocks_ + block + ahead) * Bits * groupRows +
                               i % Bits * lineWords);
        });
    }

private:
    std::int64_t blocks_;
    const std::uint32_t* words_;
    std::int64_t firstScale_;
    const std::uint8_t* scaleBytes_;
    const float* scaleFloats_;
};

/// Element e of a record: field `index` of field vector `vector`.
template <int Bits, int Element>
struct Field {
    static constexpr int element = Element;
    static constexpr int vector = Element / Fields<Bits>::perWord;
    static constexpr int index = Element % Fields<Bits>::perWord;
    static constexpr int signBit = Fields<Bits>::signBit(Element);
};

/// op(field, the words that hold it) for the 32 elements of some records; field: a Field.
template <typename V, int Bits, int Vectors, typename Op>
LOADLINE_INLINE inline void forEachField(const std::uint32_t* (&records)[Vectors], Op op) {
    unroll<Fields<Bits>::bits>([&](auto vector) LOADLINE_INLINE {
        typename V::template Word<Bits> words[Vectors];
        unroll<Vectors>([&](auto i)
                            LOADLINE_INLINE { words[i] = V::template word<Bits, vector>(records[i]); });
        unroll<Fields<Bits>::perWord>([&](auto index) LOADLINE_INLINE {
            op(Field<Bits, vector * Fields<Bits>::perWord + index>{}, words);
        });
    });
}

/// op(e, codebook values of element e in each lane of some vectors) for the 32 elements of some records, e a
/// constant.
template <typename V, int Bits, int Vectors, typename Op>
LOADLINE_INLINE inline void decodeRecords(const typename V::template Book<Bits>& book,
                                          const std::uint32_t* (&records)[Vectors], Op op) {
    forEachField<V, Bits>(
        records, [&](auto field, const typename V::template Word<Bits>(&words)[Vectors]) LOADLINE_INLINE {
            typename V::F values[Vectors];
            unroll<Vectors>([&](auto i) LOADLINE_INLINE {
                values[i] = V::template value<Bits, decltype(field)>(book, words[i]);
            });
            op(std::integral_constant<int, decltype(field)::element>{}, values);
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

} // namespace loadline::gpu
