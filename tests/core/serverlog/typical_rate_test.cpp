// Medians of what a log tells: of an even number the mean of the two in the middle.
#include "core/base/statistics.h"
#include "core/serverlog/files/server_log_reader.h"
#include "core/serverlog/verdict/log_evidence.h"
#include "core/serverlog/verdict/log_figure.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace loadline {
namespace {

ObservedRate rateOf(double tokensPerS, double streams, double context, std::uint64_t line) {
    ObservedRate rate{.where = {0, line}, .tokensPerS = tokensPerS, .streams = streams};
    rate.contextLow = rate.contextHigh = context;
    return rate;
}

TEST(TypicalRate, OfAnEvenNumberIsTheMeanOfTheMiddleTwo) {
    EXPECT_DOUBLE_EQ(medianOf({734.9, 589.8}), (734.9 + 589.8) / 2);
    EXPECT_DOUBLE_EQ(medianOf({10, 12.5, 13.64, 8.53}), 11.25);
    EXPECT_DOUBLE_EQ(medianOf({3, 1, 2}), 2);
    EXPECT_FALSE(isTold(medianOf({})));
    const std::vector<ObservedRate> rates{rateOf(10, 2, 100, 1), rateOf(12.5, 4, 300, 2),
                                          rateOf(13.64, 9, 900, 3), rateOf(8.53, 1, 50, 4)};
    const auto typical = typicalRate(rates);
    ASSERT_TRUE(typical);
    EXPECT_DOUBLE_EQ(typical->rate.tokensPerS, 11.25);
    EXPECT_DOUBLE_EQ(typical->rate.streams, 3);
    EXPECT_DOUBLE_EQ(typical->rate.contextLow, 200);
    EXPECT_EQ(typical->where, (std::vector<LogLine>{{0, 1}, {0, 2}}));
    EXPECT_EQ(typicalRate({rates[0]})->where, (std::vector<LogLine>{{0, 1}}));
    EXPECT_FALSE(typicalRate({}));
}

TEST(TypicalRate, LowerBoundsStandForAllOnlyWhereThereIsNothingElse) {
    std::vector<ObservedRate> rates{rateOf(10, 1, 0, 1), rateOf(99, 1, 0, 2)};
    rates[1].atLeast = true;
    EXPECT_EQ(typicalRate(rates)->rate.tokensPerS, 10);
    rates[0].atLeast = true;
    EXPECT_EQ(typicalRate(rates)->rate.tokensPerS, 54.5);
}

TEST(TypicalRate, IsWhatTheHeadlineTells) {
    std::string text;
    for (const double rate : {623.9, 598.3, 579.1, 563.1}) {
        text +=
            fmt::format("INFO 09-06 04:08:38 [loggers.py:122] Engine 000: Avg prompt throughput: 0.0 "
                        "tokens/s, Avg generation throughput: {:.1f} tokens/s, Running: 32 reqs, Waiting: 0 "
                        "reqs, GPU KV cache usage: 14.1%, Prefix cache hit rate: 0.0%\n",
                        rate);
    }
    EXPECT_TRUE(
        verdictOf(serverLogOf(text), {}).headline.starts_with("Each of 32 streams decodes at 18.4 tokens/s"));
}

} // namespace
} // namespace loadline
