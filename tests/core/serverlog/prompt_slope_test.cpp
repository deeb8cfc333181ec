// The cost of prompts where no line is free of them.
#include "core/serverlog/verdict/prompt_slope.h"

#include "core/serverlog/files/server_log_reader.h"
#include "tests/core/serverlog/made_up_statistics.h"

namespace loadline {
namespace {

using test::findingOn;
using test::says;
using test::vllmLines;
using test::VllmStats;

/// Each token of a prompt takes `seconds` from decoding, in which each stream has 40 tokens/s.
std::string promptLog(double seconds) {
    return vllmLines(60, [seconds](int i) {
        const int running = 5 + i / 2 % 4;
        const double prompt = 1500 + 700 * (i * 7 % 5) + 100 * (running - 5);
        return VllmStats{
            .prompt = prompt, .output = 40.0 * running * (1 - seconds * prompt) + i % 3, .running = running};
    });
}

TEST(PromptSlope, FallingOutputTellsWhatPromptsCost) {
    const Finding finding = findingOn(promptLog(1.2e-4), "prefill_interleaving");
    EXPECT_EQ(finding.verdict, Verdict::Supported) << finding.reason;
    const std::optional<PromptSlope> slope = promptSlopeOf(serverLogOf(promptLog(1.2e-4)));
    ASSERT_TRUE(slope);
    EXPECT_NEAR(slope->loss, 1.2e-4 * slope->promptTokensPerS, 0.03); // 36 %
    EXPECT_TRUE(says(finding.reason, "output falls as prompts rise")) << finding.reason;
}

TEST(PromptSlope, PromptsThatCostNothingTellNone) {
    EXPECT_FALSE(promptSlopeOf(serverLogOf(promptLog(0))));
    EXPECT_EQ(findingOn(promptLog(0), "prefill_interleaving").verdict, Verdict::NotExcluded);
}

TEST(PromptSlope, MoreRequestsBringMoreOfBoth) {
    const std::string text = vllmLines(60, [](int i) {
        const int running = 2 + i * 5 % 9;
        return VllmStats{.prompt = 300.0 * running + i % 7, .output = 35.0 * running, .running = running};
    });
    EXPECT_FALSE(promptSlopeOf(serverLogOf(text)));
}

TEST(PromptSlope, AlmostAllTokensOfPromptsFillTheSteps) {
    const std::string text = vllmLines(40, [](int i) {
        return VllmStats{.prompt = 8000, .output = 900.0 + i % 3, .running = 60, .waiting = 80};
    });
    EXPECT_EQ(findingOn(text, "prefill_interleaving").verdict, Verdict::Supported)
        << findingOn(text, "prefill_interleaving").reason; // 89.9 % of the tokens, 533 a step
}

} // namespace
} // namespace loadline
