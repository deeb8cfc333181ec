// Places of the bits of k-bit weights: the shape, the published bit planes, and what all layouts share.
#pragma once

#include "gpu/format/host_device.h"

#include <cstdint>

namespace loadline::gpu {

/// Weights that share one scale, consecutive along K.
inline constexpr int blockWeights = 32;

/// K inputs and N outputs of W[N, K], k = 2..5 bits a weight. K must be a multiple of 32.
struct KBitShape {
    std::int64_t k = 0;
    std::int64_t n = 0;
    int bits = 4;
};

LOADLINE_HD constexpr bool operator==(const KBitShape& a, const KBitShape& b) {
    return a.k == b.k && a.n == b.n && a.bits == b.bits;
}

enum class Layout : std::uint8_t {
    PlanesFlat,  ///< published: a word per bit and block, blocks row by row
    PlanesTiled, ///< published: the same words in tiles of 64 K x 128 N
    Fragments,   ///< fields in the order of an MMA's A operand, for swap-AB (fragment_layout.h)
    Lanes,       ///< fields of 16 rows side by side, one row per vector lane (lane_layout.h)
};

inline constexpr Layout allLayouts[] = {Layout::PlanesFlat, Layout::PlanesTiled, Layout::Fragments,
                                        Layout::Lanes};

LOADLINE_HD constexpr std::int64_t tilesOf(std::int64_t size, std::int64_t tile) {
    return (size + tile - 1) / tile;
}

LOADLINE_HD constexpr std::int64_t blocksPerRow(const KBitShape& shape) {
    return shape.k / blockWeights;
}

// Bit planes. Bit e of a block's word b is bit b of the code of its element e.

LOADLINE_HD constexpr std::int64_t planesFlatWord(const KBitShape& shape, std::int64_t row,
                                                  std::int64_t block, int bit) {
    return (row * blocksPerRow(shape) + block) * shape.bits + bit;
}

LOADLINE_HD constexpr std::int64_t planesFlatAbsmax(const KBitShape& shape, std::int64_t row,
                                                    std::int64_t block) {
    return row * blocksPerRow(shape) + block;
}

inline constexpr int planesTileK = 64;
inline constexpr int planesTileN = 128;

/// Tiles run along N first; in a tile columns (rows of W), then its two blocks. Where K or N is no multiple
/// of a tile, the last tiles are filled up with code 0 and scale 0.
LOADLINE_HD constexpr std::int64_t planesTiledAbsmax(const KBitShape& shape, std::int64_t row,
                                                     std::int64_t block) {
    const std::int64_t tile = block / 2 * tilesOf(shape.n, planesTileN) + row / planesTileN;
    return tile * (planesTileN * 2) + row % planesTileN * 2 + block % 2;
}

/// A block of weights: its row of W, and which it is of that row.
struct BlockPlace {
    std::int64_t row = 0;
    std::int64_t block = 0;
};

/// Whose scale lies there, in matrices one after the other; outside the matrix: what fills up a tile. The
/// inverse of planesTiledAbsmax.
LOADLINE_HD constexpr BlockPlace planesTiledBlock(const KBitShape& shape, std::int64_t absmax) {
    const std::int64_t tile = absmax / (planesTileN * 2);
    const std::int64_t tilesN = tilesOf(shape.n, planesTileN);
    return {tile % tilesN * planesTileN + absmax / 2 % planesTileN,
            tile / tilesN % tilesOf(shape.k, planesTileK) * 2 + absmax % 2};
}

LOADLINE_HD constexpr std::int64_t planesTiledWord(const KBitShape& shape, std::int64_t row,
                                                   std::int64_t block, int bit) {
    return planesTiledAbsmax(shape, row, block) * shape.bits + bit;
}

// Fields. k = 2 and 4: fields of k bits hold codes. k = 3 and 5: the codebook is symmetric, so fields of
// k - 1 bits hold the magnitude (0: nearest to zero) and one more bit the sign (1: negative). Every layout
// takes exactly k words for 32 weights.

/// A field's bits: 2 for k = 2 and 3, 4 for k = 4 and 5.
LOADLINE_HD constexpr int fieldBitsOf(int bits) {
    return bits < 4 ? 2 : 4;
}

LOADLINE_HD constexpr bool hasSigns(int bits) {
    return bits % 2 != 0;
}

LOADLINE_HD constexpr std::uint32_t fieldOf(int bits, std::uint32_t code) {
    const std::uint32_t half = 1U << (bits - 1);
    if (!hasSigns(bits)) {
        return code;
    }
    return code >= half ? code - half : half - 1 - code;
}

/// 1 for a negative value; 0 where the fields hold codes.
LOADLINE_HD constexpr std::uint32_t signOf(int bits, std::uint32_t code) {
    return hasSigns(bits) && code < 1U << (bits - 1) ? 1 : 0;
}

LOADLINE_HD constexpr std::uint32_t codeOf(int bits, std::uint32_t field, std::uint32_t sign) {
    const std::uint32_t half = 1U << (bits - 1);
    if (!hasSigns(bits)) {
        return field;
    }
    return sign != 0 ? half - 1 - field : half + field;
}

/// A field or sign: a word of the layout and its lowest bit there.
struct BitPlace {
    std::int64_t word = 0;
    int shift = 0;
};

} // namespace loadline::gpu
