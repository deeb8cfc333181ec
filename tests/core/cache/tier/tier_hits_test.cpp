// Hits by tier, capacities in tokens, GB and sessions, and where a resting session is found.
#include "core/cache/tier/tier_hits.h"

#include "core/cache/tier/load_or_recompute.h"
#include "core/cache/tier/replicas.h"

#include <gtest/gtest.h>

#include <numeric>

namespace loadline {
namespace {

const CacheModel small{.key = "small",
                       .attention = {.layers = 1, .fullLayers = 1, .qHeads = 1, .kvHeads = 1, .headDim = 250},
                       .activeParameters = 1,
                       .source = "here",
                       .totalParameters = 1}; // 1000 bytes a token

const KvLayout smallLayout{.model = &small};

CacheTiers threeTiers() {
    return {
        {"a", 2e-4, 100, 0, ""}, {"b", 0, 50, 0, ""}, {"c", 3e-4, 10, 0, ""}}; // 20, 0 and 30 blocks of 10
}

/// One more hit with each block, of 100.
CapacityCurve evenCurve(std::size_t blocks) {
    CapacityCurve curve{.references = 100, .hits = std::vector<std::uint64_t>(blocks)};
    std::iota(curve.hits.begin(), curve.hits.end(), 1U);
    return curve;
}

TEST(TierHits, AreDifferencesOfOneCurve) {
    const auto hits = tierHitsOf(threeTiers(), smallLayout, 10, evenCurve(90), 50);
    ASSERT_EQ(hits.size(), 3U);
    EXPECT_DOUBLE_EQ(hits[0].hit, 0.2);
    EXPECT_DOUBLE_EQ(hits[1].hit, 0);
    EXPECT_DOUBLE_EQ(hits[2].hit, 0.3);
    EXPECT_DOUBLE_EQ(hits[2].hitUpToHere, 0.5);
    EXPECT_DOUBLE_EQ(hits[2].upToHere.gb, 5e-4);
    EXPECT_DOUBLE_EQ(hits[0].own.tokens, 200);
    EXPECT_DOUBLE_EQ(hits[0].own.sessions, 4);
    EXPECT_DOUBLE_EQ(hits[2].upToHere.sessions, 10);
    EXPECT_EQ(tierHitsOf(threeTiers(), smallLayout, 10, evenCurve(90), 0)[0].own.sessions, 0);
}

TEST(TierHits, MoreRoomThanTheTraceAsksFor) {
    CacheTiers tiers = threeTiers();
    tiers[2].capacityGB = 1e9;
    const auto hits = tierHitsOf(tiers, smallLayout, 10, evenCurve(90), 50);
    EXPECT_DOUBLE_EQ(hits[2].hitUpToHere, 0.9);
    EXPECT_DOUBLE_EQ(hits[2].hit, 0.7);
    EXPECT_EQ(tierHitsOf(tiers, smallLayout, 10, {}, 50)[2].hitUpToHere, 0) << "no trace, no hits";
}

/// No engine keeps blocks in a cache of the chip: what it would hit, the memory hits.
TEST(TierHits, ACacheOfTheChipHitsNothing) {
    const CacheTiers tiers = *cacheTiersFromText("SRAM:1e-4:1000,HBM:2e-4:100,host memory:3e-4:10");
    const auto hits = tierHitsOf(tiers, smallLayout, 10, evenCurve(90), 50);
    EXPECT_DOUBLE_EQ(hits[0].hitUpToHere, 0);
    EXPECT_DOUBLE_EQ(hits[1].hit, 0.2) << "20 blocks";
    EXPECT_DOUBLE_EQ(hits[2].hitUpToHere, 0.5);
    EXPECT_DOUBLE_EQ(hits[2].upToHere.gb, 5e-4);
    EXPECT_EQ(sessionsUpTo(tiers, 0, smallLayout, 1, {}), 0);
    const SessionsOnNode alone{.sessions = 1, .heldTokens = 0, .gapsS = {}};
    EXPECT_EQ(tierOfSession(tiers, smallLayout, alone, 1, 50).tier, 1U);
}

/// A session finds its blocks in the replica that it is on, which has half of every tier.
TEST(TierHits, AReplicaHitsWithItsShareOfEachTier) {
    const auto hits = tierHitsOf(threeTiers(), smallLayout, 10, evenCurve(90), 50, {8, 4});
    EXPECT_DOUBLE_EQ(hits[0].hit, 0.1);
    EXPECT_DOUBLE_EQ(hits[2].hit, 0.15);
    EXPECT_DOUBLE_EQ(hits[2].upToHere.gb, 5e-4) << "of both";
}

/// A latent is in every GPU's memory, and once in host memory.
TEST(TierHits, ALatentIsStoredOnceOffTheGpus) {
    const CacheTiers tiers = *cacheTiersFromText("HBM:100:1000,host memory:100:100");
    ASSERT_TRUE(tiers[0].onGpu && !tiers[1].onGpu);
    const KvLayout layout{.model = findCacheModel("deepseek-v3"), .tensorParallel = 8};
    EXPECT_DOUBLE_EQ(layoutIn(layout, tiers[0]).bytesPerToken(), 8 * 70'272);
    EXPECT_DOUBLE_EQ(layoutIn(layout, tiers[1]).bytesPerToken(), 70'272);
    const auto hits = tierHitsOf(tiers, layout, 64, {}, 345'000);
    EXPECT_DOUBLE_EQ(hits[1].own.tokens, 8 * hits[0].own.tokens);
    EXPECT_NEAR(hits[0].own.sessions, 100 / 194.0, 1e-3); // 194 GB
    EXPECT_NEAR(hits[1].own.sessions, 100 / 24.24, 1e-2); // 24.2 GB
    EXPECT_DOUBLE_EQ(hits[1].upToHere.tokens, hits[0].own.tokens + hits[1].own.tokens);
    EXPECT_DOUBLE_EQ(hits[1].upToHere.gb, 200);
    EXPECT_DOUBLE_EQ(loadS(layout, tiers[1], 1e6), 70'272e6 / 100e9);
    EXPECT_EQ(sessionsUpTo(tiers, 1, layout, 345'000, {8, 8}), 4);
    const SessionsOnNode alone{.sessions = 1, .heldTokens = 0, .gapsS = {}};
    EXPECT_EQ(tierOfSession(tiers, layout, alone, 1, 345'000).tier, 1U);
    const KvLayout grouped{.model = findCacheModel("qwen3-235b-a22b"), .tensorParallel = 8};
    EXPECT_DOUBLE_EQ(layoutOffGpu(grouped).bytesPerToken(), 2 * 192'512) << "as Mooncake stores them";
}

TEST(TouchedWithin, IsTheShareOfGapsThatHaveBegun) {
    const std::vector<WeightedSample::Part> gaps = {{10, 3}, {70, 1}}; // mean 25
    EXPECT_DOUBLE_EQ(touchedWithin(gaps, 0), 0);
    EXPECT_DOUBLE_EQ(touchedWithin(gaps, 5), 20.0 / 100);
    EXPECT_DOUBLE_EQ(touchedWithin(gaps, 40), 70.0 / 100);
    EXPECT_DOUBLE_EQ(touchedWithin(gaps, 1000), 1);
    EXPECT_DOUBLE_EQ(touchedWithin({}, 5), 1);
}

TEST(TierOfSession, OthersPushItDown) {
    const CacheTiers tiers = threeTiers(); // 200 and 300 tokens
    SessionsOnNode node{.sessions = 1, .heldTokens = 100, .gapsS = {{10, 1}}};
    EXPECT_EQ(tierOfSession(tiers, smallLayout, node, 5, 200).tier, 0U);
    EXPECT_EQ(tierOfSession(tiers, smallLayout, node, 5, 201).tier, 2U);
    node.sessions = 3;
    EXPECT_DOUBLE_EQ(tierOfSession(tiers, smallLayout, node, 5, 100).gb, 2e-4); // half of the two others came
    EXPECT_EQ(tierOfSession(tiers, smallLayout, node, 5, 100).tier, 0U);
    EXPECT_EQ(tierOfSession(tiers, smallLayout, node, 10, 100).tier, 2U);
    node.sessions = 100;
    EXPECT_EQ(tierOfSession(tiers, smallLayout, node, 10, 100).tier, std::nullopt);
}

} // namespace
} // namespace loadline
