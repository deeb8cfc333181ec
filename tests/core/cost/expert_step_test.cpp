// Experts by counts: how many a step touches, groups of unequal loads, swap-AB over them, the routing.
#include "core/cost/analytic/expert_step.h"

#include "core/cost/analytic/reference_counts.h"

#include <gtest/gtest.h>

#include <cmath>

namespace loadline {
namespace {

const LayerGemm eightOf128{.name = "up", .size = {.k = 2048, .n = 768}, .experts = 128, .expertsPerRow = 8};

TEST(ExpertStep, GroupsAreByHandWhatTheyAre) {
    // One row: exactly top experts have one.
    EXPECT_NEAR(expectedGroups(eightOf128, 1, 8), 8, 1e-9);
    // No group is ever full: the touched experts.
    EXPECT_NEAR(expectedGroups(eightOf128, 8, 8), expertLoad(eightOf128, 8).activeExperts, 1e-9);
    // Two experts, one of them for each row, three rows, one row to a group: three groups whatever they
    // choose; two rows to a group: 3 + 0 needs two, 2 + 1 two.
    const LayerGemm oneOfTwo{.name = "two", .size = {.k = 32, .n = 32}, .experts = 2, .expertsPerRow = 1};
    EXPECT_NEAR(expectedGroups(oneOfTwo, 3, 1), 3, 1e-9);
    EXPECT_NEAR(expectedGroups(oneOfTwo, 3, 2), 2, 1e-9);
    EXPECT_NEAR(expectedGroups(oneOfTwo, 3, 3), 2 * (1 - 1.0 / 8), 1e-9);
    // All experts for each row.
    EXPECT_NEAR(
        expectedGroups({.name = "all", .size = {.k = 32, .n = 32}, .experts = 4, .expertsPerRow = 4}, 9, 8),
        8, 1e-9);
}

TEST(ExpertStep, OverOneExpertSwapAbTakesAsLongAsDenseAndTheReadingOfGroups) {
    for (const GpuFacts& gpu : gpuTable()) {
        const GemmSize size{.k = 4096, .n = 14336};
        const auto dense = modelledTime(gpu, Kernel::SwapAb, size, 8, 4);
        const auto grouped = modelledTime(gpu, Kernel::GroupedSwapAb, size, 8, 4, 1);
        ASSERT_TRUE(dense && grouped);
        const double more = (grouped->us - dense->us) * gpu.clockMhz / architectureOf(gpu).cacheCycles;
        EXPECT_GE(more, 0) << gpu.hardware;
        EXPECT_LE(more, 4 + 1e-9) << gpu.hardware;
    }
}

TEST(ExpertStep, IsNeverAboveTheReadCeilingAndGrowsWithRowsAndExperts) {
    for (const GpuFacts& gpu : gpuTable()) {
        for (const int k : {2, 3, 4, 5}) {
            double before = 0;
            for (const double experts : {1.0, 8.0, 29.1, 64.0, 128.0, 512.0}) {
                const auto time = modelledTime(gpu, Kernel::GroupedSwapAb, eightOf128.size, 1, k, experts);
                ASSERT_TRUE(time);
                EXPECT_LT(time->readShare, 1) << gpu.hardware << k << experts;
                EXPECT_GE(time->us, before) << gpu.hardware << k << experts;
                before = time->us;
            }
            before = 0;
            for (int rows = 1; rows <= 64; ++rows) {
                const double us = modelledTime(gpu, Kernel::GroupedSwapAb, eightOf128.size, rows, k, 32)->us;
                const bool other = rows == 9 || rows == 17 || rows == 33;
                EXPECT_GE(us, before * (other ? 0.95 : 1)) << gpu.hardware << k << " M = " << rows;
                before = us;
            }
        }
    }
}

TEST(ExpertStep, TouchesWhatItsRowsChooseAndUnequalLoadsCostMore) {
    const GpuFacts& gpu = *findGpu("H100");
    for (const std::int64_t rows : {1, 4, 16, 64, 256, 512}) {
        const auto step = expertStep(gpu, eightOf128, rows, 4);
        ASSERT_TRUE(step) << rows;
        EXPECT_EQ(step->load, expertLoad(eightOf128, static_cast<double>(rows)));
        EXPECT_EQ(step->evenUs, modelledTime(gpu, Kernel::GroupedSwapAb, eightOf128.size,
                                             step->load.rowsPerExpert, 4, step->load.activeExperts)
                                    ->us);
        EXPECT_GE(step->groups, step->load.activeExperts - 1e-9);
        EXPECT_GT(step->unevenUs, 0.95 * step->evenUs) << rows;
        EXPECT_LT(step->unevenUs, 1.5 * step->evenUs) << rows;
    }
    EXPECT_FALSE(expertStep(gpu, eightOf128, 4096, 4)); // 256 rows of each
    EXPECT_FALSE(expertStep(gpu, {.name = "dense", .size = eightOf128.size}, 1, 4));
}

TEST(ExpertStep, RoutingIsByHandWhatItIs) {
    const GpuFacts& h100 = *findGpu("H100");
    const ModelAssumptions assumed;
    // 128 experts: four turns; 128 assignments: one round.
    const double cycles = 700 + 30 + 4 * routingLoop(90).issued * 5.0 + 2 * 30 + 291 + 30 + 4 * 30;
    EXPECT_NEAR(routingUs(h100, 128, 128), assumed.nodeUs + cycles / 1980, 1e-9);
    EXPECT_NEAR(routingUs(h100, 128, 1025) - routingUs(h100, 128, 1024), (700 + 30 + 291 + 30) / 1980.0,
                1e-9);
    EXPECT_GT(routingUs(h100, 512, 128), routingUs(h100, 128, 128));
}

} // namespace
} // namespace loadline
