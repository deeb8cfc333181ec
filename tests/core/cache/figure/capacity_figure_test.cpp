// "Misses by capacity": whose curve it is, in words and in its table.
#include "core/cache/figure/cache_grips.h"
#include "core/cache/figure/cache_words.h"
#include "core/cache/figure/capacity_plot.h"
#include "core/text/number_format.h"
#include "tests/core/cache/growing_prompts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace loadline {
namespace {

/// Every other request of one session goes to the other replica: the marks of the tiers stand on the curve
/// that the table of tiers reads.
TEST(CapacityFigure, MissesByCapacityAreThoseOfTheReplicas) {
    const CacheFigure figure = test::figureOfTrace(test::growingPrompts(12, 60));
    CacheSettings settings;
    settings.tiers = *cacheTiersFromText("small:0.54:1000"); // 16.5 blocks
    settings.tensorParallel = 8;                             // one replica
    EXPECT_EQ(&capacityCurveOf(figure, settings), &figure.caches.engine.contiguousTokens);
    EXPECT_THAT(capacitySentence(figure, settings), testing::StartsWith("All requests together need"));
    settings.tensorParallel = 4;
    const CapacityCurve& curve = capacityCurveOf(figure, settings);
    EXPECT_DOUBLE_EQ(curve.hit(8), tierRowsOf(figure, settings)[0].hits.hit);
    EXPECT_DOUBLE_EQ(curve.hit(100), 55.0 / 78);
    EXPECT_THAT(capacitySentence(figure, settings),
                testing::AllOf(testing::StartsWith("Requests in turn to 2 replicas need "),
                               testing::HasSubstr(" in each to find "),
                               testing::HasSubstr(formatShare(curve.hit(blocksForNearlyAll(curve))))));
    ask::Report report;
    addCapacityPlot(report, figure, settings);
    const ask::Table& table = *report.find("capacity");
    EXPECT_EQ(table.columns.back().key, "replicas");
    EXPECT_EQ(table.columns.back().at(table.rows - 1), ask::Cell(2U));
    EXPECT_EQ(table.columns[table.columns.size() - 2].at(table.rows - 1), ask::Cell(55.0 / 78));
}

/// The axis reaches over curve and tiers; each tier within it is a grip, whose place gives its capacity.
TEST(CapacityFigure, TiersAreGripsThatSetTheirCapacities) {
    const CacheFigure figure = test::figureOfTrace(test::growingPrompts(12, 60));
    CacheSettings settings;
    settings.tiers = *cacheTiersFromText("small:0.54:1000,none:0:500,large:5:100");
    ask::Report report;
    addCapacityPlot(report, figure, settings);
    const ask::Plot& plot = report.plots.front();
    ASSERT_EQ(plot.rules.size(), 2U);
    EXPECT_EQ(plot.rules[1].label, "large");
    EXPECT_EQ(plot.rules[1].part, 2);
    EXPECT_GT(*plot.x.high, *plot.rules[1].at);
    EXPECT_NEAR(plot.rules[1].fieldAt(*plot.rules[1].at), 5, 1e-9);
    EXPECT_EQ(plot.rules[1].fieldAt(1), 0) << "less than the tiers before it";
    const ask::Field& field = ask::fieldOf(cacheGrips(), "tiers");
    field.traits.setPart(&settings, 2, 7);
    EXPECT_EQ(field.traits.parts(&settings), (std::vector<double>{0.54, 0, 7}));
    field.traits.setPart(&settings, 9, 7);
    EXPECT_EQ(settings.tiers.size(), 3U);
    const ask::Table& drawn = *report.find("capacity_misses");
    EXPECT_EQ(drawn.columns[1].at(drawn.rows - 1), ask::Cell(1 - 55.0 / 78)) << "to the end of the axis";
}

} // namespace
} // namespace loadline
