// Lanes: 16 rows of W side by side, one row per 32-bit lane of a vector, for the CPU's kernels: the input is
// broadcast, each lane sums its own row, and nothing is reduced across lanes.
//
// A record is one block of 16 rows: k vectors of 16 words. The field vectors come first, element e in field
// e % F of vector e / F, where F = 32 / field bits; then (k = 3, 5) one vector of signs. For k = 4 a field
// holds its magnitude and, as its highest bit, its sign, so that a table of 8 values does for 16 codes.
// Records run along K first. Rows past N are filled up with code 0 and scale 0.
#pragma once

#include "gpu/format/layout.h"

namespace loadline::gpu {

inline constexpr int laneRows = 16;

/// Vectors of fields in a record.
LOADLINE_HD constexpr int laneFieldVectors(int bits) {
    return fieldBitsOf(bits);
}

/// The first word of a block's record.
LOADLINE_HD constexpr std::int64_t laneRecord(const KBitShape& shape, std::int64_t group,
                                              std::int64_t block) {
    return (group * blocksPerRow(shape) + block) * shape.bits * laneRows;
}

LOADLINE_HD constexpr BitPlace laneField(const KBitShape& shape, std::int64_t row, std::int64_t k) {
    const int e = static_cast<int>(k % blockWeights);
    const int bit = e * fieldBitsOf(shape.bits);
    return {laneRecord(shape, row / laneRows, k / blockWeights) + bit / 32 * laneRows + row % laneRows,
            bit % 32};
}

/// The field of a code: layout.h's, but for k = 4.
LOADLINE_HD constexpr std::uint32_t laneFieldOf(int bits, std::uint32_t code) {
    if (bits != 4) {
        return fieldOf(bits, code);
    }
    return code >= 8 ? code - 8 : 15 - code; // 7 - code, and the sign
}

LOADLINE_HD constexpr std::uint32_t laneCodeOf(int bits, std::uint32_t field, std::uint32_t sign) {
    if (bits != 4) {
        return codeOf(bits, field, sign);
    }
    return field < 8 ? field + 8 : 15 - field;
}

/// Bit of the sign of element e in a lane's word, for k = 3 and 5. Two neighbouring fields share a nibble
/// (k = 3) or a byte (k = 5) of each field word, and the signs of all of them share that nibble or byte of
/// the word of signs: by vector, then by field. So one shift brings a sign next to each second field of a
/// word, and one test with a bit per byte gives the signs of 64 fields in byte order.
LOADLINE_HD constexpr int laneSignBit(int bits, int e) {
    const int perWord = 32 / fieldBitsOf(bits);
    const int field = e % perWord;
    return 2 * fieldBitsOf(bits) * (field / 2) + 2 * (e / perWord) + field % 2;
}

LOADLINE_HD constexpr BitPlace laneSign(const KBitShape& shape, std::int64_t row, std::int64_t k) {
    return {laneRecord(shape, row / laneRows, k / blockWeights) + laneFieldVectors(shape.bits) * laneRows +
                row % laneRows,
            laneSignBit(shape.bits, static_cast<int>(k % blockWeights))};
}

/// 16 scales a record.
LOADLINE_HD constexpr std::int64_t laneAbsmax(const KBitShape& shape, std::int64_t row, std::int64_t block) {
    return (row / laneRows * blocksPerRow(shape) + block) * laneRows + row % laneRows;
}

} // namespace loadline::gpu
