// Prefix breaks with their causes and evidence.
#include "core/cache/provider/prefix_breaks.h"

#include "tests/core/everything_selected.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <stop_token>

namespace loadline {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;

Usage usage(Tokens input, Tokens write, Tokens read, bool hour = false) {
    return {.input = input,
            .cacheWrite = write,
            .cacheWrite5m = hour ? 0 : write,
            .cacheWrite1h = hour ? write : 0,
            .cacheRead = read,
            .output = 10};
}

std::vector<PrefixBreak> breaksIn(const Corpus& corpus) {
    return prefixBreaksOf(corpus, laneCallsOf(corpus, everythingOf(corpus)));
}

std::vector<BreakCause> causesOf(const PrefixBreak& one) {
    std::vector<BreakCause> causes;
    for (const BreakReason& reason : one.reasons) {
        causes.push_back(reason.cause);
    }
    return causes;
}

/// A call that fills the cache with 40 000 tokens, and what follows.
SessionBuilder begun(bool hour = false) {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0).call("m1", 1, usage(5, 40'000, 0, hour));
    return main;
}

TEST(PrefixBreaks, ACallThatReadsWhatWasWrittenIsNone) {
    const Corpus corpus =
        corpusOf({begun().call("m2", 20, usage(5, 1'000, 40'000)).call("m3", 30, usage(5, 9, 39'000))});
    EXPECT_THAT(breaksIn(corpus), testing::IsEmpty());
}

TEST(PrefixBreaks, APauseAloneIsPutOnTheTimeToLive) {
    const Corpus corpus = corpusOf({begun().call("m2", 401, usage(5, 42'000, 0))});
    const auto breaks = breaksIn(corpus);
    ASSERT_EQ(breaks.size(), 1U);
    EXPECT_THAT(causesOf(breaks[0]), ElementsAre(BreakCause::PauseOver5Min));
    EXPECT_EQ(breaks[0].paidAgain, 40'000);
    EXPECT_EQ(breaks[0].cachedBefore, 40'000);
    EXPECT_EQ(breaks[0].place.line, 3U);
    EXPECT_EQ(breaks[0].time, SessionBuilder::at(401));
    EXPECT_THAT(breaks[0].reasons[0].evidence,
                HasSubstr("6 min 40 s after the call before; what was cached had 5 min to live"));
}

TEST(PrefixBreaks, WhatWasWrittenForAnHourOutlivesFiveMinutes) {
    const Corpus hour = corpusOf({begun(true).call("m2", 401, usage(5, 30'000, 12'000, true))});
    EXPECT_THAT(causesOf(breaksIn(hour).at(0)), ElementsAre(BreakCause::ShortAnswer));
    const Corpus later = corpusOf({begun(true).call("m2", 3'700, usage(5, 42'000, 0, true))});
    EXPECT_THAT(causesOf(breaksIn(later).at(0)), ElementsAre(BreakCause::PauseOver1H));
}

TEST(PrefixBreaks, WhatIsReadLivesForAsLongAsItWasWrittenFor) {
    const Corpus corpus = corpusOf({begun(true)
                                        .call("m2", 60, usage(5, 0, 40'000)) // wrote nothing
                                        .call("m3", 760, usage(5, 30'000, 10'000, true))});
    EXPECT_THAT(causesOf(breaksIn(corpus).at(0)), ElementsAre(BreakCause::ShortAnswer));
}

TEST(PrefixBreaks, AShortCallToAnotherModelPaysNothingAgain) {
    EXPECT_THAT(breaksIn(corpusOf({begun().call("m2", 20, usage(500, 0, 0), "haiku")})), testing::IsEmpty());
}

TEST(PrefixBreaks, APauseIsNotTheCauseWhereTheModelChangedToo) {
    const Corpus corpus = corpusOf({begun().call("m2", 4'000, usage(5, 42'000, 0), "sonnet")});
    const auto breaks = breaksIn(corpus);
    EXPECT_THAT(causesOf(breaks.at(0)), ElementsAre(BreakCause::ModelChange, BreakCause::PauseOver5Min));
    EXPECT_EQ(breaks[0].reasons[0].evidence, "the call before went to opus, this one to sonnet");
}

TEST(PrefixBreaks, ACompactionIsFoundBetweenTheCalls) {
    SessionBuilder main = begun();
    main.user(UserKind::CompactSummary, 20).call("m2", 25, usage(5, 9'000, 6'000));
    const auto breaks = breaksIn(corpusOf({main}));
    EXPECT_THAT(causesOf(breaks.at(0)), ElementsAre(BreakCause::Compaction));
    EXPECT_THAT(breaks[0].reasons[0].evidence, HasSubstr("in line 3"));
    EXPECT_EQ(breaks[0].paidAgain, 0) << "the prompt is new";
    EXPECT_EQ(breaks[0].compacted, 9'000) << "what the new prompt wrote";
}

/// Claude Code clears results right before it compacts: the compaction is why the prefix is gone.
TEST(PrefixBreaks, ACompactionWinsOverResultsClearedBeforeIt) {
    for (const std::uint32_t compactedIn : {4U, 3U}) {
        SessionBuilder main = begun();
        main.user(UserKind::ToolResult, 20)
            .user(UserKind::ToolResult, 21)
            .call("m2", 25, usage(5, 9'000, 6'000));
        main.file().events.push_back(
            {.kind = EventKind::MicroCompaction, .place = {.line = 7 - compactedIn}});
        main.file().events.push_back({.kind = EventKind::Compaction, .place = {.line = compactedIn}});
        const auto breaks = breaksIn(corpusOf({main}));
        EXPECT_THAT(causesOf(breaks.at(0)), ElementsAre(BreakCause::Compaction));
        EXPECT_THAT(breaks[0].reasons[0].evidence, HasSubstr(compactedIn == 4 ? "in line 4" : "in line 3"));
        EXPECT_EQ(breaks[0].paidAgain, 0);
        EXPECT_EQ(breaks[0].compacted, 9'000);
    }
}

TEST(PrefixBreaks, ASummaryWinsOverResultsClearedBeforeIt) {
    SessionBuilder main = begun();
    main.user(UserKind::ToolResult, 20)
        .user(UserKind::CompactSummary, 21)
        .call("m2", 25, usage(5, 9'000, 6'000));
    main.file().events.push_back({.kind = EventKind::MicroCompaction, .place = {.line = 3}});
    EXPECT_THAT(causesOf(breaksIn(corpusOf({main})).at(0)), ElementsAre(BreakCause::Compaction));
}

TEST(PrefixBreaks, WhatWasClearedLeavesTheRestAsItWas) {
    SessionBuilder main = begun();
    main.user(UserKind::ToolResult, 20).call("m2", 25, usage(5, 9'000, 6'000));
    main.file().events.push_back({.kind = EventKind::MicroCompaction, .place = {.line = 3}});
    const auto breaks = breaksIn(corpusOf({main}));
    EXPECT_THAT(causesOf(breaks.at(0)), ElementsAre(BreakCause::Cleared));
    EXPECT_EQ(breaks[0].paidAgain, 15'005 - 6'000);
    EXPECT_EQ(breaks[0].compacted, 0);
}

TEST(PrefixBreaks, CompactionsAreCountedBesideThem) {
    SessionBuilder main = begun();
    main.user(UserKind::CompactSummary, 20)
        .call("m2", 25, usage(5, 9'000, 6'000))
        .call("m3", 30, usage(5, 15'000, 0));
    const BreakTotals totals = totalsOf(breaksIn(corpusOf({main})));
    EXPECT_EQ(totals.breaks, 1U);
    EXPECT_EQ(totals.paidAgain, 15'000);
    EXPECT_EQ(totals.compactions, 1U);
    EXPECT_EQ(totals.compacted, 9'000);
    EXPECT_EQ(wordsOf(totals), "1 prefix break paid for 15 k tokens again; beside it 1 compaction, whose new "
                               "prompts wrote 9 k tokens");
    EXPECT_THAT(breakRule(), HasSubstr("less than half of what the call before"));
}

TEST(PrefixBreaks, NothingReadWithinItsTimeIsAChangeOrAMiss) {
    const auto breaks = breaksIn(corpusOf({begun().call("m2", 60, usage(5, 42'000, 0))}));
    EXPECT_THAT(causesOf(breaks.at(0)), ElementsAre(BreakCause::NothingRead));
}

TEST(PrefixBreaks, AForkIsFoundWhereTheSessionGoesOnInAnother) {
    SessionBuilder copy("t.jsonl", "t");
    copy.prompt(0).call("m1", 1, usage(5, 40'000, 0)).call("m2", 30, usage(5, 30'000, 12'000));
    const Corpus corpus = corpusOf({begun().call("m1b", 5, usage(5, 10, 40'000)), copy});
    const auto breaks = breaksIn(corpus);
    ASSERT_EQ(breaks.size(), 1U);
    EXPECT_THAT(causesOf(breaks[0]), ElementsAre(BreakCause::Fork));
    EXPECT_THAT(breaks[0].reasons[0].evidence, HasSubstr("s.jsonl"));
}

/// A fork reads what its origin left, unless it comes too late.
TEST(PrefixBreaks, AForkAfterAPauseLostItsPrefixToThePause) {
    SessionBuilder copy("t.jsonl", "t");
    copy.prompt(0).call("m1", 1, usage(5, 40'000, 0)).call("m2", 2'400, usage(5, 42'000, 0));
    const Corpus corpus = corpusOf({begun().call("m1b", 5, usage(5, 10, 40'000)), copy});
    const auto breaks = breaksIn(corpus);
    ASSERT_EQ(breaks.size(), 1U);
    EXPECT_THAT(causesOf(breaks[0]), ElementsAre(BreakCause::PauseOver5Min, BreakCause::Fork));
}

TEST(PrefixBreaks, TheDearestComesFirst) {
    const Corpus corpus =
        corpusOf({begun().call("m2", 20, usage(5, 90'000, 10'000)).call("m3", 30, usage(5, 100'000, 1'000))});
    const auto breaks = breaksIn(corpus);
    ASSERT_EQ(breaks.size(), 2U);
    EXPECT_EQ(breaks[0].paidAgain, 99'000);
    EXPECT_EQ(breaks[1].paidAgain, 30'000);
}

TEST(PrefixBreaks, ManyBreaksInAFileOfManyCompactionsTakeNoTime) {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0);
    for (int i = 0; i < 40'000; ++i) {
        main.call("m" + std::to_string(2 * i), 10 * i, usage(5, 40'000, 0));
        main.user(UserKind::CompactSummary, 10 * i + 1)
            .call("m" + std::to_string(2 * i + 1), 10 * i + 2, usage(5, 9'000, 0));
    }
    const Corpus corpus = corpusOf({main});
    const auto lanes = laneCallsOf(corpus, everythingOf(corpus));
    const auto begin = std::chrono::steady_clock::now();
    const std::vector<PrefixBreak> breaks = prefixBreaksOf(corpus, lanes);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10)); // quadratic: a minute
    EXPECT_GT(breaks.size(), 70'000U);
    EXPECT_EQ(std::ranges::count(breaks, BreakCause::Compaction, &PrefixBreak::cause), 40'000);
    std::stop_source stopped;
    stopped.request_stop();
    EXPECT_THAT(prefixBreaksOf(corpus, lanes, stopped.get_token()), testing::IsEmpty());
}

/// Two calls of several records each, the second of which reads a third after a short pause.
SessionBuilder unexplained(UserKind between) {
    SessionBuilder main = begun();
    main.user(between, 18).call("m2", 20, usage(5, 30'000, 12'000));
    for (ApiCall& call : main.file().calls) {
        call.lines = 3;
        call.firstTime.ms += 700; // its line is written after the request
    }
    return main;
}

TEST(PrefixBreaks, WhatNothingExplainsIsNamedByWhatSurroundsIt) {
    const auto only = [](const SessionBuilder& session) { return breaksIn(corpusOf({session})).at(0); };
    const PrefixBreak tool = only(unexplained(UserKind::ToolResult));
    EXPECT_THAT(causesOf(tool), ElementsAre(BreakCause::Unknown));
    EXPECT_EQ(tool.time.ms, SessionBuilder::at(20).ms + 700) << "of its line, not of the request";
    const PrefixBreak prompt = only(unexplained(UserKind::Human));
    EXPECT_THAT(causesOf(prompt), ElementsAre(BreakCause::AfterPrompt));
    EXPECT_EQ(prompt.reasons[0].evidence, "the first call after the prompt in line 3");
    SessionBuilder shorter = unexplained(UserKind::ToolResult);
    shorter.file().calls[0].lines = 1;
    EXPECT_EQ(only(shorter).reasons[0].evidence, "the call before's answer is one record, in line 2");
    SessionBuilder failed = unexplained(UserKind::Human);
    failed.file().calls[1].lines = 1;
    failed.file().events.push_back({.kind = EventKind::ApiError, .place = {.line = 3}});
    EXPECT_THAT(causesOf(only(failed)), ElementsAre(BreakCause::AfterApiError));
    EXPECT_EQ(only(failed).reasons[0].evidence, "an API call failed in line 3");
    failed.file().events[0].lane = 7; // another agent's
    EXPECT_THAT(causesOf(only(failed)), ElementsAre(BreakCause::AfterPrompt));
}

TEST(BreakCauses, HaveWordsOfTheirOwn) {
    EXPECT_EQ(keyOf(BreakCause::AfterPrompt), "after_prompt");
    EXPECT_EQ(describe(BreakCause::AfterApiError), "after an API error");
    EXPECT_EQ(keyOf(BreakCause::PauseOver1H), "pause_over_1_h");
    EXPECT_EQ(keyOf(BreakCause::Unknown), "unknown");
    EXPECT_EQ(describe(BreakCause::FirstBlockChanged), "first block changed");
}

} // namespace
} // namespace loadline
