// Each API call once: how copies over several files combine.
#include "tests/core/session_builder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

using test::corpusOf;
using test::SessionBuilder;
using test::used;

TEST(CorpusMerge, CombinesCopiesFieldByField) {
    SessionBuilder first("a.jsonl", "a");
    first.call("m1", 10, used(1, 20, 300, 4), "opus", OutputQuality::StartOnly);
    SessionBuilder second("b.jsonl", "b");
    second.call("m1", 5, used(1, 20, 300, 40), "sonnet", OutputQuality::Final);
    second.file().calls[0].lastTime = SessionBuilder::at(50);

    const Corpus corpus = corpusOf({second, first}); // path order rules, not the order given

    ASSERT_EQ(corpus.calls.size(), 1U);
    const CorpusCall& call = corpus.calls[0];
    EXPECT_EQ(call.usage, used(1, 20, 300, 40));
    EXPECT_EQ(call.firstTime, SessionBuilder::at(5));
    EXPECT_EQ(call.lastTime, SessionBuilder::at(50));
    EXPECT_EQ(call.quality, OutputQuality::Final);
    EXPECT_EQ(call.copies, 2U);
    EXPECT_EQ(corpus.models.at(call.model), "opus");
    EXPECT_EQ(corpus.files[0].file->path, "a.jsonl");
}

TEST(CorpusMerge, IsSidechainOnlyWhereEveryFileSaysSo) {
    SessionBuilder first("a.jsonl", "a");
    first.call("m1", 1, used(1, 0, 0, 1)).sidechain().call("m2", 2, used(1, 0, 0, 1)).sidechain();
    SessionBuilder second("b.jsonl", "b");
    second.call("m1", 1, used(1, 0, 0, 1)).call("m2", 2, used(1, 0, 0, 1)).sidechain();
    const Corpus corpus = corpusOf({first, second});
    ASSERT_EQ(corpus.calls.size(), 2U);
    EXPECT_FALSE(corpus.calls[0].sidechain);
    EXPECT_TRUE(corpus.calls[1].sidechain);
}

TEST(CorpusMerge, DropsSidechainReplaysOfAMainCall) {
    SessionBuilder replays("a.jsonl", "a");
    replays.call("m1/r2", 9, used(500, 0, 0, 9)).sidechain().call("m3", 10, used(3, 0, 0, 3));
    SessionBuilder main("b.jsonl", "b");
    main.call("m1/r1", 1, used(1, 0, 0, 1)).call("m2/r1", 2, used(2, 0, 0, 2));
    const Corpus corpus = corpusOf({replays, main});
    const UsageTotals totals = totalsOf(corpus.calls);
    EXPECT_EQ(totals.calls, 3U);
    EXPECT_EQ(totals.usage.input, 1 + 2 + 3);
    EXPECT_EQ(corpus.files[0].calls[0], corpus.files[1].calls[0]);
    Usage kept = used(1, 0, 0, 1);
    kept.cacheUntold = true; // of the session that is its home
    EXPECT_EQ(corpus.calls[corpus.files[0].calls[0]].usage, kept);
}

TEST(CorpusMerge, DropsReplaysThatTheReaderRead) {
    const auto lineOf = [](const char* uuid, const char* request, bool sidechain, int output) {
        return fmt::format(
            R"({{"type":"assistant","uuid":"{}","requestId":"{}","isSidechain":{},"message":)"
            R"({{"id":"msg_1","model":"opus","usage":{{"input_tokens":3,"output_tokens":{}}}}}}})"
            "\n",
            uuid, request, sidechain, output);
    };
    SessionFiles files;
    for (const auto& [path, text] : {std::pair("a.jsonl", lineOf("u1", "req_2", true, 50)),
                                     std::pair("b.jsonl", lineOf("u2", "req_1", false, 7))}) {
        files.files.push_back(std::make_shared<const SessionFile>(readSessionText(path, text)));
    }
    const UsageTotals totals = totalsOf(buildCorpus(std::move(files)).calls);
    EXPECT_EQ(totals.calls, 1U);
    EXPECT_EQ(totals.usage.output, 7);
}

