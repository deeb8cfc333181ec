// The swap-AB kernel's geometry: tiles, shared memory, how the work is cut among blocks.
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
    unsigned* arrived = nullptr;           ///< zeroes before and after: steps done, one per unit
    int k = 0;                             ///< a multiple of 32
    int n = 0;
    int m = 0;        ///< dense: rows, at most 8 Tokens
    int perBlock = 0; ///< dense: steps of a block, and how many blocks have one more; see cutSwapAb
    int longer = 0;
    std::uint32_t ofSteps = 0; ///< (2^32 - 1) / steps of a unit: nothing is divided on the device
    Groups groups;
};

/// Eight warps a block. `Tokens` (tiles of eight rows of x: 1, 2, 4, 8) warps stand side by side over the
/// rows of W and share their x, and 8 / Tokens split K. Of every step a warp has 64 K of 64 rows of W, or of
/// 32 where there is more than one tile of tokens.
template <int Bits, int Tokens, int Stages>
struct SwapAbShape {
    static constexpr int warps = 8;
    static constexpr int threads = warps * warpLanes;
    static constexpr int launchBlocks = Tokens == 8 ? 1 : 2; ///< per multiprocessor, to leave registers for
    static constexpr int rowWarps = Tokens;
    static constexpr int kWarps = warps / Tokens;
    static constexpr int tilesPerWarp = Tokens == 1 ? 4 : 2; ///< of 16 rows of W
    static constexpr int rows = rowWarps * tilesPerWarp * fragmentRows;
    static constexpr int strips = rows / fragmentStripRows;
    static constexpr int tokens = 8 * Tokens;

    // Shared memory in lines of 128 bytes. Fields of 4 bits: a table of the half2 of each pair of fields, one
    // copy per lane, fills the first half of 256 lines of 256 bytes, so that a byte of fields and a lane are
    // an address by one permute. The ring takes the second halves, on beyond the table; sums take the first
    // halves beyond it. Fields of 2 bits are permuted in registers, and lines follow each other.
    static constexpr bool hasTable = fieldBitsOf(Bits) == 4;
    static constexpr std::uint32_t pitch = hasTable ? 256 : 128;
    static constexpr std::uint32_t tileLines = fragmentTileWords(Bits) * 4 / 128;
    static constexpr std::uint32_t warpLines = tilesPerWarp * tileLines + 1; ///< and one of scales
    static constexpr std::uint32_t xLines =
        Tokens == 1 ? 0 : tokens; ///< per warp of K; few tokens: registers
    static constexpr std::uint32_t stageBytes = (warps * warpLines + kWarps * xLines) * pitch;
    /// Few tokens: every warp's sums, two lines a token; else those of all but the first in K.
    static constexpr std::uint32_t sumLines =
        Tokens == 1 ? warps * 16 : static_cast<std::uint32_t>((kWarps - 1) * rows * tokens / 32);
    /// The table begins 1024 bytes behind a multiple of 65536: see origin.
    static constexpr std::uint32_t slack = hasTable ? 1024 : 0;
    static constexpr std::uint32_t ringOffset = hasTable ? 128 : 0;
    static constexpr std::uint32_t ringEnd = ringOffset + Stages * stageBytes - (pitch - 128);
    static constexpr std::uint32_t sumOffset = hasTable ? 256 * pitch : ringEnd;
    static constexpr std::uint32_t sumEnd = sumLines == 0 ? 0 : sumOffset + sumLines * pitch - (pitch - 128);
    static constexpr std::uint32_t flagOffset = ringEnd > sumEnd ? ringEnd : sumEnd;
    static constexpr std::uint32_t sharedBytes = slack + flagOffset + 16;

    /// Returns the offset added to all offsets so that the table begins at an address whose lower half is
    /// 1024: one permute then makes an entry's address less 1024, which the load adds. Precondition:
    /// swapAbTableFits.
    template <class Lane>
    LOADLINE_LANE static std::uint32_t origin(const Lane& lane) {
        return slack - (slack != 0 ? lane.sharedOrigin() : 0);
    }
    /// Returns the offset in shared memory of byte `offset` of a run of lines.
    LOADLINE_LANE static constexpr std::uint32_t spread(std::uint32_t offset) {
        return offset / 128 * pitch + offset % 128;
    }
};

/// True if the table of k = 4 and 5 has its place where a block's shared memory begins at `origin`. False for
/// an address that the device was not asked for (LaunchDevice::sharedOrigin).
constexpr bool swapAbTableFits(std::uint32_t origin) {
    return origin % 1024 == 0 && origin <= SwapAbShape<4, 1, 2>::slack;
}

/// Tiles of eight rows of x of the instance that serves `rows`, 1 to 64.
constexpr int swapAbTokens(int rows) {
    return rows <= 8 ? 1 : (rows <= 16 ? 2 : (rows <= 32 ? 4 : 8));
}

