// What could not be read, counts that nobody believes, and names beyond any limit.
#include "core/session/corpus/losses.h"

#include "core/workload/source/workload.h"
#include "tests/core/session/record_text.h"
#include "tests/core/session_builder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace loadline {
namespace {

using namespace test;

Corpus corpusWith(std::vector<Diagnostic> ofFile, std::vector<PathDiagnostic> ofPaths = {}) {
    SessionBuilder session("p/a.jsonl", "a");
    session.prompt(0).call("m1", 1, used(1, 2, 3, 4));
    session.file().diagnostics = std::move(ofFile);
    SessionFiles files;
    files.files = {session.done()};
    files.diagnostics = std::move(ofPaths);
    return buildCorpus(std::move(files));
}

TEST(Losses, AreWhatIsInNoTotal) {
    const Corpus whole = corpusWith({{DiagnosticKind::GluedObjects, 3, 1, ""}},
                                    {{"p/rollout.jsonl", {.kind = DiagnosticKind::OtherLog, .detail = ""}}});
    EXPECT_TRUE(isComplete(whole));
    EXPECT_TRUE(lossesIn(whole).empty());
    EXPECT_EQ(incompleteSentence(whole), "");

    const Corpus lost = corpusWith({{DiagnosticKind::ReadError, 7, 1, "Input/output error"}});
    EXPECT_FALSE(isComplete(lost));
    EXPECT_EQ(incompleteSentence(lost),
              "Incomplete: a.jsonl: could not be read to its end: Input/output error");

    const Corpus more = corpusWith({{DiagnosticKind::BadLine, 7, 2, ""}},
                                   {{"p/b.jsonl", {.kind = DiagnosticKind::CannotOpen, .detail = "no"}}});
    EXPECT_EQ(lossesIn(more).size(), 2U);
    EXPECT_EQ(incompleteSentence(more), "Incomplete: b.jsonl: cannot be opened: no; 1 more place");

    Corpus stopped = corpusWith({});
    stopped.complete = false;
    EXPECT_FALSE(isComplete(stopped));
    EXPECT_EQ(incompleteSentence(stopped), "Incomplete: reading was stopped");
}

TEST(Losses, AWorkloadCarriesThem) {
    const Corpus lost = corpusWith({{DiagnosticKind::ReadError, 7, 1, "Input/output error"}});
    const Workload workload =
        workloadOfSessions(lost, select(lost, {}, TurnMethod::ApiCall), "p", "Sessions in p");
    EXPECT_EQ(workload.incomplete, incompleteSentence(lost));
    EXPECT_EQ(workload.notes.front(), workload.incomplete);
}

/// 2.9 million calls of 2^40 tokens each once had a hit rate of -36 %.
TEST(AbsurdCounts, AreRefusedSoThatNoSumOverflows) {
    constexpr Tokens most = maxTokensPerCall;
    const auto line = [](Tokens n) {
        return record(fmt::format(
            "{{'type':'assistant','uuid':'a','message':{{'id':'m','usage':{{'input_tokens':{0},"
            "'cache_creation_input_tokens':{0},'cache_read_input_tokens':{0},'output_tokens':{0}}}}}}}",
            n));
    };
    const SessionFile believed = readSessionText("x", line(most));
    EXPECT_EQ(believed.calls.at(0).usage.context(), 3 * most);
    EXPECT_TRUE(believed.diagnostics.empty());
    const SessionFile refused = readSessionText("x", line(most + 1));
    EXPECT_EQ(refused.calls.at(0).usage, Usage{});
    ASSERT_EQ(refused.diagnostics.size(), 4U);
    EXPECT_EQ(refused.diagnostics.front().kind, DiagnosticKind::BadNumber);
    EXPECT_TRUE(losesData(DiagnosticKind::BadNumber));

    // All kinds of tokens of the largest calls, more of them than memory holds.
    UsageTotals totals;
    totals.add(believed.calls[0].usage, OutputQuality::Final, 0, unpriced);
    constexpr Tokens calls = Tokens{1} << 30;
    const Tokens all = totals.usage.context() + totals.usage.output;
    EXPECT_LE(all, std::numeric_limits<Tokens>::max() / calls);
}

TEST(ManyNames, OfOneFileAreAllKept) {
    constexpr int models = 70'000; // more than 16 bits tell apart
    std::string text;
    for (int i = 0; i < models; ++i) {
        CallLine call;
        call.id = call.uuid = fmt::format("m{}", i);
        call.model = fmt::format("model-{}", i);
        text += callLine(call);
    }
    SessionFiles files;
    files.files.push_back(std::make_shared<const SessionFile>(readSessionText("p/a.jsonl", text)));
    const SessionFile& file = *files.files.front();
    EXPECT_EQ(file.name(file.calls.back().model), fmt::format("model-{}", models - 1));
    const Corpus corpus = buildCorpus(std::move(files));
    const auto byModel = totalsByModel(corpus);
    EXPECT_EQ(byModel.size(), static_cast<std::size_t>(models));
    EXPECT_EQ(byModel.at("model-69999").calls, 1U);
}

} // namespace
} // namespace loadline
