// Hits by tier, capacities in tokens, GB and sessions, and where a resting session is found.
#include "core/cache/tier/tier_hits.h"

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
