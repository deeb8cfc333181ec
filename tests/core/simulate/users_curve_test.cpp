// Points added to a curve over users; the figure, a sweep and a single simulation say the same.
#include "core/simulate/study/users_curve.h"

#include "core/simulate/answer/simulator_figure.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/run/simulate.h"
#include "core/simulate/study/preview_runs.h"
#include "core/simulate/study/preview_words.h"
#include "tests/core/simulate/made_inputs.h"
#include "tests/core/simulate/settled_settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

/// Steps through the exact scheduler, and has a cliff where M passes 16.
SimulationInputs exactInputs() {
    SimulationInputs inputs = madeInputs();
    inputs.policy = {};
    inputs.arrivals.think = ThinkTime::Fixed;
    inputs.arrivals.thinkS = 0;
    inputs.arrivals.users = 24;
    inputs.length.iterations.reset();
    inputs.length.turns = 200;
    inputs.replicas = 2;
    return inputs;
}

SweepInputs sparse(const SimulationInputs& base) {
    SweepInputs inputs;
    inputs.base = base;
    inputs.users = firstUsers(base, {1, 128});
    return inputs;
}

double onCurve(const SweepResult& curve, std::int64_t users) {
    const auto next = std::ranges::lower_bound(curve.users, users);
    const auto place = static_cast<std::size_t>(next - curve.users.begin());
    const double high = curve.points[place].timeVsFp16.value;
    if (*next == users) {
        return high;
    }
    const double low = curve.points[place - 1].timeVsFp16.value;
    const auto x = [](std::int64_t n) { return std::log(static_cast<double>(n)); };
    const std::int64_t before = curve.users[place - 1];
    return low + (high - low) * (x(users) - x(before)) / (x(*next) - x(before));
}

/// Of two k at these users: every time is `time`.
SweepResult flatSweep(const std::vector<std::int64_t>& users, double time, bool isPreview) {
    SweepResult sweep;
    sweep.users = users;
    sweep.weights = {Storage::K3, Storage::K4};
    sweep.chunks = {512};
    for (const Storage weights : sweep.weights) {
        for (const std::int64_t one : users) {
            SweepPoint point;
            point.users = one;
            point.weights = weights;
            point.timeVsFp16 = {time, time, time};
            point.isPreview = isPreview;
            sweep.points.push_back(point);
        }
    }
    return sweep;
}

TEST(CurveUnderWay, SimulatedPointsTakeThePlaceOfThePreviews) {
    CurveUnderWay curve(flatSweep({1, 3, 6, 12, 64}, 0.5, true), {1, 2, 4, 8, 16, 64});
    const auto take = [&](std::int64_t users) {
        curve.take(flatSweep({users}, 2, false).points);
        const SweepResult& now = curve.sweep();
        ASSERT_EQ(now.points.size(), 2 * now.users.size());
        for (std::size_t k = 0; k < 2; ++k) {
            for (std::size_t i = 0; i < now.users.size(); ++i) {
                EXPECT_EQ(now.at(k, 0, i).users, now.users[i]);
                EXPECT_EQ(now.at(k, 0, i).weights, now.weights[k]);
                EXPECT_EQ(now.at(k, 0, i).timeVsFp16.value, now.at(k, 0, i).isPreview ? 0.5 : 2);
            }
        }
    };
    const auto& users = curve.sweep().users;
    take(8);
    EXPECT_EQ(users, (std::vector<std::int64_t>{1, 3, 6, 8, 12, 64})) << "beside the preview's";
    take(4);
    EXPECT_EQ(users, (std::vector<std::int64_t>{1, 3, 4, 8, 12, 64})) << "6 lies between two neighbours";
    take(1);
    EXPECT_EQ(users, (std::vector<std::int64_t>{1, 3, 4, 8, 12, 64})) << "2 is not there yet: 3 is";
    take(64);
    take(2);
    take(16);
    EXPECT_EQ(users, (std::vector<std::int64_t>{1, 2, 4, 8, 16, 64}));
    EXPECT_TRUE(std::ranges::none_of(curve.sweep().points, &SweepPoint::isPreview));
    curve.take(flatSweep({5}, 2, false).points); // the middle of a gap
    EXPECT_EQ(users, (std::vector<std::int64_t>{1, 2, 4, 5, 8, 16, 64}));
}

