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

template <int Bits, int Tokens, int Stages>
cudaError_t residentOf(const LaunchDevice& device, int& blocks) {
    using Shape = SwapAbShape<Bits, Tokens, Stages>;
    const auto kernel = swapAbKernel<Bits, Tokens, Stages>;
    return residentBlocks(device, reinterpret_cast<const void*>(kernel), Shape::threads,
                          static_cast<int>(Shape::sharedBytes), blocks);
}

template <int Bits, int Tokens, int Stages>
cudaError_t launchInstance(SwapAbArgs args, int resident, const LaunchDevice& device, cudaStream_t stream) {
    using Shape = SwapAbShape<Bits, Tokens, Stages>;
    int blocks = resident * device.multiprocessors;
    if (device.maxBlocks > 0) {
        blocks = std::min(blocks, device.maxBlocks);
    }
    if (args.groups.count == nullptr) { // no more than there are steps
        const SwapAbSteps all = swapAbSteps(args.k, args.n, Tokens);
        blocks = static_cast<int>(std::min<std::int64_t>(blocks, all.units * all.ofUnit));
    }
    cutSwapAb<Shape>(args, blocks);
    swapAbKernel<Bits, Tokens, Stages>
        <<<static_cast<unsigned>(blocks), Shape::threads, Shape::sharedBytes, stream>>>(args);
    return cudaGetLastError();
}

/// Launches the depth of the ring, of two, that lets more blocks be resident; the deeper if they are as many.
template <int Bits, int Tokens>
cudaError_t launchTokens(const SwapAbArgs& args, const LaunchDevice& device, cudaStream_t stream) {
    constexpr int deep = swapAbStages(Bits, Tokens);
    int ofDeep = 0;
    int ofShallow = 0;
    if (const cudaError_t error = residentOf<Bits, Tokens, deep>(device, ofDeep); error != cudaSuccess) {
        return error;
    }
    if (const cudaError_t error = residentOf<Bits, Tokens, 2>(device, ofShallow); error != cudaSuccess) {
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
        if (SwapAbShape<k, 1, 2>::hasTable && !swapAbTableFits(device.sharedOrigin)) {
            return cudaErrorNotSupported;
        }
        switch (swapAbTokens(rows)) {
        case 1:
            return launchTokens<k, 1>(args, device, stream);
        case 2:
            return launchTokens<k, 2>(args, device, stream);
        case 4:
            return launchTokens<k, 4>(args, device, stream);
        default:
            return launchTokens<k, 8>(args, device, stream);
        }
    });
}

} // namespace loadline::gpu
