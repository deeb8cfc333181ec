// Lanes: 16 rows of W side by side, one row per 32-bit lane of a vector, for the CPU's kernels: the input is
// broadcast, each lane sums its own row, and nothing is reduced across lanes.
//
// A record is one block of 16 rows: k vectors of 16 words. The field vectors come first, element e in field
// e % F of vector e / F, where F = 32 / field bits; then (k = 3, 5) one vector of signs. Records run along K
// first. Rows past N are filled up with code 0 and scale 0.
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

/// Bit of the sign of element e in a lane's word. Byte b of a word of signs serves byte b of each field
/// word, so that one test with a bit per byte gives the signs of 64 fields in byte order: 4-bit fields by
/// vector and then nibble, 2-bit fields by vector and then field of the byte.
LOADLINE_HD constexpr int laneSignBit(int bits, int e) {
    const int perWord = 32 / fieldBitsOf(bits);
    const int perByte = perWord / 4;
    return 8 * (e / perByte % 4) + perByte * (e / perWord) + e % perByte;
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
