// The plugin's facts as provenance.
#pragma once

#include "gpu/backend.h"
#include "gpu/cuda/plugin_abi.h"

namespace loadline::gpu {

/// Values as JSON text; what is not known is left out.
DeviceInfo deviceInfoOf(int index, const CudaDeviceFacts& facts, const CudaProbe& probe);
/// "power cap, heat" for NVML's reasons that mean throttling; empty for none.
std::string throttlingIn(std::uint64_t reasons);
/// Bytes a second by the bus's width and the memory clock, both edges; 0 where not known.
double datasheetBandwidth(const CudaDeviceFacts& facts);

} // namespace loadline::gpu
