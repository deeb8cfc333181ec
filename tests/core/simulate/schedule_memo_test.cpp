// One schedule priced for many costs: to the last bit what a run of its own gives; and where it may not be.
#include "core/simulate/run/schedule_memo.h"

#include "core/simulate/run/exact.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/study/crossover.h"
#include "tests/core/simulate/made_inputs.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace loadline {
namespace {

const std::vector<Storage> everyK = {Storage::K2, Storage::K3, Storage::K4, Storage::K5};

/// Whole steps, of conversations with the same beginning, on a device of few blocks.
SimulationInputs wholeInputs() {
    SimulationInputs inputs = withHead(madeInputs());
    std::vector<WorkloadSession> sessions;
    for (int i = 0; i < 5; ++i) {
        WorkloadSession session{.id = std::to_string(i), .turns = {}};
        Tokens context = 300;
        for (int turn = 0; turn < 9; ++turn) {
            session.turns.push_back({context, 60 + 37 * i, 5 + 7 * turn + i, turn == 0 ? -1 : 0.01 * turn});
            context += 65 + 37 * i + 7 * turn;
        }
        sessions.push_back(session);
    }
    inputs.workload =
        std::make_shared<const Workload>(*workloadOfTurns(std::move(sessions), "made", "Made up", "a test"));
    inputs.cost.model.attention =
        AttentionFacts{.layers = 4, .fullLayers = 4, .qHeads = 8, .kvHeads = 2, .headDim = 64};
    inputs.hardware = findHardware("H100-SXM");
    inputs.scope = StepScope::WholeStep;
    inputs.hostUs = 7;
    inputs.policy = {};
    inputs.arrivals.users = 12;
    inputs.arrivals.order = TurnOrder::Replayed;
    inputs.length = {.iterations = 1500, .turns = {}};
    return inputs;
}

void expectSame(const Quantiles& a, const Quantiles& b) {
    EXPECT_EQ(a, b);
}

void expectSame(const SimulationResult& a, const SimulationResult& b) {
    EXPECT_EQ(a.users, b.users);
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.gemm, b.gemm);
    EXPECT_EQ(a.wholeUs, b.wholeUs);
    EXPECT_EQ(a.wholeFp16Us, b.wholeFp16Us);
    EXPECT_EQ(a.simulatedS, b.simulatedS);
    EXPECT_EQ(a.turns, b.turns);
    EXPECT_EQ(a.refusedTurns, b.refusedTurns);
    EXPECT_EQ(a.tokensIn, b.tokensIn);
    EXPECT_EQ(a.tokensOut, b.tokensOut);
    expectSame(a.ttftS, b.ttftS);
    expectSame(a.tpotS, b.tpotS);
    expectSame(a.e2eS, b.e2eS);
    EXPECT_EQ(a.preemptions, b.preemptions);
    EXPECT_EQ(a.cachedTokens, b.cachedTokens);
    EXPECT_EQ(a.peakKvBlocks, b.peakKvBlocks);
}

struct MemoCase {
    const char* name;
    void (*change)(SimulationInputs& inputs);
};

void unchanged(SimulationInputs& /*inputs*/) {}

class Priced : public testing::TestWithParam<MemoCase> {};