TEST(UsersCurve, BeginsWithItsEndsAndThePresentUsers) {
    SimulationInputs inputs = exactInputs();
    inputs.arrivals.users = 3;
    EXPECT_EQ(firstUsers(inputs, {1, 5, 9}), (std::vector<std::int64_t>{1, 2, 3, 4, 8, 9}));
    EXPECT_EQ(firstUsers(inputs, {1}), (std::vector<std::int64_t>{1, 3}));
    EXPECT_EQ(firstUsers(inputs, {}), (std::vector<std::int64_t>{3}));
    inputs = madeInputs();
    inputs.arrivals.users = 7;
    ASSERT_TRUE(goesFast(inputs));
    EXPECT_EQ(firstUsers(inputs, {1, 5, 9}), (std::vector<std::int64_t>{1, 5, 7, 9}));
    EXPECT_EQ(previewCurveOf(inputs, {1, 5, 9}).users, (std::vector<std::int64_t>{1, 5, 7, 9}));
}

TEST(UsersCurve, ItsLinesAreNearWhatTheyLeaveOut) {
    const SweepInputs inputs = sparse(exactInputs());
    ASSERT_FALSE(goesFast(inputs.base));
    const auto curve = usersCurve(inputs);
    ASSERT_TRUE(curve) << curve.error().sentence();
    EXPECT_GT(curve->users.size(), inputs.users.size());
    EXPECT_LT(curve->users.size(), 100U);
    EXPECT_TRUE(std::ranges::is_sorted(curve->users));
    ASSERT_EQ(curve->points.size(), curve->users.size());
    SweepInputs every = inputs;
    every.users.clear();
    for (std::int64_t users = 1; users <= 128; ++users) {
        every.users.push_back(users);
    }
    const auto truth = sweep(every);
    ASSERT_TRUE(truth);
    std::size_t off = 0;
    for (const SweepPoint& point : truth->points) {
        const double width = point.timeVsFp16.high - point.timeVsFp16.low;
        off += std::abs(onCurve(*curve, point.users) - point.timeVsFp16.value) >
               std::max(width, 0.02 * point.timeVsFp16.value);
    }
    EXPECT_LE(off, 6U) << "of 128";
    const auto crossings = crossingsOf(truth->users, [&] {
        std::vector<double> ratios;
        for (const SweepPoint& point : truth->points) {
            ratios.push_back(point.timeVsFp16.value);
        }
        return ratios;
    }());
    const auto found = crossoversOf(*curve, StepScope::GemmOnly);
    ASSERT_FALSE(crossings.empty());
    ASSERT_FALSE(found.front().crossings.empty());
    EXPECT_NEAR(found.front().crossings.front().users, crossings.front().users,
                std::max(1.0, 0.03 * crossings.front().users));
}

/// Two short runs that chance to agree do not tell how far they are off, and the most and the least are told
/// of points that are known.
TEST(Preview, ItsBandsHoldTheRefinedCurve) {
    std::size_t held = 0, points = 0;
    for (const Tokens chunk : {0, 64}) {
        SimulationInputs inputs = servedInputs();
        inputs.length = {};
        inputs.policy.chunkTokens = chunk > 0 ? std::optional(chunk) : std::nullopt;
        auto preview = sweep(previewCurveOf(inputs, {1, 256}));
        ASSERT_TRUE(preview) << preview.error().sentence();
        markPreview(*preview, inputs);
        SweepInputs full;
        full.base = inputs;
        full.users = preview->users;
        const auto refined = sweep(full);
        ASSERT_TRUE(refined);
        int rough = 0;
        for (std::size_t i = 0; i < preview->points.size(); ++i) {
            const SweepPoint& point = preview->points[i];
            const double pace = refined->points[i].pace().value;
            EXPECT_TRUE(point.isPreview);
            held += point.pace().low <= pace && pace <= point.pace().high ? 1U : 0U;
            ++points;
            EXPECT_GE(std::log(point.pace().high / point.pace().low), 2 * 1.9 * shortRunsError);
            EXPECT_EQ(point.measure().low, 1 / point.pace().high) << "it is drawn";
            rough += isRough(point) ? 1 : 0;
        }
        EXPECT_GT(rough, 0);
        const Crossover told = crossoversOf(*preview, StepScope::WholeStep, true).front();
        for (const SweepPoint& point : preview->points) {
            if (point.users == told.bestUsers || point.users == told.worstUsers) {
                EXPECT_FALSE(isRough(point)) << told.sentence;
            }
        }
    }
    EXPECT_GE(points, 18U);
    EXPECT_GE(held, points - points / 18) << "95 % each";
}

