// Instances of dequantising, and of routing rows to experts.
#include "gpu/cuda/lane/device_lane.cuh"
#include "gpu/cuda/launch/by_bits.cuh"
#include "gpu/cuda/launch/launch.cuh"

namespace loadline::gpu {

template <int Bits>
__global__ void __launch_bounds__(dequantiseThreads, 4) dequantiseKernel(DequantiseArgs args) {
    dequantise<Bits>(DeviceLane{}, args);
}

__global__ void __launch_bounds__(moeRouteThreads) moeRouteKernel(MoeRouteArgs args) {
    moeRoute(DeviceLane{}, args);
}

cudaError_t launchDequantise(int bits, const DequantiseArgs& args, cudaStream_t stream) {
    const auto grid = static_cast<unsigned>((args.blocks + dequantiseThreads - 1) / dequantiseThreads);
    return byBits(bits, [&](auto of) {
        dequantiseKernel<decltype(of)::value>
            <<<grid, dequantiseThreads, dequantiseSharedBytes, stream>>>(args);
        return cudaGetLastError();
    });
}

cudaError_t launchMoeRoute(const MoeRouteArgs& args, cudaStream_t stream) {
    const auto shared = static_cast<std::size_t>(moeRouteSharedBytes(args.experts));
    if (shared > 48 * 1024) {
        return cudaErrorInvalidValue;
    }
    moeRouteKernel<<<1, moeRouteThreads, shared, stream>>>(args);
    return cudaGetLastError();
}

} // namespace loadline::gpu
