// Bounds of every kernel on a GPU, and rates of copies to and from it, by way of the plugin.
#pragma once

#include "core/base/result.h"
#include "core/cost/profile/profile.h"
#include "gpu/cuda/plugin_abi.h"

#include <stop_token>

namespace loadline::gpu {

/// Medians of one call each, under the names that profiles keep:
///   empty_call_us                               an empty kernel among 256 in a graph
///   read_gb_s, write_gb_s, copy_gb_s            device memory, 1 GiB; a copy's bytes are read and written
///   read_4_gib_gb_s                             the same read of 4 GiB: less of it is beginning and end
///   host_to_device_gb_s, device_to_host_gb_s    512 MiB of pinned memory
///   both_ways_gb_s                              both at the same time, their sum
///   host_to_device_pageable_gb_s, device_to_host_pageable_gb_s   256 MiB of memory that is not pinned
///   host_to_device_us_of_65536_bytes ...        pinned, 64 KiB to 64 MiB, six sizes each way
///   host_to_device_latency_us, device_to_host_latency_us   of 64 KiB, less its bytes at the rate of 512 MiB
///   gemm_tflop_s, gemm_bf16_tflop_s             8192 cubed
/// Rates that do not fit into memory, or need a cuBLAS that is not there, are left out. The session's
/// prepared point is gone. The Error ends the run. When stopped, what was measured so far.
Result<Facts> measureCudaCeilings(const CudaPluginApi& api, CudaSession* session,
                                  const std::stop_token& stop);

} // namespace loadline::gpu
