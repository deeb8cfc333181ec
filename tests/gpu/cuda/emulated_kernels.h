// Launches of the CUDA kernels on the host, as the plugin launches them on a device.
#pragma once

#include "gpu/cuda/kernel/dequantise.cuh"
#include "gpu/cuda/kernel/plane_mma.cuh"
#include "gpu/cuda/kernel/scalar_gemv.cuh"
#include "gpu/cuda/kernel/swap_ab.cuh"
#include "gpu/format/codebook.h"
#include "tests/gpu/cuda/gemm_case.h"
#include "tests/gpu/emulate/emulated_lane.h"

#include <gtest/gtest.h>

namespace loadline::gpu {

using emulate::EmulatedLane;
using emulate::Order;

inline constexpr double fp32SumBound = 5e-4;   ///< one rounding of the result: 2^-11
inline constexpr double fp16TableBound = 1e-3; ///< besides, table and weights rounded to fp16

template <class Args>
void fillGemm(Args& args, const GemmCase& gemm, PoisonedOutput& y, const Groups& groups) {
    args.codebook = codebookOf(gemm.shape.bits);
    args.x = gemm.x.data();
    args.y = y.data();
    args.k = static_cast<int>(gemm.shape.k);
    args.n = static_cast<int>(gemm.shape.n);
    args.groups = groups;
}

/// Sums and counters that a kernel must leave at zero.
struct Workspace {
    std::vector<float> partial;
    std::vector<unsigned> arrived;

    Workspace(std::int64_t partials, std::int64_t counters)
        : partial(static_cast<std::size_t>(partials)), arrived(static_cast<std::size_t>(counters)) {}
    void expectClean() const {
        EXPECT_EQ(partial, std::vector<float>(partial.size())) << "not clean for the next launch";
        EXPECT_EQ(arrived, std::vector<unsigned>(arrived.size())) << "not clean for the next launch";
    }
};

template <int Bits, int Rows>
std::string runScalar(const GemmCase& gemm, PoisonedOutput& y, Order order, const Groups& groups = {},
                      int maxGroups = 1) {
    const PackedExperts packed = packExperts(gemm, Layout::PlanesFlat);
    ScalarGemvArgs args;
    fillGemm(args, gemm, y, groups);
    args.planes = packed.words.data();
    args.scales = packed.scales.data();
    return emulate::runLaunch({{args.n, maxGroups, 1}, scalarThreads, scalarSharedBytes, order},
                              [&](const EmulatedLane& lane) { scalarGemv<Bits, Rows>(lane, args); });
}

template <int Bits, int RowTiles>
std::string runPlaneMma(const GemmCase& gemm, int splits, PoisonedOutput& y, Order order,
                        const Groups& groups = {}, int maxGroups = 1) {
    using Shape = PlaneMmaShape<Bits, RowTiles>;
    const PackedExperts packed = packExperts(gemm, Layout::PlanesTiled);
    PlaneMmaArgs args;
    fillGemm(args, gemm, y, groups);
    args.planes = packed.words.data();
    args.scales = packed.scales.data();
    args.m = gemm.rows;
    args.splits = splits;
    const int paddedN = (args.n + 127) / 128 * 128;
    Workspace workspace(static_cast<std::int64_t>(Shape::rows) * paddedN * maxGroups,
                        paddedN / Shape::columns * maxGroups);
    args.partial = workspace.partial.data();
    args.arrived = workspace.arrived.data();
    std::string broken = emulate::runLaunch(
        {{paddedN / Shape::columns, splits, maxGroups}, Shape::threads, Shape::sharedBytes, order},
        [&](const EmulatedLane& lane) { planeMma<Bits, RowTiles>(lane, args); });
    workspace.expectClean();
    return broken;
}

template <int Bits, int Tokens, int Stages>
std::string runSwapAb(const GemmCase& gemm, int blocks, PoisonedOutput& y, Order order,
                      const Groups& groups = {}, int maxGroups = 1, unsigned seed = 1) {
    using Shape = SwapAbShape<Bits, Tokens, Stages>;
    const PackedExperts packed = packExperts(gemm, Layout::Fragments);
    SwapAbArgs args;
    fillGemm(args, gemm, y, groups);
    args.codes = reinterpret_cast<const unsigned char*>(packed.words.data());
    args.scales = packed.scales.data();
    args.m = gemm.rows;
    cutSwapAb<Shape>(args, blocks);
    Workspace workspace(swapAbPartials<Shape>(args.n, maxGroups), (args.n / Shape::rows + 1) * maxGroups);
    args.partial = workspace.partial.data();
    args.arrived = workspace.arrived.data();
    std::string broken =
        emulate::runLaunch({{blocks, 1, 1}, Shape::threads, Shape::sharedBytes, order, seed},
                           [&](const EmulatedLane& lane) { swapAb<Bits, Tokens, Stages>(lane, args); });
    workspace.expectClean();
    return broken;
}

template <int Bits>
std::string runDequantise(const GemmCase& gemm, AlignedVector<std::uint16_t>& weights, Order order) {
    const PackedExperts packed = packExperts(gemm, Layout::PlanesFlat);
    DequantiseArgs args;
    args.planes = packed.words.data();
    args.scales = packed.scales.data();
    args.codebook = codebookOf(Bits);
    args.weights = reinterpret_cast<Chunk*>(weights.data());
    args.blocks = gemm.shape.k * gemm.shape.n / blockWeights;
    const int grid = static_cast<int>((args.blocks + dequantiseThreads - 1) / dequantiseThreads);
    return emulate::runLaunch({{grid, 1, 1}, dequantiseThreads, dequantiseSharedBytes, order},
                              [&](const EmulatedLane& lane) { dequantise<Bits>(lane, args); });
}

template <int Bits>
struct OfBits {
    static constexpr int bits = Bits;
};

/// Runs body(OfBits<k>) for k = 2..5.
template <class Body>
void forEachK(const Body& body) {
    body(OfBits<2>{});
    body(OfBits<3>{});
    body(OfBits<4>{});
    body(OfBits<5>{});
}

} // namespace loadline::gpu
