// Turns that are under way when a run begins.
#include "core/simulate/run/beginnings.h"

#include "core/simulate/fit/turn_lengths.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/run/simulate.h"
#include "core/simulate/study/preview_runs.h"
#include "core/simulate/study/sweep.h"
#include "tests/core/simulate/settled_settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace loadline {
namespace {

SimulationInputs settling(std::int64_t users) {
    SimulationInputs inputs = servedInputs();
    inputs.length = {};
    inputs.arrivals.users = users;
    return inputs;
}

Beginnings begunOf(const SimulationInputs& inputs, std::uint64_t seed = 1) {
    const TurnTable table(*inputs.workload);
    std::vector<std::size_t> sessions(inputs.workload->sessions.size());
    std::iota(sessions.begin(), sessions.end(), std::size_t{0});
    return beginningsOf(inputs, table, sessions, {}, {}, seed);
}

std::int64_t underWayOf(const Beginnings& beginnings) {
    return std::ranges::count(beginnings.turns, true, &Beginning::isUnderWay);
}

Tokens heldOf(const Beginnings& beginnings) {
    Tokens held = 0;
    for (const Beginning& one : beginnings.turns) {
        held += one.isUnderWay ? one.drawn.input + one.answered : 0;
    }
    return held;
}

TEST(Beginnings, AnswersAreMetByTheirLength) {
    SimulationInputs inputs = settling(200);
    inputs.policy.memoryShare.reset();
    inputs.policy.budgetTokens = 1 << 20;
    const Beginnings begun = begunOf(inputs);
    EXPECT_EQ(underWayOf(begun), 200);
    EXPECT_FALSE(begun.fillMemory);
    double met = 0;
    for (const Beginning& one : begun.turns) {
        EXPECT_LT(one.answered, one.drawn.output);
        met += one.drawn.output / 200.0;
    }
    EXPECT_GT(met, 10 * meanAnswerOf(inputs, PolicySetup{}.maxModelLen)) << "long answers are met more often";
}

TEST(Beginnings, NoMoreAreUnderWayThanTheMemoryHolds) {
    SimulationInputs inputs = settling(200);
    inputs.cost.format = fp16Format;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Beginnings begun = begunOf(inputs, seed);
        EXPECT_TRUE(begun.fillMemory);
        EXPECT_EQ(std::ssize(begun.turns), 200);
        EXPECT_LT(underWayOf(begun), 60);
        EXPECT_GT(underWayOf(begun), 0);
        EXPECT_LT(heldOf(begun), *kvBlocksOf(inputs) * inputs.policy.blockTokens);
    }
}

TEST(Beginnings, PromptsLeaveRoomForSoManyAnswers) {
    SimulationInputs inputs = settling(200);
    inputs.policy.memoryShare.reset();
    inputs.policy.budgetTokens = 512; // a turn's 1,300 tokens of prompt take 2.5 steps, its answer 114
    const std::int64_t some = underWayOf(begunOf(inputs));
    EXPECT_GT(some, 30);
    EXPECT_LT(some, 70);
    inputs.policy.maxSeqs = 7;
    EXPECT_EQ(underWayOf(begunOf(inputs)), 7);
}

TEST(Beginnings, ReplayedUsersAreMetInSessionsAndOthersWait) {
    SimulationInputs inputs = settling(64);
    inputs.workload = madeSessions(40, 3);
    inputs.arrivals.order = TurnOrder::Replayed;
    const Beginnings begun = begunOf(inputs);
    const std::int64_t met = underWayOf(begun);
    EXPECT_GT(met, 0);
    EXPECT_LT(met, 64);
    for (const Beginning& one : begun.turns) {
        const auto& turns = inputs.workload->sessions[one.place].turns;
        ASSERT_LT(one.turn, turns.size());
        EXPECT_LT(one.answered, turns[one.turn].output);
        EXPECT_TRUE(one.isUnderWay || one.answered == 0);
    }
}

TEST(Beginnings, MeanAnswersAreOfTheTurnsThatAreServed) {
    SimulationInputs inputs = settling(8);
    EXPECT_NEAR(meanAnswerOf(inputs, PolicySetup{}.maxModelLen), 114.14, 0.01);
    EXPECT_LT(meanAnswerOf(inputs, 4096), 112);
    EXPECT_GT(meanAnswerOf(inputs, 4096), 100);
    EXPECT_EQ(meanAnswerOf(inputs, 1), 0);
}

/// A server that is full of waiting turns answers few of them in a short run; which formats serve how much is
/// known all the same.
TEST(Beginnings, ShortRunsOfAFullServerTellWhatLongOnesDo) {
    SweepInputs curve;
    curve.base = settling(64);
    curve.latencies = true;
    const auto swept = sweep(curve);
    ASSERT_TRUE(swept) << swept.error().sentence();
    const SweepPoint& point = swept->points.front();
    ASSERT_TRUE(point.against);
    const auto pair = serveFormats(curve.base);
    ASSERT_TRUE(pair);
    const double known = pair->own.all.throughputTokensPerS() / pair->against.all.throughputTokensPerS();
    EXPECT_NEAR(point.against->turnsPerS.value, known, 0.1 * known);
    EXPECT_NEAR(point.throughputTokensPerS.value, pair->own.all.throughputTokensPerS(),
                0.1 * pair->own.all.throughputTokensPerS());
    EXPECT_NEAR(point.turnsPerS.value / point.against->figures.turnsPerS.value,
                point.against->turnsPerS.value, 1e-9);
    EXPECT_NEAR(point.e2eMeanS.value * point.turnsPerS.value, 64, 1e-6) << "Little's law";
    EXPECT_LE(*point.against->turnsPerS.low, known);
    EXPECT_GE(*point.against->turnsPerS.high, known);
}

TEST(Beginnings, FewRunsHaveNoBandsOfDecades) {
    SweepInputs curve = previewCurveOf(settling(16), {1, 16, 64});
    const auto swept = sweep(curve);
    ASSERT_TRUE(swept) << swept.error().sentence();
    for (const SweepPoint& point : swept->points) {
        EXPECT_LT(point.pace().high, 3 * point.pace().value) << point.users;
        EXPECT_GT(point.pace().low, point.pace().value / 3) << point.users;
    }
}

} // namespace
} // namespace loadline
