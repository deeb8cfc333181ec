// Instances of the scalar reference design.
#include "gpu/cuda/lane/device_lane.cuh"
#include "gpu/cuda/launch/by_bits.cuh"
#include "gpu/cuda/launch/launch.cuh"

namespace loadline::gpu {

template <int Bits, int Rows>
__global__ void __launch_bounds__(scalarThreads, scalarBlocks<Rows>()) scalarGemvKernel(ScalarGemvArgs args) {
    scalarGemv<Bits, Rows>(DeviceLane{}, args);
}

cudaError_t launchScalarGemv(int bits, int rows, int groups, const ScalarGemvArgs& args,
                             cudaStream_t stream) {
    const dim3 grid(static_cast<unsigned>(args.n), static_cast<unsigned>(groups));
    return byBits(bits, [&](auto of) {
        constexpr int k = decltype(of)::value;
        switch (rows) {
        case 1:
            scalarGemvKernel<k, 1><<<grid, scalarThreads, scalarSharedBytes, stream>>>(args);
            break;
        case 2:
            scalarGemvKernel<k, 2><<<grid, scalarThreads, scalarSharedBytes, stream>>>(args);
            break;
        case 3:
            scalarGemvKernel<k, 3><<<grid, scalarThreads, scalarSharedBytes, stream>>>(args);
            break;
        case 4:
            scalarGemvKernel<k, 4><<<grid, scalarThreads, scalarSharedBytes, stream>>>(args);
            break;
        default:
            return cudaErrorInvalidValue;
        }
        return cudaGetLastError();
    });
}

} // namespace loadline::gpu
