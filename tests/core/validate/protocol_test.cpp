// The requests of the benchmark client.
#include "core/validate/protocol.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace loadline {
namespace {

ServerSettings fourUsers() {
    ServerSettings settings;
    settings.promptTokens = 1024;
    settings.outputTokens = 8192;
    settings.lengthRatio = 0.8;
    settings.users = 4;
    return settings;
}

TEST(Protocol, drawsAllPromptsThenAllOutputs) {
    const auto plan = servingPlanOf(fourUsers());
    ASSERT_TRUE(plan);
    ASSERT_EQ(plan->requests.size(), 40U);
    EXPECT_EQ(plan->users, 4);
    EXPECT_EQ(plan->requests[0], (PlannedRequest{.prompt = 991, .output = 7865}));
    EXPECT_EQ(plan->requests[3], (PlannedRequest{.prompt = 1011, .output = 7192}));
    for (const PlannedRequest& request : plan->requests) {
        EXPECT_GE(request.prompt, 819);
        EXPECT_LE(request.prompt, 1024);
        EXPECT_GE(request.output, 6553);
        EXPECT_LE(request.output, 8192);
    }
}

TEST(Protocol, warmsUpSinceTheDateOfTheOption) {
    ServerSettings settings = fourUsers();
    EXPECT_EQ(servingPlanOf(settings)->warmUpCopies, 0);
    settings.measuredFrom = 20260120;
    EXPECT_EQ(servingPlanOf(settings)->warmUpCopies, 0);
    settings.measuredFrom = 20260121;
    EXPECT_EQ(servingPlanOf(settings)->warmUpCopies, 8);
    EXPECT_EQ(servingPlanOf(settings)->requests, servingPlanOf(fourUsers())->requests);
}

TEST(Protocol, fixedLengthsAndLengthsOfOneToken) {
    ServerSettings settings = fourUsers();
    settings.lengthRatio = 1;
    settings.outputTokens = 1;
    const auto fixed = servingPlanOf(settings);
    EXPECT_TRUE(std::ranges::all_of(fixed->requests, [](const PlannedRequest& request) {
        return request == PlannedRequest{.prompt = 1024, .output = 1};
    }));
    settings.lengthRatio = 0.5; // int(0.5) = 0 is no length
    EXPECT_TRUE(std::ranges::all_of(servingPlanOf(settings)->requests,
                                    [](const PlannedRequest& request) { return request.output == 1; }));
}

TEST(Protocol, givesOneEngineItsShare) {
    ServerSettings settings = fourUsers();
    const auto whole = servingPlanOf(settings);
    settings.dataParallel = 2;
    const auto half = servingPlanOf(settings);
    ASSERT_EQ(half->requests.size(), 20U);
    EXPECT_EQ(half->users, 2);
    EXPECT_EQ(half->requests[1], whole->requests[2]);
}

TEST(Protocol, refusesTooMuch) {
    ServerSettings settings = fourUsers();
    settings.users = mostPlannedRequests;
    EXPECT_FALSE(servingPlanOf(settings));
    settings.users = 1000;
    settings.outputTokens = mostPlannedTokens / 1000;
    EXPECT_FALSE(servingPlanOf(settings));
}

} // namespace
} // namespace loadline