TEST(CorpusMerge, KeepsCallsThatShareAMessageIdOnTheSameSide) {
    SessionBuilder first("a.jsonl", "a");
    first.call("m1/r1", 1, used(1, 0, 0, 1));
    SessionBuilder second("b.jsonl", "b");
    second.call("m1/r2", 2, used(2, 0, 0, 2));
    EXPECT_EQ(corpusOf({first, second}).calls.size(), 2U);
}

TEST(CorpusMerge, ListsProgressCallsApartWhenNoTranscriptHasThem) {
    SessionBuilder first("a.jsonl", "a");
    first.call("m1", 1, used(1, 0, 0, 1)).progressCall("m2", 2, used(7, 0, 0, 1));
    first.progressCall("m3", 3, used(8, 0, 0, 1));
    SessionBuilder second("b.jsonl", "b");
    second.call("m3", 3, used(8, 0, 0, 20)).progressCall("m2", 2, used(7, 0, 0, 2));
    const Corpus corpus = corpusOf({first, second});
    ASSERT_EQ(corpus.progressOnly.size(), 1U);
    EXPECT_EQ(corpus.progressOnly[0].usage, used(7, 0, 0, 2));
    EXPECT_EQ(totalsOf(corpus.calls).calls, 2U);
}

TEST(CorpusMerge, TellsCallsWithoutTimeFrom1970) {
    SessionBuilder only("a.jsonl", "a");
    only.call("m1", 1, used(1, 0, 0, 1)).call("m2", 2, used(2, 0, 0, 2));
    only.file().calls[1].firstTime = only.file().calls[1].lastTime = unknownTime;
    const Corpus corpus = corpusOf({only});
    const auto days = totalsByUtcDay(corpus);
    ASSERT_EQ(days.size(), 2U);
    EXPECT_EQ(days.at("").usage.input, 2);
    EXPECT_EQ(days.at("2026-01-01").usage.input, 1);
}

TEST(CorpusMerge, SumsAgreeHoweverTheyAreCut) {
    SessionBuilder first("a.jsonl", "a");
    SessionBuilder second("b.jsonl", "b");
    for (int i = 0; i < 100; ++i) {
        const std::string id = "m" + std::to_string(i);
        const Usage usage = used(i, 2 * i, 3 * i, i % 7);
        const char* model = i % 3 == 0 ? "opus" : "sonnet";
        if (i % 4 != 0) {
            first.call(id, i * 3000, usage, model);
        }
        if (i % 5 != 0) {
            second.call(id, i * 3000, usage, model);
        }
    }
    const Corpus corpus = corpusOf({first, second});
    const UsageTotals all = totalsOf(corpus.calls);
    EXPECT_EQ(all.calls, 95U);
    UsageTotals models;
    UsageTotals days;
    UsageTotals sessions;
    for (const auto& [name, totals] : totalsByModel(corpus)) {
        models += totals;
    }
    for (const auto& [day, totals] : totalsByUtcDay(corpus)) {
        days += totals;
    }
    for (const Session& session : corpus.sessions) {
        sessions += session.ownTotals;
        EXPECT_EQ(session.ownTotals.calls + session.inheritedCalls, session.totals.calls);
    }
    EXPECT_EQ(models, all);
    EXPECT_EQ(days, all);
    EXPECT_EQ(sessions, all);
}

TEST(CorpusMerge, TakesNothingAtAll) {
    const Corpus corpus = buildCorpus({});
    EXPECT_TRUE(corpus.calls.empty());
    EXPECT_TRUE(corpus.sessions.empty());
    EXPECT_EQ(totalsOf(corpus.calls), UsageTotals{});
}

} // namespace
} // namespace loadline
