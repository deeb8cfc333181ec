// Launches of our kernels on a stream: which instance serves which k and how many rows.
#pragma once

#include "gpu/cuda/kernel/attention_shape.cuh"
#include "gpu/cuda/kernel/dequantise.cuh"
#include "gpu/cuda/kernel/moe_route.cuh"
#include "gpu/cuda/kernel/plane_mma.cuh"
#include "gpu/cuda/kernel/scalar_gemv.cuh"
#include "gpu/cuda/kernel/swap_ab_shape.cuh"

#include <cuda_runtime_api.h>

#include <map>

namespace loadline::gpu {

/// Blocks of each kernel that are resident at once on a multiprocessor, as the driver computed them; 0: it
/// has too little shared memory.
using KnownKernels = std::map<const void*, int>;

/// Facts about a device for launches.
struct LaunchDevice {
    int multiprocessors = 0;
    int sharedPerBlock = 0;           ///< bytes a block can have when it asks for them
    int sharedPerMultiprocessor = 0;  ///< bytes; 0: not known
    std::uint32_t sharedOrigin = ~0U; ///< address at which a block's shared memory begins; ~0: not asked yet
    KnownKernels* kernels = nullptr;  ///< of this device
    int maxBlocks = 0;                ///< of the launch, as CudaWork::maxBlocks
};

/// Permits `kernel` the shared memory it needs, has as much of a multiprocessor's memory set apart as its
/// resident blocks need, and gives how many these are. Asks the driver once a kernel.
cudaError_t residentBlocks(const LaunchDevice& device, const void* kernel, int threads, int shared,
                           int& blocks);

// All return cudaErrorInvalidValue for a k other than 2..5 or more rows than the kernel serves.

/// `rows` 1..4: exactly for a dense GEMM, at most for groups; `groups` 1 for a dense GEMM.
cudaError_t launchScalarGemv(int bits, int rows, int groups, const ScalarGemvArgs& args, cudaStream_t stream);

/// `rows` 1..64. Sets args.splits as published: blocks for four times the multiprocessors, or maxBlocks.
cudaError_t launchPlaneMma(int bits, int rows, int groups, PlaneMmaArgs args, const LaunchDevice& device,
                           cudaStream_t stream);

/// `rows` 1..64. cudaErrorNotSupported where the kernel has a table in shared memory (k = 4, 5) and that
/// does not begin where swapAbTableFits.
cudaError_t launchSwapAb(int bits, int rows, const SwapAbArgs& args, const LaunchDevice& device,
                         cudaStream_t stream);

cudaError_t launchDequantise(int bits, const DequantiseArgs& args, cudaStream_t stream);

cudaError_t launchMoeRoute(const MoeRouteArgs& args, cudaStream_t stream);

/// Blocks over the keys of a decode's sequence, at most `context`: together twice the multiprocessors, or
/// maxBlocks.
int attentionSplits(int batch, int queryHeads, int kvHeads, int context, const LaunchDevice& device);
/// `headDim` 64, 128 or 256; with args.splits from attentionSplits.
cudaError_t launchAttentionDecode(int headDim, const AttentionArgs& args, const LaunchDevice& device,
                                  cudaStream_t stream);
/// Launches prefill; args.splits is 1.
cudaError_t launchAttentionPrefill(int headDim, const AttentionArgs& args, const LaunchDevice& device,
                                   cudaStream_t stream);

/// Memory that a launch needs zeroed before the first time: fp32 sums and counters, the larger of both MMA
/// designs.
struct WorkspaceSize {
    std::int64_t partials = 0;
    std::int64_t counters = 0;
};
WorkspaceSize workspaceFor(int n, int rows, int groups);

} // namespace loadline::gpu
