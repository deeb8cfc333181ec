// A plugin whose device is the host: its checks run the CUDA kernels by emulation, its times are made up.
#pragma once

#include "gpu/cuda/plugin_abi.h"

#include <vector>

namespace loadline::gpu {

/// What the next calls to it shall find and do.
struct EmulatedMachine {
    CudaStatus status = CudaStatus::Ok; ///< of the probe
    int multiprocessors = 3;
    int cublas = 130100;                  ///< 0: there is none
    bool breakKernels = false;            ///< answers of checks are wrong
    bool breakTimed = false;              ///< one value of what timed launches wrote is wrong
    std::int64_t sumsLeft = 0;            ///< words that kernels leave in their sums
    CudaStatus sampling = CudaStatus::Ok; ///< of samples
    std::uint64_t throttleReasons = 0;
    CudaWork prepared = {}; ///< the last
    std::vector<CudaWork> checked;
    int sessions = 0;       ///< open
    int healthReadings = 0; ///< each is warmer and takes more power
};

EmulatedMachine& emulatedMachine();
const CudaPluginApi& emulatedPlugin();

} // namespace loadline::gpu
