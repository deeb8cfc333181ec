// Every kernel of the plugin, launched by its own code and emulated, against float64.
#include "gpu/cuda/cuda_work.h"
#include "gpu/cuda/kernel/swap_ab_shape.cuh"
#include "tests/gpu/rehearse/rehearsal.h"

#include <utility>
#include <vector>

namespace loadline::gpu::rehearse {
namespace {

void check(Backend& backend, const PointSpec& spec, unsigned seed = 7) {
    ASSERT_TRUE(backend.supports(spec));
    const auto outcome = backend.check(spec, seed);
    ASSERT_TRUE(outcome) << outcome.error().sentence();
    EXPECT_TRUE(outcome->passed) << nameOf(spec.kernel) << ' ' << textOf(spec.size) << " x " << spec.experts
                                 << ", k = " << spec.kBits << ", M = " << spec.rowsM << ": " << outcome->what;
}

class KernelRehearsal : public Rehearsal, public testing::WithParamInterface<Kernel> {
protected:
    /// Every k and the M of issue 4 that the kernel serves; the larger size at two of them.
    static void checkAll(const GemmSize& small, const GemmSize& large) {
        const Kernel kernel = GetParam();
        const auto backend = open();
        ASSERT_NE(backend, nullptr);
        for (const int bits : {2, 3, 4, 5}) {
            for (const int m : {1, 3, 8, 17, 64}) {
                const int experts = isGrouped(kernel) ? 3 : 1;
                if (m <= designedRows(kernel)) {
                    check(*backend, {kernel, small, experts, m, bits});
                }
                if (m <= designedRows(kernel) && (m == 3 || m == 17)) {
                    check(*backend, {kernel, large, experts, m, bits});
                }
            }
        }
    }
};

TEST_P(KernelRehearsal, MatchesFloat64) {
    checkAll({.k = 96, .n = 40}, {.k = 1056, .n = 72});
}

INSTANTIATE_TEST_SUITE_P(Dense, KernelRehearsal,
                         testing::Values(Kernel::Scalar, Kernel::Mma, Kernel::SwapAb, Kernel::GroupedScalar,
                                         Kernel::GroupedMma, Kernel::GroupedSwapAb),
                         [](const auto& tested) { return std::string(keyOf(tested.param)); });

class CheckRehearsal : public Rehearsal {};

/// A check's blocks go twice and once more through their ring of stages, as its grid has them
/// (cuda_check_test.cpp has the same by arithmetic, at every k and M).
TEST_F(CheckRehearsal, BlocksGoTwiceThroughTheirRings) {
    constexpr GemmSize size{.k = 1056, .n = 264};
    const std::vector<std::pair<int, int>> rowsAndBits = {{8, 2},  {8, 4},  {8, 5}, {16, 3},
                                                          {32, 5}, {64, 2}, {64, 4}};
    for (const auto& [m, bits] : rowsAndBits) {
        const std::size_t before = launches().size();
        const auto backend = open();
        check(*backend, {.kernel = Kernel::SwapAb, .size = size, .rowsM = m, .kBits = bits});
        const SeenLaunch* few = nullptr;
        for (std::size_t i = before; i < launches().size() && few == nullptr; ++i) {
            few = launches()[i].kernel.find("swapAbKernel") == 0 ? &launches()[i] : nullptr;
        }
        ASSERT_NE(few, nullptr);
        const int stages = few->kernel[few->kernel.size() - 3] - '0'; // ...Li4EE
        const SwapAbSteps steps = swapAbSteps(size.k, size.n, swapAbTokens(m));
        EXPECT_GE(steps.units * steps.ofUnit / few->grid[0], 2 * stages + 1) << few->kernel;
    }
}

TEST_F(CheckRehearsal, DequantiseAndCublasMatchFloat64) {
    const auto backend = open();
    for (const int bits : {2, 3, 4, 5}) {
        for (const GemmSize& size : {GemmSize{.k = 32, .n = 1}, GemmSize{.k = 416, .n = 45}}) {
            check(*backend, {.kernel = Kernel::Dequantise, .size = size, .rowsM = 0, .kBits = bits});
        }
    }
    for (const int m : {1, 3, 8, 17, 64}) {
        check(*backend, {.kernel = Kernel::CublasFp16, .size = {.k = 64, .n = 45}, .rowsM = m});
        check(*backend,
              {.kernel = Kernel::BatchedFp16, .size = {.k = 64, .n = 24}, .experts = 3, .rowsM = m});
    }
    EXPECT_GT(counts().gemms, 0);
}

TEST_F(CheckRehearsal, AttentionMatchesFloat64) {
    const auto backend = open();
    for (const int headDim : {64, 128, 256}) {
        for (const AttentionHeads& heads :
             {AttentionHeads{4, 2, headDim}, {3, 3, headDim}, {20, 1, headDim}}) {
            for (const AttentionCall& call : {AttentionCall{AttentionPhase::Decode, heads, 2, 1},
                                              {AttentionPhase::Decode, heads, 1, 200},
                                              {AttentionPhase::Prefill, heads, 2, 1},
                                              {AttentionPhase::Prefill, heads, 1, 40}}) {
                ASSERT_TRUE(backend->supportsAttention(call));
                const auto outcome = backend->checkAttention(call, 7);
                ASSERT_TRUE(outcome) << textOf(call) << ": " << outcome.error().sentence();
                EXPECT_TRUE(outcome->passed) << textOf(call) << ": " << outcome->what;
            }
        }
    }
    EXPECT_FALSE(backend->supportsAttention({AttentionPhase::Decode, {4, 2, 80}, 1, 64}));
    EXPECT_FALSE(backend->supportsAttention({AttentionPhase::Decode, {4, 3, 64}, 1, 64}));
    EXPECT_FALSE(backend->supportsAttention({AttentionPhase::Decode, {64, 8, 128}, 1024, 64}));
}

/// The weights that cuBLAS multiplies by are those of all active experts, dequantised into one buffer.
TEST_F(CheckRehearsal, DequantiseThenCublasMatchesFloat64) {
    const auto backend = open();
    for (const int bits : {2, 3, 4, 5}) {
        const int gemms = counts().gemms;
        check(*backend,
              {.kernel = Kernel::DequantCublas, .size = {.k = 416, .n = 45}, .rowsM = 17, .kBits = bits});
        check(*backend, {.kernel = Kernel::GroupedDequant,
                         .size = {.k = 64, .n = 24},
                         .experts = 3,
                         .rowsM = 5,
                         .kBits = bits});
        EXPECT_GT(counts().gemms, gemms);
    }
}

/// The grids that are launched on whole devices: more blocks than there is work for small matrices, and two
/// depths of ring.
TEST_F(CheckRehearsal, GridsOfWholeDevicesGiveTheSameAnswer) {
    for (const StagedDevice& device : {h100(), rtx4090(), rtx3050()}) {
        stageOf({device});
        const auto backend = open();
        for (const int m : {1, 16, 64}) {
            check(*backend, {.kernel = Kernel::SwapAb, .size = {.k = 1024, .n = 96}, .rowsM = m, .kBits = 4});
        }
        check(*backend, {.kernel = Kernel::Mma, .size = {.k = 1024, .n = 96}, .rowsM = 17, .kBits = 3});
        check(*backend, {.kernel = Kernel::GroupedSwapAb,
                         .size = {.k = 544, .n = 72},
                         .experts = 3,
                         .rowsM = 2,
                         .kBits = 2});
    }
}

} // namespace
} // namespace loadline::gpu::rehearse
