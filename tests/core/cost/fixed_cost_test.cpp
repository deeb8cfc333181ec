// What swap-AB takes whatever its bytes: the table of dependent steps, and the longest way through it.
#include "core/cost/analytic/fixed_cost.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace loadline {
namespace {

std::size_t fixedRowOf(std::string_view words) {
    const auto steps = swapAbFixedSteps();
    const auto found = std::ranges::find(steps, words, &FixedStep::words);
    EXPECT_NE(found, steps.end()) << words;
    return static_cast<std::size_t>(found - steps.begin());
}

TEST(FixedCost, EveryStepWaitsForEarlierOnesOfItsPart) {
    const auto steps = swapAbFixedSteps();
    for (std::size_t row = 0; row < steps.size(); ++row) {
        EXPECT_GT(steps[row].count, 0) << steps[row].words;
        for (const int before : {steps[row].after, steps[row].also}) {
            ASSERT_LT(before, static_cast<int>(row)) << steps[row].words;
            if (before >= 0) {
                const FixedStep& other = steps[static_cast<std::size_t>(before)];
                EXPECT_EQ(other.part == StepPart::Beginning, steps[row].part == StepPart::Beginning)
                    << steps[row].words;
            }
        }
    }
}

TEST(FixedCost, IsByHandWhatItIs) {
    // Everything a pipe does at its full rate: 16 warps issue 4 instructions a clock.
    const GpuFacts& h100 = *findGpu("H100");
    const ModelAssumptions assumed{.pipeShare = 1, .sharedCycles = 30, .barrierCycles = 20};
    const FixedCost cost = swapAbFixedCost(h100, {}, assumed);
    const double sent = (40 + 133) * 4.0;
    EXPECT_DOUBLE_EQ(cost.doneCycles[fixedRowOf("the first tile is sent for")], sent);
    EXPECT_DOUBLE_EQ(cost.doneCycles[fixedRowOf("the first tile comes")], sent + 700);
    const double table = sent + 84 * 4.0 + 256 * 2 + 20;
    EXPECT_DOUBLE_EQ(cost.doneCycles[fixedRowOf("the table is there for all warps")], table);
    EXPECT_DOUBLE_EQ(cost.beginningCycles, std::max(table, sent + 700));
    const double alone = 2 * 30 + 66 * 4.0 + 20 + 30 + 38 * 4.0 + 20;
    EXPECT_DOUBLE_EQ(cost.doneCycles[fixedRowOf("the block is done")], alone);
    const double ofShared = (16 + 10 + 20 + 28) * 4.0 + 3 * 291 + 20 + 30;
    EXPECT_DOUBLE_EQ(cost.endCycles, alone + ofShared);
    EXPECT_DOUBLE_EQ(cost.us, (cost.beginningCycles + cost.endCycles) / 1980);

    const FixedCost unshared = swapAbFixedCost(h100, {.shared = false}, assumed);
    EXPECT_DOUBLE_EQ(unshared.endCycles, alone);
    const FixedCost permuted = swapAbFixedCost(h100, {.table = false}, assumed);
    EXPECT_DOUBLE_EQ(permuted.doneCycles[fixedRowOf("the table is there for all warps")],
                     sent + (84 + 26 + 32) * 4.0 + 20);
    const FixedCost batched = swapAbFixedCost(h100, {.batches = 3}, assumed);
    EXPECT_DOUBLE_EQ(batched.endCycles, alone + ofShared + 2 * 291);
    // Over experts: how many groups, whose is the first; then where its rows begin, and which they are.
    const FixedCost routed = swapAbFixedCost(h100, {.routed = true}, assumed);
    EXPECT_DOUBLE_EQ(routed.doneCycles[fixedRowOf("the first tile is sent for")], sent + 2 * 291);
    EXPECT_DOUBLE_EQ(
        routed.doneCycles[fixedRowOf("x comes")] - routed.doneCycles[fixedRowOf("x is sent for")], 3 * 291);
    EXPECT_DOUBLE_EQ(routed.endCycles, cost.endCycles);
    EXPECT_DOUBLE_EQ(swapAbEndInstructions(), 66 + 38);
}

/// The codebook was sent for before the first tile, so it has come when its turn is: nothing waits for it.
TEST(FixedCost, TheCodebookIsNeverWaitedFor) {
    for (const GpuFacts& gpu : gpuTable()) {
        const FixedCost cost = swapAbFixedCost(gpu, {});
        EXPECT_LT(cost.doneCycles[fixedRowOf("the codebook comes")],
                  cost.doneCycles[fixedRowOf("the first tile is sent for")])
            << gpu.hardware;
    }
}

struct FixedExample {
    const char* gpu;
    double us;      ///< of units that blocks share
    double aloneUs; ///< of units of one block each
};

/// k = 4, one row, two blocks on a multiprocessor, a pipe at 0.8 of its rate. What lies between two kernels
/// of a graph (ModelAssumptions::nodeUs) comes on top.
constexpr FixedExample fixedExamples[] = {
    {"A100", 2.61, 1.86}, // its clock is the lowest
    {"H100", 1.98, 1.33},
    {"B200", 1.99, 1.33},
    {"RTX5090", 1.72, 1.09},
};

TEST(FixedCost, IsBelowTwoMicrosecondsByCounts) {
    for (const FixedExample& row : fixedExamples) {
        const GpuFacts& gpu = *findGpu(row.gpu);
        EXPECT_NEAR(swapAbFixedCost(gpu, {}).us, row.us, 0.006) << row.gpu;
        EXPECT_NEAR(swapAbFixedCost(gpu, {.shared = false}).us, row.aloneUs, 0.006) << row.gpu;
    }
    // One block of k = 4 on a multiprocessor: half of the instructions and wavefronts.
    EXPECT_LT(swapAbFixedCost(*findGpu("RTX4090"), {.blocks = 1}).us, 1.2);
}

TEST(FixedCost, IsInTheModelsTime) {
    const GpuFacts& gpu = *findGpu("H100");
    const ModelAssumptions assumed;
    const auto time = modelledTime(gpu, Kernel::SwapAb, {.k = 8192, .n = 8192}, 1, 4, 1, assumed);
    ASSERT_TRUE(time);
    EXPECT_EQ(time->blocks, 2);
    EXPECT_NEAR(time->partUs.at(static_cast<std::size_t>(KernelLimit::Fixed)),
                assumed.nodeUs + swapAbFixedCost(gpu, {}, assumed).us, 1e-9);
}

} // namespace
} // namespace loadline
