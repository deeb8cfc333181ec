// When sampling stops, which samples count, and what is flagged.
#include "gpu/protocol/samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace loadline::gpu {
namespace {

using testing::Test;

TEST(MedianInterval, OrderStatisticsOfSmallSamples) {
    // n = 9: P(Bin <= 1) = 10/512 = 1.95 % <= 2.5 %, P(Bin <= 2) is not: the 2nd and the 8th.
    const std::vector<double> nine = {9, 1, 8, 2, 7, 3, 6, 4, 5};
    EXPECT_EQ(medianInterval(nine), (MedianInterval{2, 5, 8}));
    // n = 5: even the extremes do not make 95 %.
    EXPECT_EQ(medianInterval(std::vector<double>{5, 4, 3, 2, 1}), (MedianInterval{1, 3, 5}));
    // n = 25: ranks 8 and 18.
    std::vector<double> many(25);
    for (std::size_t i = 0; i < many.size(); ++i) {
        many[i] = static_cast<double>(i + 1);
    }
    EXPECT_EQ(medianInterval(many), (MedianInterval{8, 13, 18}));
    EXPECT_EQ(medianInterval(std::vector<double>{4}), (MedianInterval{4, 4, 4}));
}

TEST(MedianInterval, CoversTheMedianAsOftenAsItSays) {
    std::mt19937_64 random(7);
    std::exponential_distribution<double> values(1.0);
    const double truth = 0.6931471805599453;
    int covered = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        std::vector<double> sample(15);
        std::generate(sample.begin(), sample.end(), [&] { return values(random); });
        const MedianInterval interval = medianInterval(sample);
        covered += static_cast<int>(interval.low <= truth && truth <= interval.high);
    }
    EXPECT_GE(covered, 1900); // 95 %, and this rule gives 96.5 %
}

TEST(Enough, StopsAtTheIntervalTheCountOrTheTime) {
    const SamplingRule rule{9, 25, 40, 0.01};
    std::vector<double> steady(8, 100.0);
    EXPECT_FALSE(enough(rule, steady, 30));
    steady.push_back(100.5);
    EXPECT_TRUE(enough(rule, steady, 1));
    std::vector<double> spread = {80, 85, 90, 95, 100, 105, 110, 115, 120};
    EXPECT_FALSE(enough(rule, spread, 39));
    EXPECT_TRUE(enough(rule, spread, 40));
    EXPECT_FALSE(enough(rule, std::vector<double>{1, 2, 3, 4}, 4000)) << "long samples: five";
    EXPECT_TRUE(enough(rule, std::vector<double>{1, 2, 3, 4, 5}, 5000));
    EXPECT_FALSE(enough(rule, {}, 0));
    spread.resize(25, 130);
    EXPECT_TRUE(enough(rule, spread, 1));
}

TEST(Implausible, IsMoreThanLaunchingAndHalfOfTheTime) {
    EXPECT_FALSE(isImplausible(3, 12));
    EXPECT_TRUE(isImplausible(3, 14));
    EXPECT_FALSE(isImplausible(100, 149));
    EXPECT_TRUE(isImplausible(100, 151));
    EXPECT_TRUE(isImplausible(100, 49));
}

std::vector<Sample> samplesOf(const std::vector<double>& us, double clock = 1500) {
    std::vector<Sample> samples;
    samples.reserve(us.size());
    for (const double value : us) {
        samples.push_back({value, clock});
    }
    return samples;
}

TEST(Summarise, DropsThrottledSamplesAndCountsThem) {
    ClockTrack clock;
    for (int i = 0; i < 20; ++i) {
        clock.add(1500);
    }
    auto samples = samplesOf({10, 10, 10, 10, 10, 10, 10, 10});
    samples.push_back({14, 1400}); // below 95 %
    const PointSummary summary = summarise(samples, clock);
    EXPECT_EQ(summary.samples, 8);
    EXPECT_EQ(summary.dropped, 1);
    EXPECT_DOUBLE_EQ(summary.medianUs, 10);
    EXPECT_TRUE(summary.flags.empty());
}

TEST(Summarise, KeepsAllAndSaysSoWhereMostAreThrottled) {
    ClockTrack clock;
    for (int i = 0; i < 20; ++i) {
        clock.add(1500);
    }
    auto samples = samplesOf({14, 14, 14, 14, 14}, 1300);
    samples.push_back({10, 1500});
    const PointSummary summary = summarise(samples, clock);
    EXPECT_EQ(summary.samples, 6);
    EXPECT_EQ(summary.dropped, 0);
    EXPECT_NE(std::find(summary.flags.begin(), summary.flags.end(), "throttled"), summary.flags.end());
}

TEST(Summarise, DropsSamplesDuringWhichOtherProgramsRan) {
    const ClockTrack clock;
    std::vector<Sample> samples = {{10, 0, 1}, {30, 0, 0.5}, {10.2, 0, 0.99}, {10.1, 0, 1}, {25, 0, 0.7}};
    const PointSummary summary = summarise(samples, clock);
    EXPECT_EQ(summary.samples, 3);
    EXPECT_EQ(summary.dropped, 2);
    EXPECT_EQ(summary.interrupted, 2);
    EXPECT_DOUBLE_EQ(summary.medianUs, 10.1);
    EXPECT_TRUE(summary.flags.empty());
    samples[0].ranShare = 0.4; // two are left: nothing to rely on
    const PointSummary all = summarise(samples, clock);
    EXPECT_EQ(all.samples, 5);
    EXPECT_EQ(all.dropped, 0);
    EXPECT_EQ(all.flags.front(), "interrupted");
}

TEST(Summarise, FlagsNoiseAndTwoClusters) {
    const ClockTrack clock;
    const auto flags = [&](const std::vector<double>& us) {
        return summarise(samplesOf(us, 0), clock).flags;
    };
    EXPECT_TRUE(flags({100, 101, 100, 101, 100, 101, 100, 101, 100, 101}).empty());
    EXPECT_EQ(flags({90, 92, 94, 96, 98, 100, 102, 104, 106, 108}), std::vector<std::string>{"noisy"});
    EXPECT_EQ(flags({100, 100, 100, 100, 100, 120, 120, 120, 120, 120}),
              (std::vector<std::string>{"noisy", "bimodal"}));
    // one outlier is no cluster
    EXPECT_TRUE(flags({100, 100, 100, 100, 100, 100, 100, 100, 100, 150}).empty());
}

TEST(ClockTrack, WithoutClocksNothingIsThrottled) {
    ClockTrack clock;
    clock.add(0);
    EXPECT_EQ(clock.median(), 0);
    EXPECT_FALSE(clock.throttled(0));
    EXPECT_FALSE(clock.throttled(100));
}

} // namespace
} // namespace loadline::gpu
