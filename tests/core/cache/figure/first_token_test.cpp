// The first token of a tier's row: with the hits of that row, not with another cache's hit rate.
#include "core/cache/figure/cache_words.h"
#include "core/cache/tier/load_or_recompute.h"
#include "tests/core/cache/growing_prompts.h"

#include <gtest/gtest.h>

#include <vector>

namespace loadline {
namespace {

TEST(FirstToken, IsOfTheHitsOfItsRow) {
    const CacheFigure figure = test::figureOfTrace(test::growingPrompts(12, 60));
    CacheSettings settings;
    settings.tiers = *cacheTiersFromText("small:0.27:1000,large:100:100"); // 8 blocks, then all
    settings.tensorParallel = 8;                                           // one replica
    const std::vector<TierRow> rows = tierRowsOf(figure, settings);
    ASSERT_EQ(rows.size(), 2U);
    ASSERT_GT(rows[1].hits.hitTokens, 0);
    const double input = figure.input().mean;
    const PrefillCompute compute = {.gpus = 8};
    const auto loading = [&](std::size_t i) {
        return loadS(layoutOf(settings), ofReplica(settings.tiers[i], replicasOf(settings)),
                     rows[i].hits.hitTokens * input);
    };
    const auto computing = [&](std::size_t i) {
        return computeS(layoutOf(settings), compute, input, rows[i].hits.hitTokensUpToHere * input);
    };
    EXPECT_DOUBLE_EQ(rows[0].time.ttftS, loading(0) + computing(0));
    EXPECT_DOUBLE_EQ(rows[1].time.ttftS, loading(0) + loading(1) + computing(1));
    EXPECT_DOUBLE_EQ(costFromTiers({.tiers = settings.tiers,
                                    .replicas = replicasOf(settings),
                                    .serving = {.layout = layoutOf(settings), .compute = compute},
                                    .request = {.input = input, .hitRate = 0.5, .output = 1},
                                    .blockTokens = 100,
                                    .heldTokens = 0},
                                   rows)
                         .loadGpuS,
                     8 * rows[1].time.loadS);
}

} // namespace
} // namespace loadline
