// The swap-AB kernels themselves, whose own loop is counted; of the others inner loops, once and three times
// over: the difference of their machine code is one step's (sass_test.cpp).
#include "gpu/cuda/kernel/dequantise.cuh"
#include "gpu/cuda/kernel/scalar_gemv.cuh"
#include "gpu/cuda/kernel/swap_ab.cuh"
#include "gpu/cuda/lane/device_lane.cuh"

namespace loadline::gpu {

/// As launched (launch/swap_ab.cu).
template <int Bits, int Tokens, int Stages>
__global__ void __launch_bounds__(SwapAbShape<Bits, Tokens, Stages>::threads, Tokens == 8 ? 1 : 2)
    swapAbKernel(SwapAbArgs args) {
    swapAb<Bits, Tokens, Stages>(DeviceLane{}, args);
}

#define LOADLINE_SWAP_AB(bits, tokens)                                                                       \
    template __global__ void swapAbKernel<bits, tokens, swapAbStages(bits, tokens)>(SwapAbArgs);
#define LOADLINE_SWAP_AB_OF(bits)                                                                            \
    LOADLINE_SWAP_AB(bits, 1)                                                                                \
    LOADLINE_SWAP_AB(bits, 2)                                                                                \
    LOADLINE_SWAP_AB(bits, 4)                                                                                \
    LOADLINE_SWAP_AB(bits, 8)
LOADLINE_SWAP_AB_OF(2)
LOADLINE_SWAP_AB_OF(3)
LOADLINE_SWAP_AB_OF(4)
LOADLINE_SWAP_AB_OF(5)

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

template __global__ void scalarTimes<2, 1, 1>(ScalarGemvArgs, float*);
template __global__ void scalarTimes<2, 1, 3>(ScalarGemvArgs, float*);
template __global__ void scalarTimes<4, 1, 1>(ScalarGemvArgs, float*);
template __global__ void scalarTimes<4, 1, 3>(ScalarGemvArgs, float*);
template __global__ void scalarTimes<4, 4, 1>(ScalarGemvArgs, float*);
template __global__ void scalarTimes<4, 4, 3>(ScalarGemvArgs, float*);
template __global__ void scalarTimes<5, 1, 1>(ScalarGemvArgs, float*);
template __global__ void scalarTimes<5, 1, 3>(ScalarGemvArgs, float*);
template __global__ void dequantiseWhole<2>(DequantiseArgs);
template __global__ void dequantiseWhole<3>(DequantiseArgs);
template __global__ void dequantiseWhole<4>(DequantiseArgs);
template __global__ void dequantiseWhole<5>(DequantiseArgs);

} // namespace loadline::gpu
