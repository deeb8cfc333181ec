// How long our CUDA kernels would take on a GPU by their counts and its datasheet: unvalidated.
#pragma once

#include "core/cost/analytic/gpu_facts.h"
#include "core/cost/kernel/kernel.h"
#include "core/cost/shapes/shapes.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace loadline {

/// Limits of a call's time. All but Fixed run at the same time; Fixed comes before and after them.
enum class KernelLimit : std::uint8_t {
    Memory,   ///< bytes over the bandwidth that is reached
    InFlight, ///< bytes under way over the latency of memory
    Cache,    ///< bytes that L2 serves, rows of x once for each unit of weights' rows; of GPUs with a source
    Issue,    ///< warp instructions: four a clock and multiprocessor
    Alu,      ///< those for integers, logic and permutes: two a clock
    Shared,   ///< wavefronts of shared memory: one a clock
    Tensor,   ///< multiply-adds of the tensor cores, rows filled up to the instance's
    Fixed,    ///< the launch, dependent latencies, what runs before and after the loop
};
inline constexpr std::size_t kernelLimitCount = 8;
std::string_view keyOf(KernelLimit limit);   ///< "memory", "in_flight", "l2", ...
std::string_view wordsOf(KernelLimit limit); ///< "memory", "bytes in flight", ...

/// Assumptions of the model for every GPU.
struct ModelAssumptions {
    /// Shares of the datasheet's bandwidth: of a bare read, the ceiling; and of GEMMs. AIConfigurator's bf16
    /// tables of H100, H200 and A100 give 0.83 to 0.91 (defaultRoofline).
    double readShare = 0.91;
    double memoryShare = 0.87;
    /// Share of a multiprocessor pipe's peak; assumed: above it profilers call a pipe fully used.
    double pipeShare = 0.8;
    double nodeUs = 1;            ///< from one kernel of a CUDA graph to the next; assumed
    double memoryLatencyUs = 0.6; ///< HBM under load; assumed for GDDR as well
    double sharedCycles = 30;     ///< of an access to shared memory: the-dsvolk.github.io/ai-perf, 20 to 30
    double barrierCycles = 30;    ///< of a block's barrier, when all have come; assumed
    /// Cycles from an instruction to the next of the same warp that waits for it: 4 to 6, assumed.
    double dependentCycles = 5;
};

/// Each by its key: "read_share", "memory_share", ...
std::vector<std::pair<std::string_view, double>> assumptionsOf(const ModelAssumptions& assumed);

/// The time of one call and what it is made of.
struct ModelledTime {
    double us = 0;                                 ///< Fixed and the longest of the others
    std::array<double, kernelLimitCount> partUs{}; ///< by KernelLimit
    KernelLimit limit = KernelLimit::Memory;       ///< the longest part
    double bytes = 0;                              ///< that the call must move (workOf)
    double readShare = 0; ///< of the read ceiling: bytes at it over the time; above 1 for no call
    int blocks = 0;       ///< resident on a multiprocessor at the same time; 0: not counted
    /// The busiest multiprocessor's steps, or blocks, over their mean; 1: evenly cut.
    double imbalance = 1;
};

/// Time of SwapAb, Mma up to 64 rows, Scalar up to 4 and Dequantise by their counts, of CublasFp16 by
/// defaultRoofline. GroupedSwapAb, GroupedMma, GroupedScalar: of `experts` active experts, `rowsM` rows each,
/// as measured: the routing, once for all GEMMs of a layer, is a call of its own (routingUs). Dequantise: of
/// all of them. Nothing for other kernels: of batched cuBLAS there is no source of the share of the peak that
/// it reaches; a pair takes its parts' sum. Not in it: the bandwidth of L2 where no source gives it, and of
/// Scalar, whose rows of x L1 holds; bank conflicts, clocks under load. `kBits` 2 to 5, as readsKBits says;
/// `rowsM` and `experts` at least 1, `experts` 1 of what serves dense GEMMs. Precondition: the GPU is in the
/// hardware table.
std::optional<ModelledTime> modelledTime(const GpuFacts& gpu, Kernel kernel, GemmSize size, double rowsM,
                                         int kBits, double experts = 1, const ModelAssumptions& assumed = {});

} // namespace loadline
