// What the KV cache needs, by hand; blocks that follow from memory.
#include "core/simulate/fit/kv_need.h"

#include "core/cost/estimate/attention.h"
#include "core/simulate/answer/what_counts.h"
#include "core/simulate/fit/memory_fit.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/run/simulate.h"
#include "core/simulate/study/sweep.h"
#include "core/text/number_format.h"
#include "tests/core/simulate/made_inputs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace loadline {
namespace {

SimulationInputs modelInputs() {
    SimulationInputs inputs = madeInputs();
    inputs.workload = std::make_shared<const Workload>(*workloadOfTrace(
        std::vector<TraceRequest>{{0, 1000, 100, 0}, {0, 500, 10, 0}}, "made", "Made up", "a test"));
    inputs.arrivals.kind = ArrivalKind::Trace;
    inputs.policy = {};
    inputs.cost.model = *findShapePreset("llama-3.1-8b");
    inputs.profile = nullptr;
    inputs.hardware = findHardware("RTX4090");
    return inputs;
}

TEST(KvNeed, OfTwoRequestsByHand) {
    const SimulationInputs inputs = modelInputs();
    const auto need = kvNeed(inputs);
    ASSERT_TRUE(need) << need.error().what;
    EXPECT_EQ(need->steps, 100);
    EXPECT_EQ(need->peakTokens, 16 * (64 + 32)); // 1 009 and 509 tokens in whole blocks, before one ends
    EXPECT_EQ(need->bytesPerToken, 131'072);
    EXPECT_EQ(need->peakBytes, 131'072.0 * need->peakTokens);
    EXPECT_EQ(need->memoryBytes, 24.0 * (1 << 30));
    EXPECT_NEAR(need->weightBytes / (1 << 30), 5.41, 0.005); // 1.96 GiB of it are embedding and head in fp16
    EXPECT_TRUE(need->contextsKnown);
    EXPECT_NE(kvNeedSentence(*need, Storage::K4)
                  .find("fits into the device's 24 GiB; fp16's weights of 15.0 GiB leave room for as much"),
              std::string::npos)
        << kvNeedSentence(*need, Storage::K4);
}

TEST(KvNeed, SaysWhenOnlyTheQuantisedModelFits) {
    KvNeed need{.steps = 1, .p99Tokens = 10, .peakTokens = 10, .bytesPerToken = 1, .p99Bytes = 10};
    need.memoryBytes = 80.0 * (1 << 30);
    need.weightBytes = 36.0 * (1 << 30);
    need.weightFp16Bytes = 130.0 * (1 << 30);
    EXPECT_NE(kvNeedSentence(need, Storage::K4)
                  .find("fits into the device's 80 GiB; fp16's weights of 130 GiB leave no room for it."),
              std::string::npos)
        << kvNeedSentence(need, Storage::K4);
    need.share = 0.9; // 144 - 130
    need.memoryBytes = 160.0 * (1 << 30);
    need.peakBytes = 20.0 * (1 << 30);
    EXPECT_NE(
        kvNeedSentence(need, Storage::K4).find("fp16's weights of 130 GiB would leave 14.0 GiB for it."),
        std::string::npos)
        << kvNeedSentence(need, Storage::K4);
    need.memoryBytes = 80.0 * (1 << 30);
    need.weightBytes = 90.0 * (1 << 30);
    EXPECT_NE(kvNeedSentence(need, Storage::K4).find("that does not fit into the device's 80 GiB"),
              std::string::npos);
}

TEST(KvNeed, SaysWhatItDoesNotKnow) {
    SimulationInputs inputs = madeInputs();
    for (const Policy policy : {Policy::VllmV1, Policy::SinglePrefill, Policy::Mlx}) {
        inputs.policy.policy = policy;
        const auto need = kvNeed(inputs, 500);
        ASSERT_TRUE(need);
        EXPECT_GT(need->p99Tokens, 0);
        EXPECT_LE(need->p50Tokens, need->p99Tokens);
        EXPECT_LE(need->p99Tokens, need->peakTokens);
        EXPECT_FALSE(need->contextsKnown);
        EXPECT_NE(kvNeedSentence(*need, Storage::K4).find("shapes do not tell"), std::string::npos);
    }
    EXPECT_EQ(kvNeedSentence(KvNeed{}, Storage::K4), "");
}

TEST(KvBlocks, OfStatesAndWindowsAreTakenByThoseWhoRun) {
    SimulationInputs inputs = modelInputs();
    inputs.hardware = findHardware("H100-SXM");
    inputs.cost.model = *findShapePreset("qwen3-coder-next");
    inputs.policy.memoryShare = 0.9;
    const std::int64_t blocks = *kvBlocksOf(inputs);
    const double bytes = 0.9 * memoryBytesOf(*inputs.hardware) - weightBytes(inputs.cost.model, 4);
    EXPECT_EQ(blocks, static_cast<std::int64_t>(bytes / 24576 / 16)); // whoever may run
    EXPECT_EQ(blocksBesideOf(inputs).of(16), 197);                    // 77 266 944 bytes of states
    EXPECT_EQ(longestRequestOf(inputs), std::min(inputs.policy.maxModelLen, (blocks - 1 - 197) * 16));
    const auto need = kvNeed(inputs);
    ASSERT_TRUE(need) << need.error().what;
    EXPECT_EQ(need->peakTokens, 16 * (64 + 32)); // of whole blocks of tokens alone
    EXPECT_NEAR(need->peakBytes, 2 * 77266944.0 + 24576 * need->peakTokens, 1);
    const auto run = simulate(inputs);
    ASSERT_TRUE(run) << run.error().what;
    EXPECT_EQ(run->replicas.front().peakKvBlocks, 64 + 32 + 2 * 197);
    EXPECT_EQ(run->replicas.front().peakBesideBlocks, 2 * 197);
    inputs.policy.kvBlocks = 500; // given: of tokens alone
    EXPECT_EQ(blocksBesideOf(inputs), BlocksBeside());
}

TEST(KvBlocks, OfWindowsLetAsManyRunAsTheyHold) {
    SimulationInputs inputs = modelInputs();
    inputs.cost.model =
        *findShapePreset("gemma-3-12b"); // 40 of 48 layers see 1 024 tokens: 320 MiB a sequence
    inputs.policy.memoryShare = 0.9;     // 14.4 GiB beside the weights: 46 full windows
    inputs.workload = std::make_shared<const Workload>(
        *workloadOfTrace(std::vector<TraceRequest>(100, {0, 1100, 60, 0}), "made", "Made up", "a test"));
    inputs.policy.maxSeqs = 256;
    EXPECT_EQ(blocksBesideOf(inputs).of(512), 160);
    EXPECT_EQ(blocksBesideOf(inputs).of(4096), 320);
    const auto run = simulate(inputs);
    ASSERT_TRUE(run) << run.error().what;
    EXPECT_EQ(run->replicas.front().turns, 100);
    EXPECT_LE(run->replicas.front().peakKvBlocks, *kvBlocksOf(inputs) - 1);
    EXPECT_GT(run->replicas.front().peakKvBlocks, *kvBlocksOf(inputs) - 400);
    inputs.arrivals.kind = ArrivalKind::Closed;
    inputs.workload = madeInputs().workload;
    inputs.length = {200, std::nullopt};
    SweepInputs many;
    many.base = inputs;
    many.users = {1, 64, 256};
    const auto swept = sweep(many);
    ASSERT_TRUE(swept) << swept.error().sentence();
    EXPECT_EQ(swept->points.size(), 3);
    EXPECT_GT(swept->points.back().averageM.value, swept->points.front().averageM.value);
}

TEST(KvBlocks, ASweepTellsWhatFp16WouldLeave) {
    SimulationInputs inputs = modelInputs();
    inputs.policy.memoryShare = 0.9;
    inputs.workload = std::make_shared<const Workload>(
        *workloadOfTrace(std::vector<TraceRequest>(100, {0, 1100, 60, 0}), "made", "Made up", "a test"));
    SweepInputs wanted;
    wanted.base = inputs;
    wanted.weights = {Storage::K4};
    const auto swept = sweep(wanted);
    ASSERT_TRUE(swept) << swept.error().sentence();
    EXPECT_EQ(swept->memory.front().kvBytes, 0); // of the weights alone
    const MemoryFit fit = swept->memoryWithKv(Storage::K4);
    EXPECT_GT(fit.kvBytes, 10 * bytesPerGib);
    EXPECT_TRUE(fp16LacksMemory(fit));
    EXPECT_NE(fp16SentenceOf(fit).find("would leave at most 6.6 GiB for the KV cache"), std::string::npos);
    EXPECT_FALSE(swept->memoryWithKv(Storage::K3).known());
    for (const CountedFact& fact : whatCounts(inputs, fit)) {
        if (fact.key == "memory") {
            EXPECT_TRUE(fact.words.ends_with("; fp16 would leave ≤ 6.6 GiB for KV")) << fact.words;
        }
    }
}

TEST(KvBlocks, TooFewForOneSequenceAreToldWithTheirFigures) {
    SimulationInputs inputs = modelInputs();
    inputs.hardware = findHardware("H100-SXM");
    inputs.cost.model = *findShapePreset("qwen3-coder-next");
    const double weights = weightBytes(inputs.cost.model, 4);
    inputs.policy.memoryShare =
        (weights + (40 << 20)) / memoryBytesOf(*inputs.hardware); // a state takes 74 MiB
    const auto run = simulate(inputs);
    ASSERT_FALSE(run);
    EXPECT_NE(run.error().what.find("leave 0.04 GiB of"), std::string::npos) << run.error().what;
    EXPECT_NE(run.error().what.find("a sequence's KV cache takes 0.07 GiB or more"), std::string::npos);
    const MemoryFit fit = memoryFitOf(inputs);
    EXPECT_TRUE(fit.isTooLarge());
    EXPECT_NE(misfitSentence(fit).find("a sequence's KV cache 0.07 GiB or more, together more than"),
              std::string::npos)
        << misfitSentence(fit);
    SweepInputs sweepInputs;
    sweepInputs.base = inputs;
    sweepInputs.weights = {Storage::K2, Storage::K4};
    const auto swept = sweep(sweepInputs); // k = 2 has its room
    ASSERT_TRUE(swept) << swept.error().sentence();
    EXPECT_FALSE(swept->memory[0].isTooLarge());
    EXPECT_TRUE(swept->memory[1].isTooLarge());
}

TEST(KvBlocks, AreRefusedWhereTheWeightsLeaveNoRoom) {
    SimulationInputs inputs = modelInputs();
    inputs.policy.memoryShare = 0.15; // 3.6 of 24 GiB, and the weights take 5.4
    EXPECT_FALSE(kvBlocksOf(inputs));
    EXPECT_TRUE(memoryFitOf(inputs).isTooLarge());
    const auto run = simulate(inputs);
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().what,
              "weights of 5.4 GiB leave no room for a KV cache in 15.0 % of the device's memory");
    inputs.policy.kvBlocks = 500;
    EXPECT_TRUE(simulate(inputs));
}

TEST(KvBlocks, ASweepTellsWhichKLeavesNoRoom) {
    SimulationInputs inputs = modelInputs();
    inputs.policy.memoryShare = 0.2; // 4.8 of 24 GiB: enough at k = 2 alone
    inputs.cost.format = 5;
    inputs.length = {40, std::nullopt};
    ASSERT_FALSE(simulate(inputs));
    SweepInputs sweepInputs;
    sweepInputs.base = inputs;
    sweepInputs.weights = {Storage::K2, Storage::K5};
    const auto swept = sweep(sweepInputs);
    ASSERT_TRUE(swept) << swept.error().sentence();
    EXPECT_FALSE(swept->memory[0].isTooLarge());
    EXPECT_TRUE(swept->memory[1].isTooLarge());
    EXPECT_GT(swept->points.front().timeVsFp16.value, 0);
    inputs.cost.format = 2;
    const auto alone = simulate(inputs);
    ASSERT_TRUE(alone);
    EXPECT_EQ(swept->points.front().timeVsFp16.value, alone->replicas.front().timeVsFp16());
}

TEST(KvBlocks, WhatIsNotSubtractedIsSaid) {
    SimulationInputs inputs = modelInputs();
    inputs.policy.memoryShare = 0.9;
    const auto said = [&] {
        for (const CountedFact& fact : whatCounts(inputs, memoryFitOf(inputs))) {
            if (fact.key == "memory") {
                return fact.more;
            }
        }
        return std::string();
    };
    EXPECT_NE(said().find(formatExact(2588) + " blocks"), std::string::npos);
    // the engine's own case: all weights in bf16
    const Tokens tokens = kvCapacityTokens(inputs.cost.model, fp16Bits, 24.0 * (1 << 30), 0.9);
    EXPECT_NE(said().find(fmt::format("this gives {}.", formatExact(tokens / 16))), std::string::npos)
        << tokens;
    inputs.policy.kvBlocks = 500;
    EXPECT_EQ(said().find(formatExact(2588)), std::string::npos);
}

TEST(KvBlocks, FollowFromTheDevicesMemory) {
    SimulationInputs inputs = modelInputs();
    EXPECT_FALSE(kvBlocksOf(inputs));
    inputs.policy.memoryShare = 0.9;
    const Tokens tokens = kvCapacityTokens(inputs.cost.model, 4, 24.0 * (1 << 30), 0.9);
    EXPECT_EQ(*kvBlocksOf(inputs), tokens / 16);
    EXPECT_TRUE(simulate(inputs));
    inputs.policy.kvBlocks = 500;
    EXPECT_EQ(*kvBlocksOf(inputs), 500); // as vLLM's num_gpu_blocks_override
    inputs.policy.kvBlocks.reset();
    inputs.cost.model = *findShapePreset("llama-3.1-70b");
    EXPECT_FALSE(kvBlocksOf(inputs)); // no room: the answer says that it does not fit
    ASSERT_TRUE(simulate(inputs));
    EXPECT_TRUE(memoryFitOf(inputs).isTooLarge());
    inputs.cost.model = *findShapePreset("study");
    EXPECT_FALSE(kvBlocksOf(inputs));
    inputs.cost.model = *findShapePreset("llama-3.1-8b");
    inputs.hardware = nullptr;
    inputs.profile = madeProfile();
    EXPECT_FALSE(kvBlocksOf(inputs));
}

} // namespace
} // namespace loadline
