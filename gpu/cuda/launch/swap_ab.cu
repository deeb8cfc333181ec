// Instances of the swap-AB kernel; as many blocks as a device holds at once.
#include "gpu/cuda/kernel/swap_ab.cuh"
#include "gpu/cuda/lane/device_lane.cuh"
#include "gpu/cuda/launch/by_bits.cuh"
#include "gpu/cuda/launch/launch.cuh"

#include <algorithm>

namespace loadline::gpu {

namespace {

template <int Bits, int Tokens, int Stages>
__global__ void __launch_bounds__(SwapAbShape<Bits, Tokens, Stages>::threads,
                                  SwapAbShape<Bits, Tokens, Stages>::launchBlocks)
    swapAbKernel(SwapAbArgs args) {
    swapAb<Bits, Tokens, Stages>(DeviceLane{}, args);
}

/// Blocks of an instance that are resident at once on a multiprocessor; 0 where one has too little shared
/// memory.
template <int Bits, int Tokens, int Stages>
cudaError_t residentBlocks(const LaunchDevice& device, int& blocks) {
    using Shape = SwapAbShape<Bits, Tokens, Stages>;
    constexpr auto shared = static_cast<int>(Shape::sharedBytes);
    const auto kernel = swapAbKernel<Bits, Tokens, Stages>;
    blocks = 0;
    if (shared > device.sharedPerBlock) {
        return cudaSuccess;
    }
    const cudaError_t error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    return error != cudaSuccess
               ? error
               : cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, Shape::threads, shared);
}

template <int Bits, int Tokens, int Stages>
cudaError_t launchInstance(SwapAbArgs args, int resident, const LaunchDevice& device, cudaStream_t stream) {
    using Shape = SwapAbShape<Bits, Tokens, Stages>;
    int blocks = resident * device.multiprocessors;
    if (args.groups.count == nullptr) { // no more than there are steps
        const std::int64_t units = (args.n + Shape::rows - 1) / Shape::rows;
        constexpr int stepK = fragmentK * Shape::kWarps;
        blocks = static_cast<int>(std::min<std::int64_t>(blocks, units * ((args.k + stepK - 1) / stepK)));
    }
    cutSwapAb<Shape>(args, blocks);
    swapAbKernel<Bits, Tokens, Stages>
        <<<static_cast<unsigned>(blocks), Shape::threads, Shape::sharedBytes, stream>>>(args);
    return cudaGetLastError();
}

/// Of two depths of the ring the one with more blocks at once; the deeper where they are as many.
template <int Bits, int Tokens>
cudaError_t launchTokens(const SwapAbArgs& args, const LaunchDevice& device, cudaStream_t stream) {
    constexpr int deep = swapAbStages(Bits, Tokens);
    int ofDeep = 0;
    int ofShallow = 0;
    if (const cudaError_t error = residentBlocks<Bits, Tokens, deep>(device, ofDeep); error != cudaSuccess) {
        return error;
    }
    if (const cudaError_t error = residentBlocks<Bits, Tokens, 2>(device, ofShallow); error != cudaSuccess) {
        return error;
    }
    if (ofDeep + ofShallow == 0) {
        return cudaErrorInvalidConfiguration;
    }
    return ofDeep >= ofShallow ? launchInstance<Bits, Tokens, deep>(args, ofDeep, device, stream)
                               : launchInstance<Bits, Tokens, 2>(args, ofShallow, device, stream);
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
