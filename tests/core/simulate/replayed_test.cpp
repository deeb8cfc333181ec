// A replayed log: its own server beside the simulated one, and what is simulated in its place.
#include "core/simulate/answer/replayed.h"

#include "core/cost/shapes/shapes.h"
#include "tests/core/simulate/made_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Two requests of a log whose server took 20 s each; simulated in 10 s by k = 4, in 15 s by fp16.
SimulatorFigure replayed(RecordedServer recorded) {
    Workload workload = *workloadOfTrace(std::vector<TraceRequest>{{0, 100, 10, 0}, {1, 500, 10, 0}}, "made",
                                         "Made up", "a log");
    workload.recorded = std::move(recorded);
    SimulatorFigure figure;
    figure.inputs.workload = std::make_shared<const Workload>(std::move(workload));
    figure.inputs.cost.model = *findShapePreset("llama-3.1-8b");
    figure.inputs.cost.format = Format(4);
    figure.inputs.scope = StepScope::WholeStep;
    figure.inputs.arrivals.kind = ArrivalKind::Trace;
    figure.stage = FigureStage::Refined;
    figure.present.rows.steps = {0, 10};
    FormatPair& pair = figure.pair.emplace();
    const auto served = [](ServedFormat& one, const Format& format, double seconds) {
        one.format = format;
        one.fits = true;
        one.all.simulatedS = 2 * seconds;
        one.all.tokensOut = 20;
        one.all.turns = 2;
        one.all.e2eS = {.n = 2, .mean = seconds, .p50 = seconds, .p90 = seconds, .p99 = seconds};
    };
    served(pair.own, Format(4), 10);
    served(pair.against, fp16Format, 15);
    return figure;
}

const RecordedServer recordedLlama{.latencyS = {.n = 2, .mean = 20, .p50 = 20, .p90 = 25, .p99 = 25},
                                   .tokensPerS = 0.8,
                                   .model = "llama-3.1-8b",
                                   .bitsPerWeight = 4.5,
                                   .maxSeqs = 256};

TEST(Replayed, TheHeadlineComparesTheLogWithTheSimulation) {
    const SimulatorFigure figure = replayed(recordedLlama);
    EXPECT_THAT(headlineOf(figure), HasSubstr("Replayed at k = 4: latency 10 s (median), 1 tokens/s; "
                                              "in the log 20 s, 0.8 tokens/s."));
    EXPECT_THAT(headlineOf(figure), Not(HasSubstr("than fp16")));
    EXPECT_EQ(logDifferencesOf(figure.inputs), "");
}

TEST(Replayed, OnlyWhatTheLogTellsIsCompared) {
    RecordedServer recorded = recordedLlama;
    recorded.tokensPerS = 0;
    EXPECT_THAT(replaySentenceOf(replayed(recorded)), Not(HasSubstr("tokens/s")));
    recorded.latencyS = {};
    EXPECT_EQ(replaySentenceOf(replayed(recorded)), "");
    SimulatorFigure figure = replayed(recordedLlama);
    figure.inputs.arrivals.kind = ArrivalKind::Poisson; // at other times
    EXPECT_EQ(replaySentenceOf(figure), "");
    EXPECT_TRUE(replayedServersOf(figure).empty());
}

TEST(Replayed, ALogOfFp16IsComparedWithFp16) {
    RecordedServer recorded = recordedLlama;
    recorded.bitsPerWeight = 16;
    const SimulatorFigure figure = replayed(recorded);
    EXPECT_THAT(replaySentenceOf(figure), HasSubstr("Replayed at fp16: latency 15 s (median)"));
    EXPECT_EQ(logDifferencesOf(figure.inputs), "");
}

TEST(Replayed, WhatIsSimulatedInsteadIsNamed) {
    RecordedServer recorded = recordedLlama;
    recorded.model.clear();
    recorded.bitsPerWeight = 8.5;
    recorded.maxSeqs = 4;
    const SimulatorFigure figure = replayed(recorded);
    const std::string differences = logDifferencesOf(figure.inputs);
    EXPECT_THAT(differences, HasSubstr("The log names no known model"));
    EXPECT_THAT(differences, HasSubstr("is assumed."));
    EXPECT_THAT(differences, HasSubstr("8.5 bits a weight are not simulated: k = 4 has 4.25."));
    EXPECT_THAT(differences, HasSubstr("at most 4 requests at once, the simulated one 256."));
    EXPECT_THAT(headlineOf(figure), HasSubstr("is assumed."));
    recorded.model = "qwen3-8b";
    EXPECT_THAT(logDifferencesOf(replayed(recorded).inputs), HasSubstr("The log's model is qwen3-8b"));
}

TEST(Replayed, TheTableHasARowForEachServer) {
    const Table table = replayTable(replayed(recordedLlama));
    ASSERT_EQ(table.rows.size(), 3U);
    EXPECT_EQ(table.rows[0][0], Cell("log"));
    EXPECT_EQ(table.rows[0][1], Cell(0.8));
    EXPECT_EQ(table.rows[1][0], Cell("k = 4"));
    EXPECT_EQ(table.rows[2][4], Cell(15.0));
}

} // namespace
} // namespace loadline
