// Instruction counts of our CUDA kernels, from their machine code: tests/gpu/cuda compares.
#pragma once

#include <span>

namespace loadline {

/// A turn of the swap-AB kernel's loop, of one warp; nvcc 13.0. `tileRows`: rows of x that the instance is
/// made for, 8, 16, 32 or 64.
struct SwapAbLoop {
    int architecture = 0; ///< 80, 90, 100, 120
    int kBits = 0;
    int tileRows = 0;
    int issued = 0;  ///< warp instructions
    int alu = 0;     ///< of these, on the pipe for integers, logic and permutes
    int outside = 0; ///< instructions of the kernel that are not in the loop, each counted once
};

/// Counts that follow from the instance's geometry, whatever the architecture.
struct SwapAbTile {
    int kBits = 0;
    int tileRows = 0;
    int wavefronts = 0;                          ///< of shared memory, 128 bytes each: of a turn of one warp
    int mma = 0;                                 ///< tensor-core instructions of 16 x 8 x 16: the same
    int stages = 0;                              ///< depth of the ring where there is room, else 2
    int sharedBytes = 0, shallowSharedBytes = 0; ///< of a block, with either
    int stageBytes = 0;                          ///< that a block copies into a stage

    /// Weights of a turn of one warp; weights' rows and K of a block's step, which is a turn of eight warps.
    [[nodiscard]] int weights() const { return tileRows == 8 ? 4096 : 2048; }
    [[nodiscard]] int unitRows() const { return tileRows == 8 ? 64 : 4 * tileRows; }
    [[nodiscard]] int stepK() const { return 64 * (64 / tileRows); }
    /// Blocks of 256 threads for which a multiprocessor has registers.
    [[nodiscard]] int blocksByRegisters() const { return tileRows == 64 ? 1 : 2; }
};

/// Dequantise: all of it, of a warp, which turns 1,024 weights into fp16.
struct DequantiseWarp {
    int architecture = 0;
    int kBits = 0;
    int issued = 0;
    int alu = 0;
    int wavefronts = 0; ///< of shared memory, shuffles among them
};

inline constexpr int swapAbWarps = 8; ///< of a block
inline constexpr int dequantiseWeights = 1024;

std::span<const SwapAbLoop> swapAbLoops();
std::span<const SwapAbTile> swapAbTiles();
std::span<const DequantiseWarp> dequantiseWarps();

/// Return the counts of the smallest instance for so many rows, null above 64 rows; k is 2 to 5.
const SwapAbLoop* swapAbLoop(int architecture, int kBits, double rowsM);
const SwapAbTile* swapAbTile(int kBits, double rowsM);
const DequantiseWarp* dequantiseWarp(int architecture, int kBits);

} // namespace loadline
