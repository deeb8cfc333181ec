// Fixed cost of a call of swap-AB, whatever its bytes: its beginning and its end, by their dependent
// latencies.
#pragma once

#include "core/cost/analytic/modelled_time.h"

#include <span>
#include <string_view>
#include <vector>

namespace loadline {

/// Warp instructions that a multiprocessor issues a clock.
inline constexpr double issuedPerClock = 4;

/// The cost of a step once the steps before it are done.
enum class StepWait : std::uint8_t {
    Issue,      ///< `count` instructions of each resident warp, four a clock
    Wavefronts, ///< of shared memory, `count` of each resident block, one a clock
    Shared,     ///< `count` accesses to shared memory, one after the other
    Barrier,    ///< `count` barriers of a block
    Cache,      ///< `count` accesses that L2 serves, one after the other
    Memory,     ///< `count` that memory serves
};

enum class StepPart : std::uint8_t {
    Beginning,   ///< until the first tile can be multiplied
    End,         ///< from the last tile's products on
    EndOfShared, ///< the same, only where several blocks share a unit's rows
};

/// A row of the table. Counts are those of k = 4 and one row, by reading the machine code of sm_90 (nvcc
/// 13.0) along the way of a dense GEMM; tests/gpu/cuda compares what can be.
struct FixedStep {
    std::string_view words; ///< "the first copies are sent off"
    StepPart part = StepPart::Beginning;
    StepWait wait = StepWait::Issue;
    int count = 0;
    int after = -1; ///< rows that must be done before, earlier ones; -1: none
    int also = -1;
};

/// Each row stands after those it waits for. The first tile can be multiplied when all of the beginning is
/// done; the end is one chain.
std::span<const FixedStep> swapAbFixedSteps();

/// Properties of an instance on a GPU that decide its fixed cost.
struct FixedCall {
    double instructions = 1; ///< those outside of the loop over those of the instance that was read
    int blocks = 2;          ///< resident on a multiprocessor
    bool table = true;       ///< k = 4, 5: fields are looked up in shared memory
    int batches = 1;         ///< in which a thread reads the sums of all blocks
    bool shared = true;      ///< units are shared by blocks
    /// Rows are grouped by expert on the device: how many groups there are and whose the first is must come
    /// before the first tile can be sent for; where its rows begin and which they are, before x can.
    bool routed = false;
};

struct FixedCost {
    std::vector<double> doneCycles; ///< of each row, from the first instruction of its part on; 0: not run
    double beginningCycles = 0;
    double endCycles = 0;
    double us = 0; ///< both; without what lies between two kernels (ModelAssumptions::nodeUs)
};

/// Returns the fixed cost at the GPU's boost clock, with the latencies of its architecture and of the
/// assumptions.
FixedCost swapAbFixedCost(const GpuFacts& gpu, const FixedCall& call, const ModelAssumptions& assumed = {});

/// Instructions of a warp from the last products of a unit to the next unit's first, where one block does
/// all of the unit.
double swapAbEndInstructions();

} // namespace loadline
