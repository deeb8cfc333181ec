// Replicas of a model on the GPUs of a machine: weights once each, and a share of everything.
#include "core/cache/figure/cache_settings.h"
#include "core/cache/tier/load_or_recompute.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

using testing::HasSubstr;

CacheSettings settingsOn(const char* node, std::string_view model) {
    CacheSettings settings;
    settings.tiers = findCacheNode(node)->tiers;
    settings.model = model;
    return withNode(settings, *findCacheNode(node));
}

TEST(Replicas, OnlyWholeOnesAreFormed) {
    EXPECT_EQ(problemOf(Replicas{8, 1}), "");
    EXPECT_EQ(problemOf(Replicas{8, 8}), "");
    EXPECT_THAT(problemOf(Replicas{8, 16}), HasSubstr("over 16 GPUs needs as many: there are 8"));
    EXPECT_THAT(problemOf(Replicas{1, 2}), HasSubstr("there is 1"));
    EXPECT_THAT(problemOf(Replicas{8, 3}), HasSubstr("8 GPUs form no whole replicas of 3"));
}

TEST(Replicas, EachHoldsTheWeights) {
    const CacheNode& node = *findCacheNode("h100-node");
    const CacheModel& llama = *findCacheModel("llama-3.3-70b"); // 141.2 GB of weights
    EXPECT_NEAR(tiersBeside(node, llama, 8)[1].capacityGB, 434.8, 1e-9);
    EXPECT_NEAR(tiersBeside(node, llama, 4)[1].capacityGB, 293.6, 1e-9);
    EXPECT_NEAR(tiersBeside(node, llama, 2)[1].capacityGB, 11.2, 1e-9);
    EXPECT_EQ(tiersBeside(node, llama, 1)[1].capacityGB, 0);
    EXPECT_EQ(tiersBeside(node, llama, 4)[3], node.tiers[3]) << "host memory holds none";
}

TEST(Replicas, ASessionLiesInOneOfThem) {
    EXPECT_EQ(sessionsAtOnce(300, 55e9, {8, 8}), 5);
    EXPECT_EQ(sessionsAtOnce(300, 55e9, {8, 4}), 4); // 2 in each half
    EXPECT_EQ(sessionsAtOnce(300, 55e9, {8, 1}), 0);
    EXPECT_EQ(sessionsAtOnce(300, 0, {8, 1}), 0);
}

/// Whether loading pays does not depend on how many GPUs share the work: both shrink alike.
TEST(Replicas, HaveTheirShareOfBandwidthAsOfCompute) {
    const CacheTier host{"host", 2000, 440, 0, ""};
    const KvLayout layout{.model = findCacheModel("llama-3.3-70b"), .tensorParallel = 4};
    const CacheTier half = ofReplica(host, {8, 4});
    EXPECT_EQ(half.capacityGB, 1000);
    EXPECT_DOUBLE_EQ(loadS(layout, half, 1e5), 2 * loadS(layout, host, 1e5));
    EXPECT_EQ(breakEvenTokens(layout, {.gpus = 4}, half), breakEvenTokens(layout, {.gpus = 8}, host));
}

TEST(TensorParallelism, UsuallyLeavesRoomForAPrompt) {
    const auto usual = [](const char* node, const char* model) {
        return tensorParallelOf(settingsOn(node, model));
    };
    EXPECT_EQ(usual("h100-node", "llama-3.1-8b"), 1);
    EXPECT_EQ(usual("h100-node", "llama-3.3-70b"), 4); // beside 141.2 GB 2 GPUs of 72 keep 2.8 GB
    EXPECT_EQ(usual("b200-node", "llama-3.3-70b"), 2);
    EXPECT_EQ(usual("h100-node", "deepseek-v3"), 8); // fits nowhere
    EXPECT_EQ(usual("rtx4090-box", "llama-3.3-70b"), 1);
    for (const CacheNode& node : cacheNodes()) {
        for (const CacheModel& model : cacheModels()) {
            const CacheSettings settings = settingsOn(std::string(node.key).c_str(), model.key);
            EXPECT_EQ(problemOf(replicasOf(settings)), "") << node.key << model.key;
            EXPECT_EQ(nodeBeside(settings), &node) << node.key << model.key;
        }
    }
}

