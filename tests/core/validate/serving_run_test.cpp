// Runs of a few requests, computed by hand.
#include "core/validate/serving_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace loadline {
namespace {

/// Every step takes 100 us; remembers the work.
class HundredUs : public StepPrices {
public:
    double us(const StepWork& work) override {
        works.push_back(work);
        return price;
    }

    std::vector<StepWork> works;
    double price = 100;
};

ServingSetup setupOf(bool isAsync) {
    ServingSetup setup{.engine = engineSettingsOf({.major = 0, .minor = 19}, 8192, 64),
                       .kvBlocks = 1000,
                       .frontEnd = {.promptTokenUs = 1, .frontEndUs = 50, .outputTokenUs = 0}};
    setup.engine.asyncScheduling = isAsync;
    return setup;
}

ServingPlan planOf(std::vector<PlannedRequest> requests, std::int64_t users) {
    return {.requests = std::move(requests), .users = users, .warmUpCopies = 0};
}

ServingFigures figuresOf(const ServingPlan& plan, const ServingSetup& setup) {
    HundredUs prices;
    const auto figures = runServing(plan, setup, prices);
    EXPECT_TRUE(figures);
    return figures ? *figures : ServingFigures{};
}

TEST(ServingRun, oneUserSendsOneAfterTheOther) {
    const ServingPlan plan = planOf({{.prompt = 10, .output = 3}, {.prompt = 10, .output = 3}}, 1);
    for (const bool isAsync : {false, true}) {
        // Arrives at 60, first token at 160, last at 360; the second one is sent then.
        const ServingFigures figures = figuresOf(plan, setupOf(isAsync));
        EXPECT_DOUBLE_EQ(figures.ttftMs, 0.16);
        EXPECT_DOUBLE_EQ(figures.burstTtftMs, 0.16);
        EXPECT_DOUBLE_EQ(figures.tpotMs, 0.1);
        EXPECT_DOUBLE_EQ(figures.durationS, 720e-6);
        EXPECT_EQ(figures.steps, 6);
        EXPECT_FALSE(figures.isKvBound);
    }
}

TEST(ServingRun, anArrivalWaitsAWholeStepLongerWithAsynchronousScheduling) {
    // They arrive at 60 and 70; the first one's first token is there at 160.
    const ServingPlan plan = planOf({{.prompt = 10, .output = 3}, {.prompt = 10, .output = 3}}, 2);
    const ServingFigures synchronous = figuresOf(plan, setupOf(false));
    EXPECT_DOUBLE_EQ(synchronous.ttftMs, (0.160 + 0.260) / 2);
    EXPECT_EQ(synchronous.steps, 4);
    const ServingFigures asynchronous = figuresOf(plan, setupOf(true));
    EXPECT_DOUBLE_EQ(asynchronous.ttftMs, (0.160 + 0.360) / 2);
    EXPECT_EQ(asynchronous.steps, 5);
    EXPECT_DOUBLE_EQ(asynchronous.tpotMs, 0.1);
}

TEST(ServingRun, describesItsSteps) {
    ServingSetup setup = setupOf(false);
    setup.engine.maxNumBatchedTokens = 9;
    HundredUs prices;
    ASSERT_TRUE(runServing(planOf({{.prompt = 12, .output = 2}}, 1), setup, prices));
    const StepWork first{.decodes = 0,
                         .decodeContext = 0,
                         .chunks = {{.added = 9, .cached = 0}},
                         .sampledRows = 0,
                         .rows = 9,
                         .paddedRows = 9, // beyond the largest graph, 8
                         .isCaptured = false};
    const StepWork second{.decodes = 0,
                          .decodeContext = 0,
                          .chunks = {{.added = 3, .cached = 9}},
                          .sampledRows = 1,
                          .rows = 3,
                          .paddedRows = 4,
                          .isCaptured = true};
    const StepWork third{.decodes = 1,
                         .decodeContext = 13,
                         .chunks = {},
                         .sampledRows = 1,
                         .rows = 1,
                         .paddedRows = 1,
                         .isCaptured = true};
    EXPECT_THAT(prices.works, testing::ElementsAre(first, second, third));
}

TEST(ServingRun, handsTokensOutOneAfterTheOther) {
    ServingSetup setup = setupOf(false);
    setup.frontEnd.outputTokenUs = 10;
    const ServingFigures figures = figuresOf(planOf({{.prompt = 10, .output = 3}}, 1), setup);
    EXPECT_DOUBLE_EQ(figures.ttftMs, 0.17);
    EXPECT_DOUBLE_EQ(figures.tpotMs, 0.1);
    EXPECT_DOUBLE_EQ(figures.durationS, 370e-6);
}

TEST(ServingRun, aRequestOfOneTokenHasNoTimeBetweenTokens) {
    const ServingFigures figures = figuresOf(planOf({{.prompt = 10, .output = 1}}, 1), setupOf(true));
    EXPECT_DOUBLE_EQ(figures.ttftMs, 0.16);
    EXPECT_EQ(figures.tpotMs, 0);
}

TEST(ServingRun, isBoundByFewBlocks) {
    ServingSetup setup = setupOf(true);
    setup.kvBlocks = 5; // one of them is the null block; two requests grow to 3 blocks each
    const ServingPlan plan = planOf({{.prompt = 20, .output = 20}, {.prompt = 20, .output = 20}}, 2);
    const ServingFigures figures = figuresOf(plan, setup);
    EXPECT_TRUE(figures.isKvBound);
    EXPECT_GT(figures.preemptions, 0);
    setup.kvBlocks = 7;
    EXPECT_FALSE(figuresOf(plan, setup).isKvBound);
}

TEST(ServingRun, saysWhyItCannotRun) {
    const ServingPlan plan = planOf({{.prompt = 100, .output = 20}}, 1);
    HundredUs prices;
    ServingSetup setup = setupOf(true);
    setup.kvBlocks = 5;
    EXPECT_THAT(runServing(plan, setup, prices).error().what, testing::HasSubstr("waits for ever"));
    setup.kvBlocks = 0;
    EXPECT_THAT(runServing(plan, setup, prices).error().what, testing::HasSubstr("no memory"));
    setup = setupOf(true);
    setup.engine.maxModelLen = 100;
    EXPECT_THAT(runServing(plan, setup, prices).error().what, testing::HasSubstr("max_model_len is 100"));
    setup.engine.maxModelLen = 110; // ends after 10 tokens
    EXPECT_EQ(runServing(plan, setup, prices)->steps, 10);
    prices.price = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(runServing(plan, setup, prices));
    std::stop_source source;
    source.request_stop();
    prices.price = 1;
    EXPECT_FALSE(runServing(plan, setup, prices, source.get_token()));
}

TEST(ServingRun, schedulesAsItsVersion) {
    ServingSetup setup = setupOf(true);
    EXPECT_EQ(schedulerConfigOf(setup).version, VllmVersion::Latest);
    EXPECT_TRUE(schedulerConfigOf(setup).freedBlocksToBack);
    setup.engine.version = newestVersion;
    EXPECT_FALSE(schedulerConfigOf(setup).freedBlocksToBack);
    setup.engine.version = {.major = 0, .minor = 18};
    EXPECT_EQ(schedulerConfigOf(setup).version, VllmVersion::March2026);
    setup.engine.version = {.major = 0, .minor = 10, .patch = 2};
    EXPECT_EQ(schedulerConfigOf(setup).version, VllmVersion::October2025);
    EXPECT_FALSE(schedulerConfigOf(setup).enablePrefixCaching);
}

} // namespace
} // namespace loadline
