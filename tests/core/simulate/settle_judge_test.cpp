// What is concluded from measured spans: intervals, drift, queues, Little's law.
#include "core/simulate/run/settle_judge.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace loadline {
namespace {

constexpr int marksOfSpan = 48;

/// A span of `seconds`; every turn takes its draw of `e2eS`, with `users` under way at all times.
template <typename Draw>
MeasuredSpan spanOf(double seconds, double turnsPerS, const Draw& e2eS, double users) {
    MeasuredSpan span;
    const auto count = static_cast<int>(seconds * turnsPerS);
    for (int i = 0; i < count; ++i) {
        const double e2e = e2eS(i);
        span.turns.push_back({i / turnsPerS, e2e / 2, 0.01, e2e});
    }
    for (int i = 0; i <= marksOfSpan; ++i) {
        const double timeS = seconds * i / marksOfSpan;
        const auto arrived = static_cast<std::uint64_t>(timeS * turnsPerS);
        span.marks.push_back({.step = i,
                              .timeS = timeS,
                              .tokensOut = 100 * arrived,
                              .arrived = arrived,
                              .answered = arrived,
                              .waiting = 0,
                              .systemS = users * timeS});
    }
    span.us = seconds;
    span.fp16Us = 2 * seconds;
    return span;
}

TEST(StudentT, IsThatOfTables) {
    EXPECT_NEAR(studentT(1), 12.706, 0.001);
    EXPECT_NEAR(studentT(10), 2.228, 0.001);
    EXPECT_NEAR(studentT(11), 2.201, 0.001);
    EXPECT_NEAR(studentT(15), 2.131, 0.001);
    EXPECT_NEAR(studentT(31), 2.040, 0.001);
    EXPECT_NEAR(studentT(1'000'000), 1.960, 0.001);
}

TEST(SettleJudge, KnowsWhatDoesNotVary) {
    const auto same = [](int) { return 2.0; };
    const std::vector<MeasuredSpan> runs(16, spanOf(480, 5, same, 10));
    const RunReport report = judged(runs, ArrivalKind::Closed, {});
    EXPECT_TRUE(report.settled);
    EXPECT_FALSE(report.drifts);
    EXPECT_EQ(report.turnsStarted, 16U * 2400);
    EXPECT_NEAR(report.throughputTokensPerS.value, 500, 1e-9);
    EXPECT_NEAR(report.throughputTokensPerS.low, 500, 1e-6);
    EXPECT_NEAR(report.ttftS.p50.value, 1, 1e-12);
    EXPECT_NEAR(report.e2eS.mean.high, 2, 1e-9);
    EXPECT_NEAR(report.timeVsFp16.value, 0.5, 1e-12);
    EXPECT_NEAR(report.little, 1, 1e-9); // 5 turns a second x 2 s = 10
    EXPECT_NEAR(report.inSystem, 10, 1e-9);
}

TEST(SettleJudge, IsNotSettledByTurnsThatAreLostOrDoNotAddUp) {
    const auto same = [](int) { return 2.0; };
    std::vector<MeasuredSpan> runs(16, spanOf(480, 5, same, 10));
    runs[3].inFlight = 1;
    EXPECT_FALSE(judged(runs, ArrivalKind::Closed, {}).settled);
    EXPECT_EQ(judged(runs, ArrivalKind::Closed, {}).turnsInFlight, 1U);
    const std::vector<MeasuredSpan> more(16, spanOf(480, 5, same, 10.06)); // Little's law is 0.6 % off
    EXPECT_FALSE(judged(more, ArrivalKind::Closed, {}).settled);
    EXPECT_TRUE(judged(more, ArrivalKind::Poisson, {}).settled);
}

TEST(SettleJudge, SeesRunsThatDrift) {
    const auto slower = [](int i) { return 2.0 + 0.001 * i; };
    const std::vector<MeasuredSpan> runs(16, spanOf(480, 5, slower, 16));
    EXPECT_TRUE(judged(runs, ArrivalKind::Closed, {}).drifts);
    const std::vector<MeasuredSpan> one(1, spanOf(480, 5, slower, 16));
    EXPECT_TRUE(judged(one, ArrivalKind::Closed, {}).drifts);
}

/// Share of made-up experiments whose interval holds the truth; values of a run share a draw of its own, as
/// turns that wait together do.
struct Coverage {
    double mean = 0;
    double p50 = 0;
    double p90 = 0;
};

Coverage coverageOf(std::size_t runs, double spread) {
    constexpr int experiments = 400;
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    Coverage coverage;
    const double all = std::sqrt(spread * spread + 1);
    const double z90 = 1.281552;
    for (int i = 0; i < experiments; ++i) {
        std::vector<MeasuredSpan> spans;
        for (std::size_t r = 0; r < runs; ++r) {
            double own = 0;
            const auto draw = [&](int turn) {
                own = turn % 10 == 0 ? spread * normal(random) : own; // ten turns share their luck
                return std::exp(own + normal(random));
            };
            spans.push_back(spanOf(480, 2, draw, 10));
        }
        const RunReport report = judged(spans, ArrivalKind::Closed, {});
        const auto holds = [](const Banded& figure, double truth) {
            return figure.low <= truth && truth <= figure.high ? 1.0 / experiments : 0.0;
        };
        coverage.mean += holds(report.e2eS.mean, std::exp(all * all / 2));
        coverage.p50 += holds(report.e2eS.p50, 1);
        coverage.p90 += holds(report.e2eS.p90, std::exp(all * z90));
    }
    return coverage;
}

TEST(SettleJudge, IntervalsHoldTheTruthAsOftenAsTheySay) {
    for (const std::size_t runs : {1U, 4U, 16U}) {
        const Coverage coverage = coverageOf(runs, 0.5);
        EXPECT_GE(coverage.mean, 0.9) << runs;
        EXPECT_GE(coverage.p50, 0.9) << runs;
        EXPECT_GE(coverage.p90, 0.9) << runs;
        EXPECT_LE(coverage.p50, 0.985) << runs; // 95 %, not all
    }
}

TEST(SettleJudge, TellsAQueueThatGrowsFromOneThatDoesNot) {
    const auto same = [](int) { return 2.0; };
    const auto growing = [&](double share) {
        std::vector<MeasuredSpan> runs(16, spanOf(480, 50, same, 100));
        for (std::size_t r = 0; r < runs.size(); ++r) {
            for (CourseMark& mark : runs[r].marks) {
                const double chance = 20 + 10 * std::sin(static_cast<double>(7 * r + mark.step));
                mark.waiting = static_cast<std::uint64_t>(chance + share * static_cast<double>(mark.arrived));
            }
        }
        return judged(runs, ArrivalKind::Poisson, {});
    };
    EXPECT_TRUE(growing(0.03).queueGrows);
    EXPECT_FALSE(growing(0.03).settled);
    EXPECT_TRUE(std::isinf(growing(0.03).ttftS.p50.high)); // the longer the run, the longer the wait
    EXPECT_FALSE(growing(0).queueGrows);
    EXPECT_TRUE(growing(0).settled);
    EXPECT_FALSE(growing(0.002).queueGrows);
}

} // namespace
} // namespace loadline
