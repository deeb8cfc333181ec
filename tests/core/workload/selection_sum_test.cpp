// What is selected, summed: the same calls as everywhere else, each once.
#include "core/workload/timeline/selection_sum.h"

#include "tests/core/everything_selected.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

using namespace test;

TEST(SumOf, EverythingIsTheCorpus) {
    const Corpus corpus = randomSession(3, 120);
    const Selection all = everythingOf(corpus);
    const SelectionSum sum = sumOf(corpus, all, {});
    const Timeline timeline = timelineOf(corpus, all, 0);
    EXPECT_EQ(sum.sessions, 1U);
    EXPECT_EQ(sum.totals, corpus.sessions[0].totals);
    EXPECT_EQ(sum.time, timeline.split);
    EXPECT_FALSE(sum.modelTimeOnly);
    EXPECT_EQ(sumWithin(timeline, {}, timeline.first, timeline.last), sum);
}

TEST(SumOf, PartsOfATimelineSumToIt) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
        const Corpus corpus = randomSession(seed, 80);
        const Timeline timeline = timelineOf(corpus, everythingOf(corpus), 0);
        const TimeMs middle{(timeline.first.ms + timeline.last.ms) / 2};
        const TimeMs end{timeline.last.ms + 1};
        const SelectionSum first = sumWithin(timeline, {}, timeline.first, middle);
        const SelectionSum second = sumWithin(timeline, {}, middle, end);
        EXPECT_EQ(first.totals.calls + second.totals.calls, timeline.totals.calls);
        EXPECT_EQ(first.totals.usage.cacheRead + second.totals.usage.cacheRead,
                  timeline.totals.usage.cacheRead);
        EXPECT_EQ(first.totals.usage.output + second.totals.usage.output, timeline.totals.usage.output);
        EXPECT_EQ(first.time.totalMs() + second.time.totalMs(), timeline.split.totalMs());
        EXPECT_EQ(first.time.humanMs + second.time.humanMs, timeline.split.humanMs);
    }
}

TEST(SumOf, PromptTurnsSumToTheirSession) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
        const Corpus corpus = randomSession(seed, 80);
        const Timeline timeline = timelineOf(corpus, everythingOf(corpus), 0);
        const std::vector<SessionPromptTurn> turns = promptTurnsOf(corpus, 0);
        ASSERT_FALSE(turns.empty());
        EXPECT_EQ(sumOf(timeline, {}, turns).totals, timeline.totals);
        const SelectionSum first = sumOf(timeline, {}, std::span(turns).first(1));
        UsageTotals totals = turns[0].totals;
        totals += turns[0].subAgents;
        EXPECT_EQ(first.totals, totals);
        EXPECT_EQ(first.time.totalMs(), turns[0].end.ms - turns[0].start.ms);
        EXPECT_EQ(sumOf(timeline, {}, std::span<const SessionPromptTurn>()), SelectionSum{});
    }
}

TEST(SumOf, InheritedCallsAreInNoSumAndOverlappingTurnsCountTheirTimeOnce) {
    SessionBuilder original("p/a.jsonl", "a");
    original.prompt(0).call("m1", 1, used(1, 2, 3, 4));
    SessionBuilder fork("p/b.jsonl", "b");
    fork.prompt(0).call("m1", 1, used(1, 2, 3, 4)).call("m2", 9, used(1, 2, 3, 4));
    fork.prompt(20).call("m3", 25, used(1, 2, 3, 4));
    const Corpus corpus = corpusOf({original, fork});
    const SessionIndex forked = corpus.files[1].session;
    const Timeline timeline = timelineOf(corpus, everythingOf(corpus), forked);
    std::vector<SessionPromptTurn> turns = promptTurnsOf(corpus, forked);
    EXPECT_EQ(timeline.totals.calls, 3U);
    EXPECT_EQ(sumOf(timeline, {}, turns).totals.calls, 2U);
    EXPECT_EQ(sumWithin(timeline, {}, timeline.first, timeline.last).totals.calls, 2U);
    ASSERT_EQ(turns.size(), 2U);
    turns[0].end = turns[1].end; // a sub-agent that went on beyond the next prompt
    EXPECT_EQ(sumOf(timeline, {}, turns).time.totalMs(), turns[1].end.ms - SessionBuilder::at(1).ms)
        << "until the inherited call ended the time is the original's";
}

/// One call from 5 to 13 s that others may inherit.
SessionBuilder beginning(const std::string& id) {
    SessionBuilder session("p/" + id + ".jsonl", id);
    session.prompt(0).call("m1", 10, used(1, 2, 3, 4), "sonnet");
    lasting(session, 5, 3);
    return session;
}

