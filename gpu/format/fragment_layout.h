// Fragments: weights in the order in which a warp feeds them to mma.m16n8k16 as its A operand (swap-AB:
// rows of W are the 16 rows, tokens the 8 columns).
//
// A tile is 16 rows x 64 K, 128 k bytes: 32 lanes x (k - signs) words of fields, then (k = 3, 5) 32 words of
// signs. Four tiles one below the other are a strip, 64 rows; strips run along K first, so a warp that keeps
// its rows reads one stream. Lane 4 g + t has rows g and g + 8 of the tile, 32 weights, as 16 pairs: pair p
// is 32-bit register p % 4 of the A operand of MMA step p / 4. In register r: row g + 8 (r % 2); the low half
// of the register is the even one of two neighbouring K.
//
// Fields of 4 bits: pair p is byte p of the lane's 16 bytes, so one 16-byte load feeds four MMAs. Fields of 2
// bits: a word a block; of its 16 fields e = 2 (p % 8) + half, those below 8 are the lower two bits of nibble
// e, the others the upper two of nibble e - 8, so that four of them, masked, are what a byte permute takes.
//
// K is permuted within each block of 32, so that a lane meets 8 consecutive activations: MMA step 2 h + s
// of block h has at lane t and register r the elements e = 8 t + 4 s + 2 (r / 2) and e + 1. The B operand
// follows: for step 2 h + s lane 4 g + t gives, for token g, x[e .. e + 1] of block h as its register r / 2.
// So x[64 tile + 32 h + 8 t .. + 7], 16 bytes, feed both steps of a block. All 16 K of a step lie in one
// block: scales can be applied to the accumulators once per block. What fills up a tile has scales of 0.
#pragma once

#include "gpu/format/layout.h"

namespace loadline::gpu {

inline constexpr int fragmentRows = 16;
inline constexpr int fragmentK = 64;
inline constexpr int fragmentLanes = 32;
inline constexpr int fragmentStripTiles = 4;
inline constexpr int fragmentStripRows = fragmentStripTiles * fragmentRows;
inline constexpr int fragmentStripScales = fragmentStripRows * fragmentK / blockWeights; ///< of 64 K

/// Tiles of a whole matrix, filled up to whole strips.
LOADLINE_HD constexpr std::int64_t fragmentTiles(const KBitShape& shape) {
    return tilesOf(shape.n, fragmentStripRows) * tilesOf(shape.k, fragmentK) * fragmentStripTiles;
}

/// Words of a tile.
LOADLINE_HD constexpr int fragmentTileWords(int bits) {
    return fragmentLanes * bits;
}

/// Words of fields of one lane: its loads are this wide.
LOADLINE_HD constexpr int fragmentLaneWords(int bits) {
    return fieldBitsOf(bits);
}

LOADLINE_HD constexpr std::int64_t fragmentTile(const KBitShape& shape, std::int64_t row, std::int64_t k) {
    return (row / fragmentStripRows * tilesOf(shape.k, fragmentK) + k / fragmentK) * fragmentStripTiles +
           row % fragmentStripRows / fragmentRows;
}

/// The place of a weight in a tile.
struct FragmentPlace {
    int lane = 0;
    int pair = 0; ///< 4 (MMA step) + (A register)
    int half = 0; ///< 0: low half of the register
};

/// `row` in 0..15, `k` in 0..63.
LOADLINE_HD constexpr FragmentPlace fragmentPlace(int row, int k) {
    const int block = k / blockWeights;
    const int e = k % blockWeights;
    const int step = 2 * block + e / 4 % 2;
    const int reg = row / 8 + 2 * (e % 4 / 2);
    return {row % 8 * 4 + e / 8, 4 * step + reg, e % 2};
}

/// K within the tile of `lane`, `pair` and `half`: the inverse of fragmentPlace.
LOADLINE_HD constexpr int fragmentKOf(int lane, int pair, int half) {
    const int step = pair / 4;
    return step / 2 * blockWeights + lane % 4 * 8 + step % 2 * 4 + pair % 4 / 2 * 2 + half;
}

/// Row within the tile.
LOADLINE_HD constexpr int fragmentRowOf(int lane, int pair) {
    return lane / 4 + pair % 2 * 8;
}

/// The lowest bit of a field among those of its lane and tile.
LOADLINE_HD constexpr int fragmentFieldBit(int bits, const FragmentPlace& place) {
    if (fieldBitsOf(bits) == 4) {
        return 8 * place.pair + 4 * place.half;
    }
    const int e = place.pair % 8 * 2 + place.half;
    return place.pair / 8 * 32 + e % 8 * 4 + e / 8 * 2;
}

LOADLINE_HD constexpr BitPlace fragmentField(const KBitShape& shape, std::int64_t row, std::int64_t k) {
    const FragmentPlace place =
        fragmentPlace(static_cast<int>(row % fragmentRows), static_cast<int>(k % fragmentK));
    const int bit = fragmentFieldBit(shape.bits, place);
    return {fragmentTile(shape, row, k) * fragmentTileWords(shape.bits) +
                place.lane * fragmentLaneWords(shape.bits) + bit / 32,
            bit % 32};
}

/// k = 5: signs of low halves are bits 0..15 by pair, of high halves bits 16..31: shifted left by 15 - pair
/// and masked by 0x80008000, a word holds the sign bits of a half2. k = 3: the sign of a field of nibble i,
/// block h and lower or upper bits u is bit 2 h + u of nibble i: shifted, it is the third bit of what a
/// permute takes.
LOADLINE_HD constexpr BitPlace fragmentSign(const KBitShape& shape, std::int64_t row, std::int64_t k) {
    const FragmentPlace place =
        fragmentPlace(static_cast<int>(row % fragmentRows), static_cast<int>(k % fragmentK));
    const int field = fragmentFieldBit(shape.bits, place);
    return {fragmentTile(shape, row, k) * fragmentTileWords(shape.bits) +
                fragmentLanes * fragmentLaneWords(shape.bits) + place.lane,
            shape.bits == 5 ? place.half * 16 + place.pair
                            : field % 32 / 4 * 4 + field / 32 * 2 + field % 4 / 2};
}

/// 128 scales a strip and 64 K; the sixteen that lanes 4 g .. 4 g + 3 need are neighbours: of each tile rows
/// g and g + 8 of block 0, then of block 1.
LOADLINE_HD constexpr std::int64_t fragmentAbsmax(const KBitShape& shape, std::int64_t row,
                                                  std::int64_t block) {
    const auto r = row % fragmentRows;
    const std::int64_t strip =
        row / fragmentStripRows * tilesOf(shape.k, fragmentK) + block * blockWeights / fragmentK;
    return strip * fragmentStripScales + r % 8 * 16 + row % fragmentStripRows / fragmentRows * 4 +
           block % 2 * 2 + r / 8;
}

/// The inverse of fragmentAbsmax, as planesTiledBlock.
LOADLINE_HD constexpr BlockPlace fragmentBlock(const KBitShape& shape, std::int64_t absmax) {
    const std::int64_t tile = absmax / fragmentStripScales; // of 64 K of a strip
    const std::int64_t tilesK = tilesOf(shape.k, fragmentK);
    const std::int64_t strip = tile / tilesK % tilesOf(shape.n, fragmentStripRows);
    return {strip * fragmentStripRows + absmax / 4 % 4 * fragmentRows + absmax % 2 * 8 + absmax / 16 % 8,
            tile % tilesK * 2 + absmax / 2 % 2};
}

} // namespace loadline::gpu
