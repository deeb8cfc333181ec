// From the protocol's points to the plugin's work, and inputs for a check of it.
#pragma once

#include "core/base/result.h"
#include "gpu/backend.h"
#include "gpu/cuda/plugin_abi.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loadline::gpu {

/// The plugin's for a kernel or a pair of them; null for what it does not have.
const CudaKernelSpec* cudaKernelOf(Kernel kernel);
/// Preconditions: the kernel has an operation, `rotation.calls` and `copies` in the plugin's ranges.
CudaWork cudaWorkOf(const PointSpec& spec, const Rotation& rotation);

/// Side of the GEMM that warms the device up and bounds all others.
inline constexpr int warmUpGemmSide = 8192;

/// What the plugin says after a call that failed; `where`: "timing".
Error deviceError(const CudaPluginApi& api, const CudaSession* session, const std::string& where);

/// Right where it agrees as closely as fp16 results of fp32 sums must: 2e-3 of the whole.
CheckOutcome outcomeOf(const std::vector<float>& values, const std::vector<double>& expected);

/// The same point with N cut to a size that a float64 reference can follow: about 2^20 weights, its remainder
/// by 128 kept, so that tiles that are not full stay so.
PointSpec checkable(const PointSpec& spec);

/// Random codes, scales and rows, the plugin's answer to them and the answer in float64. `spec` is checkable.
Result<CheckOutcome> checkOnDevice(const CudaPluginApi& api, CudaSession* session, const PointSpec& spec,
                                   std::uint64_t seed);

} // namespace loadline::gpu
