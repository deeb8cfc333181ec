// MLX on scenarios small enough to be computed by hand.
#include "make_scenario.h"

#include <gmock/gmock.h>

namespace loadline {
namespace {

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

} // namespace
} // namespace loadline
