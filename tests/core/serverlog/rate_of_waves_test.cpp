// Rates where lines are no samples of random instants: waves of requests in step with lines, long prompts.
#include "tests/core/serverlog/made_up_statistics.h"

#include <algorithm>

namespace loadline {
namespace {

using test::findingOn;
using test::headlineOn;
using test::says;
using test::vllmLine;
using test::VllmStats;

/// Waves of 20 requests of 300 s of a stream altogether: 15 s each at 40 tokens/s, `afterS` the last line.
std::string waves(int count, double afterS, bool drifts = false) {
    std::string text;
    for (int wave = 0; wave < count; ++wave) {
        double left = 15;
        double room = 10 - (drifts ? static_cast<int>(afterS + 3.7 * wave) % 10 : afterS);
        for (int i = 1; i <= 6; ++i) {
            const double ran = std::min(left, room);
            left -= ran;
            room = 10;
            text +=
                vllmLine({.output = 20 * 40 * ran / 10, .running = left > 0 ? 20 : 0}, 60 * wave + 10 * i);
        }
    }
    return text;
}

TEST(RateOfWaves, WavesInStepWithTheLinesAreBounded) {
    const std::string headline = headlineOn(waves(30, 0));
    EXPECT_TRUE(says(headline, "A stream decodes at 30 tokens/s or more while it runs")) << headline;
    EXPECT_FALSE(says(headline, "interval")) << headline;
}

TEST(RateOfWaves, LinesWithinAWaveTellItsRate) {
    const std::string headline = headlineOn(waves(30, 6));
    EXPECT_TRUE(says(headline, "Each of 20 streams decodes at 40 tokens/s, 800 together (median of 30 lines "
                               "within which as many ran"))
        << headline;
}

TEST(RateOfWaves, WavesThatBeginAtAnyMomentHaveAnInterval) {
    const std::string headline = headlineOn(waves(30, 0, true));
    EXPECT_FALSE(says(headline, "same moment")) << headline;
}

/// A prompt of `promptS` before each 10 lines of decoding of a second.
std::string longPrompts(int promptS) {
    std::string text;
    int now = 0;
    const auto stamp = [&now] {
        return fmt::format("[2026-06-01 {:02}:{:02}:{:02} TP0] ", 10 + now / 3600, now / 60 % 60, now % 60);
    };
    for (int prompt = 0; prompt < 60; ++prompt) {
        text += stamp() +
                "Prefill batch, #new-seq: 1, #new-token: 8000, #cached-token: 0, token usage: 0.00, "
                "#running-req: 2, #queue-req: 0, \n";
        now += promptS;
        for (int i = 0; i < 10; ++i) {
            ++now;
            text += stamp() +
                    fmt::format("Decode batch, #running-req: 2, #token: 9000, token usage: 0.00, cuda graph: "
                                "True, gen throughput (token/s): {:.2f}, #queue-req: 0, \n",
                                i == 0 ? 100.0 / (1 + promptS) : 100.0);
        }
    }
    return text;
}

TEST(RateOfWaves, TimeWithPromptsCountsByItsLength) {
    const std::string headline = headlineOn(longPrompts(20));
    EXPECT_TRUE(says(headline, "Each of 2 streams decodes at about 16.6 tokens/s, 33.3 together"))
        << headline;
    EXPECT_FALSE(says(headlineOn(longPrompts(0)), "between prompts")) << headlineOn(longPrompts(0));
}

TEST(RateOfWaves, AFrozenEngineOfSeveralIsNamed) {
    std::string text;
    for (int i = 1; i <= 120; ++i) {
        for (int engine = 0; engine < 3; ++engine) {
            const bool frozen = engine == 2 && i > 40;
            text += vllmLine({.output = frozen ? 0.0 : 100.0, .running = 2}, 10 * i, engine);
        }
    }
    const Finding finding = findingOn(text, "no_progress");
    EXPECT_EQ(finding.verdict, Verdict::Supported);
    EXPECT_TRUE(says(finding.reason, "No token came out of engine 2 for 13 min 20 s")) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "while others went on")) << finding.reason;
    EXPECT_TRUE(says(std::string(finding.claim), "One engine")) << finding.claim;
    EXPECT_TRUE(says(headlineOn(text), "of engine 2")) << headlineOn(text);
}

/// Requests of one slot, one after the other; drafts fit less in the second half, and steps take as long.
std::string drafts() {
    std::string text;
    double now = 0;
    const auto stamp = [&now] {
        const auto ms = static_cast<int>(now * 1000);
        return fmt::format("{}.{:02}.{:03}.000 I ", ms / 60'000, ms / 1000 % 60, ms % 1000);
    };
    for (int task = 0; task < 120; ++task) {
        const int accepted = task < 60 ? 160 : 80;
        const double seconds = (200 - accepted) * 0.05;
        text += stamp() + fmt::format("slot launch_slot_: id  0 | task {} | processing task\n", task);
        now += 0.1 + seconds;
        text +=
            stamp() + fmt::format("slot print_timing: id  0 | task {} | \n", task) +
            fmt::format("prompt eval time =     100.00 ms /    50 tokens (    2.00 ms per token,   500.00 "
                        "tokens per second)\n"
                        "       eval time =  {:.2f} ms /   200 tokens (   {:.2f} ms per token,    {:.2f} "
                        "tokens per second)\n"
                        "draft acceptance rate = 0.80000 (  {} accepted /   200 generated)\n",
                        1000 * seconds, 5 * seconds, 200 / seconds, accepted) +
            stamp() +
            fmt::format("slot      release: id  0 | task {} | stop processing: n_tokens = 250, truncated = "
                        "0\n",
                        task);
        now += 3;
    }
    return text;
}

TEST(RateOfWaves, LlamaCppsAcceptanceIsReadAndIsNoThrottling) {
    const Finding acceptance = findingOn(drafts(), "draft_acceptance");
    EXPECT_EQ(acceptance.verdict, Verdict::Supported) << acceptance.reason;
    EXPECT_TRUE(says(acceptance.reason, "1.67 tokens, 66.7 % fewer than the 5")) << acceptance.reason;
    EXPECT_NE(findingOn(drafts(), "thermal_decay").verdict, Verdict::Supported);
}

} // namespace
} // namespace loadline
