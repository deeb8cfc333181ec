// Surfaces of linear layers over small made-up tables.
#include "core/cost/surface/gemm_surface.h"

#include "tests/core/cost/surface/table_of_csv.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace loadline {
namespace {

/// us = n k / 1e4 + m, on a grid with a step pair (4, 5).
AtlasTable plainTable() {
    std::string csv = "n,k,m,bf16_us,fp8_us\n";
    for (const int n : {100, 200, 400}) {
        for (const int k : {100, 300}) {
            for (const int m : {1, 2, 4, 5, 16}) {
                const double us = n * k / 1e4 + m + (m >= 5 ? 10 : 0);
                csv += fmt::format("{},{},{},{},\n", n, k, m, us);
            }
        }
    }
    return test::tableOfCsv(csv);
}

GemmSurface surfaceOf(const AtlasTable& table, const GemmFormat& format = {}) {
    return {gemmCellsOf(table, "bf16").value(), format};
}

TEST(GemmSurface, returnsItsCells) {
    const GemmSurface surface = surfaceOf(plainTable());
    const SurfaceValue value = surface.curveOf(200, 300).at(4);
    EXPECT_DOUBLE_EQ(value.us, 10);
    EXPECT_EQ(value.reach, SurfaceReach::Measured);
    EXPECT_DOUBLE_EQ(value.relativeError, repeatError);
    EXPECT_FALSE(value.isRaised);
    EXPECT_FALSE(value.isAnomalous);
    EXPECT_EQ(surface.counts().cells, 30U);
}

TEST(GemmSurface, isBilinearInTheShape) {
    const SurfaceValue value = surfaceOf(plainTable()).curveOf(300, 200).at(2);
    EXPECT_DOUBLE_EQ(value.us, 8);
    EXPECT_EQ(value.reach, SurfaceReach::Interpolated);
    EXPECT_GE(value.relativeError, repeatError);
}

TEST(GemmSurface, neverInterpolatesAcrossAStep) {
    const GemmCurve curve = surfaceOf(plainTable()).curveOf(100, 100);
    EXPECT_DOUBLE_EQ(curve.at(3).us, 4);
    EXPECT_DOUBLE_EQ(curve.at(4).us, 5);
    EXPECT_DOUBLE_EQ(curve.at(4.01).us, 16);
    EXPECT_DOUBLE_EQ(curve.at(5).us, 16);
    EXPECT_DOUBLE_EQ(curve.at(10.5).us, 21.5);
}

TEST(GemmSurface, isProportionalBeyondItsEnds) {
    const GemmSurface surface = surfaceOf(plainTable());
    EXPECT_DOUBLE_EQ(surface.curveOf(800, 300).at(1).us, 26);
    EXPECT_DOUBLE_EQ(surface.curveOf(800, 600).at(1).us, 52);
    EXPECT_EQ(surface.curveOf(800, 300).at(1).reach, SurfaceReach::Extrapolated);
    EXPECT_DOUBLE_EQ(surface.curveOf(100, 100).at(32).us, 54);
    EXPECT_EQ(surface.curveOf(100, 100).at(32).reach, SurfaceReach::Extrapolated);
    EXPECT_DOUBLE_EQ(surface.curveOf(10, 100).at(1).us, 2);
    EXPECT_EQ(surface.curveOf(10, 100).at(1).reach, SurfaceReach::Extrapolated);
}

TEST(GemmSurface, raisesWarmCellsAndThoseBelowTheTensorCores) {
    // 100 x 300 x 2 bytes at 1e4 bytes a us: 6 us; the cells of m = 1 and 2 are 4 and 5. 2 x 3e4 x m flop at
    // 2e4 a us: 3 m, the cell of m = 4 takes 7.
    const GemmSurface surface =
        surfaceOf(plainTable(), {.bytesPerWeight = 2, .limits = {.bytesPerUs = 1e4, .flopPerUs = 2e4}});
    const GemmCurve curve = surface.curveOf(100, 300);
    EXPECT_DOUBLE_EQ(curve.at(1).us, 6);
    EXPECT_TRUE(curve.at(1).isRaised);
    EXPECT_DOUBLE_EQ(curve.at(4).us, 12);
    EXPECT_TRUE(curve.at(4).isRaised);
    EXPECT_DOUBLE_EQ(curve.at(5).us, 18);
    EXPECT_FALSE(curve.at(5).isRaised);
    EXPECT_GT(surface.counts().warm, 0U);
    EXPECT_GT(surface.counts().belowTensor, 0U);
}

TEST(GemmSurface, marksAnomaliesAndSmoothsThoseThatStandAlone) {
    AtlasTable table = plainTable();
    const auto rowOf = [&](int n, int k, int m) {
        std::size_t row = 0;
        while (table.keys[0].numbers[row] != n || table.keys[1].numbers[row] != k ||
               table.keys[2].numbers[row] != m) {
            ++row;
        }
        return row;
    };
    table.times[0].us[rowOf(200, 100, 2)] = 100;
    const GemmSurface surface = surfaceOf(table);
    EXPECT_EQ(surface.counts().anomalous, 1U);
    EXPECT_EQ(surface.counts().smoothed, 1U);
    // The line between n = 100 (3 us) and n = 400 (6 us).
    EXPECT_DOUBLE_EQ(surface.curveOf(200, 100).at(2).us, 4);
    EXPECT_TRUE(surface.curveOf(200, 100).at(2).isAnomalous);
    EXPECT_TRUE(surface.curveOf(150, 100).at(2).isAnomalous);
    EXPECT_FALSE(surface.curveOf(200, 100).at(4).isAnomalous);
    // Slow at one m in all shapes: real cost, kept.
    for (const int n : {100, 200, 400}) {
        for (const int k : {100, 300}) {
            table.times[0].us[rowOf(n, k, 2)] = 100;
        }
    }
    const GemmSurface slow = surfaceOf(table);
    EXPECT_EQ(slow.counts().anomalous, 6U);
    EXPECT_EQ(slow.counts().smoothed, 0U);
    EXPECT_DOUBLE_EQ(slow.curveOf(200, 100).at(2).us, 100);
}

TEST(GemmSurface, holdsTheSustainedRate) {
    GemmCells cells{.n = {16384}, .k = {16384}, .m = {1024, 16384, 32768}};
    const double flop = 2.0 * 16384 * 16384;
    // 1,200, 800 and 600 TFLOP/s.
    cells.us = {flop * 1024 / 1.2e9, flop * 16384 / 8e8, flop * 32768 / 6e8};
    EXPECT_DOUBLE_EQ(sustainedFlopPerUs(cells), 7e8);
    const GemmSurface surface(cells, {.sustainedFlopPerUs = sustainedFlopPerUs(cells)});
    const SurfaceValue value = surface.curveOf(16384, 16384).at(1024);
    EXPECT_DOUBLE_EQ(value.us, flop * 1024 / 7e8);
    EXPECT_TRUE(value.isRaised);
    cells.us[1] = cells.us[2] = std::nan("");
    EXPECT_EQ(sustainedFlopPerUs(cells), 0);
}

TEST(GemmSurface, replacesLaunchTimeByTheGraphedColumn) {
    GemmCells block{.n = {128}, .k = {128, 4096}, .m = {1, 2, 3}};
    GemmCells graphed = block;
    block.us = {60, 50, std::nan(""), 74, 76, 200};
    graphed.us = {3, 4, 5, 20, 30, 300};
    const LaunchBound bound = replaceLaunchBound(block, graphed);
    EXPECT_DOUBLE_EQ(bound.floorUs, 50); // 75 us is the limit
    EXPECT_EQ(block.us, (std::vector<double>{3, 4, 5, 20, 76, 300}));
    EXPECT_EQ(bound.cells, 5U);
    EXPECT_EQ(bound.replaced, 4U);
}

TEST(GemmSurface, knowsTheLaunchesOfEachNumberOfRows) {
    GemmCells block{.n = {128}, .k = {128, 4096}, .m = {1, 2, 64, 512}};
    GemmCells graphed = block;
    block.us = {50, 50, 90, 90, 60, 70, 134, 136};
    graphed.us = {3, 4, 5, 6, 7, 8, 9, 10};
    EXPECT_DOUBLE_EQ(replaceLaunchBound(block, graphed).floorUs, 50);
    // At 64 rows 135 us is the limit, at 512 it is 75 us as at 2.
    EXPECT_EQ(block.us, (std::vector<double>{3, 4, 5, 90, 7, 8, 9, 136}));
    block.n = graphed.n = {32}; // no whole block of 128
    block.us.back() = 500;
    replaceLaunchBound(block, graphed);
    EXPECT_EQ(block.us, graphed.us);
}

TEST(GemmSurface, namesAMissingColumn) {
    EXPECT_EQ(gemmCellsOf(plainTable(), "int8").error().what, "the table has no column \"int8\" of times");
    EXPECT_EQ(gemmCellsOf(plainTable(), "fp8").error().what, "no linear layer was measured in \"fp8\"");
}

TEST(GemmSurface, fillsAMissingShapeFromItsSmallerNeighbour) {
    AtlasTable table = plainTable();
    for (std::size_t row = 0; row < table.rows; ++row) {
        if (table.keys[0].numbers[row] == 400 && table.keys[1].numbers[row] == 300) {
            table.times[0].us[row] = std::nan("");
        }
    }
    const GemmSurface surface = surfaceOf(table);
    EXPECT_EQ(surface.curveOf(200, 300).at(1).reach, SurfaceReach::Measured);
    EXPECT_DOUBLE_EQ(surface.curveOf(400, 300).at(1).us, 14);
    EXPECT_EQ(surface.curveOf(400, 300).at(1).reach, SurfaceReach::Extrapolated);
    EXPECT_DOUBLE_EQ(surface.curveOf(800, 300).at(1).us, 28);
    EXPECT_EQ(surface.curveOf(300, 300).at(1).reach, SurfaceReach::Extrapolated);
}

TEST(LeftOutError, groupsStepPairs) {
    const std::vector<double> axis{1, 2, 3, 32, 33, 64, 128, 129};
    std::vector<std::size_t> firsts;
    for (const AxisGroup& group : axisGroups(axis)) {
        firsts.push_back(group.first);
    }
    EXPECT_EQ(firsts, (std::vector<std::size_t>{0, 3, 5, 6}));
}

TEST(LeftOutError, isAShareOfThePrediction) {
    RegionErrors errors(2);
    for (int i = 0; i < 30; ++i) {
        errors.add(0, 10, 10 + i / 10.0);
    }
    errors.add(1, 10, 15);
    EXPECT_NEAR(errors.summaries()[0].median, 0.145, 1e-12);
    EXPECT_EQ(errors.summaries()[1].cells, 31U); // too few of its own
    EXPECT_EQ(leftOutErrorOf({}).cells, 0U);
}

} // namespace
} // namespace loadline
