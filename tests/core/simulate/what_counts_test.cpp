// The facts beside an answer, and what "auto" comes to.
#include "core/simulate/answer/what_counts.h"

#include "core/cost/analytic/modelled_profile.h"
#include "core/cost/shapes/positions.h"
#include "core/simulate/fit/turn_lengths.h"
#include "core/simulate/request/simulation_request.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/run/simulate.h"
#include "core/simulate/study/remarks.h"
#include "core/text/number_format.h"
#include "tests/core/simulate/made_inputs.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace loadline {
namespace {

SimulationSources sourcesOf(const char* shapes, Workload workload = referenceWorkload()) {
    SimulationSources sources;
    sources.workload = std::make_shared<const Workload>(std::move(workload));
    sources.hardware = findHardware("RTX4090");
    sources.shapes = *findShapePreset(shapes);
    sources.rule = *findDispatchPreset("code");
    return sources;
}

Workload sessions() {
    WorkloadSession session;
    session.id = session.conversation = "a";
    session.turns = {{.context = 0, .input = 1000, .output = 10},
                     {.context = 3000, .input = 500, .output = 20}};
    return *workloadOfTurns({session}, "made", "Made up", "a test");
}

const CountedFact& fact(const std::vector<CountedFact>& facts, std::string_view key) {
    const auto found = std::ranges::find(facts, key, &CountedFact::key);
    static const CountedFact none;
    EXPECT_NE(found, facts.end()) << key;
    return found == facts.end() ? none : *found;
}

TEST(WhatCounts, EachPolicyHasItsOwnServersLimitOfSequences) {
    SimulationRequest request;
    request.policy = policyAsServed();
    EXPECT_EQ(inputsOf(request, sourcesOf("llama-3.1-8b")).policy.maxSeqs, 256);
    request.policy.policy = Policy::Mlx;
    EXPECT_EQ(inputsOf(request, sourcesOf("llama-3.1-8b")).policy.maxSeqs, 32); // --decode-concurrency
    request.policy.maxSeqs = 100;
    EXPECT_EQ(inputsOf(request, sourcesOf("llama-3.1-8b")).policy.maxSeqs, 100);
}

TEST(Auto, CountsWholeStepsOfAModelAndGemmsOfALayer) {
    EXPECT_EQ(inputsOf({}, sourcesOf("llama-3.1-8b")).scope, StepScope::WholeStep);
    EXPECT_EQ(inputsOf({}, sourcesOf("study")).scope, StepScope::GemmOnly);
    SimulationSources unknown = sourcesOf("llama-3.1-8b");
    unknown.hardware = nullptr;
    unknown.profile = madeProfile(); // of no known device: attention cannot be timed
    EXPECT_EQ(inputsOf({}, unknown).scope, StepScope::GemmOnly);
    SimulationRequest asked;
    asked.scope = StepScope::GemmOnly;
    EXPECT_EQ(inputsOf(asked, sourcesOf("llama-3.1-8b")).scope, StepScope::GemmOnly);
}

TEST(Auto, ReplaysSessionsForUsersWhoWait) {
    EXPECT_EQ(inputsOf({}, sourcesOf("study")).arrivals.order, TurnOrder::Sampled);
    SimulationRequest request;
    EXPECT_EQ(inputsOf(request, sourcesOf("study", sessions())).arrivals.order, TurnOrder::Replayed);
    request.arrivals.kind = ArrivalKind::Poisson;
    EXPECT_EQ(inputsOf(request, sourcesOf("study", sessions())).arrivals.order, TurnOrder::Sampled);
}

TEST(Auto, IsWrittenDownAsWhatItCameTo) {
    const SimulationInputs inputs = inputsOf({}, sourcesOf("llama-3.1-8b", sessions()));
    const SimulationRequest written = resolved({}, inputs);
    EXPECT_EQ(written.scope, StepScope::WholeStep);
    EXPECT_EQ(written.arrivals.order, TurnOrder::Replayed);
    EXPECT_EQ(written.outputs, OutputCounts::Recorded);
}

TEST(WhatCounts, SaysThatATracesSharedPrefixesAreLeftOut) {
    const std::vector<TraceRequest> requests = {{0, 1024, 10, 0, {0, 1}},
                                                {1, 1200, 10, 0, {0, 1, 2}}, // 1024 of them
                                                {2, 1024, 10, 0, {3, 1}},    // not after equal ones
                                                {3, 800, 10, 0, {0, 4}}};    // 512 of them
    const Workload trace = *workloadOfTrace(requests, "made", "Made up", "a test");
    EXPECT_NEAR(sharedPrefixShareOf(trace), (1024.0 + 512) / (1024 + 1200 + 1024 + 800), 1e-12);
    EXPECT_EQ(sharedPrefixShareOf(sessions()), 0);
    SimulationRequest closed;
    closed.arrivals.users = 2;
    const SimulationInputs drawn = inputsOf(closed, sourcesOf("llama-3.1-8b", trace));
    const CountedFact said = fact(whatCounts(drawn, {}), "turns");
    EXPECT_NE(said.words.find("without the 37.9 % of prompt tokens that requests share"), std::string::npos)
        << said.words;
    EXPECT_TRUE(said.warns);
    SimulationRequest timed;
    timed.arrivals.kind = ArrivalKind::Trace;
    const SimulationInputs own = inputsOf(timed, sourcesOf("llama-3.1-8b", trace));
    EXPECT_EQ(fact(whatCounts(own, {}), "turns").words, "at the trace's times");
}

TEST(KvMemory, RefusesWhatItCannotHoldAndCountsIt) {
    SimulationInputs inputs = inputsOf({}, sourcesOf("llama-3.1-8b"));
    const std::int64_t blocks = kvBlocksOf(inputs).value();
    EXPECT_EQ(longestRequestOf(inputs), (blocks - 1) * 16);
    inputs.policy.maxModelLen = 1000;
    EXPECT_EQ(longestRequestOf(inputs), 1000);
    inputs = inputsOf({}, sourcesOf("llama-3.1-8b"));
    inputs.workload = std::make_shared<const Workload>(
        *workloadOfTrace(std::vector<TraceRequest>{{0, blocks * 16 + 1, 10, 0}, {0, 500, 10, 0}}, "made",
                         "Made up", "a test"));
    inputs.arrivals.kind = ArrivalKind::Trace;
    const auto run = simulate(inputs);
    ASSERT_TRUE(run) << run.error().what;
    EXPECT_EQ(run->replicas.front().refusedTurns, 1U);
    EXPECT_EQ(run->replicas.front().turns, 1U);
    const auto facts = whatCounts(inputs, memoryFitOf(inputs), &run->replicas.front());
    EXPECT_NE(fact(facts, "turns").words.find("50.0 % refused"), std::string::npos)
        << fact(facts, "turns").words;
    EXPECT_TRUE(fact(facts, "turns").warns);
}

TEST(WhatCounts, TurnsBeyondTheModelsPositionsAreCounted) {
    for (const ModelShapes& preset : shapePresets()) {
        EXPECT_EQ(positionsOf(preset.key).has_value(), !preset.key.starts_with("study")) << preset.key;
    }
    SimulationInputs inputs = inputsOf({}, sourcesOf("llama-3.1-8b"));
    inputs.arrivals.kind = ArrivalKind::Trace;
    const auto with = [&](Tokens input) {
        inputs.workload = std::make_shared<const Workload>(*workloadOfTrace(
            std::vector<TraceRequest>{{0, input, 10, 0}, {0, 500, 10, 0}}, "made", "Made up", "a test"));
        return beyondPositionsOf(inputs);
    };
    EXPECT_EQ(with(131'062), ""); // and 10 of output
    EXPECT_EQ(
        with(131'063),
        fmt::format("1 of 2 turns exceed the {} positions of Llama-3.1-8B: by default servers refuse them.",
                    formatExact(131'072)));
    const auto facts = whatCounts(inputs, memoryFitOf(inputs));
    EXPECT_NE(fact(facts, "turns").more.find("positions of Llama-3.1-8B"), std::string::npos);
    EXPECT_TRUE(fact(facts, "turns").warns);
    inputs.policy.maxModelLen = 131'072;
    EXPECT_EQ(with(131'063), "");
    inputs.policy.maxModelLen = PolicySetup{}.maxModelLen;
    inputs.cost.model.key = "somebody's";
    EXPECT_EQ(with(131'063), "");
}

TEST(WhatCounts, WhatIsTooLargeFillsNoCache) {
    SimulationInputs inputs = inputsOf({}, sourcesOf("llama-3.1-70b"));
    SimulationResult runs;
    runs.peakKvBlocks = 512;
    runs.turns = 1200;
    const MemoryFit fit = memoryFitOf(inputs, runs);
    ASSERT_TRUE(fit.isTooLarge());
    EXPECT_EQ(fact(whatCounts(inputs, fit), "memory").words.find("KV"), std::string::npos)
        << fact(whatCounts(inputs, fit), "memory").words;
}

TEST(WhatCounts, OfAWholeModel) {
    const SimulationInputs inputs = inputsOf({}, sourcesOf("llama-3.1-8b"));
    const auto run = simulate(inputs);
    ASSERT_TRUE(run);
    const auto facts = whatCounts(inputs, memoryFitOf(inputs, 1 << 30), &run->replicas.front());
    EXPECT_EQ(fact(facts, "model").words, "Llama-3.1-8B: 32 layers, k = 4");
    EXPECT_EQ(fact(facts, "step").words, "GEMMs, attention, head in fp16; no host, no communication");
    EXPECT_EQ(fact(facts, "memory").words, "weights 5.4 GiB + KV 1.0 GiB of RTX4090 24.0 GiB");
    SimulationResult runs;
    runs.peakKvBlocks = 512; // of 16 tokens, 128 KiB each
    runs.turns = 1200;
    EXPECT_EQ(
        fact(whatCounts(inputs, memoryFitOf(inputs, runs)), "memory").words,
        fmt::format("weights 5.4 GiB + KV up to 1.0 GiB ({} turns) of RTX4090 24.0 GiB", formatExact(1200)));
    EXPECT_EQ(fact(facts, "modelled").words, "100 % of the time modelled, not timed");
    EXPECT_NE(fact(facts, "workload").words.find("most often 2"), std::string::npos);
    EXPECT_TRUE(fact(facts, "workload").warns); // its logs held placeholders
    EXPECT_TRUE(tellsLatencies(inputs));
}

TEST(WhatCounts, ALogsOwnLatencyStandsBesideTheSimulatedOne) {
    Workload workload = *workloadOfTrace(std::vector<TraceRequest>{{0, 100, 10, 0}, {1, 500, 10, 0}}, "made",
                                         "Made up", "a log");
    workload.recorded = RecordedServer{.latencyS = {.n = 2, .mean = 20, .p50 = 20, .p90 = 25, .p99 = 25},
                                       .model = "llama-3.1-8b"};
    SimulationInputs inputs = inputsOf({}, sourcesOf("llama-3.1-8b", workload));
    const auto told = [&] {
        const auto facts = whatCounts(inputs, memoryFitOf(inputs));
        const auto found = std::ranges::find(facts, "recorded_latency", &CountedFact::key);
        return found == facts.end() ? std::string() : found->words + " | " + found->more;
    };
    inputs.arrivals.kind = ArrivalKind::Trace;
    EXPECT_NE(told().find("20 s median, 25 s p90 | From arrival to end, of the 2 requests"),
              std::string::npos)
        << told();
    inputs.arrivals.kind = ArrivalKind::Poisson; // at other times they would have taken another time
    EXPECT_EQ(told(), "");
}

TEST(WhatCounts, DoubtsOutputsOfOtherLogs) {
    Workload workload = referenceWorkload();
    workload.key = "other";
    const SimulationInputs inputs = inputsOf({}, sourcesOf("study", workload));
    const auto facts = whatCounts(inputs, memoryFitOf(inputs));
    EXPECT_NE(fact(facts, "workload").more.find("if it is from such logs"), std::string::npos);
}

TEST(WhatCounts, HostTimeIsNoAttention) {
    SimulationInputs inputs = inputsOf({}, sourcesOf("llama-3.1-8b"));
    inputs.hostUs = 1000;
    SimulationResult run;
    run.rows.steps = {0, 10};
    run.gemm.us = 5'000;
    run.gemm.modelledUs = 5'000;
    run.wholeUs = 20'000; // 10'000 of the host, 5'000 of attention
    const auto facts = whatCounts(inputs, memoryFitOf(inputs), &run);
    EXPECT_EQ(fact(facts, "modelled").words, "50.0 % of the time modelled, not timed");
}

TEST(WhatCounts, OneLayerIsNoServer) {
    SimulationInputs inputs = inputsOf({}, sourcesOf("study"));
    const auto facts = whatCounts(inputs, memoryFitOf(inputs));
    EXPECT_NE(fact(facts, "model").words.find("one layer's GEMMs"), std::string::npos);
    EXPECT_TRUE(fact(facts, "model").warns);
    EXPECT_EQ(fact(facts, "memory").words, "memory not known");
    EXPECT_FALSE(tellsLatencies(inputs));
    EXPECT_FALSE(clockProblemOf(inputs));
    inputs.arrivals.think = ThinkTime::Fixed;
    EXPECT_TRUE(clockProblemOf(inputs));
    inputs.arrivals.think = ThinkTime::None;
    inputs.arrivals.kind = ArrivalKind::Poisson;
    EXPECT_TRUE(clockProblemOf(inputs));
    inputs.cost.model = *findShapePreset("llama-3.1-8b");
    EXPECT_FALSE(clockProblemOf(inputs));
}

TEST(WhatCounts, SaysHowOutputsAreCountedAndHowTurnsFollow) {
    Workload workload = sessions();
    workload.outputs = {.calls = 10, .bounds = 8, .visible = true, .notes = {"why"}};
    SimulationInputs inputs = inputsOf({}, sourcesOf("llama-3.1-8b", workload));
    auto facts = whatCounts(inputs, memoryFitOf(inputs));
    EXPECT_EQ(fact(facts, "outputs").words, "outputs visible: 8 of 10 are lower bounds");
    EXPECT_EQ(fact(facts, "outputs").more, "why");
    EXPECT_EQ(fact(facts, "turns").words, "sessions replayed, mean context 2.25 k");
    EXPECT_EQ(facts.front().words, "with prefix cache"); // as vLLM, and never left out for want of room
    inputs.policy.prefixCache = false;
    facts = whatCounts(inputs, memoryFitOf(inputs));
    EXPECT_EQ(facts.front().words, "no prefix cache");
    EXPECT_NE(facts.front().more.find("unless told otherwise"), std::string::npos);
    inputs.policy.policy = Policy::Mlx;
    EXPECT_EQ(whatCounts(inputs, memoryFitOf(inputs)).front().words, "no KV kept from turn to turn");
    inputs.arrivals.order = TurnOrder::Sampled;
    facts = whatCounts(inputs, memoryFitOf(inputs));
    EXPECT_TRUE(fact(facts, "turns").warns); // conversations without their context
}

TEST(WhatCounts, SaysHowOftenSomebodyWasPreempted) {
    const SimulationInputs inputs = inputsOf({}, sourcesOf("llama-3.1-8b"));
    SimulationResult present;
    present.runs = 2;
    const auto said = [&] {
        return std::ranges::count(whatCounts(inputs, memoryFitOf(inputs), &present), "preemptions",
                                  &CountedFact::key);
    };
    EXPECT_EQ(said(), 0);
    present.preemptions = 330;
    EXPECT_EQ(said(), 1);
    EXPECT_EQ(fact(whatCounts(inputs, memoryFitOf(inputs), &present), "preemptions").words,
              "165 preemptions a run");
}

TEST(WhatCounts, TimesOfAModelAreUnvalidated) {
    SimulationSources sources = sourcesOf("llama-3.1-8b");
    sources.profile = std::make_shared<const Profile>(modelledProfile(*findGpu("RTX4090")));
    sources.rule = *findDispatchPreset("fastest");
    SimulationInputs inputs = inputsOf({}, sources);
    const auto run = simulate(inputs);
    ASSERT_TRUE(run) << run.error().sentence();
    const CountedFact modelled =
        whatCounts(inputs, memoryFitOf(inputs), &run->replicas.front()).front(); // before all others
    EXPECT_EQ(modelled.key, "modelled");
    EXPECT_EQ(modelled.words, "100 % of the time modelled, unvalidated");
    EXPECT_NE(modelled.more.find("no error bar"), std::string::npos) << modelled.more;
    EXPECT_TRUE(modelled.warns);
    const CountedFact beforeAnyRun = whatCounts(inputs, memoryFitOf(inputs)).front();
    EXPECT_EQ(beforeAnyRun.words, "kernel times modelled, unvalidated");
    EXPECT_TRUE(beforeAnyRun.warns);
}

TEST(WhatCounts, ACurveSaysHowMuchIsModelled) {
    std::vector<CountedFact> facts;
    const std::vector<ModelledShares> timed(3);
    addModelledShares(facts, timed);
    ASSERT_EQ(facts.size(), 1U);
    EXPECT_EQ(facts.front().words, "all timed");
    const std::vector<ModelledShares> some = {{.kBit = 0.3, .fp16 = 0.1}, {.kBit = 0.2, .fp16 = 0.861}};
    addModelledShares(facts, some);
    EXPECT_EQ(facts.size(), 1U) << "it is said already";
    facts.clear();
    addModelledShares(facts, some);
    ASSERT_EQ(facts.size(), 1U);
    EXPECT_EQ(facts.front().words, "30.0 % to 86.1 % of the GEMM time modelled, not timed");
    EXPECT_TRUE(facts.front().warns);
}

TEST(WhatCounts, CaveatsAreTheFactsThatWarn) {
    const std::vector<CountedFact> facts = {
        {"model", "one layer", "It is no server.", true},
        {"warm", "12 are warm", "", false},
        {"memory", "weights 38 GiB of 24 GiB", "It does not fit.", true},
        {"served", "k = 4 does not fit", "It does not fit.", true},
    };
    EXPECT_THAT(caveatsOf(facts), testing::ElementsAre("Weights 38 GiB of 24 GiB. It does not fit.",
                                                       "One layer. It is no server.", "k = 4 does not fit."));
}

} // namespace
} // namespace loadline
