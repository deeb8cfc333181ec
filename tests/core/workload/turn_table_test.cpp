// Drawing: the right frequencies, the same on every platform, each draw by its place alone.
#include "core/workload/source/turn_table.h"

#include "tests/core/workload/make_workload.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace loadline {
namespace {

TEST(RandomStream, IsSplitMix64) {
    // The generator's published test values: seed 0 gives e220a8397b1dcdaf, 6e789e6aa1b965f4, ...
    EXPECT_EQ(scattered(0x9e3779b97f4a7c15U), 0xe220a8397b1dcdafU);
    EXPECT_EQ(scattered(2 * 0x9e3779b97f4a7c15U), 0x6e789e6aa1b965f4U);
    EXPECT_NE(RandomStream(0).at(0), RandomStream(1).at(0));
    EXPECT_NE(seedOf(0, 1), seedOf(1, 0));
}

TEST(RandomStream, BelowIsTheFloorOfTheProduct) {
    EXPECT_EQ(below(1, ~std::uint64_t{0}), 0U);
    EXPECT_EQ(below(10, 0), 0U);
    EXPECT_EQ(below(10, ~std::uint64_t{0}), 9U);
    EXPECT_EQ(below(10, std::uint64_t{1} << 63), 5U);
    EXPECT_EQ(below(10, (std::uint64_t{1} << 63) - 1), 4U);
    EXPECT_EQ(below(0xffffffffU, ~std::uint64_t{0}), 0xfffffffeU);
}

/// Chi square of counts against shares, with at least five expected in each bucket that counts.
double chiSquare(const std::map<Tokens, double>& shares, const std::map<Tokens, double>& counts, double n,
                 int& freedom) {
    double sum = 0;
    freedom = -1;
    for (const auto& [bucket, share] : shares) {
        const double expected = share * n;
        const auto found = counts.find(bucket);
        const double got = found == counts.end() ? 0 : found->second;
        sum += (got - expected) * (got - expected) / expected;
        ++freedom;
    }
    return sum;
}

TEST(DrawTurns, TheReferenceHasThePublishedFrequencies) {
    constexpr std::size_t n = 2'000'000;
    std::map<Tokens, double> input;
    std::map<Tokens, double> output;
    double inputSum = 0;
    double outputSum = 0;
    double product = 0;
    for (const DrawnTurn& turn : drawTurns(referenceWorkload(), n, 11)) {
        ++input[turn.input];
        ++output[turn.output];
        inputSum += turn.input;
        outputSum += turn.output;
        product += std::log2(turn.input) * std::log2(turn.output);
    }
    const TokenDistribution& reference = publishedReference();
    int freedom = 0;
    const double inputChi = chiSquare(reference.input.frequency, input, n, freedom);
    EXPECT_LT(inputChi, freedom + 4 * std::sqrt(2.0 * freedom)); // beyond with chance 1e-3
    const double outputChi = chiSquare(reference.output.frequency, output, n, freedom);
    EXPECT_LT(outputChi, freedom + 4 * std::sqrt(2.0 * freedom));
    EXPECT_EQ(input.size(), reference.input.frequency.size());
    EXPECT_EQ(output.size(), reference.output.frequency.size());
    // Standard deviations of one draw: 5.25e3 and 429.
    EXPECT_NEAR(inputSum / n, 1298.46, 4 * 5.25e3 / std::sqrt(n));
    EXPECT_NEAR(outputSum / n, 114.14, 4 * 429 / std::sqrt(n));
    // Independent: the logarithms do not covary.
    double inputLog = 0;
    double outputLog = 0;
    for (const auto& [bucket, count] : input) {
        inputLog += std::log2(bucket) * count / n;
    }
    for (const auto& [bucket, count] : output) {
        outputLog += std::log2(bucket) * count / n;
    }
    EXPECT_NEAR(product / n - inputLog * outputLog, 0, 4 * 3.0 * 2.6 / std::sqrt(n));
}

TEST(DrawTurns, DependOnSeedAndPlaceAlone) {
    const Workload reference = referenceWorkload();
    const std::vector<DrawnTurn> many = drawTurns(reference, 1000, 3);
    const std::vector<DrawnTurn> few = drawTurns(reference, 10, 3);
    EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
    EXPECT_NE(drawTurns(reference, 1000, 4), many);
    const TurnTable table(reference);
    EXPECT_EQ(table.draw(RandomStream(3), 999), many[999]);
}

TEST(DrawTurns, AreTheSameOnEveryPlatform) {
    std::uint64_t mixed = 0;
    for (const DrawnTurn& turn : drawTurns(referenceWorkload(), 10'000, 1)) {
        mixed = seedOf(mixed, static_cast<std::uint64_t>(turn.input) << 32 |
                                  static_cast<std::uint64_t>(turn.output));
    }
    EXPECT_EQ(mixed, 5916563030166961789U); // as GCC 12 on x86-64 draws them
}

TEST(DrawTurns, OfSessionsAreWholeTurnsThatWereThere) {
    std::map<std::pair<int, int>, int> counts;
    for (const DrawnTurn& turn : drawTurns(test::twoConversations(), 40'000, 5)) {
        ++counts[{turn.input, turn.output}];
    }
    ASSERT_EQ(counts.size(), 4U);
    for (const auto& turn : {std::pair(100, 10), std::pair(20, 1), std::pair(7, 3), std::pair(1, 5)}) {
        EXPECT_NEAR(counts[turn], 10'000, 4 * std::sqrt(40'000 * 0.25 * 0.75)) << turn.first;
    }
}

TEST(DrawTurns, OfATraceReachEveryRequest) {
    const Workload trace = test::tracedEvery(1, 100);
    std::map<int, int> outputs;
    for (const DrawnTurn& turn : drawTurns(trace, 20'000, 5)) {
        ASSERT_EQ(turn.input, turn.output + 999);
        ++outputs[turn.output];
    }
    EXPECT_EQ(outputs.size(), 100U);
}

TEST(DrawTurns, HoldsExtremeShares) {
    Workload workload;
    workload.distribution.input.frequency = {{1, 1.0}};
    workload.distribution.output.frequency = {{1, 1e-6}, {2, 0.0}, {Tokens{1} << 30, 0.999999}};
    std::map<int, int> outputs;
    for (const DrawnTurn& turn : drawTurns(workload, 1'000'000, 2)) {
        ASSERT_EQ(turn.input, 1);
        ++outputs[turn.output];
    }
    EXPECT_EQ(outputs.count(2), 0U);
    EXPECT_LT(outputs[1], 10);
    EXPECT_EQ(outputs[1] + outputs[1 << 30], 1'000'000);
}

} // namespace
} // namespace loadline
