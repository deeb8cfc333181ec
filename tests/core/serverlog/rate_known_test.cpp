// A line's throughput over its running requests is a rate, or bounds one, only where as many ran throughout.
#include "core/serverlog/light/rate_known.h"

#include "core/serverlog/files/server_log_reader.h"
#include "tests/core/serverlog/made_up_statistics.h"

namespace loadline {
namespace {

using test::vllmLine;

/// The rates of lines of ten seconds.
std::vector<ObservedRate> ratesOf(const std::vector<test::VllmStats>& lines) {
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        text += vllmLine(lines[i], 10 * static_cast<int>(i));
    }
    return observedRatesOf(serverLogOf(text));
}

TEST(RateKnown, ALineThatHoldsPromptsBoundsNothing) {
    // Six of 64 tokens/s each ran for most of the time, and one is left: 64 is no "160 or more".
    const auto rates = ratesOf({{.output = 384, .running = 6}, {.prompt = 200, .output = 320, .running = 2}});
    ASSERT_EQ(rates.size(), 2U);
    EXPECT_EQ(knownOf(rates[1]), RateKnown::Untold);
    EXPECT_DOUBLE_EQ(shownRate(rates[1]), 80);
    EXPECT_NEAR(rates[1].lowest, 53.3, 0.1);
    EXPECT_DOUBLE_EQ(rates[1].highest, 160);
    EXPECT_DOUBLE_EQ(untoldTogether(rates), 80);
}

TEST(RateKnown, WithoutPromptsRequestsOnlyEnd) {
    const auto rates = ratesOf(
        {{.output = 400, .running = 4}, {.output = 300, .running = 2}, {.output = 150, .running = 2}});
    ASSERT_EQ(rates.size(), 3U);
    EXPECT_EQ(knownOf(rates[1]), RateKnown::Between);
    EXPECT_DOUBLE_EQ(rates[1].lowest, 75);
    EXPECT_DOUBLE_EQ(rates[1].highest, 150);
    EXPECT_EQ(knownOf(rates[2]), RateKnown::Exact);
    EXPECT_DOUBLE_EQ(shownRate(rates[2]), 75);
}

TEST(RateKnown, AFullBatchBoundsItsRateFromBelow) {
    const test::VllmStats full{.prompt = 300, .output = 800, .running = 16, .waiting = 5};
    EXPECT_EQ(knownOf(ratesOf({full, full, full})[2]), RateKnown::AtLeast);
    test::VllmStats more = full;
    more.running = 20; // so that 16 is no limit, and more may have run in between
    EXPECT_EQ(knownOf(ratesOf({more, full, full})[2]), RateKnown::Untold);
    test::VllmStats none = full;
    none.waiting = 0;
    EXPECT_EQ(knownOf(ratesOf({none, none, none})[2]), RateKnown::Untold);
}

} // namespace
} // namespace loadline
