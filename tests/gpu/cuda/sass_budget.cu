// Inner loops, once and three times over: the difference of their machine code is one step's (sass_test.cpp).
#include "gpu/cuda/kernel/dequantise.cuh"
#include "gpu/cuda/kernel/scalar_gemv.cuh"
#include "gpu/cuda/kernel/swap_ab_finish.cuh"
#include "gpu/cuda/lane/device_lane.cuh"

namespace loadline::gpu {

/// A step of the swap-AB kernel with its copies: 64 weights a lane.
template <int Bits, int Tokens, int Times>
__global__ void __launch_bounds__(256, Tokens == 8 ? 1 : 2)
    swapAbTimes(SwapAbArgs args, float* out, int unit) {
    using Shape = SwapAbShape<Bits, Tokens, 4>;
    const DeviceLane lane;
    SwapAbLoader<Shape, Bits, DeviceLane> loader(lane, args);
    SwapAbSums<Tokens> sums;
    loader.load(0, unit, 0, 0);
    LOADLINE_UNROLL
    for (int i = 0; i < Times; ++i) {
        lane.waitCopies<2>();
        lane.syncWarp();
        loader.load(0, unit, i + 1, i % 4);
        lane.commitCopies();
        swapAbStep<Shape, Bits, Tokens>(lane, (i + 1) % 4, sums);
    }
    detail::eachSum(
        sums, 0, lane.inWarp(), [&](int token) { return out + token * 32; },
        [](float* to, int, float value) { *to = value; });
}

/// A block of the scalar reference: 32 weights a lane.
template <int Bits, int Rows, int Times>
__global__ void __launch_bounds__(scalarThreads, Rows == 1 ? 24 : 16)
    scalarTimes(ScalarGemvArgs args, float* out) {
    const DeviceLane lane;
    const float entry = args.codebook[lane.inWarp() & ((1 << Bits) - 1)];
    const std::uint16_t* x[Rows];
    for (int m = 0; m < Rows; ++m) {
        x[m] = args.x + m * args.k;
    }
    float sum[Rows] = {};
    LOADLINE_UNROLL
    for (int i = 0; i < Times; ++i) {
        const int block = i * scalarThreads + lane.thread();
        addBlock<Bits, Rows>(lane, args, 0, block, block < args.n, x, entry, sum);
    }
    for (int m = 0; m < Rows; ++m) {
        out[m * scalarThreads + lane.thread()] = sum[m];
    }
}

/// The whole kernel decodes one block: 32 weights a lane.
template <int Bits>
__global__ void __launch_bounds__(dequantiseThreads) dequantiseWhole(DequantiseArgs args) {
    dequantise<Bits>(DeviceLane{}, args);
}

template __global__ void swapAbTimes<2, 1, 1>(SwapAbArgs, float*, int);
template __global__ void swapAbTimes<2, 1, 3>(SwapAbArgs, float*, int);
template __global__ void swapAbTimes<3, 1, 1>(SwapAbArgs, float*, int);
template __global__ void swapAbTimes<3, 1, 3>(SwapAbArgs, float*, int);
template __global__ void swapAbTimes<4, 1, 1>(SwapAbArgs, float*, int);
template __global__ void swapAbTimes<4, 1, 3>(SwapAbArgs, float*, int);
template __global__ void swapAbTimes<4, 2, 1>(SwapAbArgs, float*, int);
template __global__ void swapAbTimes<4, 2, 3>(SwapAbArgs, float*, int);
template __global__ void swapAbTimes<4, 4, 1>(SwapAbArgs, float*, int);
template __global__ void swapAbTimes<4, 4, 3>(SwapAbArgs, float*, int);
template __global__ void swapAbTimes<4, 8, 1>(SwapAbArgs, float*, int);
template __global__ void swapAbTimes<4, 8, 3>(SwapAbArgs, float*, int);
template __global__ void swapAbTimes<5, 1, 1>(SwapAbArgs, float*, int);
template __global__ void swapAbTimes<5, 1, 3>(SwapAbArgs, float*, int);
template __global__ void scalarTimes<2, 1, 1>(ScalarGemvArgs, float*);
template __global__ void scalarTimes<2, 1, 3>(ScalarGemvArgs, float*);
template __global__ void scalarTimes<4, 1, 1>(ScalarGemvArgs, float*);
template __global__ void scalarTimes<4, 1, 3>(ScalarGemvArgs, float*);
template __global__ void scalarTimes<4, 4, 1>(ScalarGemvArgs, float*);
template __global__ void scalarTimes<4, 4, 3>(ScalarGemvArgs, float*);
template __global__ void scalarTimes<5, 1, 1>(ScalarGemvArgs, float*);
template __global__ void scalarTimes<5, 1, 3>(ScalarGemvArgs, float*);
template __global__ void dequantiseWhole<2>(DequantiseArgs);
template __global__ void dequantiseWhole<4>(DequantiseArgs);
template __global__ void dequantiseWhole<5>(DequantiseArgs);

} // namespace loadline::gpu
