// Making workloads: the reference, distributions, turns, traces; what is refused and what is noted.
#include "core/workload/source/workload.h"

#include "tests/core/workload/make_workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace loadline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Workload, TheReferenceIsThePublishedStudy) {
    const Workload reference = referenceWorkload();
    EXPECT_EQ(reference.key, "reference");
    EXPECT_EQ(reference.kind, WorkloadKind::Distribution);
    EXPECT_EQ(reference.distribution, publishedReference());
    EXPECT_THAT(reference.source, HasSubstr("bitsandbytes"));
    EXPECT_FALSE(reference.notes.empty());
    EXPECT_FALSE(problemOf(reference));
    const WorkloadSummary summary = summaryOf(reference);
    EXPECT_EQ(summary.turns, 24229U);
    EXPECT_EQ(summary.sessions, 397U);
    EXPECT_NEAR(summary.meanInput, 1298.46, 0.01);
    EXPECT_NEAR(summary.meanOutput, 114.14, 0.01);
    EXPECT_FALSE(summary.knowsGaps);
    EXPECT_FALSE(summary.knowsContexts);
}

TEST(Workload, OfTurnsKnowsItsDistributionAndNotesWhatIsMissing) {
    const Workload workload = test::twoConversations();
    EXPECT_EQ(workload.kind, WorkloadKind::Sessions);
    EXPECT_EQ(workload.distribution.sessions, 2U);
    EXPECT_EQ(workload.distribution.input.turns, 3U); // one has no input
    EXPECT_EQ(workload.distribution.output.turns, 3U);
    EXPECT_THAT(workload.notes, ElementsAre("1 turn without input: simulated with 1 token",
                                            "1 turn without output: simulated with 1 token"));
    const WorkloadSummary summary = summaryOf(workload);
    EXPECT_EQ(summary.turns, 4U);
    EXPECT_DOUBLE_EQ(summary.meanInput, (100 + 20 + 7 + 1) / 4.0);
    EXPECT_DOUBLE_EQ(summary.meanOutput, (10 + 1 + 3 + 5) / 4.0);
    EXPECT_TRUE(summary.knowsGaps);
    EXPECT_TRUE(summary.knowsContexts);
    EXPECT_THAT(gapsS(workload), ElementsAre(2.5));
}

TEST(Workload, OfATraceBeginsAtZeroAndIsSorted) {
    const auto workload = workloadOfTrace({{.arrivalS = 1'700'000'012.5, .input = 3, .output = 1},
                                           {.arrivalS = 1'700'000'010, .input = 1, .output = 1},
                                           {.arrivalS = 1'700'000'010, .input = 2, .output = 1}},
                                          "t.csv", "t", "made up");
    ASSERT_TRUE(workload) << workload.error().sentence();
    EXPECT_EQ(workload->kind, WorkloadKind::Trace);
    EXPECT_THAT(workload->requests,
                ElementsAre(TraceRequest{0, 1, 1, 0}, TraceRequest{0, 2, 1, 0}, TraceRequest{2.5, 3, 1, 0}));
    EXPECT_EQ(workload->distribution.input.turns, 3U);
}

TokenDistribution distributionWith(std::map<Tokens, double> input, std::map<Tokens, double> output) {
    TokenDistribution made;
    made.input = {.turns = 10, .frequency = std::move(input)};
    made.output = {.turns = 10, .frequency = std::move(output)};
    return made;
}

TEST(Workload, SaysWhyItCannotBeMade) {
    const auto huge = Tokens{1} << 40;
    const auto what = [](const auto& result) {
        return result ? std::string("made") : result.error().sentence();
    };
    EXPECT_THAT(what(workloadOfDistribution(distributionWith({}, {{1, 1}}), "d.json")),
                HasSubstr("its input has no turns: d.json (try: a file"));
    EXPECT_THAT(what(workloadOfDistribution(distributionWith({{1, 1}}, {{2, 0}}), "d.json")),
                HasSubstr("its output has no turns"));
    EXPECT_THAT(what(workloadOfDistribution(distributionWith({{huge, 1}}, {{1, 1}}), "d.json")),
                HasSubstr("a bucket of 1099511627776 tokens, which no request holds"));
    EXPECT_THAT(what(workloadOfTrace({}, "t.csv", "", "")), HasSubstr("there are no requests in it: t.csv"));
    EXPECT_THAT(
        what(workloadOfTrace({{.arrivalS = std::numeric_limits<double>::quiet_NaN()}}, "t.csv", "", "")),
        HasSubstr("the arrival of request 1 is not a time"));
    EXPECT_THAT(what(workloadOfTurns({{.id = "empty", .turns = {}}}, "w.csv", "", "")),
                HasSubstr("there are no turns in it: w.csv"));
}

TEST(Workload, ADistributionWithoutCountsSaysSo) {
    TokenDistribution made = distributionWith({{4, 1}}, {{2, 1}});
    made.input.turns = 0;
    const auto workload = workloadOfDistribution(made, "some/d.json");
    ASSERT_TRUE(workload);
    EXPECT_EQ(workload->name, "d.json");
    EXPECT_THAT(workload->notes, testing::Contains(HasSubstr("how many turns were counted is not told")));
    EXPECT_EQ(resampled(*workload, 7).distribution.input, made.input);
}

TEST(Workload, NothingToDrawIsAProblem) {
    Workload workload;
    ASSERT_TRUE(problemOf(workload));
    EXPECT_TRUE(drawTurns(workload, 5, 1).empty());
    workload.kind = WorkloadKind::Sessions;
    workload.key = "folder";
    ASSERT_TRUE(problemOf(workload));
    EXPECT_EQ(problemOf(workload)->sentence(),
              "not a workload: no API call with tokens is in scope: folder (try: a wider scope, another "
              "folder, or `reference`)");
    EXPECT_TRUE(drawTurns(workload, 5, 1).empty());
    EXPECT_EQ(resampled(workload, 1), workload);
    workload.kind = WorkloadKind::Trace;
    EXPECT_TRUE(problemOf(workload));
    EXPECT_EQ(resampled(workload, 1), workload);
}

} // namespace
} // namespace loadline
