// Instances of the tensor-core kernel over bit planes.
#include "gpu/cuda/lane/device_lane.cuh"
#include "gpu/cuda/launch/by_bits.cuh"
#include "gpu/cuda/launch/launch.cuh"

#include <algorithm>

namespace loadline::gpu {

namespace {

template <int Bits, int RowTiles>
__global__ void __launch_bounds__(PlaneMmaShape<Bits, RowTiles>::threads,
                                  PlaneMmaShape<Bits, RowTiles>::launchBlocks)
    planeMmaKernel(PlaneMmaArgs args) {
    planeMma<Bits, RowTiles>(DeviceLane{}, args);
}

template <int Bits, int RowTiles>
cudaError_t launchTiles(int groups, PlaneMmaArgs args, const LaunchDevice& device, cudaStream_t stream) {
    using Shape = PlaneMmaShape<Bits, RowTiles>;
    static_assert(Shape::sharedBytes <= 48 * 1024, "no permission for more shared memory is asked for");
    const int tilesN = (args.n + planesTileN - 1) / planesTileN * (planesTileN / Shape::columns);
    const int tilesK = (args.k + planesTileK - 1) / planesTileK;
    const int blocks = tilesN * groups; // of one split
    const int splits =
        device.maxBlocks > 0 ? device.maxBlocks / blocks : (4 * device.multiprocessors + blocks - 1) / blocks;
    args.splits = std::clamp(splits, 1, tilesK);
    const dim3 grid(static_cast<unsigned>(tilesN), static_cast<unsigned>(args.splits),
                    static_cast<unsigned>(groups));
    planeMmaKernel<Bits, RowTiles><<<grid, Shape::threads, Shape::sharedBytes, stream>>>(args);
    return cudaGetLastError();
}

} // namespace

cudaError_t launchPlaneMma(int bits, int rows, int groups, PlaneMmaArgs args, const LaunchDevice& device,
                           cudaStream_t stream) {
    return byBits(bits, [&](auto of) {
        constexpr int k = decltype(of)::value;
        switch ((rows + 15) / 16) {
        case 1:
            return launchTiles<k, 1>(groups, args, device, stream);
        case 2:
            return launchTiles<k, 2>(groups, args, device, stream);
        case 3:
            return launchTiles<k, 3>(groups, args, device, stream);
        case 4:
            return launchTiles<k, 4>(groups, args, device, stream);
        default:
            return cudaErrorInvalidValue;
        }
    });
}

} // namespace loadline::gpu
