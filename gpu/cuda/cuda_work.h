// Translates the protocol's points to the plugin's work.
#pragma once

#include "core/base/result.h"
#include "gpu/backend.h"
#include "gpu/cuda/plugin_abi.h"

#include <cstdint>
#include <string>

namespace loadline::gpu {

/// Returns the plugin's operation for a kernel or a pair of them; null if it has none.
const CudaKernelSpec* cudaKernelOf(Kernel kernel);
/// Preconditions: the kernel has an operation, `rotation.calls` and `copies` in the plugin's ranges.
CudaWork cudaWorkOf(const PointSpec& spec, const Rotation& rotation);

/// Side of the GEMM that warms the device up and bounds all others.
inline constexpr int warmUpGemmSide = 8192;

/// Returns the plugin's Error after a call that failed; `where`: "timing".
Error deviceError(const CudaPluginApi& api, const CudaSession* session, const std::string& where);

} // namespace loadline::gpu
