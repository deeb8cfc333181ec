// Sentences on two formats: intervals, orders, traces at their own times, contexts that are left out.
#include "core/simulate/request/simulation_request.h"
#include "core/simulate/study/crossing_words.h"
#include "core/simulate/study/format_pair.h"
#include "core/simulate/study/format_pair_words.h"
#include "core/simulate/study/serving_crossing_words.h"
#include "core/text/number_format.h"
#include "core/workload/source/workload_of_traces.h"
#include "tests/core/cost/bundled_profile.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace loadline {
namespace {

/// Llama-3.1-8B on the RTX 4090.
SimulationInputs llamaInputs(std::int64_t users) {
    SimulationRequest request;
    request.arrivals.users = users;
    request.length = {.iterations = 5'000, .turns = std::nullopt};
    SimulationSources sources;
    sources.workload = std::make_shared<const Workload>(referenceWorkload());
    sources.profile = std::make_shared<const Profile>(test::bundledProfile());
    sources.shapes = *findShapePreset("llama-3.1-8b");
    sources.rule = *findDispatchPreset("code");
    return inputsOf(request, sources);
}

TEST(PairWords, AnIntervalThatHolds1ReadsSo) {
    FormatPair pair;
    pair.own.format = Format(4);
    pair.against.format = fp16Format;
    pair.turnsPerS = PairedRatio{.value = 0.92, .low = 0.82, .high = 1.03, .runsLow = 0.91, .runsHigh = 0.93};
    EXPECT_NE(servingSentenceOf(pair).find("(0.82 to 1.03 times, as kernel times err)"), std::string::npos)
        << servingSentenceOf(pair);
    EXPECT_EQ(formatTimes(0.9996, 1.2, 3), "0.9996 to 1.2");
    EXPECT_EQ(formatTimes(0.82, 1.0004, 3), "0.82 to 1.0004");
    EXPECT_EQ(formatTimes(1, 1.25, 2), "1 to 1.2");
}

TEST(PairWords, ASpanFromAsManyKeepsItsWords) {
    Crossover crossover;
    crossover.against = fp16Format;
    crossover.byTurns = true;
    crossover.best = {1.0 / 37, 1.0 / 37, 1.0 / 37};
    crossover.bestUsers = 35;
    crossover.worst = {1, 1, 1};
    const std::string text = servingCrossingSentenceOf(crossover);
    EXPECT_TRUE(
        text.starts_with("k = 4 serves as many to 37 times as many turns per second as fp16 from 1 to 256"))
        << text;
    crossover.worst.value = 1 / 1.13;
    EXPECT_TRUE(
        servingCrossingSentenceOf(crossover).starts_with("k = 4 serves 13 % more to 37 times as many"))
        << servingCrossingSentenceOf(crossover);
}

/// A curve may jump past 1: nowhere are both alike.
TEST(PairWords, SeveralCrossingsTellWhoLeadsFirst) {
    Crossover crossover;
    crossover.against = fp16Format;
    crossover.byTurns = true;
    crossover.crossings = {{.users = 16.5, .quantisedFasterBelow = true, .fromUsers = 16, .toUsers = 17},
                           {.users = 26.5, .quantisedFasterBelow = false, .fromUsers = 26, .toUsers = 27}};
    const std::string text = servingCrossingSentenceOf(crossover);
    EXPECT_TRUE(
        text.starts_with("k = 4 serves more turns per second than fp16 below 17 users; the order turns "
                         "at 17 and 27 users"))
        << text;
}

TEST(PairWords, APreviewOfFewRunsTellsItsValue) {
    const PairedRatio wide{.value = 1.3, .low = 0.1, .high = 12};
    EXPECT_EQ(moreTurnsText(wide), "30 % more") << "the runs do not tell, which is not that both are alike";
    EXPECT_NE(moreTurnsText(wide, true), "about as many");
    EXPECT_NE(moreTurnsText(wide, true).find("30 %"), std::string::npos) << moreTurnsText(wide, true);
    EXPECT_EQ(moreTurnsText({.value = 1.01, .low = {}, .high = {}}, true), "about as many");
}

TEST(PairWords, AnOrderThatKernelTimesMayTurnRoundIsSaidWithItsInterval) {
    FormatPair pair;
    pair.own.format = Format(4);
    pair.against.format = fp16Format;
    const PairedRatio runs{.value = 1.24, .low = 1.22, .high = 1.26};
    pair.turnsPerS = runs;
    EXPECT_EQ(servingSentenceOf(pair), "k = 4 serves 24 % more turns per second than fp16.");
    pair.turnsPerS = withKernelError(runs, 0.16);
    ASSERT_LT(*pair.turnsPerS->low, 1);
    EXPECT_EQ(pair.turnsPerS->ofRuns(), runs);
    EXPECT_EQ(servingSentenceOf(pair),
              "k = 4 serves 24 % more turns per second than fp16 (0.91 to 1.7 times, as kernel times err).");
    EXPECT_EQ(servingSentenceOf(pair, true), "k = 4 serves about 20 % more turns per second than fp16.");
    pair.turnsPerS = withKernelError(runs, 0.02); // the error does not reach 1
    EXPECT_EQ(servingSentenceOf(pair), "k = 4 serves 24 % more turns per second than fp16.");
    pair.turnsPerS =
        withKernelError(PairedRatio{.value = 1.24, .low = 0.9, .high = 1.7}, 0.16); // nor do the runs tell
    EXPECT_EQ(servingSentenceOf(pair), "k = 4 serves 24 % more turns per second than fp16 (0.79–1.9×).");
    pair.turnsPerS = PairedRatio{.value = 1.13, .low = 0.99, .high = 1.29};
    EXPECT_EQ(servingSentenceOf(pair), "k = 4 serves 13 % more turns per second than fp16 (0.99–1.3×).");
    pair.turnsPerS = PairedRatio{.value = 1.02, .low = 0.97, .high = 1.07};
    EXPECT_EQ(servingSentenceOf(pair), "k = 4 serves as many turns per second as fp16.");
}

TEST(PairWords, AHeadlineSaysWhereAndItsInterval) {
    FormatPair pair;
    pair.own.format = Format(4);
    pair.against.format = fp16Format;
    pair.turnsPerS = PairedRatio{.value = 0.6, .low = 0.5, .high = 0.7};
    EXPECT_EQ(servingHeadlineOf(pair, false, "With 17 users"),
              "With 17 users, k = 4 serves 0.6 times as many turns per second as fp16 (0.5–0.7×).");
    pair.turnsPerS = PairedRatio{.value = 0.8, .low = 0.75, .high = 0.86};
    EXPECT_EQ(servingHeadlineOf(pair, false, "With 17 users"),
              "With 17 users, k = 4 serves 20 % fewer turns per second than fp16 (0.75–0.86×).");
    EXPECT_EQ(servingHeadlineOf(pair, true, "With 17 users"),
              "With 17 users, k = 4 serves about 20 % fewer turns per second than fp16.");
    pair.own.fits = false;
    pair.own.memory.model = "Llama";
    EXPECT_TRUE(servingHeadlineOf(pair, false, "With 17 users").starts_with("Llama at k = 4 does not fit"));
}

/// Both answer what comes: how long turns take is what differs.
TEST(PairWords, TurnsAtARateAreComparedByTheirTime) {
    SimulationInputs inputs = llamaInputs(1);
    inputs.arrivals.kind = ArrivalKind::Poisson;
    inputs.arrivals.ratePerS = 0.5;
    inputs.length.iterations = 20'000;
    inputs.replicas = 2;
    const auto pair = serveFormats(inputs);
    ASSERT_TRUE(pair && pair->turnsPerS);
    ASSERT_FALSE(pair->own.all.queueGrows() || pair->against.all.queueGrows());
    const std::string sentence = servingSentenceOf(*pair);
    EXPECT_EQ(sentence.find("turns per second"), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find("k = 4 answers a turn in "), 0U) << sentence;
}

/// The figures of a trace at its own times are those of latencies: how many turns come, the trace sets.
TEST(PairWords, ATraceAtItsOwnTimesIsComparedByItsLatencies) {
    const auto traced = [](double gapS) {
        std::vector<TraceRequest> requests(300);
        for (std::size_t i = 0; i < requests.size(); ++i) {
            requests[i].arrivalS = gapS * static_cast<double>(i);
            requests[i].input = 2000;
            requests[i].output = 50;
        }
        SimulationInputs inputs = llamaInputs(1);
        inputs.workload = std::make_shared<const Workload>(
            *workloadOfTrace(std::move(requests), "made", "Made up", "a test"));
        inputs.arrivals.kind = ArrivalKind::Trace;
        inputs.length = {};
        return inputs;
    };
    const auto slow = serveFormats(traced(2));
    ASSERT_TRUE(slow) << slow.error().sentence();
    EXPECT_FALSE(slow->own.all.queueGrows() || slow->against.all.queueGrows());
    const std::string headline = servingSentenceOf(*slow);
    EXPECT_EQ(headline.find("k = 4 answers a turn in "), 0U) << headline;
    EXPECT_NE(headline.find(" time than fp16 on average; TTFT p50 "), std::string::npos) << headline;
    EXPECT_EQ(headline.find("turns per second"), std::string::npos) << headline;
    EXPECT_EQ(pairedFiguresOf(*slow)[0].name, "Turns per second, until the last answer");
    const auto fast = serveFormats(traced(0.01));
    ASSERT_TRUE(fast) << fast.error().sentence();
    EXPECT_TRUE(fast->own.all.queueGrows() && fast->against.all.queueGrows());
    EXPECT_TRUE(fast->ratioOf(ServedFigure::TtftP50)) << "of the trace, not of how long a run was";
    const std::string overload = servingSentenceOf(*fast);
    EXPECT_EQ(overload.find("Turns come at 100 a second, faster than either format answers them: k = 4 "), 0U)
        << overload;
    EXPECT_NE(overload.find("TTFT grows through the trace"), std::string::npos) << overload;
}

/// Turns drawn singly have no contexts, but conversations that a KV room is to hold do.
TEST(PairWords, ContextsThatAreLeftOutAreMarked) {
    SimulationInputs inputs = llamaInputs(1);
    Workload workload = *inputs.workload;
    workload.kind = WorkloadKind::Sessions;
    WorkloadSession& session = workload.sessions.emplace_back();
    session.turns = {{.context = 0, .input = 100, .output = 100},
                     {.context = 19'800, .input = 100, .output = 100}};
    inputs.workload = std::make_shared<const Workload>(std::move(workload));
    inputs.arrivals.kind = ArrivalKind::Poisson;
    inputs.arrivals.ratePerS = 0.5;
    inputs.cost.format = Format(4);
    inputs.against = Format(2);
    const auto singly = serveFormats(inputs);
    ASSERT_TRUE(singly) << singly.error().sentence();
    EXPECT_NE(servingSentenceOf(*singly).find(", contexts left out (9.9 k tokens a turn)"), std::string::npos)
        << servingSentenceOf(*singly);
    inputs.arrivals.kind = ArrivalKind::Closed;
    inputs.arrivals.order = TurnOrder::Replayed;
    const auto replayed = serveFormats(inputs);
    ASSERT_TRUE(replayed) << replayed.error().sentence();
    EXPECT_EQ(servingSentenceOf(*replayed).find("left out"), std::string::npos);
    EXPECT_EQ(usersThatFit(singly->own.memory), usersThatFit(replayed->own.memory));
    EXPECT_GT(usersThatFit(singly->own.memory), 0);
}

} // namespace
} // namespace loadline