TEST(TensorParallelism, HasRoomForTheLongestTurn) {
    CacheSettings settings = settingsOn("h100-node", "llama-3.3-70b");
    settings.longestTurn = 1000;
    EXPECT_EQ(tensorParallelOf(settings), 4);
    settings.longestTurn = 700'000; // 229 GB beside 141.2 GB
    EXPECT_EQ(tensorParallelOf(settings), 8);
    EXPECT_TRUE(replicaFitOf(withNode(settings, *findCacheNode("h100-node")), 700'000).fits());
    settings.tensorParallel = 4;
    EXPECT_EQ(tensorParallelOf(settings), 4) << "as chosen";
}

TEST(PublishedWeights, AreTheModelsOwnFormat) {
    const auto bytesOf = [](const char* model) {
        return publishedWeightsOf(*findCacheModel(model)).bytesEach;
    };
    const auto gbOf = [&](const char* model) { return weightsGB(*findCacheModel(model), bytesOf(model)); };
    EXPECT_EQ(bytesOf("llama-3.3-70b"), 2);
    EXPECT_EQ(wordsOf(publishedWeightsOf(*findCacheModel("llama-3.3-70b"))), "");
    EXPECT_NEAR(gbOf("gpt-oss-120b"), 65, 2) << "made for one GPU of 80 GB";
    EXPECT_NEAR(gbOf("gpt-oss-20b"), 13.5, 1);
    EXPECT_NEAR(gbOf("deepseek-v3"), 673, 3);
    EXPECT_THAT(wordsOf(publishedWeightsOf(*findCacheModel("gpt-oss-120b"))),
                HasSubstr("MXFP4 experts, the rest bf16, as published (gpt-oss model card)"));
    const CacheSettings settings = settingsOn("h100-node", "gpt-oss-120b");
    EXPECT_EQ(tensorParallelOf(settings), 1);
    EXPECT_TRUE(replicaFitOf(settings, 1000).fits());
    EXPECT_EQ(bytesPerWeightOf(withBytesPerWeight(settings, 2)), 2);
    EXPECT_EQ(withBytesPerWeight(withBytesPerWeight(settings, 2), std::nullopt), settings);
    EXPECT_EQ(bytesPerWeightOf(withModel(settings, "llama-3.3-70b")), 2) << "not the other's";
}

TEST(TensorParallelism, RoomFollowsTheWeights) {
    const CacheSettings usual = settingsOn("h100-node", "llama-3.3-70b");
    EXPECT_NEAR(withTensorParallel(usual, 8).tiers[1].capacityGB, 434.8, 1e-9);
    EXPECT_EQ(withTensorParallel(withTensorParallel(usual, 8), std::nullopt), usual);
    CacheSettings own = usual;
    own.tiers[1].capacityGB = 300;
    EXPECT_EQ(withTensorParallel(own, 16).tensorParallel, 8) << "no more than there are";
    EXPECT_EQ(withTensorParallel(own, 7).tensorParallel, 4) << "whole replicas";
    EXPECT_EQ(withTensorParallel(own, 7).tiers, own.tiers) << "the same weights leave the same room";
    EXPECT_NEAR(withTensorParallel(own, 8).tiers[1].capacityGB, 434.8, 1e-9);
    EXPECT_EQ(withNode(withTensorParallel(usual, 8), *findCacheNode("m3-max")).tensorParallel, 1);
    EXPECT_NEAR(withModel(usual, "llama-3.1-8b").tiers[1].capacityGB, 447.52, 1e-9);     // 8 of 16.06 GB
    EXPECT_NEAR(withBytesPerWeight(usual, 1).tiers[1].capacityGB, 576 - 4 * 70.6, 1e-9); // 4 replicas of 2
}

/// What was edited stays, and the memory never keeps the size that another model left.
TEST(TensorParallelism, EditedTiersKeepNoModelsMemory) {
    CacheSettings edited = *withTiers(settingsOn("h100-node", "llama-3.3-70b"), "h100-node,NVMe:20000");
    EXPECT_EQ(tiersTextOf(edited), "h100-node,NVMe:20000:56:90");
    EXPECT_EQ(withModel(edited, "deepseek-v3").tiers[1].capacityGB, 0);
    EXPECT_EQ(withModel(edited, "qwen3-coder-480b-a35b").tiers[1].capacityGB, 0);
    EXPECT_EQ(withModel(edited, "deepseek-v3").tiers[4].capacityGB, 20'000);
    edited.tiers[1].capacityGB = 300; // dragged
    EXPECT_EQ(tiersTextOf(edited), "h100-node,HBM:300:26800:0.6,NVMe:20000:56:90");
    EXPECT_EQ(withModel(edited, "deepseek-v3").tiers[1].capacityGB, 0);
    EXPECT_EQ(withTiers(edited, tiersTextOf(edited))->tiers, edited.tiers);
    const CacheSettings faster =
        *withTiers(settingsOn("b200-node", "llama-3.3-70b"), "b200-node,NVMe:20000:100");
    EXPECT_EQ(nodeOf(faster).key, "b200-node") << "whatever its drives";
    EXPECT_EQ(withModel(faster, "deepseek-v3").tiers[4].bandwidthGBs, 100);
}

TEST(TensorParallelism, TiersOfANodeAreReadBesideTheWeights) {
    CacheSettings settings;
    settings.tensorParallel = 8;
    EXPECT_NEAR(withTiers(settings, " h100-node ")->tiers[1].capacityGB, 434.8, 1e-9);
    EXPECT_NEAR(withTiers(settings, "h100-node,NVMe:1000")->tiers[1].capacityGB, 434.8, 1e-9);
    EXPECT_EQ(withTiers(settings, "h100-node,HBM:300")->tiers[1].capacityGB, 300);
    EXPECT_EQ(withTiers(settings, "HBM:576:26800")->tiers[0].capacityGB, 576);
    EXPECT_FALSE(withTiers(settings, "none"));
}

TEST(ReplicaFit, CountsWeightsAndOneRequest) {
    const CacheSettings large = withBytesPerWeight(settingsOn("h100-node", "deepseek-v3"), 2); // 1342 GB
    const ReplicaFit none = replicaFitOf(large, 100'000);
    EXPECT_FALSE(none.fits());
    EXPECT_DOUBLE_EQ(none.hasGB, 576);
    EXPECT_NEAR(none.needsGB(), 1342 + 56.2, 0.05); // a latent in each of 8 GPUs
    EXPECT_EQ(doesNotFitSentence("deepseek-v3", none), "deepseek-v3 does not fit: needs 1.4 TB of 576 GB.");
    const ReplicaFit quantised = replicaFitOf(withBytesPerWeight(large, 0.5), 100'000);
    EXPECT_TRUE(quantised.fits());
    EXPECT_TRUE(replicaFitOf(settingsOn("h100-node", "llama-3.3-70b"), 100'000).fits());
    const CacheSettings one = withTensorParallel(settingsOn("h100-node", "llama-3.3-70b"), 1);
    EXPECT_DOUBLE_EQ(replicaFitOf(one, 100'000).hasGB, 72);
    CacheSettings own;
    own.tiers = *cacheTiersFromText("fast:10:1000,slow:100:10"); // for blocks alone
    EXPECT_TRUE(replicaFitOf(own, 1000).fits());
    EXPECT_FALSE(replicaFitOf(own, 100'000).fits()) << "two replicas of 5 GB";
}

} // namespace
} // namespace loadline