/// The Simulator's page has the curve of one k, the Crossover's those of all: the same answer.
TEST(UsersCurve, AKCrossesWhereItCrossesAlone) {
    SweepInputs alone = sparse(exactInputs());
    const Storage weights = alone.base.cost.format.weights;
    alone.weights = {weights};
    SweepInputs beside = alone;
    beside.weights = {Storage::K2, Storage::K3, Storage::K4, Storage::K5};
    ASSERT_NE(std::ranges::find(beside.weights, weights), beside.weights.end());
    const auto one = usersCurve(alone);
    const auto all = usersCurve(beside);
    ASSERT_TRUE(one && all);
    EXPECT_TRUE(one->leadingUsers.empty());
    EXPECT_EQ(all->leadingUsers, one->users);
    EXPECT_GE(all->users.size(), one->users.size());
    const auto own = crossoversOf(*one, StepScope::GemmOnly);
    const auto found = crossoversOf(*all, StepScope::GemmOnly);
    const auto same = std::ranges::find(found, weights, &Crossover::weights);
    ASSERT_NE(same, found.end());
    EXPECT_FALSE(own.front().crossings.empty());
    EXPECT_EQ(same->crossings, own.front().crossings);
    EXPECT_EQ(same->best, own.front().best);
    EXPECT_EQ(same->worstUsers, own.front().worstUsers);
}

TEST(UsersCurve, StaysWithinItsPoints) {
    const auto curve = usersCurve(sparse(exactInputs()), {0, 0, 12});
    ASSERT_TRUE(curve);
    EXPECT_EQ(curve->users.size(), 12U);
}

TEST(UsersCurve, AFlatCurveIsHalvedOnce) {
    SweepInputs inputs = sparse(exactInputs());
    inputs.users = {8, 16, 32};
    const auto curve = usersCurve(inputs, {1e9, 1e9, 96});
    ASSERT_TRUE(curve);
    EXPECT_EQ(curve->users, (std::vector<std::int64_t>{8, 11, 16, 23, 32}));
}

TEST(UsersCurve, OfSeveralKKeepsTheOrderOfPoints) {
    SweepInputs inputs = sparse(exactInputs());
    inputs.weights = {Storage::K3, Storage::K5};
    inputs.chunks = {64, 512};
    inputs.users = {2, 32};
    const auto curve = usersCurve(inputs, {0, 0, 5});
    ASSERT_TRUE(curve);
    ASSERT_EQ(curve->points.size(), 4 * curve->users.size());
    for (std::size_t k = 0; k < 2; ++k) {
        for (std::size_t chunk = 0; chunk < 2; ++chunk) {
            for (std::size_t user = 0; user < curve->users.size(); ++user) {
                const SweepPoint& point = curve->at(k, chunk, user);
                EXPECT_EQ(point.users, curve->users[user]);
                EXPECT_EQ(point.weights, inputs.weights[k]);
                EXPECT_EQ(point.chunkTokens, inputs.chunks[chunk]);
            }
        }
    }
}

TEST(UsersCurve, StopsWithoutPoints) {
    std::stop_source source;
    source.request_stop();
    const auto curve = usersCurve(sparse(exactInputs()), {}, source.get_token());
    ASSERT_TRUE(curve);
    EXPECT_TRUE(curve->points.empty());
}

TEST(OneAnswer, OfFigureSweepAndSimulation) {
    for (const bool fast : {false, true}) {
        SimulationInputs base = fast ? madeInputs() : exactInputs();
        base.arrivals.users = 24;
        base.replicas = 3;
        const auto one = simulate(base);
        ASSERT_TRUE(one);
        const double ratio = pooled(one->replicas).timeVsFp16();
        SimulatorFigureInputs inputs;
        inputs.base = base;
        inputs.users = userGrid(64);
        inputs.users.push_back(24);
        std::ranges::sort(inputs.users);
        inputs.users.erase(std::unique(inputs.users.begin(), inputs.users.end()), inputs.users.end());
        inputs.weights = {Storage::K4};
        inputs.stage = FigureStage::Refined;
        const auto figure = simulatorFigure(inputs);
        ASSERT_TRUE(figure);
        EXPECT_DOUBLE_EQ(figure->timeVsFp16.value, ratio);
        EXPECT_NEAR(onCurve(figure->overUsers, 24), ratio, 1e-9);
        SweepInputs swept;
        swept.base = base;
        swept.users = {24};
        const auto point = sweep(swept);
        ASSERT_TRUE(point);
        EXPECT_NEAR(point->points.front().timeVsFp16.value, ratio, 1e-9);
    }
}

} // namespace
} // namespace loadline
