// Timelines of small sessions made by hand.
#include "core/workload/timeline/timeline.h"

#include "core/workload/timeline/prompt_turns.h"
#include "tests/core/everything_selected.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

TimeMs at(std::int64_t seconds) {
    return SessionBuilder::at(seconds);
}

Timeline timelineOfFirst(const Corpus& corpus) {
    return timelineOf(corpus, everythingOf(corpus), 0);
}

std::vector<std::string> namesOf(const std::vector<TimelineLane>& lanes) {
    std::vector<std::string> names;
    names.reserve(lanes.size());
    for (const TimelineLane& lane : lanes) {
        names.push_back(lane.name);
    }
    return names;
}

TEST(TimelineOf, LanesOfAgentsEachWithItsTools) {
    SessionBuilder main("p/s.jsonl", "s");
    main.prompt(0).call("m1", 10, used(1, 2, 3, 4));
    addTool(main, "t1", "Task", 10, 60, 0);
    SessionBuilder late("p/s/subagents/agent-bbbbbbbbbb.jsonl", "s");
    late.subAgent("bbbbbbbbbb").call("m3", 40, used(1, 2, 3, 4));
    SessionBuilder early("p/s/subagents/agent-ccc.jsonl", "s");
    early.subAgent("ccc").call("m2", 20, used(1, 2, 3, 4));
    addTool(early, "t2", "Read", 21, 22, 0);
    const Corpus corpus = corpusOf({main, late, early});
    const Timeline timeline = timelineOfFirst(corpus);
    EXPECT_THAT(namesOf(timeline.lanes), ElementsAre("main", "tools of main", "Explore ccc",
                                                     "tools of Explore ccc", "Explore bbbbbbb"));
    ASSERT_EQ(timeline.calls.size(), 3U);
    EXPECT_EQ(timeline.calls[0].lane, 0U);
    EXPECT_EQ(timeline.calls[1].lane, 2U);
    EXPECT_EQ(timeline.calls[2].lane, 4U);
    ASSERT_EQ(timeline.tools.size(), 2U);
    EXPECT_EQ(timeline.tools[0].name, "Task");
    EXPECT_EQ(timeline.tools[0].lane, 1U);
    EXPECT_EQ(timeline.tools[1].lane, 3U);
    EXPECT_TRUE(timeline.lanes[3].tools);
    EXPECT_EQ(timeline.totals, corpus.sessions[0].totals);
}

TEST(TimelineOf, OneAgentInTwoFilesIsOneLane) {
    SessionBuilder first("p/s/subagents/agent-x.jsonl", "s");
    first.subAgent("x").call("m1", 0, used(1, 0, 0, 1));
    SessionBuilder second("q/s/subagents/agent-x.jsonl", "s");
    second.subAgent("x").call("m2", 5, used(1, 0, 0, 1));
    const Corpus corpus = corpusOf({first, second});
    ASSERT_EQ(corpus.sessions.size(), 1U);
    EXPECT_THAT(namesOf(timelineOfFirst(corpus).lanes), ElementsAre("Explore x"));
}

