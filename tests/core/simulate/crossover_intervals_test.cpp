// Intervals of a crossover from made-up draws.
#include "core/simulate/study/crossover_intervals.h"

#include "core/simulate/study/crossing_words.h"

#include <gtest/gtest.h>

#include <cmath>

namespace loadline {
namespace {

/// A curve that crosses at about `users` of 1, 4, 16, 64.
Ratios curveCrossingAt(double users) {
    Ratios ratios;
    for (const double one : {1.0, 4.0, 16.0, 64.0}) {
        ratios.push_back(1 + 0.1 * std::log(one / users));
    }
    return ratios;
}

TEST(CrossoverIntervals, EndsLieOutsideWhereDrawsDo) {
    const std::vector<std::int64_t> users = {1, 4, 16, 64};
    Crossover crossover;
    crossover.crossings = {{8, true}};
    const auto intervalOf = [&](const std::vector<double>& crossings) {
        DrawnCurves drawn(crossings.size(), 1, 1);
        for (std::size_t d = 0; d < crossings.size(); ++d) {
            drawn.turns[d] = curveCrossingAt(crossings[d]);
        }
        drawn.kernels[0].resize(crossings.size());
        setIntervals(crossover, drawn, users, curveCrossingAt(8));
        return crossover.replicas;
    };
    CrossoverInterval interval = intervalOf({2, 4, 8, 16, 32});
    EXPECT_NEAR(*interval.low, 2.4, 1e-9); // a fifth of the way from 2 to 4
    EXPECT_NEAR(*interval.high, 28.8, 1e-9);
    EXPECT_EQ(interval.shareWithCrossing, 1);
    interval = intervalOf({2, 4, 8, 200, 300}); // faster throughout: above the range
    EXPECT_TRUE(interval.low && !interval.high);
    interval = intervalOf({0.5, 0.2, 8, 16, 32}); // slower throughout: below it
    EXPECT_TRUE(!interval.low && interval.high);
    EXPECT_EQ(interval.shareWithCrossing, 0.6);
    interval = intervalOf({0.5, 8, 300});
    EXPECT_TRUE(!interval.low && !interval.high);
    interval = intervalOf({300, 300, 300});
    EXPECT_EQ(interval.shareWithCrossing, 0);
}

TEST(CrossoverIntervals, EachCrossingHasItsOwn) {
    const std::vector<std::int64_t> users = {1, 2, 4, 8, 16, 32, 64, 128, 256};
    const auto curve = [&](double first, double second) { // faster, slower between the two, faster
        Ratios ratios;
        for (const std::int64_t one : users) {
            const double x = std::log(static_cast<double>(one));
            ratios.push_back(1 + std::min(x - std::log(first), std::log(second) - x));
        }
        return ratios;
    };
    Crossover crossover;
    crossover.byTurns = true;
    crossover.kind = CrossoverKind::Several;
    crossover.crossings = crossingsOf(users, curve(10, 90));
    ASSERT_EQ(crossover.crossings.size(), 2U);
    DrawnCurves drawn(5, 1, 1);
    drawn.all = {curve(9, 80), curve(10, 85), curve(10, 90), curve(11, 95), curve(12, 1000)};
    drawn.turns = drawn.all;
    drawn.kernels[0].resize(5);
    setIntervals(crossover, drawn, users, curve(10, 90));
    ASSERT_EQ(crossover.byCrossing.size(), 2U);
    // 9.2 to 11.8 and 80.75 to 94.25 of the draws: but nothing between 8 and 16, or 64 and 128, was
    // simulated.
    EXPECT_NEAR(*crossover.byCrossing[0].low, 9, 1e-9);
    EXPECT_NEAR(*crossover.byCrossing[0].high, 16, 1e-9);
    EXPECT_EQ(crossover.byCrossing[0].shareWithCrossing, 1);
    EXPECT_NEAR(*crossover.byCrossing[1].low, 65, 1e-9);
    EXPECT_NEAR(*crossover.byCrossing[1].high, 128, 1e-9);
    EXPECT_EQ(crossover.all.low, crossover.byCrossing[0].low) << "everything together is of the first";
    EXPECT_NEAR(crossover.byCrossing[1].shareWithCrossing, 0.8, 1e-9);
    Crossover narrow = crossover;
    for (Crossing& crossing : narrow.crossings) { // as between neighbours: the draws tell
        crossing.fromUsers = static_cast<std::int64_t>(crossing.users);
        crossing.toUsers = crossing.fromUsers + 1;
    }
    setIntervals(narrow, drawn, users, curve(10, 90));
    EXPECT_NEAR(*narrow.byCrossing[0].low, 9.2, 1e-9);
    EXPECT_NEAR(*narrow.byCrossing[0].high, 11.8, 1e-9);
    EXPECT_NEAR(*narrow.byCrossing[1].low, 80.75, 1e-9);
    EXPECT_NEAR(*narrow.byCrossing[1].high, 94.25, 1e-9);
    const std::string text = placesText(crossover, ", ");
    EXPECT_EQ(text, "9 to 16 (all draws), 65 to 128 (65 to 128; 80.0 % of the draws cross there)")
        << "each with an interval of its own, or none";
}

TEST(CrossoverIntervals, OfACurveThatCrossesNowhereTheyTellHowFarDrawsSayOtherwise) {
    const std::vector<std::int64_t> users = {1, 4, 16, 64};
    Crossover crossover;
    crossover.best.value = 0.57;
    crossover.worst.value = 1.24;
    crossover.toUsers = 64;
    const auto drawnAt = [&](CrossoverKind kind, const std::vector<double>& crossings) {
        crossover.kind = kind;
        DrawnCurves drawn(crossings.size(), 1, 1);
        for (std::size_t d = 0; d < crossings.size(); ++d) {
            drawn.all[d] = curveCrossingAt(crossings[d]);
        }
        drawn.kernels[0].resize(crossings.size());
        setIntervals(crossover, drawn, users,
                     curveCrossingAt(kind == CrossoverKind::QuantisedSlower ? 0.5 : 300));
        return wordsOf(crossover, crossover.all);
    };
    const CrossoverInterval& all = crossover.all;
    EXPECT_EQ(drawnAt(CrossoverKind::QuantisedSlower, {0.5, 8, 0.2, 16}),
              "faster in 50.0 % of the draws, up to 14 users");
    EXPECT_NEAR(*all.high, 14.8, 1e-9);
    EXPECT_FALSE(all.low);
    EXPECT_EQ(crossoverSentence(crossover),
              "Quantised kernels (k = 4) lose in the mean from 1 to 64 users: by 43.0 % to "
              "24.0 %; in 50.0 % of the draws they win somewhere, up to 14 users.");
    EXPECT_EQ(drawnAt(CrossoverKind::QuantisedSlower, {0.5, 300, 0.2, 0.3}),
              "faster in 25.0 % of the draws, up to 64 users");
    EXPECT_FALSE(all.high) << "it lies outside the range";
    EXPECT_EQ(drawnAt(CrossoverKind::QuantisedSlower, {0.5, 0.2, 0.3}), "faster in no draw");
    EXPECT_EQ(crossoverSentence(crossover),
              "Quantised kernels (k = 4) lose from 1 to 64 users: by 43.0 % to 24.0 %.");
    std::vector<double> many(40, 0.5);
    many.front() = 8;
    EXPECT_EQ(drawnAt(CrossoverKind::QuantisedSlower, many), "faster in 2.5 % of the draws");
    EXPECT_FALSE(all.low || all.high || all.otherwiseUsers) << "nothing is drawn that is nearly never so";
    EXPECT_EQ(drawnAt(CrossoverKind::QuantisedFaster, {300, 8, 200, 16}),
              "slower in 50.0 % of the draws, from 10 users on");
    EXPECT_TRUE(all.low && !all.high);
    EXPECT_EQ(drawnAt(CrossoverKind::QuantisedFaster, {0.5, 300, 300}),
              "slower in 33.3 % of the draws, from 1 user on");
}

TEST(CrossoverIntervals, ACrossingTheOtherWayIsNotTheOne) {
    const std::vector<std::int64_t> users = {1, 4, 16, 64};
    Crossover crossover;
    crossover.crossings = {{32, true}};
    DrawnCurves drawn(2, 1, 1);
    drawn.turns = {{1.1, 0.9, 0.9, 1.1}, {0.8, 0.9, 0.9, 1.1}};
    drawn.kernels[0].resize(2);
    setIntervals(crossover, drawn, users, {0.9, 0.9, 0.9, 1.1});
    ASSERT_TRUE(crossover.replicas.low && crossover.replicas.high);
    EXPECT_NEAR(*crossover.replicas.low, 32, 1e-9) << "not at 2, where it becomes faster";
    EXPECT_NEAR(*crossover.replicas.high, 32, 1e-9);
}

TEST(CrossoverIntervals, ATimeThatMovesAllRunsMovesTheMeanCurveAlike) {
    const std::vector<std::int64_t> users = {1, 4, 16, 64};
    Crossover crossover;
    crossover.crossings = {{8, true}};
    DrawnCurves drawn(2, 1, 1);
    drawn.turns = {curveCrossingAt(8), curveCrossingAt(8)};
    CurveSums run; // by chance it crosses elsewhere
    run.us = curveCrossingAt(3);
    run.fp16Us = {1, 1, 1, 1};
    drawn.usual = {run};
    drawn.kernels = {{run, run}};
    setIntervals(crossover, drawn, users, curveCrossingAt(8));
    ASSERT_TRUE(crossover.kernels.low && crossover.kernels.high);
    EXPECT_NEAR(*crossover.kernels.low, 8, 1e-9);
    EXPECT_NEAR(*crossover.kernels.high, 8, 1e-9);
}

TEST(CrossoverIntervals, HoldTheCrossingThoughEveryDrawCrossesBefore) {
    const std::vector<std::int64_t> users = {1, 4, 16};
    const Ratios mean = {0.5, 0.9, 1.1}; // 1 at 8 users
    Crossover crossover;
    crossover.crossings = crossingsOf(users, mean);
    DrawnCurves drawn(4, 1, 1);
    drawn.turns.assign(4, {0.5, 1.1, 1.2});
    drawn.all = drawn.turns;
    drawn.kernels[0].resize(4);
    setIntervals(crossover, drawn, users, mean);
    ASSERT_TRUE(crossover.all.low && crossover.all.high);
    EXPECT_LT(*crossover.all.low, 4);
    EXPECT_NEAR(*crossover.all.high, 16, 1e-9)
        << "8 by the mean curve, of which nothing up to 16 was simulated";
}

} // namespace
} // namespace loadline