TEST_P(Priced, IsTheRunItself) {
    SimulationInputs inputs = wholeInputs();
    GetParam().change(inputs);
    ASSERT_TRUE(ignoresClock(inputs));
    const auto tables = *CostTables::make(inputs, formatsOf({}, everyK), 16'384);
    const auto memo = std::make_shared<ScheduleMemo>();
    for (const StepScope scope : {StepScope::WholeStep, StepScope::GemmOnly}) {
        inputs.scope = scope;
        for (const int k : {5, 4, 3, 2}) {
            inputs.cost.format = k;
            const auto own = runExact(inputs, tables->at(k), 3);
            ASSERT_TRUE(own) << own.error().sentence();
            const auto record = memo->of(inputs, 3, {});
            ASSERT_TRUE(record) << record.error().sentence();
            expectSame((*record)->priced(inputs, tables->at(k)).front(), *own);
        }
    }
    EXPECT_EQ(memo->recorded(), 1U) << "the same steps, whatever they take";
}

INSTANTIATE_TEST_SUITE_P(
    Settings, Priced,
    testing::Values(
        MemoCase{"vllm", unchanged},
        MemoCase{"sampled", [](SimulationInputs& i) { i.arrivals.order = TurnOrder::Sampled; }},
        MemoCase{"prefixCache", [](SimulationInputs& i) { i.policy.prefixCache = true; }},
        MemoCase{"enoughBlocks",
                 [](SimulationInputs& i) {
                     i.policy.prefixCache = true;
                     i.policy.kvBlocks = 60'000;
                 }},
        MemoCase{"fewBlocks", [](SimulationInputs& i) { i.policy.kvBlocks = 150; }},
        MemoCase{"fewCachedBlocks",
                 [](SimulationInputs& i) {
                     i.policy.kvBlocks = 150;
                     i.policy.prefixCache = true;
                 }},
        MemoCase{"window",
                 [](SimulationInputs& i) {
                     i.cost.model.attention->kind = AttentionKind::SlidingWindow;
                     i.cost.model.attention->fullLayers = 1;
                     i.cost.model.attention->window = 256;
                 }},
        MemoCase{"chunk", [](SimulationInputs& i) { i.policy.chunkTokens = 128; }},
        MemoCase{"budget", [](SimulationInputs& i) { i.policy.budgetTokens = 256; }},
        MemoCase{"priority", [](SimulationInputs& i) { i.policy.order = VllmPolicy::Priority; }},
        MemoCase{"async", [](SimulationInputs& i) { i.policy.async = true; }},
        MemoCase{"asyncManyHost",
                 [](SimulationInputs& i) {
                     i.policy.async = true;
                     i.hostUs = 500;
                     i.policy.kvBlocks = 200;
                 }},
        MemoCase{"refused", [](SimulationInputs& i) { i.policy.maxModelLen = 900; }},
        MemoCase{"turns", [](SimulationInputs& i) { i.length = {.iterations = {}, .turns = 70}; }},
        MemoCase{"singlePrefill", [](SimulationInputs& i) { i.policy.policy = Policy::SinglePrefill; }},
        MemoCase{"singlePrefillFit",
                 [](SimulationInputs& i) {
                     i.policy.policy = Policy::SinglePrefill;
                     i.policy.fit = {.promptCap = 500, .freePrompt = 400};
                 }},
        MemoCase{"mlx", [](SimulationInputs& i) { i.policy.policy = Policy::Mlx; }},
        MemoCase{"mlxCache",
                 [](SimulationInputs& i) {
                     i.policy.policy = Policy::Mlx;
                     i.policy.prefixCache = true;
                 }}),
    [](const testing::TestParamInfo<MemoCase>& one) { return one.param.name; });

/// Blocks of a share of a device's memory, which differ by k: many, or few.
SimulationInputs ofMemory(bool binds) {
    SimulationInputs inputs = wholeInputs();
    inputs.cost.model.attention->layers = 40;
    inputs.cost.model.attention->fullLayers = 40;
    inputs.cost.model.attention->kvHeads = 8;
    inputs.cost.model.attention->headDim = 128;
    inputs.cost.model.gemms.front().layers = 400;
    inputs.policy.memoryShare = binds ? 0.0185 : 0.9;
    return inputs;
}

TEST(ScheduleMemo, SharesBetweenBitsOnlyWhatNoBlocksBind) {
    for (const bool binds : {false, true}) {
        for (const bool cache : {false, true}) {
            SimulationInputs inputs = ofMemory(binds);
            inputs.policy.prefixCache = cache;
            const auto tables = *CostTables::make(inputs, formatsOf({}, everyK), 16'384);
            const auto memo = std::make_shared<ScheduleMemo>();
            std::vector<std::int64_t> blocks;
            for (const int k : {5, 4, 3, 2}) {
                inputs.cost.format = k;
                blocks.push_back(kvBlocksOf(inputs).value());
                inputs.schedules = memo;
                RowsEngine engine;
                const auto shared = runReplica(inputs, tables->at(k), {}, 1, engine);
                const auto own = runExact(inputs, tables->at(k), 1);
                ASSERT_TRUE(shared && own);
                expectSame(*shared, *own);
            }
            ASSERT_NE(blocks.front(), blocks.back());
            EXPECT_EQ(memo->recorded(), binds ? 4U : 1U) << "cache " << cache;
        }
    }
}

TEST(ScheduleMemo, MoreBlocksThanTheRecordsAreOnlyTheSameWhereNoneLacked) {
    SimulationInputs inputs = wholeInputs();
    inputs.policy.kvBlocks = 100'000;
    ScheduleMemo memo;
    ASSERT_TRUE(memo.of(inputs, 1, {}));
    inputs.policy.kvBlocks = 90'000; // fewer: nobody knows
    ASSERT_TRUE(memo.of(inputs, 1, {}));
    EXPECT_EQ(memo.recorded(), 2U);
    inputs.policy.kvBlocks = 200'000;
    ASSERT_TRUE(memo.of(inputs, 1, {}));
    inputs.policy.kvBlocks.reset();
    ASSERT_TRUE(memo.of(inputs, 1, {}));
    EXPECT_EQ(memo.recorded(), 2U);
    inputs.policy.maxModelLen = 800; // prompts are refused
    ASSERT_TRUE(memo.of(inputs, 1, {}));
    inputs.policy.kvBlocks = 200'000;
    ASSERT_TRUE(memo.of(inputs, 1, {}));
    EXPECT_EQ(memo.recorded(), 4U);
}

TEST(ScheduleMemo, AnswersNoOtherQuestion) {
    const auto runs = [](void (*change)(SimulationInputs&), std::uint64_t seed) {
        ScheduleMemo memo;
        SimulationInputs inputs = wholeInputs();
        EXPECT_TRUE(memo.of(inputs, 1, {}));
        change(inputs);
        EXPECT_TRUE(memo.of(inputs, seed, {}));
        return memo.recorded();
    };
    EXPECT_EQ(runs(unchanged, 1), 1U);
    EXPECT_EQ(runs([](SimulationInputs& i) { i.hostUs = 90; }, 1), 1U);
    EXPECT_EQ(runs([](SimulationInputs& i) { i.cost.timeScale[0] = 3; }, 1), 1U);
    EXPECT_EQ(runs([](SimulationInputs& i) { i.cost.rule = *findDispatchPreset("fastest"); }, 1), 1U);
    EXPECT_EQ(runs([](SimulationInputs& i) { i.scope = StepScope::GemmOnly; }, 1), 1U);
    EXPECT_EQ(runs(unchanged, 2), 2U);
    EXPECT_EQ(runs([](SimulationInputs& i) { ++i.arrivals.users; }, 1), 2U);
    EXPECT_EQ(runs([](SimulationInputs& i) { i.policy.chunkTokens = 64; }, 1), 2U);
    EXPECT_EQ(runs([](SimulationInputs& i) { i.length.iterations = 1501; }, 1), 2U);
    EXPECT_EQ(runs([](SimulationInputs& i) { i.hardware = findHardware("A100-SXM-80"); }, 1), 2U);
    EXPECT_EQ(runs([](SimulationInputs& i) { i.cost.model.attention->qHeads = 16; }, 1), 2U);
    EXPECT_EQ(
        runs([](SimulationInputs& i) { i.workload = std::make_shared<const Workload>(*i.workload); }, 1), 2U);
}

TEST(ScheduleMemo, GemmsAloneTellNoAttention) {
    ScheduleMemo memo;
    SimulationInputs inputs = wholeInputs();
    inputs.scope = StepScope::GemmOnly;
    ASSERT_TRUE(memo.of(inputs, 1, {}));
    inputs.scope = StepScope::WholeStep;
    const auto whole = memo.of(inputs, 1, {});
    EXPECT_EQ(memo.recorded(), 2U);
    const auto tables = *CostTables::make(inputs, {4}, 16'384);
    expectSame((*whole)->priced(inputs, tables->at(4)).front(), *runExact(inputs, tables->at(4), 1));
}

TEST(ScheduleMemo, LeavesRunsWithAClockToThemselves) {
    for (const auto change : {+[](SimulationInputs& i) { i.arrivals.think = ThinkTime::FromData; },
                              +[](SimulationInputs& i) {
                                  i.arrivals.think = ThinkTime::Fixed;
                                  i.arrivals.thinkS = 0.001;
                              },
                              +[](SimulationInputs& i) {
                                  i.arrivals.kind = ArrivalKind::Poisson;
                                  i.arrivals.order = TurnOrder::Sampled;
                                  i.arrivals.ratePerS = 400;
                              }}) {
        SimulationInputs inputs = wholeInputs();
        change(inputs);
        EXPECT_FALSE(ignoresClock(inputs));
        const auto tables = *CostTables::make(inputs, formatsOf({}, everyK), 16'384);
        inputs.schedules = std::make_shared<ScheduleMemo>();
        for (const int k : {2, 5}) {
            inputs.cost.format = k;
            RowsEngine engine;
            const auto run = runReplica(inputs, tables->at(k), {}, 1, engine);
            ASSERT_TRUE(run) << run.error().sentence();
            expectSame(*run, *runExact(inputs, tables->at(k), 1));
        }
        EXPECT_EQ(inputs.schedules->recorded(), 0U);
    }
}

TEST(ScheduleMemo, ForgetsTheOldestBeyondItsSize) {
    SimulationInputs inputs = wholeInputs();
    const std::size_t one = (*ScheduleMemo().of(inputs, 1, {}))->bytes();
    ScheduleMemo memo(one * 5 / 2);
    for (const std::uint64_t seed : {1U, 2U, 1U, 3U}) { // 3 takes the place of 2
        ASSERT_TRUE(memo.of(inputs, seed, {}));
    }
    EXPECT_EQ(memo.recorded(), 3U);
    ASSERT_TRUE(memo.of(inputs, 1, {}));
    EXPECT_EQ(memo.recorded(), 3U);
    ASSERT_TRUE(memo.of(inputs, 2, {}));
    EXPECT_EQ(memo.recorded(), 4U);
}

TEST(ScheduleMemo, CountsTheWorkloadsItHolds) {
    SimulationInputs inputs = wholeInputs();
    Workload many = *inputs.workload;
    many.sessions.resize(many.sessions.size() + 20'000); // that nobody begins is no matter here
    for (WorkloadSession& session : many.sessions) {
        session.turns.resize(std::max<std::size_t>(session.turns.size(), 1), {0, 50, 5, -1});
    }
    const auto workload = std::make_shared<const Workload>(many);
    const std::size_t least = 20'000 * sizeof(WorkloadTurn);
    ScheduleMemo memo(4 * least);
    const std::weak_ptr<const Workload> first = memo.resampledOf(workload, 1);
    EXPECT_FALSE(first.expired());
    EXPECT_GE(memo.bytes(), least);
    for (std::uint64_t seed = 2; seed < 10; ++seed) {
        inputs.workload = memo.resampledOf(workload, seed);
        EXPECT_EQ(memo.resampledOf(workload, seed), inputs.workload) << "the newest is kept";
        inputs.length = {.iterations = 50, .turns = {}};
        ASSERT_TRUE(memo.of(inputs, seed, {}));
    }
    EXPECT_TRUE(first.expired());
}

TEST(ScheduleMemo, KeepsNothingOfAStoppedRun) {
    ScheduleMemo memo;
    std::stop_source source;
    source.request_stop();
    ASSERT_TRUE(memo.of(wholeInputs(), 1, source.get_token()));
    const auto record = memo.of(wholeInputs(), 1, {});
    ASSERT_TRUE(record);
    EXPECT_EQ(memo.recorded(), 2U);
    EXPECT_FALSE((*record)->forwards.empty());
}

TEST(ScheduleMemo, ChangesNoCrossover) {
    SweepInputs inputs;
    inputs.base = ofMemory(true);
    inputs.base.against = 5; // fp16 does not fit
    SimulationInputs least = inputs.base;
    least.cost.format = 5;
    inputs.base.policy.maxModelLen = longestRequestOf(least); // the same turns in both scopes
    inputs.base.replicas = 2;
    inputs.base.length.iterations = 200;
    inputs.users = {1, 2, 5};
    inputs.weights = everyK;
    inputs.threads = 1;
    const CrossoverOptions options{.draws = 4, .threads = 1};
    const auto forgotten = crossoversOf(inputs, options);
    inputs.base.schedules = std::make_shared<ScheduleMemo>();
    const auto remembered = crossoversOf(inputs, options);
    ASSERT_TRUE(forgotten && remembered);
    ASSERT_EQ(forgotten->size(), remembered->size());
    for (std::size_t i = 0; i < forgotten->size(); ++i) {
        EXPECT_EQ((*forgotten)[i].sentence, (*remembered)[i].sentence);
        EXPECT_EQ((*forgotten)[i].all, (*remembered)[i].all);
        EXPECT_EQ((*forgotten)[i].best, (*remembered)[i].best);
    }
    const std::uint64_t before = inputs.base.schedules->recorded();
    inputs.base.scope = StepScope::GemmOnly;
    ASSERT_TRUE(crossoversOf(inputs, options));
    EXPECT_EQ(inputs.base.schedules->recorded(), before) << "both scopes hold the same steps";
}

} // namespace
} // namespace loadline
