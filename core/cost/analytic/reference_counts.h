// Instruction counts of the reference designs, scalar GEMV and MMA, from their machine code: tests/gpu/cuda
// compares.
#pragma once

#include <span>

namespace loadline {

/// A turn of an instance's loop, of one warp, which has 1,024 weights; nvcc 13.0. Instructions that some
/// warps jump over are counted for all.
struct ReferenceLoop {
    int architecture = 0; ///< 80, 90, 100, 120
    int kBits = 0;
    int rows = 0;       ///< that the instance is made for: scalar 1 to 4, MMA 16, 32, 48 or 64
    int issued = 0;     ///< warp instructions
    int alu = 0;        ///< of these, on the pipe for integers, logic and permutes
    int wavefronts = 0; ///< of shared memory, shuffles among them; as if no two lanes met at a bank
    int outside = 0;    ///< instructions that are not in the loop, each counted once
    int outsideAlu = 0;
    int registers = 0; ///< of a thread
};

/// Counts that follow from the instance's geometry, whatever the architecture.
struct ReferenceTile {
    int warps = 0;       ///< of a block
    int columns = 0;     ///< of y, of a block
    int stepK = 0;       ///< K of a turn of a block
    int mma = 0;         ///< tensor-core instructions of 16 x 8 x 16 of a turn of one warp
    int sharedBytes = 0; ///< of a block
    int aheadBytes = 0;  ///< of weights and scales that a block has under way at the same time
};

std::span<const ReferenceLoop> scalarLoops();
std::span<const ReferenceLoop> mmaLoops();

/// Return the counts of the smallest instance for so many rows, null above 4 (scalar) and 64 (MMA); k is 2 to
/// 5.
const ReferenceLoop* scalarLoop(int architecture, int kBits, double rowsM);
const ReferenceLoop* mmaLoop(int architecture, int kBits, double rowsM);
ReferenceTile scalarTile(int kBits);
ReferenceTile mmaTile(int kBits, int rows);

/// The loop in which one warp of the routing kernel sums over experts.
struct RoutingLoop {
    int architecture = 0;
    int issued = 0; ///< of a turn: 32 experts
};
inline constexpr int routingThreads = 1024;
inline constexpr int routingExperts = 32; ///< of a turn
const RoutingLoop& routingLoop(int architecture);

} // namespace loadline
