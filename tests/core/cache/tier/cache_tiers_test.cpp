// Tiers as text: in, out, and what is refused.
#include "core/cache/tier/cache_tiers.h"

#include "core/cost/device/hardware.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace loadline {
namespace {

using testing::HasSubstr;

CacheTiers tiersIn(std::string_view text, double weightsGB = 0) {
    const Result<CacheTiers> tiers = cacheTiersFromText(text, weightsGB);
    EXPECT_TRUE(tiers) << text << ": " << (tiers ? "" : tiers.error().sentence());
    return tiers ? *tiers : CacheTiers();
}

std::string refusalOf(std::string_view text) {
    const Result<CacheTiers> tiers = cacheTiersFromText(text);
    EXPECT_FALSE(tiers) << text;
    return tiers ? "" : tiers.error().sentence();
}

TEST(CacheNodes, CanBeUsedAndReadBack) {
    EXPECT_GE(cacheNodes().size(), 3U);
    for (const CacheNode& node : cacheNodes()) {
        EXPECT_EQ(problemOf(node.tiers), "") << node.key;
        EXPECT_EQ(tiersIn(node.key), node.tiers);
        EXPECT_EQ(tiersIn(textOf(node.tiers)), node.tiers) << textOf(node.tiers);
        ASSERT_NE(findHardware(node.hardware), nullptr) << node.key;
        EXPECT_EQ(node.tiers.at(node.memoryTier).bandwidthGBs,
                  findHardware(node.hardware)->bandwidthGbS * node.gpus);
        for (const CacheTier& tier : node.tiers) {
            EXPECT_NE(tier.source, "") << node.key << " " << tier.name;
        }
    }
    EXPECT_EQ(findCacheNode("h100"), nullptr);
}

TEST(CacheNodes, WeightsTakeMemoryOnly) {
    const CacheTiers tiers = tiersOf(*findCacheNode("h100-node"), 141.2);
    EXPECT_DOUBLE_EQ(tiers[1].capacityGB, 576 - 141.2);
    EXPECT_EQ(tiers[3], findCacheNode("h100-node")->tiers[3]);
    EXPECT_EQ(tiersOf(*findCacheNode("rtx4090-box"), 1000).front().capacityGB, 0);
}

TEST(CacheTiersText, NodesCanBeChanged) {
    const CacheTiers tiers = tiersIn(" h100-node , hbm:300 ,CXL:500:100:1", 100);
    EXPECT_EQ(tiers[1].name, "HBM");
    EXPECT_EQ(tiers[1].capacityGB, 300) << "given, so no weights are taken off";
    EXPECT_EQ(tiers[1].bandwidthGBs, 26'800);
    EXPECT_EQ(tiers[1].source, findCacheNode("h100-node")->tiers[1].source);
    EXPECT_EQ(tiers[4], (CacheTier{"CXL", 500, 100, 1, "as given"})) << "between host memory and NVMe";
    EXPECT_EQ(tiersIn(textOf(tiers)), tiers);
    EXPECT_EQ(tiersIn("h100-node,NVMe:1:50")[4].source, "as given");
}

TEST(CacheTiersText, StandsAlone) {
    EXPECT_EQ(tiersIn("fast:1.5:100:0.25, slow : 1e3 : 2"),
              (CacheTiers{{"fast", 1.5, 100, 0.25, "as given", true}, {"slow", 1000, 2, 0, "as given"}}));
}

TEST(CacheTiersText, RefusesWithASentence) {
    EXPECT_THAT(refusalOf(""), HasSubstr("there is no node"));
    EXPECT_THAT(refusalOf("h200-node"), HasSubstr("h100-node, b200-node"));
    EXPECT_THAT(refusalOf("HBM:400"), HasSubstr("has no bandwidth"));
    EXPECT_THAT(refusalOf("h100-node,"), HasSubstr("no capacity")) << "nothing behind the comma";
    for (const char* number : {"-1", "nan", "inf", "1e30", "0x10", "", "ten"}) {
        EXPECT_THAT(refusalOf(std::string("a:") + number + ":10"), HasSubstr("capacity in GB of tier \"a\""));
    }
    EXPECT_THAT(refusalOf("a:1:0"), HasSubstr("bandwidth in GB/s"));
    EXPECT_THAT(refusalOf("a:1:1:-1"), HasSubstr("latency in \u00b5s"));
    EXPECT_THAT(refusalOf("a:1:1:1:1"), HasSubstr("too many numbers"));
    EXPECT_THAT(refusalOf("a:1:10,A:1:5"), HasSubstr("twice"));
    EXPECT_THAT(refusalOf("a:1:10,b:1:11"), HasSubstr("faster than \"a\""));
    EXPECT_THAT(refusalOf(":1:10"), HasSubstr("needs a name"));
    EXPECT_THAT(refusalOf("a\x1b[31m:1:10"), HasSubstr("needs a name"));
    EXPECT_THAT(refusalOf(std::string(500, 'a') + ":1:10"), HasSubstr("needs a name"));
    std::string many;
    for (int i = 0; i < 100'000; ++i) {
        many += (i > 0 ? ",t" : "t") + std::to_string(i) + ":1:1";
    }
    EXPECT_THAT(refusalOf(many), HasSubstr("not 1 to 16"));
}

TEST(CacheTiersProblem, OfEditedValues) {
    EXPECT_THAT(problemOf(CacheTiers()), HasSubstr("0 tiers"));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(problemOf({{"a", nan, 1, 1, ""}}), "");
    EXPECT_NE(problemOf({{"a", 1, nan, 1, ""}}), "");
    EXPECT_NE(problemOf({{"a", 1, 1, nan, ""}}), "");
    EXPECT_NE(problemOf({{"a,b", 1, 1, 1, ""}}), "");
    EXPECT_EQ(problemOf({{"a", 0, 1, 0, ""}}), "");
}

} // namespace
} // namespace loadline
