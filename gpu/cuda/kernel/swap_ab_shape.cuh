// The swap-AB kernel's geometry: tiles, shared memory, how many rows each instance serves.
#pragma once

#include "gpu/cuda/kernel/rows.cuh"
#include "gpu/format/fragment_layout.h"

namespace loadline::gpu {

struct SwapAbArgs {
    const unsigned char* codes = nullptr;  ///< fragments (fragment_layout.h), one expert after the other
    const unsigned char* scales = nullptr; ///< E4M4 in fragment order
    const float* codebook = nullptr;       ///< 2^k values
    const std::uint16_t* x = nullptr;      ///< fp16, [rows, K]
    std::uint16_t* y = nullptr;            ///< fp16, [rows, N]
    float* partial = nullptr;              ///< zeroes before and after: see swapAbPartials
    unsigned* arrived = nullptr;           ///< zeroes before and after: one per unit
    int k = 0;                             ///< a multiple of 32
    int n = 0;
    int m = 0; ///< dense: rows, at most 8 Tokens
    Groups groups;
};

/// Eight warps a block. A warp owns 32 rows of W and, of every step, one tile of 64 K; `Tokens` warps stand
/// side by side over the rows and share their x, and 8 / Tokens split K. Tokens: tiles of eight rows of x (1,
/// 2, 4, 8).
template <int Bits, int Tokens, int Stages>
struct SwapAbShape {
    static constexpr int warps = 8;
    static constexpr int threads = warps * warpLanes;
    static constexpr int rowWarps = Tokens;
    static constexpr int kWarps = warps / Tokens;
    static constexpr int tilesPerWarp = 2; ///< of 16 rows of W
    static constexpr int rows = rowWarps * tilesPerWarp * fragmentRows;
    static constexpr int tokens = 8 * Tokens;

    // Pairs of fields: 16 (k = 2, 3) or 256 (k = 4, 5), each a half2, one copy per lane.
    static constexpr int pairs = 1 << (2 * fieldBitsOf(Bits));
    static constexpr std::uint32_t tableBytes = pairs * warpLanes * 4;
    static constexpr std::uint32_t codeBytes = fragmentTileWords(Bits) * 4;
    static constexpr std::uint32_t scaleBytes = 32;
    static constexpr std::uint32_t weightBytes =
        tilesPerWarp * (codeBytes + scaleBytes); ///< per warp and stage
    static constexpr std::uint32_t tokenBytes = fragmentK * 2;
    static constexpr std::uint32_t xBytes = tokens * tokenBytes; ///< per warp of K and stage
    static constexpr std::uint32_t stageBytes = warps * weightBytes + kWarps * xBytes;
    static constexpr std::uint32_t sumBytes = (kWarps - 1) * rows * tokens * 4;
    static constexpr std::uint32_t ringOffset = tableBytes;
    static constexpr std::uint32_t sumOffset = ringOffset + Stages * stageBytes;
    static constexpr std::uint32_t flagOffset = sumOffset + sumBytes;
    static constexpr std::uint32_t sharedBytes = flagOffset + 16;
};

/// fp32 sums that a launch may need: one per row of W (filled up to whole units) and token, per group.
template <class Shape>
constexpr std::int64_t swapAbPartials(int n, int groups) {
    return (static_cast<std::int64_t>(n) + Shape::rows - 1) / Shape::rows * Shape::rows * Shape::tokens *
           groups;
}

} // namespace loadline::gpu
