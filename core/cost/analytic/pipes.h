// Shared by the models of all kernels: a device's rates, and from counts to the parts of a time.
#pragma once

#include "core/cost/analytic/modelled_time.h"
#include "core/cost/device/hardware.h"

namespace loadline {

/// A GPU and what is assumed of it.
struct ModelledDevice {
    const GpuFacts& gpu;
    const GpuArchitecture& architecture;
    const Hardware& hardware;
    const ModelAssumptions& assumed;

    [[nodiscard]] double cyclesUs(double cycles) const { return cycles / gpu.clockMhz; }
    [[nodiscard]] double bytesUs(double bytes, double share) const {
        return bytes / (hardware.bandwidthGbS * bytesPerUsOfGbS * share);
    }
    /// Returns the time in which one multiprocessor computes `flop` on its tensor cores.
    [[nodiscard]] double tensorUs(double flop) const {
        return flop * gpu.multiprocessors /
               (hardware.fp16Tflops * flopPerUsOfTflops * architecture.mmaShare * assumed.pipeShare);
    }
};

/// The work of one multiprocessor, in warp instructions, wavefronts and floating-point operations.
struct PipeWork {
    double issued = 0;
    double alu = 0;
    double wavefronts = 0;
    double flop = 0;
};

inline constexpr double bytesOfHalf = 2;               ///< an element of x
inline constexpr double flopOfMma = 2.0 * 16 * 8 * 16; ///< of one tensor-core instruction

double& partOf(ModelledTime& time, KernelLimit limit);
void addPipes(ModelledTime& time, const ModelledDevice& device, const PipeWork& work);
/// Memory, and in flight: `underWay` bytes of a multiprocessor at the same time.
void addMemory(ModelledTime& time, const ModelledDevice& device, double underWay);
/// L2, which serves what comes from memory and `more` bytes besides; nothing where its bandwidth is not
/// known.
void addCache(ModelledTime& time, const ModelledDevice& device, double more);
/// The sum, and which part is the longest.
ModelledTime summed(ModelledTime time, const ModelledDevice& device);

/// Resources of a multiprocessor that a block takes.
struct BlockNeeds {
    int warps = 0;
    int registers = 0; ///< of a thread
    int sharedBytes = 0;
};
/// Blocks that are resident at the same time; 0: one has too little shared memory.
int residentBlocks(const GpuArchitecture& architecture, const BlockNeeds& block);

} // namespace loadline