TEST(TimelineOf, ACallReachesFromItsRequestToItsLastLine) {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0).call("m1", 10, used(1, 2, 3, 4), "opus", OutputQuality::LowerBound);
    lasting(main, 10, 5);
    const Timeline timeline = timelineOfFirst(corpusOf({main}));
    ASSERT_EQ(timeline.calls.size(), 1U);
    const CallSpan& call = timeline.calls[0];
    EXPECT_EQ(call.start, at(0));
    EXPECT_EQ(call.firstLine, at(10));
    EXPECT_EQ(call.end, at(15));
    EXPECT_EQ(call.quality, OutputQuality::LowerBound);
    EXPECT_EQ(call.evidence.place.line, 2U);
    EXPECT_EQ(timeline.split, (TimeSplit{.modelMs = 15'000, .toolsMs = 0, .humanMs = 0, .otherMs = 0}));
}

TEST(TimelineOf, AClockThatGoesBackwardsMakesNoNegativeSpan) {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(100).call("m1", 50, used(1, 2, 3, 4)); // answered before it was asked
    main.file().calls[0].requestTime = at(100);
    addTool(main, "t1", "Bash", 60, 40, 0);
    main.call("m2", 30, used(1, 2, 3, 4));
    main.file().calls[1].lastTime = at(20);
    const Timeline timeline = timelineOfFirst(corpusOf({main}));
    ASSERT_EQ(timeline.calls.size(), 2U);
    EXPECT_EQ(timeline.calls[0].start, at(30));
    EXPECT_EQ(timeline.calls[0].end, at(30));
    EXPECT_EQ(timeline.calls[1].start, at(50));
    ASSERT_EQ(timeline.tools.size(), 1U);
    EXPECT_EQ(timeline.tools[0].start, timeline.tools[0].end);
    EXPECT_FALSE(timeline.tools[0].open);
    EXPECT_EQ(timeline.split.totalMs(), timeline.last.ms - timeline.first.ms);
}

TEST(TimelineOf, CallsWithoutTimeCountButAreNotDrawn) {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0).call("m1", 1, used(1, 2, 3, 4)).call("m2", 2, used(10, 20, 30, 40));
    ApiCall& timeless = main.file().calls[1];
    timeless.requestTime = timeless.firstTime = timeless.lastTime = unknownTime;
    const Timeline timeline = timelineOfFirst(corpusOf({main}));
    EXPECT_EQ(timeline.calls.size(), 1U);
    EXPECT_EQ(timeline.callsWithoutTime, 1U);
    EXPECT_EQ(timeline.totals.calls, 2U);
    EXPECT_EQ(timeline.totals.usage.output, 44);
    EXPECT_THAT(timeline.sentence, HasSubstr("1 of 2 calls have no time"));
}

TEST(TimelineOf, ASessionWithoutAnyTime) {
    SessionBuilder main("s.jsonl", "s");
    main.call("m1", 1, used(1, 2, 3, 4));
    ApiCall& call = main.file().calls[0];
    call.requestTime = call.firstTime = call.lastTime = unknownTime;
    main.file().firstTime = main.file().lastTime = unknownTime;
    const Timeline timeline = timelineOfFirst(corpusOf({main}));
    EXPECT_FALSE(isKnown(timeline.first));
    EXPECT_EQ(timeline.split.totalMs(), 0);
    for (const TimelineAxis axis :
         {TimelineAxis::WallClock, TimelineAxis::CompressedGaps, TimelineAxis::TurnIndex}) {
        EXPECT_GT(TimelineScale(timeline, axis).extent(), 0);
    }
    EXPECT_FALSE(timeline.sentence.empty());
}

TEST(TimelineOf, InheritedCallsAreMarked) {
    SessionBuilder original("p/a.jsonl", "a");
    original.prompt(0).call("m1", 1, used(1, 2, 3, 4)).call("m2", 2, used(1, 2, 3, 4));
    SessionBuilder fork("p/b.jsonl", "b");
    fork.prompt(0).call("m1", 1, used(1, 2, 3, 4)).call("m3", 9, used(1, 2, 3, 4));
    const Corpus corpus = corpusOf({original, fork});
    const SessionIndex forked = corpus.files[1].session;
    const Timeline timeline = timelineOf(corpus, everythingOf(corpus), forked);
    ASSERT_EQ(timeline.calls.size(), 2U);
    EXPECT_TRUE(timeline.calls[0].inherited);
    EXPECT_FALSE(timeline.calls[1].inherited);
    EXPECT_EQ(timeline.calls[0].evidence.file, 1U) << "the evidence lies in the session that is shown";
    EXPECT_EQ(timeline.totals, corpus.sessions[forked].totals);
    EXPECT_THAT(timeline.sentence, HasSubstr("1 of its calls is inherited"));
}

TEST(TimelineOf, WhatIsInheritedIsSaidBesideTheTotalThatHoldsIt) {
    SessionBuilder original("p/a.jsonl", "a");
    original.prompt(0).call("m1", 1, used(100, 0, 0, 4));
    SessionBuilder fork("p/b.jsonl", "b");
    fork.prompt(0).call("m1", 1, used(100, 0, 0, 4)).prompt(20).call("m3", 29, used(300, 0, 0, 4));
    const Corpus corpus = corpusOf({original, fork});
    const Timeline timeline = timelineOf(corpus, everythingOf(corpus), corpus.files[1].session);
    EXPECT_THAT(timeline.sentence, HasSubstr("75 % of the session's 400 (100 inherited)"));
}

TEST(TimelineOf, TheBrushDimsWhatIsNotBehindIt) {
    SessionBuilder original("p/a.jsonl", "a");
    original.prompt(0).call("m1", 1, used(1, 2, 3, 4)).call("m2", 2, used(1, 2, 3, 4));
    SessionBuilder fork("p/b.jsonl", "b");
    fork.prompt(0).call("m1", 1, used(1, 2, 3, 4)).call("m3", 9, used(1, 2, 3, 400));
    fork.call("m4", 10, used(1, 2, 3, 4));
    const Corpus corpus = corpusOf({original, fork});
    const SessionIndex forked = corpus.files[1].session;
    const auto hits = [&](const Scope& scope) {
        std::vector<bool> hit;
        for (const CallSpan& call :
             timelineOf(corpus, select(corpus, scope, TurnMethod::ApiCall), forked).calls) {
            hit.push_back(call.hit);
        }
        return hit;
    };
    Scope scope;
    scope.sessions = {corpus.sessions[forked].key};
    EXPECT_THAT(hits(scope), ElementsAre(true, true, true)) << "inherited calls are part of the session";
    scope.turnOutput = TokenRange{300, 500};
    EXPECT_THAT(hits(scope), ElementsAre(false, true, false));
}

TEST(TimelineOf, HeadlineAndTurnsFollowTheDates) {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0).call("m1", 10, used(0, 0, 900, 4));
    main.prompt(100).call("m2", 110, used(0, 0, 50, 4)).call("m3", 120, used(0, 0, 60, 4));
    main.prompt(200).call("m4", 210, used(0, 0, 70, 4));
    const Corpus corpus = corpusOf({main});
    Scope scope;
    scope.from = SessionBuilder::at(100);
    scope.to = SessionBuilder::at(205);
    const Selection selection = select(corpus, scope, TurnMethod::ApiCall);
    const Timeline timeline = timelineOf(corpus, selection, 0);
    EXPECT_EQ(timeline.calls.size(), 4U) << "what surrounds them stays in sight";
    EXPECT_EQ(timeline.callsOfSession, 4U);
    EXPECT_EQ(timeline.totals.calls, 2U);
    EXPECT_EQ(timeline.split.totalMs(), 105'000);
    EXPECT_THAT(timeline.sentence, testing::HasSubstr("2 calls"));
    EXPECT_THAT(timeline.sentence, testing::HasSubstr("Of the selected 1 min 45 s"));
    const std::vector<SessionPromptTurn> turns = promptTurnsOf(corpus, selection, 0);
    ASSERT_EQ(turns.size(), 1U);
    EXPECT_EQ(turns[0].totals.calls, 2U);
    EXPECT_EQ(promptTurnsOf(corpus, everythingOf(corpus), 0).size(), 3U);
}

TEST(TimelineOf, MarksInOrderWithTheirWords) {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0).call("m1", 10, used(1, 2, 3, 4));
    addEvent(main, EventKind::Compaction, 20, 152'000);
    addEvent(main, EventKind::ApiError, 15);
    addEvent(main, EventKind::PromptQueued, 16);
    addEvent(main, EventKind::Interrupt, 40);
    main.prompt(50).call("m2", 60, used(1, 2, 3, 4), "sonnet");
    const Timeline timeline = timelineOfFirst(corpusOf({main}));
    std::vector<MarkKind> kinds;
    for (const TimelineMark& mark : timeline.marks) {
        kinds.push_back(mark.kind);
    }
    EXPECT_THAT(kinds, ElementsAre(MarkKind::Prompt, MarkKind::ApiError, MarkKind::Compaction,
                                   MarkKind::Interrupt, MarkKind::Prompt, MarkKind::ModelChange));
    EXPECT_EQ(timeline.marks[2].text, "152 k tokens before");
    EXPECT_EQ(timeline.marks[5].text, "opus → sonnet");
    EXPECT_EQ(timeline.marks[0].ordinal, 0);
    EXPECT_EQ(timeline.marks[2].ordinal, 1);
    EXPECT_EQ(timeline.marks[4].ordinal, 1);
}

TEST(TimelineOf, ModelsOfOtherLanesAreNoChange) {
    SessionBuilder main("p/s.jsonl", "s");
    main.prompt(0).call("m1", 10, used(1, 2, 3, 4), "opus").call("m3", 30, used(1, 2, 3, 4), "opus");
    SessionBuilder agent("p/s/subagents/agent-x.jsonl", "s");
    agent.subAgent("x").call("m2", 20, used(1, 2, 3, 4), "haiku");
    const Timeline timeline = timelineOfFirst(corpusOf({main, agent}));
    EXPECT_EQ(std::ranges::count(timeline.marks, MarkKind::ModelChange, &TimelineMark::kind), 0);
}

TEST(TimelineOf, TimeAndGaps) {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0).call("m1", 10, used(1, 2, 3, 4));
    lasting(main, 10, 0);
    addTool(main, "t1", "Bash", 10, 40, 0);
    main.prompt(4000).call("m2", 4010, used(1, 2, 3, 4));
    lasting(main, 10, 0);
    addTool(main, "t2", "ExitPlanMode", 4010, 5000, 1);
    const Timeline timeline = timelineOfFirst(corpusOf({main}));
    EXPECT_EQ(
        timeline.split,
        (TimeSplit{.modelMs = 20'000, .toolsMs = 30'000, .humanMs = 3'960'000 + 990'000, .otherMs = 0}));
    ASSERT_EQ(timeline.gaps.size(), 2U);
    EXPECT_EQ(timeline.gaps[0].start, at(40));
    EXPECT_EQ(timeline.gaps[0].end, at(4000));
}

TEST(TimelineOf, AnEditThatTookMinutesWaitedForPermission) {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0).call("m1", 0, used(1, 2, 3, 4));
    addTool(main, "t1", "Edit", 0, 121, 0);
    addTool(main, "t2", "Edit", 121, 241, 0);
    addTool(main, "t3", "Bash", 241, 500, 0);
    const Timeline timeline = timelineOfFirst(corpusOf({main}));
    ASSERT_EQ(timeline.tools.size(), 3U);
    EXPECT_TRUE(timeline.tools[0].forHuman);
    EXPECT_FALSE(timeline.tools[1].forHuman);
    EXPECT_FALSE(timeline.tools[2].forHuman);
    EXPECT_EQ(timeline.split.humanMs, 121'000);
    EXPECT_EQ(timeline.split.toolsMs, 379'000);
}

TEST(TimelineOf, CopiesOfAToolCallCountOnce) {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0).call("m1", 10, used(1, 2, 3, 4));
    addTool(main, "t1", "Bash", 10, -1, 0);
    addTool(main, "t1", "Bash", 10, -1, 0);
    const Timeline timeline = timelineOfFirst(corpusOf({main}));
    ASSERT_EQ(timeline.tools.size(), 1U);
    EXPECT_TRUE(timeline.tools[0].open);
    EXPECT_DOUBLE_EQ(timeline.tools[0].ordinalStart, callWidthInTurns);
}

TEST(TimelineOf, TheSentenceNamesTheMostExpensivePrompt) {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0).call("m1", 10, used(0, 1000, 0, 4));
    main.prompt(100);
    main.file().promptTurns.back().preview = "fix the failing test";
    main.call("m2", 110, used(0, 0, 60'000, 4)).call("m3", 120, used(0, 20'000, 60'000, 4));
    main.prompt(200).call("m4", 210, used(0, 0, 59'000, 4));
    const std::string sentence = timelineOfFirst(corpusOf({main})).sentence;
    EXPECT_THAT(sentence,
                StartsWith("Most tokens at 00:01:40 UTC: 140 k in prompts, 70 % of the session's 200 k, "
                           "85.7 % from cache, by 2 calls of up to 80 k each: “fix the failing test”."));
    EXPECT_THAT(sentence, HasSubstr(" Of the session's "));
    EXPECT_THAT(sentence, HasSubstr("you 81 %")) << sentence;
}

TEST(TimelineOf, WhatIsCutOfTheSentenceIsNeverAFigure) {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0).call("m1", 10, used(0, 1000, 0, 4));
    main.prompt(100'000);
    main.file().promptTurns.back().preview = std::string(400, 'w');
    main.call("m2", 100'010, used(0, 0, 6'210'000, 4)).call("m3", 100'020, used(0, 182'000, 6'210'000, 4));
    const std::string sentence = timelineOfFirst(corpusOf({main})).sentence;
    EXPECT_LT(sentence.find("% from cache"), 110U) << sentence;
    EXPECT_THAT(sentence, HasSubstr("“" + std::string(32, 'w') + "…”"));
}

TEST(TimelineOf, TheTimeOfSelectedDatesIsNotTheSessions) {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0).call("m1", 10, used(0, 1000, 0, 4)).call("m2", 900, used(0, 0, 1000, 4));
    const Corpus corpus = corpusOf({main});
    Scope scope;
    scope.to = at(500);
    const Timeline part = timelineOf(corpus, select(corpus, scope, TurnMethod::ApiCall), 0);
    EXPECT_THAT(part.sentence, HasSubstr(" Of the selected "));
    EXPECT_THAT(timelineOfFirst(corpus).sentence, HasSubstr(" Of the session's "));
}

TEST(TimelineOf, WithoutAMainFileTheSentenceNamesTheBusiestAgent) {
    SessionBuilder one("p/s/subagents/agent-x.jsonl", "s");
    one.subAgent("x").call("m1", 20, used(0, 0, 500, 6));
    SessionBuilder two("p/s/subagents/agent-y.jsonl", "s");
    two.subAgent("y").call("m2", 30, used(0, 0, 1500, 6));
    const std::string sentence = timelineOfFirst(corpusOf({one, two})).sentence;
    EXPECT_THAT(sentence,
                HasSubstr("Of 2 agents, Explore y used most: 1.5 k in prompts, 75 % of the session's 2 k"));
    EXPECT_THAT(sentence, HasSubstr("main file is not there"));
}

TEST(TimelineTable, ARowForEachThing) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
        const Corpus corpus = randomSession(seed, 60);
        const Timeline timeline = timelineOfFirst(corpus);
        const Table table = tableOf(timeline, corpus);
        EXPECT_EQ(table.rows.size(), timeline.calls.size() + timeline.tools.size() + timeline.marks.size());
        std::int64_t output = 0;
        std::string before;
        for (const std::vector<Cell>& row : table.rows) {
            ASSERT_EQ(row.size(), table.columns.size());
            EXPECT_LE(before, std::get<std::string>(row[2])) << "in time order";
            before = std::get<std::string>(row[2]);
            output += std::holds_alternative<std::int64_t>(row[11]) ? std::get<std::int64_t>(row[11]) : 0;
        }
        EXPECT_EQ(output, timeline.totals.usage.output);
    }
}

TEST(TimelineOf, TheSameWhateverTheOrderOfCalls) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        const Corpus corpus = randomSession(seed, 100);
        const Timeline timeline = timelineOfFirst(corpus);
        EXPECT_EQ(timeline.totals, corpus.sessions[0].totals);
        EXPECT_EQ(timeline.split.totalMs(), timeline.last.ms - timeline.first.ms);
        for (std::size_t i = 0; i < timeline.calls.size(); ++i) {
            const CallSpan& call = timeline.calls[i];
            EXPECT_EQ(call.ordinal, i);
            EXPECT_LE(call.start, call.firstLine);
            EXPECT_LE(call.firstLine, call.end);
            EXPECT_LE(timeline.first, call.start);
            EXPECT_LE(call.end, timeline.last);
            if (i > 0) {
                EXPECT_LE(timeline.calls[i - 1].start, call.start);
            }
        }
        for (const IdleGap& gap : timeline.gaps) {
            for (const CallSpan& call : timeline.calls) {
                EXPECT_TRUE(call.end <= gap.start || call.start >= gap.end);
            }
        }
    }
}

} // namespace
} // namespace loadline
