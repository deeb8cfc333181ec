// NVML, opened when it is there, for reading only: clocks, power, temperature, throttling, the PCI link.
#pragma once

#include "gpu/cuda/plugin_abi.h"

namespace loadline::gpu {

/// True if libnvidia-ml could be opened and started.
bool nvmlFound();

/// Fills what NVML knows of the device at this PCI bus id into the fields that only it knows; those it does
/// not give keep their values.
/// `hasContext`: this process has a context on the device, and is one of those that compute there.
void readNvmlFacts(const char* pciBusId, bool hasContext, CudaDeviceFacts& facts);
/// NVML's bits; 0 where it does not tell.
std::uint64_t readThrottleReasons(const char* pciBusId);
void readNvmlHealth(const char* pciBusId, CudaHealth& health);

} // namespace loadline::gpu
