// Runs that begin amid their turns: who is found there, and that short runs come near long ones.
#include "core/simulate/run/warm_start.h"

#include "core/simulate/run/replica.h"
#include "core/simulate/study/sweep.h"
#include "tests/core/simulate/made_inputs.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

RowsSetup vllm(std::int64_t users) {
    RowsSetup setup;
    setup.policy = Policy::VllmV1;
    setup.users = users;
    return setup;
}

TEST(WarmStart, FindsLongOutputsByTheirLength) {
    const std::vector<DrawnTurn> turns = {{10, 100}, {10, 900}};
    const std::vector<DrawnTurn> warm = warmTurns(vllm(200), turns);
    ASSERT_EQ(warm.size(), 200U);
    double rest = 0;
    for (const DrawnTurn& turn : warm) {
        EXPECT_EQ(turn.input, 1);
        EXPECT_GE(turn.output, 1);
        EXPECT_LE(turn.output, 900);
        rest += turn.output / 200.0;
    }
    EXPECT_NEAR(rest, (0.1 * 100 + 0.9 * 900) / 2, 5);
}

TEST(WarmStart, OfMoreUsersOnlyAddsTurns) {
    const std::vector<DrawnTurn> turns = {{10, 100}, {10, 900}, {40, 7}};
    const std::vector<DrawnTurn> few = warmTurns(vllm(5), turns);
    const std::vector<DrawnTurn> many = warmTurns(vllm(50), turns);
    EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
    RowsSetup narrow = vllm(50);
    narrow.maxSeqs = 8;
    EXPECT_EQ(warmTurns(narrow, turns).size(), 8U);
}

TEST(WarmStart, LeavesUsersInTheQueueWherePromptsTakeLonger) {
    RowsSetup setup = vllm(100);
    setup.policy = Policy::SinglePrefill;
    setup.chunkTokens = 512;
    const std::vector<DrawnTurn> turns = {{1000, 20}, {900, 60}}; // two steps a prompt, 40 an output
    EXPECT_EQ(warmTurns(setup, turns).size(), 20U);
}

TEST(WarmStart, IsARunWithThoseTurnsFirstAndTheirLatenciesLeftOut) {
    const std::vector<DrawnTurn> turns = turnsFor(referenceWorkload(), 800, 3);
    for (const Policy policy : {Policy::VllmV1, Policy::SinglePrefill}) {
        RowsSetup setup = vllm(40);
        setup.policy = policy;
        setup.length = {std::nullopt, 600};
        std::vector<DrawnTurn> all = warmTurns(setup, turns);
        all.insert(all.end(), turns.begin(), turns.end());
        const TimesByRows us{std::vector<double>(8193, 20.0), {}};
        RowsEngine engine;
        RowsTimes cold;
        const RowsRun plain = engine.run(setup, all, us, cold);
        setup.warmStart = true;
        RowsTimes warm;
        const RowsRun& run = engine.run(setup, turns, us, warm);
        EXPECT_EQ(run.counts, plain.counts);
        EXPECT_EQ(run.turns, plain.turns);
        EXPECT_EQ(cold.e2eS.count(), static_cast<std::uint64_t>(run.turns));
        EXPECT_LT(warm.e2eS.count(), cold.e2eS.count());
        EXPECT_GE(warm.e2eS.count() + 40, cold.e2eS.count());
    }
}

/// What users, and not chance, do: a few turns of each against many, with the same mean prompt and output.
TEST(WarmStart, BringsShortRunsNearLongOnes) {
    SweepInputs inputs;
    inputs.base = madeInputs();
    inputs.base.policy.policy = Policy::VllmV1;
    inputs.base.replicas = 8;
    inputs.base.length = {20'000, std::nullopt};
    inputs.users = {64, 256};
    inputs.latencies = true;
    const auto longer = sweep(inputs);
    inputs.base.length.turns = 1;
    inputs.turnsPerUser = 8;
    const auto crowded = sweep(inputs);
    inputs.base.warmStart = true;
    const auto warm = sweep(inputs);
    ASSERT_TRUE(longer && crowded && warm);
    for (std::size_t i = 0; i < inputs.users.size(); ++i) {
        const double wanted = longer->points[i].ttftP90S.value;
        EXPECT_GT(crowded->points[i].ttftP90S.value, 2 * wanted) << "else there is nothing to mend";
        EXPECT_NEAR(warm->points[i].ttftP90S.value, wanted, 0.35 * wanted);
        EXPECT_NEAR(warm->points[i].averageM.value, longer->points[i].averageM.value,
                    0.15 * longer->points[i].averageM.value);
    }
}

TEST(WarmStart, LeavesTheLatenciesOfTheFirstOutAndIsOfClosedFormAlone) {
    SimulationInputs inputs = madeInputs();
    inputs.policy.policy = Policy::VllmV1;
    inputs.arrivals.users = 64;
    inputs.length = {20'000, 512};
    const auto tables = CostTables::make(inputs, {4}, 8192);
    ASSERT_TRUE(tables);
    const auto turns = turnsFor(*inputs.workload, 4096, 1);
    const auto run = [&](bool warm, std::optional<std::int64_t> kvBlocks) {
        SimulationInputs one = inputs;
        one.warmStart = warm;
        one.policy.kvBlocks = kvBlocks;
        RowsEngine engine;
        return *runReplica(one, (*tables)->at(4), turns, 1, engine);
    };
    const SimulationResult crowded = run(false, std::nullopt);
    const SimulationResult warm = run(true, std::nullopt);
    EXPECT_EQ(crowded.ttftS.n, crowded.turns);
    EXPECT_LT(warm.ttftS.n, warm.turns);
    EXPECT_GE(warm.ttftS.n + 64, warm.turns);
    EXPECT_LT(warm.ttftS.p90, crowded.ttftS.p90 / 2);
    constexpr std::int64_t many = 1 << 24;
    EXPECT_EQ(run(true, many).rows, run(false, many).rows) << "step by step without effect";
    EXPECT_EQ(run(false, many).rows, crowded.rows);
    inputs.arrivals.think = ThinkTime::Fixed;
    inputs.arrivals.thinkS = 0.5;
    EXPECT_EQ(run(true, std::nullopt).rows, run(false, std::nullopt).rows) << "without effect";
}

} // namespace
} // namespace loadline
