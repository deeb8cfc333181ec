// "Misses by capacity": whose curve it is, in words and in its table.
#include "core/cache/figure/cache_words.h"
#include "core/text/number_format.h"
#include "tests/core/cache/growing_prompts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <variant>

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
    const Table table = capacityTable(figure, settings);
    ASSERT_EQ(table.columns.back(), "replicas");
    EXPECT_EQ(std::get<std::int64_t>(table.rows.back().back()), 2);
    EXPECT_DOUBLE_EQ(std::get<double>(table.rows.back()[table.columns.size() - 2]), 55.0 / 78);
}

} // namespace
} // namespace loadline
