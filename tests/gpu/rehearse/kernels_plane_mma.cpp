// The tensor-core kernel over tiled bit planes.
#include "gpu/cuda/kernel/plane_mma.cuh"
#include "tests/gpu/rehearse/kernels.h"

namespace loadline::gpu::rehearse {

namespace {

template <int Bits, int RowTiles>
void add(std::vector<Kernel>& to) {
    Kernel kernel;
    kernel.name = "planeMmaKernelI" + mangledNumber(Bits) + mangledNumber(RowTiles) + "E";
    kernel.argumentBytes = sizeof(PlaneMmaArgs);
    kernel.touched = [](const KernelCall& call) -> std::vector<Touched> {
        const auto a = argumentsOf<PlaneMmaArgs>(call);
        const auto tiles = static_cast<std::size_t>(tilesOf(a.n, planesTileN) * tilesOf(a.k, planesTileK));
        const auto columns = static_cast<std::size_t>(tilesOf(a.n, planesTileN)) * planesTileN;
        return {
            {a.planes, tiles * planesTileN * 2 * Bits * 4, 16, "planes"},
            {a.scales, tiles * planesTileN * 2, 16, "scales"},
            {a.codebook, sizeof(float) << Bits, 4, "codebook"},
            {a.x, static_cast<std::size_t>(a.k) * 2, 16, "x"},
            {a.y, static_cast<std::size_t>(a.n) * 2, 2, "y"},
            {a.partial, columns * 16 * RowTiles * static_cast<std::size_t>(call.grid[2]) * 4, 4, "partial"},
            {a.arrived, static_cast<std::size_t>(call.grid[0]) * static_cast<std::size_t>(call.grid[2]) * 4,
             4, "arrived"}};
    };
    kernel.run = [](const KernelCall& call) {
        const auto args = argumentsOf<PlaneMmaArgs>(call);
        return emulateGrid(call,
                           [&](const emulate::EmulatedLane& lane) { planeMma<Bits, RowTiles>(lane, args); });
    };
    to.push_back(std::move(kernel));
}

template <int Bits>
void addOfBits(std::vector<Kernel>& to) {
    add<Bits, 1>(to);
    add<Bits, 2>(to);
    add<Bits, 3>(to);
    add<Bits, 4>(to);
}

} // namespace

void addPlaneMmaKernels(std::vector<Kernel>& to) {
    addOfBits<2>(to);
    addOfBits<3>(to);
    addOfBits<4>(to);
    addOfBits<5>(to);
}

} // namespace loadline::gpu::rehearse
