// This machine's CPU behind the protocol's interface.
#pragma once

#include "gpu/backend.h"

#include <cstdint>
#include <memory>

namespace loadline::gpu {

struct HostOptions {
    unsigned threads = 0;         ///< 0: one for each processor that this process may use
    bool int8Activations = false; ///< k-bit kernels round activations to bytes (W4A8), where that is faster
    std::int64_t rotateBytes = 0; ///< of weights, between two readings of the same; 0: max(4 x cache, 256 MB)
    std::uint64_t seed = 1;       ///< of weights and activations
    bool operator==(const HostOptions&) const = default;
};

/// Returns the CPU as it is listed; runs nothing.
DeviceInfo hostDevice(const HostOptions& options = {});

/// The CPU in the roles that the cost model knows:
///   CublasFp16, BatchedFp16  own GEMM on fp16 weights, fp32 arithmetic (OpenBLAS is timed as a ceiling)
///   Scalar, GroupedScalar    k-bit GEMV, to M = 16
///   Mma, GroupedMma          k-bit vector GEMM, to M = 256
///   Dequantise               k-bit to fp16
/// and attention: split-KV decode and blocked prefill over fp16 contexts, fp32 arithmetic.
/// Each call reads the next weights, or contexts, of a pool. Activations and outputs stay where they are, as
/// in a model. Opening takes about half a second: what the kernels take is tried out once, so that plans fit.
std::unique_ptr<Backend> openHostBackend(const HostOptions& options = {});

} // namespace loadline::gpu