SessionBuilder forkOf(const std::string& id) {
    SessionBuilder fork = beginning(id);
    fork.prompt(40).call("m2", 50, used(1, 2, 3, 4), "opus");
    lasting(fork, 5, 3);
    return fork;
}

TEST(SumOf, TimeCountsInTheSessionWhereItsCallsWereMade) {
    const Corpus corpus = corpusOf({beginning("a"), forkOf("b")});
    const Selection all = everythingOf(corpus);
    const SelectionSum sum = sumOf(corpus, all, {});
    EXPECT_EQ(sum.totals.calls, 2U);
    EXPECT_EQ(sum.time.totalMs(), 53'000);
    EXPECT_EQ(sum.time.modelMs, 16'000);

    const SessionIndex forked = corpus.files[1].session;
    const Timeline timeline = timelineOf(corpus, all, forked);
    EXPECT_EQ(timeline.split.totalMs(), 53'000) << "its history";
    const SelectionSum own = sumWithin(timeline, {}, timeline.first, timeline.last);
    EXPECT_EQ(own.totals.calls, 1U);
    EXPECT_EQ(own.time, (TimeSplit{.modelMs = 8000, .toolsMs = 0, .humanMs = 27'000, .otherMs = 5000}));
    EXPECT_EQ(sumWithin(timeline, {}, timeline.first, SessionBuilder::at(13)).time, TimeSplit{});
    const std::vector<SessionPromptTurn> turns = promptTurnsOf(corpus, forked);
    ASSERT_EQ(turns.size(), 2U);
    EXPECT_EQ(sumOf(timeline, {}, std::span(turns).first(1)).time, TimeSplit{});
    EXPECT_EQ(sumOf(timeline, {}, turns).time.totalMs(), 13'000);

    Scope scope;
    scope.models = {"opus"}; // all of the fork's own calls
    const SelectionSum opus = sumOf(corpus, select(corpus, scope, TurnMethod::ApiCall), {});
    EXPECT_EQ(opus.time, own.time);
    EXPECT_FALSE(opus.modelTimeOnly);
    scope.models = {"sonnet"};
    EXPECT_EQ(sumOf(corpus, select(corpus, scope, TurnMethod::ApiCall), {}).time.totalMs(), 13'000);
}

TEST(SumOf, ASessionOfInheritedCallsAloneHasNoTimeOfItsOwn) {
    const Corpus corpus = corpusOf({beginning("a"), beginning("b")});
    EXPECT_EQ(corpus.sessions.size(), 2U);
    EXPECT_EQ(sumOf(corpus, everythingOf(corpus), {}).time.totalMs(), 13'000);
}

TEST(SumOf, ACallsFilterThatLeavesNothingOutChangesNoTime) {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0).call("m1", 10, used(1, 2, 3, 4), "opus");
    lasting(main, 5, 3);
    const Corpus corpus = corpusOf({main});
    Scope scope;
    scope.models = {"opus"};
    const SelectionSum all = sumOf(corpus, everythingOf(corpus), {});
    const SelectionSum opus = sumOf(corpus, select(corpus, scope, TurnMethod::ApiCall), {});
    EXPECT_EQ(opus.time, all.time);
    EXPECT_FALSE(opus.modelTimeOnly);
}

TEST(SumOf, SingleCallsHaveTheModelsTimeAlone) {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0).call("m1", 10, used(1, 2, 3, 4), "opus");
    lasting(main, 5, 3);
    main.call("m2", 60, used(10, 20, 30, 40), "sonnet");
    lasting(main, 7, 0);
    const Corpus corpus = corpusOf({main});
    Scope scope;
    scope.models = {"sonnet"};
    const Selection selection = select(corpus, scope, TurnMethod::ApiCall);
    const SelectionSum sum = sumOf(corpus, selection, {});
    EXPECT_EQ(sum.totals.calls, 1U);
    EXPECT_EQ(sum.totals.usage.input, 10);
    EXPECT_TRUE(sum.modelTimeOnly);
    EXPECT_EQ(sum.time, (TimeSplit{.modelMs = 7000, .toolsMs = 0, .humanMs = 0, .otherMs = 0}));
}

TEST(SumOf, TheDatesOfTheScopeBoundTheTime) {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0).call("m1", 10, used(1, 2, 3, 4));
    main.prompt(100).call("m2", 110, used(1, 2, 3, 4));
    const Corpus corpus = corpusOf({main});
    Scope scope;
    scope.from = SessionBuilder::at(50);
    const SelectionSum sum = sumOf(corpus, select(corpus, scope, TurnMethod::ApiCall), {});
    EXPECT_EQ(sum.totals.calls, 1U);
    EXPECT_EQ(sum.time.totalMs(), 60'000);
    EXPECT_EQ(sum.time.humanMs, 50'000);
}

} // namespace
} // namespace loadline
