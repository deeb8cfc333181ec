// The scalar GEMV, dequantise and the routing of rows.
#include "gpu/cuda/kernel/dequantise.cuh"
#include "gpu/cuda/kernel/moe_route.cuh"
#include "gpu/cuda/kernel/scalar_gemv.cuh"
#include "tests/gpu/rehearse/kernels.h"

namespace loadline::gpu::rehearse {

namespace {

using emulate::EmulatedLane;

template <int Bits, int Rows>
void addScalar(std::vector<Kernel>& to) {
    Kernel kernel;
    kernel.name = "scalarGemvKernelI" + mangledNumber(Bits) + mangledNumber(Rows) + "E";
    kernel.argumentBytes = sizeof(ScalarGemvArgs);
    kernel.touched = [](const KernelCall& call) -> std::vector<Touched> {
        const auto a = argumentsOf<ScalarGemvArgs>(call);
        const auto weights = static_cast<std::size_t>(a.n) * static_cast<std::size_t>(a.k);
        return {{a.planes, weights / 8 * Bits, 16, "planes"},
                {a.scales, weights / 32, 16, "scales"},
                {a.codebook, sizeof(float) << Bits, 4, "codebook"},
                {a.x, static_cast<std::size_t>(a.k) * 2, 16, "x"},
                {a.y, static_cast<std::size_t>(a.n) * 2, 2, "y"}};
    };
    kernel.run = [](const KernelCall& call) {
        const auto args = argumentsOf<ScalarGemvArgs>(call);
        return emulateGrid(call, [&](const EmulatedLane& lane) { scalarGemv<Bits, Rows>(lane, args); });
    };
    to.push_back(std::move(kernel));
}

template <int Bits>
void addOfBits(std::vector<Kernel>& to) {
    addScalar<Bits, 1>(to);
    addScalar<Bits, 2>(to);
    addScalar<Bits, 3>(to);
    addScalar<Bits, 4>(to);
    Kernel kernel;
    kernel.name = "dequantiseKernelI" + mangledNumber(Bits) + "E";
    kernel.argumentBytes = sizeof(DequantiseArgs);
    kernel.touched = [](const KernelCall& call) -> std::vector<Touched> {
        const auto a = argumentsOf<DequantiseArgs>(call);
        const auto blocks = static_cast<std::size_t>(a.blocks);
        return {{a.planes, blocks * 4 * Bits, 16, "planes"},
                {a.scales, blocks, 16, "scales"},
                {a.codebook, sizeof(float) << Bits, 4, "codebook"},
                {a.weights, blocks * 64, 16, "weights"}};
    };
    kernel.run = [](const KernelCall& call) {
        const auto args = argumentsOf<DequantiseArgs>(call);
        return emulateGrid(call, [&](const EmulatedLane& lane) { dequantise<Bits>(lane, args); });
    };
    to.push_back(std::move(kernel));
}

} // namespace

void addGemvKernels(std::vector<Kernel>& to) {
    addOfBits<2>(to);
    addOfBits<3>(to);
    addOfBits<4>(to);
    addOfBits<5>(to);
    Kernel route;
    route.name = "moeRouteKernel";
    route.argumentBytes = sizeof(MoeRouteArgs);
    route.touched = [](const KernelCall& call) -> std::vector<Touched> {
        const auto a = argumentsOf<MoeRouteArgs>(call);
        const auto rows = static_cast<std::size_t>(a.assignments);
        const auto groups = static_cast<std::size_t>(moeMaxGroups(a.assignments, a.experts, a.rowsPerGroup));
        return {{a.choice, rows * 4, 4, "choice"},   {a.count, 4, 4, "count"},
                {a.expert, groups * 4, 4, "expert"}, {a.first, groups * 4, 4, "first"},
                {a.size, groups * 4, 4, "size"},     {a.row, rows * 4, 4, "row"}};
    };
    route.run = [](const KernelCall& call) {
        const auto args = argumentsOf<MoeRouteArgs>(call);
        return emulateGrid(call, [&](const EmulatedLane& lane) { moeRoute(lane, args); });
    };
    to.push_back(std::move(route));
}

} // namespace loadline::gpu::rehearse
