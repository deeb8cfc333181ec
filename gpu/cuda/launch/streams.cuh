// Launches of ceilings, fillings and clocks on a stream.
#pragma once

#include "gpu/cuda/kernel/ceilings.cuh"
#include "gpu/cuda/kernel/fill.cuh"
#include "gpu/cuda/launch/launch.cuh"

namespace loadline::gpu {

cudaError_t launchEmpty(cudaStream_t stream);
cudaError_t launchRead(const CeilingArgs& args, const LaunchDevice& device, cudaStream_t stream);
cudaError_t launchWrite(const CeilingArgs& args, const LaunchDevice& device, cudaStream_t stream);
cudaError_t launchCopy(const CeilingArgs& args, const LaunchDevice& device, cudaStream_t stream);
cudaError_t launchFill(const FillArgs& args, const LaunchDevice& device, cudaStream_t stream);

/// One multiprocessor's clocks at one moment.
struct ClockReading {
    std::uint64_t nanoseconds = 0; ///< global; 0: nothing ran on this multiprocessor
    std::uint64_t cycles = 0;
};
inline constexpr int clockSlots = 1024; ///< multiprocessor ids

/// Every block stores its multiprocessor's clocks at to[its id]; a block per multiprocessor.
cudaError_t launchReadClocks(ClockReading* to, const LaunchDevice& device, cudaStream_t stream);
/// Stores the address at which a block's shared memory begins.
cudaError_t launchSharedOrigin(std::uint32_t* to, cudaStream_t stream);
/// Keeps the stream busy for about `cycles`, so that the host is ahead of it.
cudaError_t launchSpin(std::int64_t cycles, cudaStream_t stream);

} // namespace loadline::gpu
