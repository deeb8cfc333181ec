// The cost of tokens: by hand, and how it moves.
#include "core/cache/tier/token_cost.h"

#include "core/cache/tier/tier_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace loadline {
namespace {

const CacheModel served{
    .key = "plain",
    .attention = {.layers = 1, .fullLayers = 1, .qHeads = 1, .kvHeads = 1, .headDim = 250},
    .activeParameters = 1e9,
    .source = "here",
    .totalParameters = 1e9}; // 1000 bytes a token

/// A GPU of 1 TFLOP/s and 100 GB/s, twice.
ServingSetup setupOf(double tierGBs = 10) {
    return {.layout = {.model = &served},
            .compute = {.gpus = 2, .peakTflops = 1, .mfu = 0.5},
            .tier = {"tier", 1, tierGBs, 1000, ""},
            .bytesPerWeight = 2,
            .gpuBandwidthGBs = 100,
            .bandwidthShare = 0.5,
            .batch = 10};
}

constexpr MeanRequest request{.input = 10'000, .hitRate = 0.9, .output = 100};

TEST(TokenCost, ByHand) {
    const TokenCost cost = tokenCostOf(setupOf(), request);
    const double pairs = (10'000.0 * 10'001 - 9000.0 * 9001) / 2;
    const double flop = 2e9 * 1000 + 1000 * pairs; // 2 layers x heads x 2 x 250 each pair
    EXPECT_DOUBLE_EQ(cost.computeGpuS, flop / 0.5e12);
    EXPECT_DOUBLE_EQ(cost.loadGpuS, 2 * (1e-3 + 9000 * 1000 / 10e9));
    const double stepBytes = 2e9 + 10 * 10'050 * 1000.0;
    EXPECT_DOUBLE_EQ(cost.decodeGpuS, 100 * stepBytes / 50e9 / 10);
    EXPECT_DOUBLE_EQ(cost.perRequest, cost.computeGpuS + cost.loadGpuS + cost.decodeGpuS);
    EXPECT_DOUBLE_EQ(*cost.perMillionUncached, 1e6 * cost.computeGpuS / 1000);
    EXPECT_DOUBLE_EQ(*cost.perMillionCached, 1e6 * cost.loadGpuS / 9000);
    EXPECT_DOUBLE_EQ(*cost.perMillionOutput, 1e6 * cost.decodeGpuS / 100);
    EXPECT_DOUBLE_EQ(cost.perMillionTokens, 1e6 * cost.perRequest / 10'100);
    EXPECT_EQ(cost.idleGpuS, 0);
    EXPECT_DOUBLE_EQ(dollarsOf(1800, 3), 1.5);
}

/// The first tier has 2 000 of 10 000 tokens, the second 3 000; the rest is computed.
TEST(TokenCost, OfTiersHitsIsWhatEachLoadsAndTheRestComputed) {
    const ServingSetup setup = setupOf();
    const TierRowsQuestion question{.tiers = {{"near", 1, 100, 0, ""}, {"far", 1, 10, 1000, ""}},
                                    .replicas = {.gpus = 2, .tensorParallel = 2},
                                    .serving = setup,
                                    .request = request,
                                    .blockTokens = 100,
                                    .heldTokens = 0};
    std::vector<TierRow> rows(2);
    rows[0].hits = {.own = {},
                    .upToHere = {},
                    .hit = 0.1,
                    .hitUpToHere = 0.1,
                    .hitTokens = 0.2,
                    .hitTokensUpToHere = 0.2};
    rows[1].hits = {.own = {},
                    .upToHere = {},
                    .hit = 0.1,
                    .hitUpToHere = 0.2,
                    .hitTokens = 0.3,
                    .hitTokensUpToHere = 0.5};
    const TokenCost cost = costFromTiers(question, rows);
    EXPECT_DOUBLE_EQ(cost.loadGpuS, 2 * (2'000 * 1000 / 100e9 + 1e-3 + 3'000 * 1000 / 10e9));
    MeanRequest half = request;
    half.hitRate = 0.5;
    EXPECT_DOUBLE_EQ(cost.computeGpuS, tokenCostOf(setup, half).computeGpuS);
    EXPECT_GT(cost.perMillionTokens, tokenCostOf(setup, request).perMillionTokens) << "not 0.9 of it all";
    rows[0].hits = {};
    rows[1].hits = {};
    EXPECT_DOUBLE_EQ(costFromTiers(question, rows).perRequest,
                     tokenCostOf(setup, withoutReuse(request)).perRequest);
}

TEST(TokenCost, LargeBatchesAreBoundByArithmetic) {
    ServingSetup setup = setupOf();
    setup.batch = 1e6;
    const TokenCost cost = tokenCostOf(setup, {.input = 0, .hitRate = 0, .output = 1});
    EXPECT_DOUBLE_EQ(cost.decodeGpuS, 2e9 / 1e12);
    EXPECT_EQ(cost.perMillionUncached, std::nullopt);
    EXPECT_EQ(cost.perMillionCached, std::nullopt);
}

TEST(TokenCost, ASplitThatDoesNotFitLeavesGpusIdle) {
    ServingSetup setup = setupOf();
    const TokenCost balanced = tokenCostOf(setup, request);
    setup.prefillShare = balanced.balancedShare;
    EXPECT_NEAR(tokenCostOf(setup, request).idleGpuS, 0, 1e-12);
    setup.prefillShare = balanced.balancedShare / 2;
    const TokenCost starved = tokenCostOf(setup, request);
    EXPECT_DOUBLE_EQ(starved.perRequest, 2 * balanced.perRequest) << "prompts have half the GPUs they need";
    EXPECT_NEAR(*starved.perMillionUncached, *balanced.perMillionUncached, 1e-9);
    EXPECT_GT(*starved.perMillionOutput, 2 * *balanced.perMillionOutput) << "decoding waits for prompts";
    const double sum = (*starved.perMillionUncached * 1000 + *starved.perMillionCached * 9000 +
                        *starved.perMillionOutput * 100) /
                       1e6;
    EXPECT_DOUBLE_EQ(sum, starved.perRequest) << "each GPU-second is charged once";
}

TEST(TokenCost, ReuseAndBandwidthMoveIt) {
    const TokenCost with = tokenCostOf(setupOf(), request);
    EXPECT_LT(with.perRequest, tokenCostOf(setupOf(), withoutReuse(request)).perRequest);
    EXPECT_LT(tokenCostOf(setupOf(100), request).perRequest, with.perRequest);
    EXPECT_GT(tokenCostOf(setupOf(0.0004), request).perRequest,
              tokenCostOf(setupOf(), withoutReuse(request)).perRequest)
        << "so slow that computing is cheaper";
    const CacheTiers tiers = {{"a", 1, 10, 1000, ""}, {"b", 1, 1, 0, ""}};
    const std::vector<CostMove> moves = costMoves(setupOf(), request, tiers);
    const auto movesOf = [&](const char* what) { return std::ranges::count(moves, what, &CostMove::what); };
    EXPECT_EQ(movesOf("hit rate"), 4);
    EXPECT_EQ(movesOf("cached in"), 2);
    EXPECT_EQ(movesOf("GPUs for prompts"), 4);
    EXPECT_EQ(moves[4].cost.perRequest, with.perRequest);
    EXPECT_GT(moves[0].cost.perRequest, moves[3].cost.perRequest);
}

TEST(TokenCost, BatchesAreWhatMemoryHolds) {
    const KvLayout layout{.model = &served};
    EXPECT_EQ(batchThatFits(layout, {"m", 1, 1, 1, ""}, 10'000), 100);
    EXPECT_EQ(batchThatFits(layout, {"m", 0, 1, 1, ""}, 10'000), 1);
    EXPECT_EQ(batchThatFits(layout, {"m", 1000, 1, 1, ""}, 10'000), 256);
    EXPECT_EQ(batchThatFits(layout, {"m", 1, 1, 1, ""}, 0), 256);
}

} // namespace
} // namespace loadline
