// Tokens/s count accepted tokens; how many a step gives is a finding of its own.
#include "core/serverlog/files/server_log_reader.h"
#include "tests/core/serverlog/made_up_statistics.h"

namespace loadline {
namespace {

using test::findingOn;
using test::says;
using test::vllmLines;
using test::VllmStats;

constexpr int halfAnHour = 180;

std::string acceptanceFalls() {
    return vllmLines(halfAnHour, [](int i) {
        const double accepted = i < halfAnHour / 2 ? 3.5 : 1.5;
        return VllmStats{.output = 40 * accepted, .accepted = accepted};
    });
}

TEST(SpeculativeDecoding, AFallIsToldInTokensAndInSteps) {
    const Finding finding =
        findingOn(vllmLines(halfAnHour,
                            [](int i) { return VllmStats{.output = i < 90 ? 120.0 : 60.0, .accepted = 3}; }),
                  "thermal_decay");
    EXPECT_EQ(finding.verdict, Verdict::Supported) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "20 steps/s (60 tokens/s)")) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "40 steps/s (120 tokens/s)")) << finding.reason;
    EXPECT_FALSE(says(finding.reason, "has 20 tokens/s")) << finding.reason;
}

TEST(SpeculativeDecoding, AFallingAcceptanceIsACauseOfItsOwn) {
    const Finding acceptance = findingOn(acceptanceFalls(), "draft_acceptance");
    EXPECT_EQ(acceptance.verdict, Verdict::Supported) << acceptance.reason;
    EXPECT_TRUE(says(acceptance.reason, "1.5 tokens, 57.1 % fewer than the 3.5")) << acceptance.reason;
    EXPECT_TRUE(says(acceptance.reason, "60 tokens/s there and 140 before")) << acceptance.reason;
    const Finding heat = findingOn(acceptanceFalls(), "thermal_decay");
    EXPECT_EQ(heat.verdict, Verdict::Excluded) << heat.reason;
    EXPECT_TRUE(says(heat.reason, "in steps/s")) << heat.reason;
}

TEST(SpeculativeDecoding, OneStreamWhoseAcceptanceFallsIsOneStream) {
    const Finding alone = findingOn(acceptanceFalls(), "concurrent_requests");
    EXPECT_EQ(alone.verdict, Verdict::Excluded) << alone.reason;
    EXPECT_TRUE(says(alone.reason, "acceptance of drafts taken out")) << alone.reason;
}

TEST(SpeculativeDecoding, ASteadyAcceptanceIsExcludedWithEnoughTimeAlone) {
    const auto steady = [](int) { return VllmStats{.output = 120, .accepted = 3}; };
    EXPECT_EQ(findingOn(vllmLines(halfAnHour, steady), "draft_acceptance").verdict, Verdict::Excluded);
    const Finding few = findingOn(vllmLines(8, steady), "draft_acceptance");
    EXPECT_EQ(few.verdict, Verdict::NotExcluded) << few.reason;
    EXPECT_TRUE(says(few.reason, "A step gives each stream 3 tokens")) << few.reason;
}

TEST(SpeculativeDecoding, WithoutDraftsNothingIsSaidOfIt) {
    const std::string text = vllmLines(20, [](int) { return VllmStats{}; });
    for (const Finding& finding : verdictOf(serverLogOf(text), {}).findings) {
        EXPECT_NE(finding.key, "draft_acceptance");
    }
}

} // namespace
} // namespace loadline
