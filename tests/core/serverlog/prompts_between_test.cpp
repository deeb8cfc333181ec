// The cost of prompts in between is measured on lines that are filled, at a like batch, of several streams.
#include "tests/core/serverlog/made_up_statistics.h"

#include <algorithm>
#include <vector>

namespace loadline {
namespace {

using test::findingOn;
using test::says;
using test::vllmLines;
using test::VllmStats;

/// Lines of a server whose streams decode at one rate whatever runs beside them. Every `every` seconds a
/// request with a prompt of `prompt` tokens comes, and decodes for `answerS`.
std::string atOneRate(double rate, double every, double answerS, int lines, double prompt = 1000) {
    constexpr double lineS = 10;
    return vllmLines(lines, [=](int i) {
        const double toS = lineS * (i + 1);
        VllmStats line{.output = 0, .running = 0};
        for (double at = every / 3; at < toS; at += every) {
            line.prompt += at >= toS - lineS ? prompt / lineS : 0;
            line.output +=
                rate * std::max(std::min(at + answerS, toS) - std::max(at, toS - lineS), 0.0) / lineS;
            line.running += at + answerS > toS ? 1 : 0;
        }
        return line;
    });
}

TEST(PromptsBetween, LinesThatRequestsFillInPartDoNotCompare) {
    for (const auto& [every, answerS] :
         {std::pair(37.0, 33.0), std::pair(23.0, 21.0), std::pair(17.0, 41.0)}) {
        const Finding finding = findingOn(atOneRate(40, every, answerS, 360), "prefill_interleaving");
        EXPECT_NE(finding.verdict, Verdict::Supported) << every << ' ' << finding.reason;
        EXPECT_FALSE(says(finding.reason, "1 stream,")) << finding.reason;
    }
}

TEST(PromptsBetween, OneStreamHasNoOthers) {
    const Finding finding = findingOn(
        vllmLines(60,
                  [](int i) {
                      return i % 2 == 0 ? VllmStats{.prompt = 500, .output = 25} : VllmStats{.output = 40};
                  }) +
            vllmLines(1, [](int) { return VllmStats{.prompt = 9, .running = 2}; }),
        "prefill_interleaving");
    EXPECT_NE(finding.verdict, Verdict::Supported) << finding.reason;
}

TEST(PromptsBetween, ALossThatOneAbsentStreamExplainsIsNone) {
    const auto losing = [](double loss, int waiting) {
        return vllmLines(60, [=](int i) {
            return i % 2 == 0 ? VllmStats{.prompt = 900,
                                          .output = 400 * (1 - loss),
                                          .running = 4,
                                          .waiting = waiting}
                              : VllmStats{.output = 400, .running = 4, .waiting = waiting};
        });
    };
    const Finding open = findingOn(losing(0.2, 0), "prefill_interleaving");
    EXPECT_EQ(open.verdict, Verdict::NotExcluded) << open.reason;
    EXPECT_TRUE(says(open.reason, "one stream that began in between explains (25.0 %)")) << open.reason;
    const Finding queued = findingOn(losing(0.2, 3), "prefill_interleaving");
    EXPECT_EQ(queued.verdict, Verdict::Supported) << queued.reason << ": one that ends is replaced at once";
    EXPECT_TRUE(says(queued.reason, "20.0 % less")) << queued.reason;
    EXPECT_EQ(findingOn(losing(0.5, 0), "prefill_interleaving").verdict, Verdict::Supported);
}

TEST(PromptsBetween, OneLineIsTooFewAndSaysSo) {
    const Finding finding =
        findingOn(vllmLines(5,
                            [](int i) {
                                return i == 2 ? VllmStats{.prompt = 900, .output = 700, .running = 18}
                                              : VllmStats{.output = 1200, .running = 18};
                            }),
                  "prefill_interleaving");
    EXPECT_EQ(finding.verdict, Verdict::NotExcluded);
    EXPECT_TRUE(says(finding.reason, "too few")) << finding.reason;
    EXPECT_FALSE(says(finding.reason, "No line without them has a like batch")) << finding.reason;
}

TEST(PromptsBetween, NearlyAllTokensOfPromptsAreACause) {
    const Finding finding = findingOn(
        vllmLines(
            5, [](int) { return VllmStats{.prompt = 24'000, .output = 50, .running = 20, .waiting = 90}; }),
        "prefill_interleaving");
    EXPECT_EQ(finding.verdict, Verdict::Supported) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "99.8 % of the tokens") && says(finding.reason, "600 tokens of prompts"))
        << finding.reason;
    const Finding few =
        findingOn(vllmLines(5, [](int) { return VllmStats{.prompt = 900, .output = 80, .running = 2}; }),
                  "prefill_interleaving");
    EXPECT_NE(few.verdict, Verdict::Supported) << few.reason << ": 15 tokens a step cost nothing";
}

} // namespace
} // namespace loadline
