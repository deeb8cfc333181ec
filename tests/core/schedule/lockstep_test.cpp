// MLX and Vidur on scenarios small enough to be computed by hand.
#include "make_scenario.h"

#include <gmock/gmock.h>

namespace loadline {
namespace {

using test::described;
using test::request;
using test::scenario;
using test::stepsOf;
using testing::ElementsAre;

TEST(MlxBatchTest, PromptsArePaddedToTheLongestAndAnswerOneCallAfterTheirLastToken) {
    MlxConfig config;
    config.prefillStepSize = 4;
    const auto steps = stepsOf(scenario(config, {request(0, 0, 3, 1), request(1, 0, 8, 1)}));
    ASSERT_EQ(steps.size(), 4U);
    EXPECT_THAT(steps[0].forwards, ElementsAre(MlxForward{ForwardKind::Prefill, {0, 1}, 4, 4, {2, 4}}));
    EXPECT_THAT(steps[1].forwards, ElementsAre(MlxForward{ForwardKind::Last, {0}, 1, 3, {}},
                                               MlxForward{ForwardKind::Prefill, {1}, 3, 7, {3}}));
    EXPECT_THAT(steps[2].forwards, ElementsAre(MlxForward{ForwardKind::Decode, {0}, 1, 4, {}},
                                               MlxForward{ForwardKind::Last, {1}, 1, 8, {}}));
    EXPECT_THAT(steps[2].finished, ElementsAre(0));
    EXPECT_THAT(steps[3].finished, ElementsAre(1));
    EXPECT_EQ(steps[3].generationKvWidth, 0);
}

TEST(MlxBatchTest, AFullGenerationBatchStopsPromptsToo) {
    MlxConfig config;
    config.completionBatchSize = 1;
    config.prefillBatchSize = 1;
    const auto steps = stepsOf(scenario(config, {request(0, 0, 1, 2), request(1, 0, 1, 1)}));
    ASSERT_EQ(steps.size(), 4U);
    EXPECT_THAT(steps[1].emitted, ElementsAre(0));
    EXPECT_EQ(steps[1].waitingCount, 1);
    EXPECT_EQ(steps[2].forwards.size(), 2U); // 0 leaves, 1 comes in
    EXPECT_THAT(steps[3].finished, ElementsAre(1));
}

VidurConfig vidur(VidurScheduler scheduler) {
    VidurConfig config;
    config.scheduler = scheduler;
    config.chunkSize = 8;
    config.maxTokensInBatch = 16;
    config.blockSize = 4;
    config.numBlocks = 100;
    config.watermarkBlocksFraction = 0;
    return config;
}

TEST(VidurSarathiTest, DecodesThenPromptsInOneStep) {
    const auto steps =
        stepsOf(scenario(vidur(VidurScheduler::Sarathi), {request(0, 0, 3, 3), request(1, 1, 10, 1)}));
    EXPECT_THAT(described(steps), ElementsAre("0:3", "0:1 1:7", "0:1 1:3 !0 !1"));
}

TEST(VidurVllmV0Test, PromptsFirstAndDecodesAlone) {
    const auto steps =
        stepsOf(scenario(vidur(VidurScheduler::VllmV0), {request(0, 0, 3, 3), request(1, 1, 10, 1)}));
    EXPECT_THAT(described(steps), ElementsAre("0:3", "1:10 !1", "0:1", "0:1 !0"));
    EXPECT_THAT(steps[1].emitted, ElementsAre(1));
}

TEST(VidurVllmV0Test, ThePaddedBatchIsBounded) {
    const auto steps =
        stepsOf(scenario(vidur(VidurScheduler::VllmV0), {request(0, 0, 9, 1), request(1, 0, 2, 1)}));
    EXPECT_THAT(described(steps), ElementsAre("0:9 !0", "1:2 !1")); // 2 x 9 is more than 16
}

TEST(VidurSarathiTest, ADecodeAsksForAFreeBlockEvenIfItNeedsNone) {
    VidurConfig config = vidur(VidurScheduler::Sarathi);
    config.numBlocks = 2;
    const auto steps = stepsOf(scenario(config, {request(0, 0, 5, 2)}));
    EXPECT_THAT(described(steps), ElementsAre("0:5", "0:6 -0 !0"));
}

} // namespace
} // namespace loadline
