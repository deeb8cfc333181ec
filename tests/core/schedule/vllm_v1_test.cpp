// vLLM V1 on scenarios small enough to be computed by hand.
#include "core/schedule/policy/vllm_v1.h"

#include "make_scenario.h"

#include <gmock/gmock.h>

namespace loadline {
namespace {

using test::described;
using test::follower;
using test::request;
using test::scenario;
using test::stepsOf;
using testing::ElementsAre;

VllmConfig small() {
    VllmConfig config;
    config.maxNumBatchedTokens = 8;
    config.blockSize = 4;
    config.numGpuBlocks = 101;
    config.maxModelLen = 1000;
    config.enablePrefixCaching = false;
    return config;
}

TEST(VllmV1Test, TheStepThatFinishesThePromptEmitsTheFirstToken) {
    const std::vector<Step> steps = stepsOf(scenario(small(), {request(0, 0, 5, 3)}));
    EXPECT_THAT(described(steps), ElementsAre("0:5", "0:1", "0:1 !0"));
    EXPECT_THAT(steps[0].emitted, ElementsAre(0));
    EXPECT_EQ(steps[0].free, 98); // two blocks for five tokens
    EXPECT_EQ(steps[2].freeScheduled, 98);
    EXPECT_EQ(steps[2].free, 100);
}

TEST(VllmV1Test, DecodesComeFirstAndPromptsShareTheRestOfTheBudget) {
    const auto steps = stepsOf(scenario(
        small(), {request(0, 0, 3, 4), request(1, 1, 2, 1), request(2, 1, 9, 1), request(3, 1, 1, 1)}));
    EXPECT_THAT(described(steps), ElementsAre("0:3", "0:1 1:2 2:5 !1", "0:1 2:4 3:1 !2 !3", "0:1 !0"));
    EXPECT_EQ(steps[1].waitingCount, 1); // the budget is spent
}

TEST(VllmV1Test, TheThresholdLetsSeveralPromptsRunAtOnce) {
    VllmConfig config = small();
    config.longPrefillTokenThreshold = 3;
    const auto steps = stepsOf(scenario(config, {request(0, 0, 7, 1), request(1, 0, 7, 1)}));
    EXPECT_THAT(described(steps), ElementsAre("0:3 1:3", "0:3 1:3", "0:1 1:1 !0 !1"));
}

TEST(VllmV1Test, WithoutChunksALongPromptHoldsUpTheQueue) {
    VllmConfig config = small();
    config.enableChunkedPrefill = false;
    const std::vector<ScheduleRequest> requests{request(0, 0, 5, 1), request(1, 0, 6, 1),
                                                request(2, 0, 2, 1)};
    EXPECT_THAT(described(stepsOf(scenario(config, requests))), ElementsAre("0:5 !0", "1:6 2:2 !1 !2"));
    config.version = VllmVersion::October2025; // passed over then
    EXPECT_THAT(described(stepsOf(scenario(config, requests))), ElementsAre("0:5 2:2 !0 !2", "1:6 !1"));
}

TEST(VllmV1Test, TheLastOfTheRunningIsPreemptedAndComputedAnew) {
    VllmConfig config = small();
    config.maxNumBatchedTokens = 64;
    config.numGpuBlocks = 6; // five usable
    const auto steps = stepsOf(scenario(config, {request(0, 0, 7, 6), request(1, 0, 7, 3)}));
    // Both hold two blocks. At 8 tokens 0 takes the fifth block; 1 finds none and gives its own back.
    EXPECT_THAT(described(steps),
                ElementsAre("0:7 1:7", "0:1 1:1", "0:1 -1", "0:1", "0:1", "0:1 !0", "1:9 !1"));
    EXPECT_EQ(steps[2].free, 2);
    EXPECT_THAT(steps[6].resumed, ElementsAre(1));
}

TEST(VllmV1Test, StatesAndWindowsTakeBlocksOfThoseWhoRun) {
    VllmConfig config = small();
    config.maxNumBatchedTokens = 64;
    config.beside = {.state = 2, .perWindowToken = 0.5, .window = 8};
    for (const bool prefixes : {false, true}) {
        config.enablePrefixCaching = prefixes;
        // Of four tokens: 1 + 2 + 2 blocks; of eight: 2 + 2 + 4; of twelve: 3 + 2 + 4.
        config.numGpuBlocks = 101;
        const auto alone = stepsOf(scenario(config, {request(0, 0, 3, 8)}));
        ASSERT_EQ(alone.size(), 8U);
        EXPECT_EQ(alone[0].freeScheduled, 95);
        EXPECT_EQ(alone[0].besideScheduled, 4);
        EXPECT_EQ(alone[2].freeScheduled, 92);
        EXPECT_EQ(alone[6].freeScheduled, 91);
        EXPECT_EQ(alone[6].besideScheduled, 6);
        EXPECT_EQ(alone[7].free, 100);
        config.numGpuBlocks = 11; // ten usable hold two of four tokens
        const auto three = described(
            stepsOf(scenario(config, {request(0, 0, 4, 1), request(1, 0, 4, 1), request(2, 0, 4, 1)})));
        EXPECT_THAT(three, ElementsAre("0:4 1:4 !0 !1", "2:4 !2"));
        // The fifth token of both takes three more each.
        EXPECT_THAT(described(stepsOf(scenario(config, {request(0, 0, 4, 3), request(1, 0, 4, 3)}))),
                    ElementsAre("0:4 1:4", "0:1 -1", "0:1 !0", prefixes ? "1:1" : "1:5", "1:1 !1"));
    }
}

TEST(VllmV1Test, TheReservationAdmitsOnlyWholePrompts) {
    VllmConfig config = small();
    config.numGpuBlocks = 6;
    const std::vector<ScheduleRequest> requests{request(0, 0, 4, 3), request(1, 0, 16, 1)};
    // 1 needs four blocks; after 0 has its second only three are left.
    EXPECT_EQ(described(stepsOf(scenario(config, requests)))[0], "0:4 1:4");
    config.numGpuBlocks = 5;
    EXPECT_EQ(described(stepsOf(scenario(config, requests)))[0], "0:4");
    for (const VllmVersion version : {VllmVersion::March2026, VllmVersion::October2025}) {
        config.version = version;
        EXPECT_EQ(described(stepsOf(scenario(config, requests)))[0], "0:4 1:4");
    }
    config.version = VllmVersion::Latest;
    config.schedulerReserveFullIsl = false;
    EXPECT_EQ(described(stepsOf(scenario(config, requests)))[0], "0:4 1:4");
}

TEST(VllmV1Test, TheWatermarkHoldsForAdmissionsBesideOthers) {
    VllmConfig config = small();
    config.numGpuBlocks = 11;
    config.watermark = 0.8; // eight blocks
    EXPECT_THAT(described(stepsOf(scenario(config, {request(0, 0, 4, 1), request(1, 0, 4, 1)}))),
                ElementsAre("0:4 1:4 !0 !1"));
    EXPECT_THAT(described(stepsOf(scenario(config, {request(0, 0, 4, 1), request(1, 0, 5, 1)}))),
                ElementsAre("0:4 !0", "1:5 !1"));
}

TEST(VllmV1Test, AFollowerHitsThePrefixItsPredecessorLeft) {
    VllmConfig config = small();
    config.enablePrefixCaching = true;
    config.maxNumBatchedTokens = 64;
    ScheduleRequest second = follower(1, 0, 0, 14, 1);
    // The prompt of 0 (6 tokens), its first two outputs, and six more.
    second.prompt = {{1'000'000, 6}, {1'500'000, 2}, {7, 6}};
    const auto steps = stepsOf(scenario(config, {request(0, 0, 6, 4), second}));
    ASSERT_EQ(steps.size(), 5U);
    EXPECT_THAT(steps[4].hits, ElementsAre(RequestTokens{1, 8}));
    EXPECT_THAT(described(steps).back(), "1:6 !1");
}

TEST(VllmV1Test, TheLastTokenOfACachedPromptIsComputedAgain) {
    VllmConfig config = small();
    config.enablePrefixCaching = true;
    ScheduleRequest second = request(1, 0, 8, 1);
    second.prompt = request(0, 0, 8, 1).prompt;
    config.maxNumBatchedTokens = 64;
    const auto steps = stepsOf(scenario(config, {request(0, 0, 8, 1), second}));
    EXPECT_THAT(described(steps), ElementsAre("0:8 1:4 !0 !1")); // in the very same step
    EXPECT_EQ(steps[0].freeScheduled, 97);                       // one of the blocks is shared
}

TEST(VllmV1Test, AsynchronouslyAFinishedRequestLeavesOneStepLater) {
    VllmConfig config = small();
    config.asyncScheduling = true;
    config.maxNumSeqs = 1;
    const auto steps = stepsOf(scenario(config, {request(0, 0, 4, 2), request(1, 0, 4, 1)}));
    EXPECT_THAT(described(steps), ElementsAre("0:4", "0:1", "!0", "1:4", "!1"));
    EXPECT_EQ(steps[0].updateOf, std::nullopt);
    EXPECT_EQ(steps[1].updateOf, 0);
    EXPECT_THAT(steps[1].emitted, ElementsAre(0));
}

TEST(VllmV1Test, PriorityGoesBeforeArrivalAndPreemptsTheLeastUrgent) {
    VllmConfig config = small();
    config.policy = VllmPolicy::Priority;
    config.maxNumSeqs = 1;
    std::vector<ScheduleRequest> requests{request(0, 0, 2, 1), request(1, 0, 2, 1), request(2, 0, 2, 1)};
    requests[0].priority = 5;
    requests[2].priority = -1;
    EXPECT_THAT(described(stepsOf(scenario(config, requests))), ElementsAre("2:2 !2", "1:2 !1", "0:2 !0"));

    config.maxNumSeqs = 8;
    config.maxNumBatchedTokens = 64;
    config.numGpuBlocks = 5;
    // 1 needs a third block and takes those of 0, which had its token of this step already.
    requests = {request(0, 0, 5, 4), request(1, 1, 8, 3)};
    requests[0].priority = 1;
    const auto steps = stepsOf(scenario(config, requests));
    EXPECT_THAT(described(steps), ElementsAre("0:5", "0:1 1:8", "1:1 -0", "1:1 !1", "0:7", "0:1 !0"));
    EXPECT_EQ(steps[2].total, 1);
}

TEST(VllmV1Test, TheContextEndsARequest) {
    VllmConfig config = small();
    config.maxModelLen = 6;
    EXPECT_THAT(described(stepsOf(scenario(config, {request(0, 0, 4, 50)}))), ElementsAre("0:4", "0:1 !0"));
}

TEST(VllmV1Test, TimeJumpsToTheNextArrival) {
    const auto steps = stepsOf(scenario(small(), {request(0, 3, 4, 1), follower(1, 0, 10, 4, 1)}));
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[0].t, 3);
    EXPECT_EQ(steps[1].t, 14);
}

} // namespace
} // namespace loadline
