// The exact way: equal to the fast one where both apply; hand-made cases where only it does.
#include "core/simulate/run/replica.h"
#include "core/simulate/run/simulate.h"
#include "tests/core/simulate/exact_runs.h"
#include "tests/core/simulate/made_inputs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

namespace loadline {
namespace {

SimulationInputs replayedInputs() {
    SimulationInputs inputs = madeInputs();
    std::vector<WorkloadSession> sessions;
    for (int i = 0; i < 3; ++i) {
        WorkloadSession session{.id = std::to_string(i), .turns = {}};
        Tokens context = 1000;
        for (int turn = 0; turn < 12; ++turn) {
            session.turns.push_back({context, 100 + 37 * i, 20 + turn, turn == 0 ? -1 : 0.5 * turn});
            context += 120 + 37 * i + turn;
        }
        sessions.push_back(session);
    }
    inputs.workload =
        std::make_shared<const Workload>(*workloadOfTurns(std::move(sessions), "made", "Made up", "a test"));
    inputs.policy = {};
    inputs.arrivals.order = TurnOrder::Replayed;
    inputs.arrivals.users = 4;
    return inputs;
}

void expectNear(const Quantiles& a, const Quantiles& b) {
    EXPECT_EQ(a.n, b.n);
    EXPECT_NEAR(a.mean, b.mean, 1e-9 * (1 + b.mean));
    EXPECT_NEAR(a.p50, b.p50, 1e-9 * (1 + b.p50));
    EXPECT_NEAR(a.p99, b.p99, 1e-9 * (1 + b.p99));
}

using Setting = std::tuple<Policy, int, Tokens, Tokens, std::int64_t>;
class ExactAndFast : public testing::TestWithParam<Setting> {};

TEST_P(ExactAndFast, AreTheSameRun) {
    const auto [policy, users, chunk, budget, maxSeqs] = GetParam();
    SimulationInputs inputs = madeInputs();
    inputs.policy.policy = policy;
    inputs.policy.chunkTokens = chunk > 0 ? std::optional(chunk) : std::nullopt;
    inputs.policy.budgetTokens = budget;
    inputs.policy.maxSeqs = maxSeqs;
    inputs.arrivals.users = users;
    inputs.length.iterations = 6000;
    ASSERT_TRUE(goesFast(inputs));
    for (const std::uint64_t seed : {1U, 2U, 77U}) {
        inputs = seed == 2 ? withHead(inputs) : inputs;
        const auto tables = tablesOf(inputs);
        const GemmRates& rates = tables->at(inputs.cost.format);
        RowsEngine engine;
        const auto turns = turnsFor(*inputs.workload, 40'000, seed);
        const SimulationResult fast = runFast(inputs, rates, turns, engine);
        const auto slow = runExact(inputs, rates, seed);
        ASSERT_TRUE(slow) << slow.error().what;
        EXPECT_EQ(fast.rows, slow->rows);
        EXPECT_NEAR(fast.gemm.us, slow->gemm.us, 1e-9 * fast.gemm.us);
        EXPECT_EQ(fast.turns, slow->turns);
        EXPECT_EQ(fast.tokensIn, slow->tokensIn);
        EXPECT_EQ(fast.tokensOut, slow->tokensOut);
        EXPECT_NEAR(fast.simulatedS, slow->simulatedS, 1e-9 * fast.simulatedS);
        expectNear(fast.ttftS, slow->ttftS);
        expectNear(fast.tpotS, slow->tpotS);
        expectNear(fast.e2eS, slow->e2eS);
    }
}

INSTANTIATE_TEST_SUITE_P(Settings, ExactAndFast,
                         testing::Values(Setting{Policy::VllmV1, 1, 0, 8192, 256},
                                         Setting{Policy::VllmV1, 16, 0, 2048, 256},
                                         Setting{Policy::VllmV1, 64, 512, 8192, 256},
                                         Setting{Policy::VllmV1, 40, 256, 700, 24},
                                         Setting{Policy::SinglePrefill, 1, 512, 8192, 256},
                                         Setting{Policy::SinglePrefill, 64, 512, 8192, 256},
                                         Setting{Policy::SinglePrefill, 30, 2048, 300, 20}));

TEST(Exact, FollowsTheStudyFitAsTheFastWay) {
    SimulationInputs inputs = madeInputs();
    inputs.policy.fit = {16'384, 32};
    inputs.arrivals.users = 16;
    RowsEngine engine;
    const auto tables = tablesOf(inputs);
    const auto turns = turnsFor(*inputs.workload, 40'000, 5);
    const SimulationResult fast = runFast(inputs, tables->at(4), turns, engine);
    const auto slow = runExact(inputs, tables->at(4), 5);
    EXPECT_EQ(fast.rows, slow->rows);
    EXPECT_EQ(fast.tokensIn, slow->tokensIn);
}

TEST(Exact, TimesATraceByHand) {
    // 100 tokens prefilled in one step, which emits; then two decodes.
    SimulationInputs inputs = tracedInputs({{0, 100, 3, 0}, {10, 50, 1, 0}});
    const auto result = exact(inputs);
    ASSERT_TRUE(result);
    const auto tables = tablesOf(inputs);
    const CostTable& table = tables->at(4).table();
    EXPECT_EQ(result->turns, 2U);
    EXPECT_EQ(result->tokensIn, 150U);
    EXPECT_EQ(result->tokensOut, 4U);
    EXPECT_EQ(result->rows.iterations(), 4U);
    EXPECT_EQ(result->rows.decodeOnlyIterations(), 2U);
    EXPECT_NEAR(result->simulatedS, 10 + table.us(50) * 1e-6, 1e-12);
    EXPECT_NEAR(result->tpotS.mean, table.us(1) * 1e-6, 1e-12);
    EXPECT_NEAR(result->ttftS.mean, (table.us(100) + table.us(50)) / 2 * 1e-6, 1e-12);
    EXPECT_EQ(result->peakKvBlocks, 7); // 102 tokens in KV
}

TEST(Exact, AsynchronousStepsSeeTurnsOneForwardLater) {
    SimulationInputs inputs = tracedInputs({{0, 100, 5, 0}});
    const auto plain = exact(inputs);
    inputs.policy.async = true;
    const auto async = exact(inputs);
    ASSERT_TRUE(plain && async);
    EXPECT_EQ(plain->rows, async->rows); // the same forwards, back to back
    EXPECT_NEAR(plain->simulatedS, async->simulatedS, 1e-12);
    EXPECT_NEAR(plain->ttftS.mean, async->ttftS.mean, 1e-12);
    // One that comes while the first forward runs waits for the second forward's end.
    const double during = 1e-6;
    inputs = tracedInputs({{0, 100, 5, 0}, {during, 40, 1, 0}});
    inputs.policy.async = true;
    const auto late = exact(inputs);
    const auto tables = tablesOf(inputs);
    const CostTable& table = tables->at(4).table();
    EXPECT_NEAR(late->ttftS.mean,
                (table.us(100) + (table.us(100) + table.us(1) + table.us(41) - 1)) / 2 * 1e-6, 1e-11);
}

TEST(Exact, HidesTheHostBehindAsynchronousForwards) {
    SimulationInputs inputs = tracedInputs({{0, 100, 5, 0}});
    inputs.scope = StepScope::WholeStep;
    inputs.cost.model.attention =
        AttentionFacts{.layers = 1, .fullLayers = 1, .qHeads = 8, .kvHeads = 8, .headDim = 64};
    inputs.hardware = findHardware("H100-SXM");
    ASSERT_NE(inputs.hardware, nullptr);
    inputs.hostUs = 3;
    const double plain = exact(inputs)->wholeUs;
    inputs.hostUs = 0;
    const double none = exact(inputs)->wholeUs;
    EXPECT_NEAR(plain - none, 15, 1e-6);
    inputs.policy.async = true;
    inputs.hostUs = 3;
    EXPECT_NEAR(exact(inputs)->wholeUs, none, 1e-6);
    EXPECT_GT(none, exact(inputs)->gemm.us);
}

TEST(Exact, AttentionThatWasTimedWithTheKernelsNeedsNoDatasheet) {
    SimulationInputs inputs = tracedInputs({{0, 100, 5, 0}});
    const double gemms = exact(inputs)->wholeUs;
    inputs.scope = StepScope::WholeStep;
    inputs.cost.model.attention =
        AttentionFacts{.layers = 3, .fullLayers = 3, .qHeads = 8, .kvHeads = 8, .headDim = 64};
    Profile timed = *inputs.profile;
    timed.hardware = "";
    timed.ceilings = {{"read_gb_s", "1000"}, {"gemm_tflop_s", "100"}};
    inputs.profile = std::make_shared<const Profile>(timed);
    const double byRates = exact(inputs)->wholeUs;
    EXPECT_GT(byRates, gemms);

    const AttentionHeads heads{8, 8, 64};
    for (const std::int64_t tokens : {100, 200}) {
        timed.attention.push_back({.call = {AttentionPhase::Decode, heads, 1, tokens}, .timeUs = 7});
    }
    timed.attention.push_back({.call = {AttentionPhase::Prefill, heads, 1, 100}, .timeUs = 11});
    inputs.attention = std::make_shared<const AttentionTable>(attentionTableOf(timed).value());
    // 3 layers of one prefill of 100 tokens, then of 4 decodes on top of 100 to 103
    EXPECT_NEAR(exact(inputs)->wholeUs - gemms, 3 * (11 + 4 * 7), 1e-6);
}

TEST(Exact, PoissonArrivesAtItsRate) {
    SimulationInputs inputs = madeInputs();
    inputs.policy = {};
    inputs.arrivals.kind = ArrivalKind::Poisson;
    inputs.arrivals.ratePerS = 20;
    inputs.length = {.iterations = std::nullopt, .turns = 2000};
    const auto result = exact(inputs);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->turns, 2000U);
    EXPECT_NEAR(result->simulatedS, 100, 8); // 100 s +- 3.6 standard deviations
    EXPECT_EQ(result->users, 0);
}

TEST(Exact, RefusesARateThatNoRunWouldAnswer) {
    SimulationInputs inputs = madeInputs();
    inputs.policy = {};
    inputs.arrivals.kind = ArrivalKind::Poisson;
    inputs.length = {.iterations = std::nullopt, .turns = 2000};
    const double answeredPerS = [&] {
        inputs.arrivals.ratePerS = 1e3;
        const auto result = exact(inputs);
        return result ? 2000 / result->simulatedS : 0;
    }();
    ASSERT_GT(answeredPerS, 0);
    inputs.arrivals.ratePerS = 10 * answeredPerS; // the queue grows, and its turns are answered
    EXPECT_TRUE(exact(inputs));
    inputs.arrivals.ratePerS = 1e5 * answeredPerS;
    const auto refused = exact(inputs);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().what.find("come faster than they are answered"), std::string::npos);
}

TEST(Exact, ThinksBetweenTurns) {
    SimulationInputs inputs = madeInputs();
    inputs.policy = {};
    inputs.arrivals.users = 1;
    inputs.length = {.iterations = std::nullopt, .turns = 50};
    const auto busy = exact(inputs);
    inputs.arrivals.think = ThinkTime::Fixed;
    inputs.arrivals.thinkS = 2;
    const auto thinking = exact(inputs);
    EXPECT_NEAR(thinking->simulatedS - busy->simulatedS, 98, 1e-6);
    EXPECT_NEAR(thinking->e2eS.mean, busy->e2eS.mean, 1e-9);
}

TEST(Exact, ReplaysSessionsWithTheirGaps) {
    SimulationInputs inputs = replayedInputs();
    inputs.arrivals.users = 1;
    inputs.length = {.iterations = std::nullopt, .turns = 12};
    const auto busy = exact(inputs);
    inputs.arrivals.think = ThinkTime::FromData;
    const auto real = exact(inputs);
    ASSERT_TRUE(busy && real);
    EXPECT_NEAR(real->simulatedS - busy->simulatedS, 33, 1e-6); // 0.5 (1 + ... + 11)
}

TEST(Exact, FindsASessionsOwnPrefixInTheCache) {
    SimulationInputs inputs = replayedInputs();
    inputs.length = {.iterations = std::nullopt, .turns = 400};
    const auto without = exact(inputs);
    inputs.policy.prefixCache = true;
    const auto with = exact(inputs);
    ASSERT_TRUE(without && with);
    EXPECT_EQ(without->cachedTokens, 0U);
    EXPECT_GT(with->cachedTokens, 0U);
    EXPECT_LT(with->tokensIn, without->tokensIn / 4);
    EXPECT_LT(with->ttftS.mean, without->ttftS.mean);
    // Other engines keep a session's KV without blocks.
    for (const Policy policy : {Policy::SinglePrefill, Policy::Mlx}) {
        inputs.policy.policy = policy;
        const auto kept = exact(inputs);
        ASSERT_TRUE(kept);
        EXPECT_LT(kept->tokensIn, without->tokensIn / 3);
    }
}

TEST(Exact, RequestsOfATraceShareTheBlocksTheyName) {
    // Two conversations in turn, far apart in time: each request holds its own's blocks and one more.
    std::vector<TraceRequest> requests;
    for (std::uint32_t turn = 0; turn < 8; ++turn) {
        for (std::uint32_t which = 0; which < 2; ++which) {
            TraceRequest request{100.0 * (2 * turn + which), 512 * (turn + 1), 1, 512 * turn};
            for (std::uint32_t i = 0; i <= turn; ++i) {
                request.blocks.push_back(2 * i + which);
            }
            requests.push_back(request);
        }
    }
    SimulationInputs inputs = tracedInputs(requests);
    inputs.policy.prefixCache = true;
    const auto roomy = exact(inputs);
    ASSERT_TRUE(roomy) << roomy.error().what;
    EXPECT_EQ(roomy->cachedTokens, 2U * 512 * (0 + 1 + 2 + 3 + 4 + 5 + 6 + 7));
    EXPECT_EQ(roomy->tokensIn, 2U * 512 * 8);
    // Room for the longest request, not for both conversations: of who comes much has been evicted, ends of
    // prompts first.
    inputs.policy.kvBlocks = 8 * 32 + 2;
    const auto tight = exact(inputs);
    ASSERT_TRUE(tight) << tight.error().what;
    EXPECT_LT(tight->cachedTokens, roomy->cachedTokens * 2 / 3);
    EXPECT_GT(tight->cachedTokens, 0U);
    // All of one conversation: nothing is evicted.
    requests.clear();
    for (const TraceRequest& request : inputs.workload->requests) {
        if (request.blocks[0] == 0) {
            requests.push_back(request);
        }
    }
    SimulationInputs alone = tracedInputs(requests);
    alone.policy = inputs.policy;
    const auto one = exact(alone);
    ASSERT_TRUE(one) << one.error().what;
    EXPECT_EQ(one->cachedTokens, 512U * (0 + 1 + 2 + 3 + 4 + 5 + 6 + 7));
}

TEST(Exact, PreemptsWhenTheCacheIsTight) {
    SimulationInputs inputs = tracedInputs(std::vector<TraceRequest>(32, {0, 100, 400, 0}));
    const auto loose = exact(inputs);
    ASSERT_TRUE(loose);
    EXPECT_EQ(loose->preemptions, 0U);
    EXPECT_EQ(loose->peakKvBlocks, 32 * 32); // 499 tokens each
    inputs.policy.kvBlocks = 401;
    const auto tight = exact(inputs);
    ASSERT_TRUE(tight) << tight.error().what;
    EXPECT_EQ(tight->turns, 32U);
    EXPECT_GT(tight->preemptions, 0U);
    EXPECT_LE(tight->peakKvBlocks, 400);
    EXPECT_GT(tight->tokensIn, loose->tokensIn); // computed again
    EXPECT_EQ(tight->tokensOut, loose->tokensOut);
    EXPECT_GT(tight->simulatedS, loose->simulatedS);
}

TEST(Exact, MlxPassesItsForwardsOneByOne) {
    SimulationInputs inputs = tracedInputs({{0, 100, 3, 0}, {0, 40, 2, 0}});
    inputs.policy.policy = Policy::Mlx;
    const auto result = exact(inputs);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->turns, 2U);
    EXPECT_EQ(result->tokensIn, 140U);
    EXPECT_EQ(result->tokensOut, 5U);
    ASSERT_GT(result->rows.steps.size(), 198U);
    EXPECT_EQ(result->rows.steps[198], 1U); // 99 of one and 39 of the other, padded
}

TEST(Exact, PriorityLetsTheFirstUsersGoFirst) {
    SimulationInputs inputs = madeInputs();
    inputs.policy = {};
    inputs.policy.maxSeqs = 4;
    inputs.arrivals.users = 16;
    inputs.policy.order = VllmPolicy::Priority;
    inputs.length.iterations = 4000;
    std::vector<int> answers(16);
    const auto tables = tablesOf(inputs);
    const auto result = runExact(inputs, tables->at(4), 1, {}, [&](const ExactMoment& moment) {
        for (const RequestIndex index : moment.step.finished) {
            ++answers[static_cast<std::size_t>(moment.turns[static_cast<std::size_t>(index)].user)];
        }
        return true;
    });
    ASSERT_TRUE(result);
    EXPECT_GT(answers[0], 10);
    EXPECT_LT(answers[15], answers[0] / 4);
}

TEST(Exact, SaysWhatCannotBe) {
    SimulationInputs inputs = tracedInputs({{0, 10'000, 3, 0}});
    inputs.policy.kvBlocks = 100;
    const auto small = exact(inputs);
    ASSERT_FALSE(small);
    EXPECT_NE(small.error().what.find("626 KV blocks"), std::string::npos) << small.error().what;
    EXPECT_NE(small.error().remedy.find("1\u202f584"), std::string::npos) << small.error().remedy;
    inputs.policy.maxModelLen = 1584;
    EXPECT_EQ(exact(inputs)->refusedTurns, 1U);
    SimulationInputs closed = tracedInputs({{0, 10'000, 3, 0}});
    closed.arrivals = {};
    closed.policy.maxModelLen = 4096;
    EXPECT_FALSE(exact(closed)); // all of them
    inputs = tracedInputs({{0, 10'000, 3, 0}});
    inputs.policy.chunkedPrefill = false;
    const auto stuck = exact(inputs);
    ASSERT_FALSE(stuck);
    EXPECT_NE(stuck.error().what.find("waits for ever"), std::string::npos) << stuck.error().what;
    inputs = madeInputs();
    inputs.scope = StepScope::WholeStep;
    EXPECT_FALSE(simulate(inputs)); // shapes without attention
    inputs.cost.model.attention =
        AttentionFacts{.layers = 1, .fullLayers = 1, .qHeads = 8, .kvHeads = 8, .headDim = 64};
    EXPECT_FALSE(simulate(inputs)); // a device nobody knows
    inputs = replayedInputs();
    inputs.arrivals.kind = ArrivalKind::Poisson;
    EXPECT_FALSE(simulate(inputs)); // sessions are replayed by users
}

TEST(Exact, StopsWhenAsked) {
    SimulationInputs inputs = madeInputs();
    inputs.arrivals.think = ThinkTime::Fixed;
    inputs.length.iterations = std::int64_t{1} << 40;
    std::stop_source source;
    source.request_stop();
    const auto tables = tablesOf(inputs);
    const auto result = runExact(inputs, tables->at(4), 1, source.get_token());
    ASSERT_TRUE(result);
    EXPECT_EQ(result->rows.iterations(), 0U);
    EXPECT_EQ(result->timeVsFp16(), 0);
}

} // namespace
} // namespace loadline
