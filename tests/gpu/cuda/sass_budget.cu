// The k-bit kernels as the plugin launches them, for the counting of their own loops (sass_test.cpp).
#include "gpu/cuda/kernel/dequantise.cuh"
#include "gpu/cuda/kernel/moe_route.cuh"
#include "gpu/cuda/kernel/plane_mma.cuh"
#include "gpu/cuda/kernel/scalar_gemv.cuh"
#include "gpu/cuda/kernel/swap_ab.cuh"
#include "gpu/cuda/lane/device_lane.cuh"

namespace loadline::gpu {

/// As launched (launch/swap_ab.cu).
template <int Bits, int Tokens, int Stages>
__global__ void __launch_bounds__(SwapAbShape<Bits, Tokens, Stages>::threads,
                                  SwapAbShape<Bits, Tokens, Stages>::launchBlocks)
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

/// The reference designs as launched (launch/scalar_gemv.cu, launch/plane_mma.cu).
template <int Bits, int Rows>
__global__ void __launch_bounds__(scalarThreads, scalarBlocks<Rows>()) scalarGemvKernel(ScalarGemvArgs args) {
    scalarGemv<Bits, Rows>(DeviceLane{}, args);
}

template <int Bits, int RowTiles>
__global__ void __launch_bounds__(PlaneMmaShape<Bits, RowTiles>::threads,
                                  PlaneMmaShape<Bits, RowTiles>::launchBlocks)
    planeMmaKernel(PlaneMmaArgs args) {
    planeMma<Bits, RowTiles>(DeviceLane{}, args);
}

#define LOADLINE_REFERENCE(bits, rows)                                                                       \
    template __global__ void scalarGemvKernel<bits, rows>(ScalarGemvArgs);                                   \
    template __global__ void planeMmaKernel<bits, rows>(PlaneMmaArgs);
#define LOADLINE_REFERENCE_OF(bits)                                                                          \
    LOADLINE_REFERENCE(bits, 1)                                                                              \
    LOADLINE_REFERENCE(bits, 2)                                                                              \
    LOADLINE_REFERENCE(bits, 3)                                                                              \
    LOADLINE_REFERENCE(bits, 4)
LOADLINE_REFERENCE_OF(2)
LOADLINE_REFERENCE_OF(3)
LOADLINE_REFERENCE_OF(4)
LOADLINE_REFERENCE_OF(5)

/// As launched (launch/dequantise.cu).
__global__ void __launch_bounds__(moeRouteThreads) moeRouteKernel(MoeRouteArgs args) {
    moeRoute(DeviceLane{}, args);
}

/// The whole kernel decodes one block: 32 weights a lane.
template <int Bits>
__global__ void __launch_bounds__(dequantiseThreads) dequantiseWhole(DequantiseArgs args) {
    dequantise<Bits>(DeviceLane{}, args);
}

template __global__ void dequantiseWhole<2>(DequantiseArgs);
template __global__ void dequantiseWhole<3>(DequantiseArgs);
template __global__ void dequantiseWhole<4>(DequantiseArgs);
template __global__ void dequantiseWhole<5>(DequantiseArgs);

} // namespace loadline::gpu
