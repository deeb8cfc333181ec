// Instances of the simple attention kernels.
#include "gpu/cuda/kernel/attention.cuh"
#include "gpu/cuda/kernel/attention_combine.cuh"
#include "gpu/cuda/lane/device_lane.cuh"
#include "gpu/cuda/launch/launch.cuh"

#include <algorithm>

namespace loadline::gpu {

namespace {

template <int HeadDim, bool Prefill>
__global__ void __launch_bounds__(attentionThreads) attentionKernel(AttentionArgs args) {
    attention<HeadDim, Prefill>(DeviceLane{}, args);
}

template <int HeadDim>
__global__ void __launch_bounds__(combineThreads) combineAttentionKernel(AttentionArgs args) {
    combineAttention<HeadDim>(DeviceLane{}, args);
}

template <int HeadDim, bool Prefill>
cudaError_t launchInstance(const AttentionArgs& args, const LaunchDevice& device, cudaStream_t stream) {
    using Shape = AttentionShape<HeadDim, Prefill>;
    constexpr auto shared = static_cast<int>(Shape::sharedBytes);
    if (shared > device.sharedPerBlock) {
        return cudaErrorInvalidValue;
    }
    const auto kernel = attentionKernel<HeadDim, Prefill>;
    int resident = 0;
    if (const cudaError_t error =
            residentBlocks(device, reinterpret_cast<const void*>(kernel), attentionThreads, shared, resident);
        error != cudaSuccess) {
        return error;
    }
    const int tiles =
        Prefill ? (args.m + Shape::rows - 1) / Shape::rows : attentionRowTiles(args.queryHeads, args.kvHeads);
    const int heads = args.batch * (Prefill ? args.queryHeads : args.kvHeads);
    const dim3 grid(static_cast<unsigned>(tiles), static_cast<unsigned>(args.splits),
                    static_cast<unsigned>(heads));
    kernel<<<grid, attentionThreads, shared, stream>>>(args);
    if (!Prefill && args.splits > 1) {
        const auto room = static_cast<std::size_t>(combineSharedBytes(args.splits));
        combineAttentionKernel<HeadDim>
            <<<static_cast<unsigned>(args.batch * args.queryHeads), combineThreads, room, stream>>>(args);
    }
    return cudaGetLastError();
}

template <bool Prefill>
cudaError_t launchByHead(int headDim, const AttentionArgs& args, const LaunchDevice& device,
                         cudaStream_t stream) {
    switch (headDim) {
    case 64:
        return launchInstance<64, Prefill>(args, device, stream);
    case 128:
        return launchInstance<128, Prefill>(args, device, stream);
    case 256:
        return launchInstance<256, Prefill>(args, device, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

} // namespace

int attentionSplits(int batch, int queryHeads, int kvHeads, int context, const LaunchDevice& device) {
    const int blocks = batch * kvHeads * attentionRowTiles(queryHeads, kvHeads);
    const int tiles = (context + attentionTile - 1) / attentionTile;
    const int splits =
        device.maxBlocks > 0 ? device.maxBlocks / blocks : (2 * device.multiprocessors + blocks - 1) / blocks;
    return std::clamp(splits, 1, tiles);
}

cudaError_t launchAttentionDecode(int headDim, const AttentionArgs& args, const LaunchDevice& device,
                                  cudaStream_t stream) {
    return launchByHead<false>(headDim, args, device, stream);
}

cudaError_t launchAttentionPrefill(int headDim, const AttentionArgs& args, const LaunchDevice& device,
                                   cudaStream_t stream) {
    return launchByHead<true>(headDim, args, device, stream);
}

} // namespace loadline::gpu