/// Units of a matrix, and steps of each.
struct SwapAbSteps {
    std::int64_t units = 0;
    std::int64_t ofUnit = 0;
};

constexpr SwapAbSteps swapAbSteps(std::int64_t k, std::int64_t n, int tokens) {
    const std::int64_t rows = tokens == 1 ? 64 : 32 * tokens;
    const std::int64_t stepK = fragmentK * 8 / tokens;
    return {(n + rows - 1) / rows, (k + stepK - 1) / stepK};
}

/// Blocks with which a check meets everything a long launch does: each goes through at least `least` steps,
/// one changes its unit, and one unit is shared. One block where there are not so many steps.
constexpr int swapAbCheckBlocks(const SwapAbSteps& steps, int least) {
    const std::int64_t all = steps.units * steps.ofUnit;
    for (std::int64_t blocks = all / least; blocks > 1; --blocks) {
        bool changes = false;
        bool shares = false;
        for (std::int64_t block = 0; block < blocks; ++block) { // as SwapAbLine cuts the line
            const std::int64_t longer = all % blocks;
            const std::int64_t first = block * (all / blocks) + (block < longer ? block : longer);
            const std::int64_t next = first + all / blocks + (block < longer ? 1 : 0);
            changes = changes || first / steps.ofUnit != (next - 1) / steps.ofUnit;
            shares = shares || first % steps.ofUnit != 0;
        }
        if (changes && shares) {
            return static_cast<int>(blocks);
        }
    }
    return 1;
}

/// Stages of the ring where there is room; else two.
constexpr int swapAbStages(int bits, int tokens) {
    return fieldBitsOf(bits) == 2 ? 4 : (bits == 4 || tokens == 8 ? 3 : 2);
}

/// fp32 sums that a launch may need: one per row of W (filled up to whole units) and token, per group.
template <class Shape>
constexpr std::int64_t swapAbPartials(int n, int groups) {
    return (static_cast<std::int64_t>(n) + Shape::rows - 1) / Shape::rows * Shape::rows * Shape::tokens *
           groups;
}

/// All work is one line of steps: (group, unit of rows of W, 64 K per warp of K), K fastest. Every block
/// takes an equal piece of that line, whatever the shape (stream-K); the first `longer` blocks have one step
/// more.
struct SwapAbLine {
    int units = 0; ///< of a group
    int steps = 0; ///< of a unit
    int perBlock = 0;
    int longer = 0;
    std::uint32_t ofSteps = 0; ///< see SwapAbArgs

    LOADLINE_LANE int firstOf(int block) const {
        return block * perBlock + (block < longer ? block : longer);
    }
};

template <class Shape>
LOADLINE_LANE SwapAbLine swapAbLine(const SwapAbArgs& a, int blocks) {
    SwapAbLine line;
    line.units = (a.n + Shape::rows - 1) / Shape::rows;
    line.steps = (a.k + fragmentK * Shape::kWarps - 1) / (fragmentK * Shape::kWarps);
    line.perBlock = a.perBlock;
    line.longer = a.longer;
    line.ofSteps = a.ofSteps;
    if (a.groups.count != nullptr) {
        const int all = *a.groups.count * line.units * line.steps;
        line.perBlock = all / blocks;
        line.longer = all % blocks;
    }
    return line;
}

/// A place on the line: a unit of all groups, a step of it, and how many steps the block has from there.
struct SwapAbCursor {
    int unit = 0;
    int step = 0;
    int left = 0;

    /// Steps of this unit that are the block's.
    LOADLINE_LANE int steps(const SwapAbLine& line) const {
        return left < line.steps - step ? left : line.steps - step;
    }
    LOADLINE_LANE void toNextUnit(const SwapAbLine& line) {
        left -= steps(line);
        step = 0;
        ++unit;
    }
};

LOADLINE_LANE SwapAbCursor swapAbCursor(const SwapAbLine& line, int block) {
    const int begin = line.firstOf(block);
    int unit = static_cast<int>(static_cast<std::uint64_t>(begin) * line.ofSteps >> 32U);
    unit += begin - unit * line.steps >= line.steps ? 1 : 0; // below 2^30 steps one too few at most
    return {unit, begin - unit * line.steps, line.firstOf(block + 1) - begin};
}

/// Cuts the line of a dense GEMM among the blocks of a launch: no device has to divide for it. Of groups only
/// `ofSteps` counts.
template <class Shape>
void cutSwapAb(SwapAbArgs& a, int blocks) {
    const std::int64_t units = (a.n + Shape::rows - 1) / Shape::rows;
    const std::int64_t steps = (a.k + fragmentK * Shape::kWarps - 1) / (fragmentK * Shape::kWarps);
    const std::int64_t all = units * steps;
    a.ofSteps = static_cast<std::uint32_t>(0xffffffffLL / steps);
    a.perBlock = static_cast<int>(all / blocks);
    a.longer = static_cast<int>(all % blocks);
}

} // namespace loadline::gpu
