// Answers that share a round length have a cap only where chance does not explain it.
#include "core/serverlog/verdict/log_evidence.h"
#include "tests/core/serverlog/made_up_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace loadline {
namespace {

Finding capOf(const std::vector<double>& lengths) {
    ServerLog log;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        LogRequest& request = log.requests.emplace_back();
        request.first = request.last = {0, i + 1};
        request.outputTokens = lengths[i];
    }
    const std::vector<ObservedRate> rates;
    const std::optional<SpeedOfLight> light;
    const ServedOn served;
    return outputCap({log, rates, light, served});
}

/// 322 answers of 20 to 900 tokens, no two of the same length; none of 256.
std::vector<double> answers() {
    std::vector<double> lengths;
    for (int i = 0; i < 322; ++i) {
        const double length = 20 + i * 880 / 321;
        lengths.push_back(length == 256 ? 257 : length);
    }
    return lengths;
}

std::vector<double> answersUpTo(double cap) {
    std::vector<double> lengths = answers();
    std::ranges::transform(lengths, lengths.begin(), [cap](double length) { return std::min(length, cap); });
    return lengths;
}

TEST(OutputCap, TwoAnswersOfARoundLengthAmongManyAreChance) {
    std::vector<double> lengths = answers();
    lengths[90] = lengths[91] = 256;
    const Finding finding = capOf(lengths);
    EXPECT_EQ(finding.verdict, Verdict::NotExcluded) << finding.reason;
    EXPECT_TRUE(test::says(finding.reason, "2 of 322 answers ended at exactly 256 tokens")) << finding.reason;
}

TEST(OutputCap, ALengthThatNoneExceedsIsACap) {
    const Finding finding = capOf(answersUpTo(512));
    EXPECT_EQ(finding.verdict, Verdict::Supported) << finding.reason;
    EXPECT_TRUE(test::says(finding.reason, "ended at exactly 512 tokens")) << finding.reason;
}

TEST(OutputCap, ACapNeedNotBeRound) {
    const Finding finding = capOf(answersUpTo(700));
    EXPECT_EQ(finding.verdict, Verdict::Supported) << finding.reason;
    EXPECT_TRUE(test::says(finding.reason, "have the same length, 700 tokens, and none is longer"));
    EXPECT_EQ(capOf(std::vector<double>(50, 700)).verdict, Verdict::NotExcluded) << "a benchmark's choice";
}

TEST(OutputCap, ACapOfOneClientAmongOthersIsFound) {
    std::vector<double> lengths = answers();
    std::fill_n(lengths.begin(), 12, 256.0);
    const Finding finding = capOf(lengths);
    EXPECT_EQ(finding.verdict, Verdict::Supported) << finding.reason;
    EXPECT_TRUE(test::says(finding.reason, "12 of 322 answers")) << finding.reason;
}

TEST(OutputCap, ChanceDoesNotHideACap) {
    std::vector<double> lengths = answers();
    std::fill_n(lengths.begin() + 90, 3, 256.0);
    lengths.insert(lengths.end(), 2, 1024.0);
    const Finding finding = capOf(lengths);
    EXPECT_EQ(finding.verdict, Verdict::Supported) << finding.reason;
    EXPECT_TRUE(test::says(finding.reason, "2 of 324 answers ended at exactly 1\u202f024")) << finding.reason;
}

} // namespace
} // namespace loadline
