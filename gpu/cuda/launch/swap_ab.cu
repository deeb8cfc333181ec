// Instances of the swap-AB kernel; as many blocks as a device holds at once.
#include "gpu/cuda/kernel/swap_ab.cuh"
#include "gpu/cuda/lane/device_lane.cuh"
#include "gpu/cuda/launch/by_bits.cuh"
#include "gpu/cuda/launch/launch.cuh"

#include <algorithm>

namespace loadline::gpu {

namespace {

template <int Bits, int Tokens, int Stages>
__global__ void __launch_bounds__(SwapAbShape<Bits, Tokens, Stages>::threads, Tokens == 8 ? 1 : 2)
    swapAbKernel(SwapAbArgs args) {
    swapAb<Bits, Tokens, Stages>(DeviceLane{}, args);
}

template <int Bits, int Tokens, int Stages>
cudaError_t launchInstance(const SwapAbArgs& args, const LaunchDevice& device, cudaStream_t stream) {
    using Shape = SwapAbShape<Bits, Tokens, Stages>;
    constexpr auto shared = static_cast<int>(Shape::sharedBytes);
    const auto kernel = swapAbKernel<Bits, Tokens, Stages>;
    if (shared > device.sharedPerBlock) {
        return cudaErrorInvalidValue;
    }
    cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    int resident = 0;
    if (error == cudaSuccess) {
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, Shape::threads, shared);
    }
    if (error != cudaSuccess || resident == 0) {
        return error != cudaSuccess ? error : cudaErrorInvalidConfiguration;
    }
    int blocks = resident * device.multiprocessors;
    if (args.groups.count == nullptr) { // no more than there are steps
        const std::int64_t units = (args.n + Shape::rows - 1) / Shape::rows;
        constexpr int stepK = fragmentK * Shape::kWarps;
        blocks = static_cast<int>(std::min<std::int64_t>(blocks, units * ((args.k + stepK - 1) / stepK)));
    }
    const auto grid = static_cast<unsigned>(blocks);
    kernel<<<grid, Shape::threads, shared, stream>>>(args);
    return cudaGetLastError();
}

/// The deepest ring that a block may have the shared memory for: four stages for few tokens, else three; two
/// where three are more than the 99 KB of compute capability 8.6, 8.9 and 12.0 (k = 5, 9 to 32 rows).
template <int Bits, int Tokens>
cudaError_t launchTokens(const SwapAbArgs& args, const LaunchDevice& device, cudaStream_t stream) {
    if constexpr (Tokens <= 2) {
        if (static_cast<int>(SwapAbShape<Bits, Tokens, 4>::sharedBytes) <= device.sharedPerBlock) {
            return launchInstance<Bits, Tokens, 4>(args, device, stream);
        }
    }
    constexpr auto three = static_cast<int>(SwapAbShape<Bits, Tokens, 3>::sharedBytes);
    if constexpr (three > 99 * 1024) {
        if (three > device.sharedPerBlock) {
            return launchInstance<Bits, Tokens, 2>(args, device, stream);
        }
    }
    return launchInstance<Bits, Tokens, 3>(args, device, stream);
}

} // namespace

cudaError_t launchSwapAb(int bits, int rows, const SwapAbArgs& args, const LaunchDevice& device,
                         cudaStream_t stream) {
    return byBits(bits, [&](auto of) {
        constexpr int k = decltype(of)::value;
        if (rows < 1 || rows > 64) {
            return cudaErrorInvalidValue;
        }
        if (rows <= 8) {
            return launchTokens<k, 1>(args, device, stream);
        }
        if (rows <= 16) {
            return launchTokens<k, 2>(args, device, stream);
        }
        return rows <= 32 ? launchTokens<k, 4>(args, device, stream)
                          : launchTokens<k, 8>(args, device, stream);
    });
}

} // namespace loadline::gpu
