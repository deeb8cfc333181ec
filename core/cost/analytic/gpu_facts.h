// Facts about each NVIDIA GPU for the model of our CUDA kernels, beside the hardware table.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace loadline {

/// Facts shared by GPUs of one compute capability.
struct GpuArchitecture {
    int number = 0;              ///< 90: compute capability 9.0
    int counted = 0;             ///< whose machine code is counted for it (KernelCounts)
    int sharedBytes = 0;         ///< shared memory of a multiprocessor
    int sharedBytesPerBlock = 0; ///< the most that a block gets
    int warps = 0;               ///< that are resident on a multiprocessor at most
    int blocks = 0;              ///< the same of blocks
    /// Share of the datasheet's dense fp16 rate that mma.sync reaches; newer instructions reach the rest.
    double mmaShare = 1;
    double cacheCycles = 0;        ///< of an access that L2 serves
    double memoryCycles = 0;       ///< of one that memory serves
    double cacheBytesPerClock = 0; ///< from L2 to all multiprocessors together; 0: no source was found
    std::string_view source;
};

/// A GPU of the hardware table. Sources are those that could be read; "card": as the maker's card says, not
/// read again.
struct GpuFacts {
    std::string_view hardware; ///< key in the hardware table
    std::string_view name;     ///< "NVIDIA B200"
    int architecture = 0;      ///< GpuArchitecture::number
    int multiprocessors = 0;
    double clockMhz = 0; ///< boost, at which the fp32 rate is stated
    std::string_view source;
};

/// Every NVIDIA GPU of the hardware table, in its order.
std::span<const GpuFacts> gpuTable();
/// Returns the GPU by its key in the hardware table, or by its first words to a number ("B200" for
/// "B200-HGX"); null if there is none.
const GpuFacts* findGpu(std::string_view name);
const GpuArchitecture& architectureOf(const GpuFacts& gpu);

} // namespace loadline
