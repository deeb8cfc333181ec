// Sessions as workloads: lanes, order, gaps, and what is left out.
#include "core/workload/source/workload.h"
#include "tests/core/everything_selected.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

Usage usage(Tokens input, Tokens cacheWrite, Tokens cacheRead, Tokens output) {
    return test::used(input, cacheWrite, cacheRead, output);
}

Workload workloadOf(const Corpus& corpus, const Scope& scope = {}) {
    return workloadOfSessions(corpus, select(corpus, scope, TurnMethod::ApiCall), "folder", "Folder");
}

TEST(WorkloadOfSessions, HasTheTurnsOfEachLaneInOrderOfTime) {
    test::SessionBuilder main("p/s.jsonl", "s");
    main.call("m1", 10, usage(5, 100, 0, 20));
    test::lasting(main, 4, 3); // asked for at 6, ends at 13
    main.call("m3", 100, usage(1, 30, 205, 2));
    test::lasting(main, 10, 0); // asked for at 90
    main.call("m2", 40, usage(3, 80, 105, 9));
    test::lasting(main, 7, 5); // asked for at 33, ends at 45
    test::SessionBuilder agent("p/s/subagents/agent-x.jsonl", "s");
    agent.subAgent("x");
    agent.call("x1", 50, usage(900, 0, 0, 4));
    const Workload workload = workloadOf(test::corpusOf({main, agent}));
    EXPECT_EQ(workload.kind, WorkloadKind::Sessions);
    EXPECT_EQ(workload.key, "folder");
    ASSERT_EQ(workload.sessions.size(), 2U);
    EXPECT_THAT(workload.sessions[0].turns,
                ElementsAre(WorkloadTurn{0, 105, 20, -1}, WorkloadTurn{105, 83, 9, 20},
                            WorkloadTurn{205, 31, 2, 45}));
    EXPECT_THAT(workload.sessions[1].turns, ElementsAre(WorkloadTurn{0, 900, 4, -1}));
    EXPECT_EQ(workload.sessions[1].partOf(), workload.sessions[0].partOf());
    EXPECT_NE(workload.sessions[1].id, workload.sessions[0].id);
    EXPECT_EQ(workload.distribution.sessions, 1U);
    EXPECT_EQ(workload.distribution.input.turns, 4U);
    EXPECT_THAT(workload.notes, Contains(HasSubstr("1 lane of sub-agents")));
    EXPECT_THAT(workload.source, HasSubstr("API calls of"));
}

TEST(WorkloadOfSessions, WithoutARecordedCachePromptsGoOnFromTheOneBefore) {
    test::SessionBuilder main("p/s.jsonl", "s");
    main.call("m1", 10, usage(20'000, 0, 0, 20)).call("m2", 20, usage(23'000, 0, 0, 20));
    main.call("m3", 30, usage(9'000, 0, 0, 20));
    test::SessionBuilder other("p/t.jsonl", "t");
    other.call("o1", 10, usage(5, 100, 9'000, 20));
    const Workload workload = workloadOf(test::corpusOf({main, other}));
    ASSERT_EQ(workload.sessions.size(), 2U);
    EXPECT_THAT(workload.sessions[0].turns,
                ElementsAre(WorkloadTurn{0, 20'000, 20, -1}, WorkloadTurn{20'000, 3'000, 20, 10},
                            WorkloadTurn{0, 9'000, 20, 10}));
    EXPECT_THAT(workload.notes, Contains(HasSubstr("the logs of 1 of 2 sessions record no cache")));
}

TEST(WorkloadOfSessions, GapsAreNeverNegative) {
    test::SessionBuilder main("p/s.jsonl", "s");
    main.call("m1", 10, usage(5, 0, 0, 20));
    test::lasting(main, 0, 30); // ends at 40
    main.call("m2", 35, usage(5, 0, 0, 20));
    const Workload workload = workloadOf(test::corpusOf({main}));
    EXPECT_EQ(workload.sessions.at(0).turns.at(1).gapS, 0);
    EXPECT_THAT(workload.notes, Contains(HasSubstr("1 API call asked for before")));
}

TEST(WorkloadOfSessions, UnknownTimesGiveUnknownGaps) {
    test::SessionBuilder main("p/s.jsonl", "s");
    main.call("m1", 10, usage(5, 0, 0, 20));
    main.call("m2", 20, usage(6, 0, 0, 20));
    ApiCall& call = main.file().calls.back();
    call.requestTime = call.firstTime = call.lastTime = unknownTime;
    main.call("m3", 30, usage(7, 0, 0, 20));
    const Workload workload = workloadOf(test::corpusOf({main}));
    ASSERT_EQ(workload.sessions.at(0).turns.size(), 3U);
    EXPECT_EQ(workload.sessions[0].turns[1].input, 6); // stays in its place
    EXPECT_EQ(workload.sessions[0].turns[1].gapS, -1);
    EXPECT_EQ(workload.sessions[0].turns[2].gapS, -1);
    EXPECT_THAT(workload.notes, Contains(HasSubstr("2 gaps not known")));
}

TEST(WorkloadOfSessions, NotesWhatTheLogsCannotTell) {
    test::SessionBuilder main("p/s.jsonl", "s");
    main.call("m1", 10, usage(0, 0, 0, 0));
    main.call("m2", 20, usage(6, 0, 0, 0));
    main.call("m3", 30, usage(0, 0, 900, 4), "opus", OutputQuality::LowerBound);
    main.call("m4", 40, usage(9, 0, 900, 1), "opus", OutputQuality::StartOnly);
    const Workload workload = workloadOf(test::corpusOf({main}));
    EXPECT_EQ(workload.sessions.at(0).turns.size(), 3U);
    EXPECT_THAT(
        workload.notes,
        ElementsAre("1 API call without any tokens left out",
                    "the output of 2 of 3 API calls is a lower bound (1 mere placeholder)",
                    "counted from what is visible (characters / 4) the mean output would be 1.67, not 1.67",
                    "1 turn without input: simulated with 1 token",
                    "1 turn without output: simulated with 1 token"));
}

TEST(WorkloadOfSessions, MayTakeWhatIsVisibleOfOutputs) {
    test::SessionBuilder main("p/s.jsonl", "s");
    main.call("m1", 10, usage(5, 0, 0, 20));
    main.file().calls.back().contentCharacters = 4000; // exact all the same
    main.call("m2", 20, usage(5, 0, 0, 1), "opus", OutputQuality::StartOnly);
    main.file().calls.back().contentCharacters = 403;
    main.call("m3", 30, usage(5, 0, 0, 50), "opus", OutputQuality::LowerBound);
    main.file().calls.back().contentCharacters = 40;
    const Corpus corpus = test::corpusOf({main});
    const Workload workload =
        workloadOfSessions(corpus, test::everythingOf(corpus), "", "", OutputCounts::Visible);
    ASSERT_EQ(workload.sessions.at(0).turns.size(), 3U);
    EXPECT_EQ(workload.sessions[0].turns[0].output, 20);
    EXPECT_EQ(workload.sessions[0].turns[1].output, 100);
    EXPECT_EQ(workload.sessions[0].turns[2].output, 50);
    EXPECT_THAT(workload.notes, Contains(HasSubstr("mean 56.7, not 23.7")));
}

TEST(WorkloadOfSessions, TakesWhatIsInScopeAndSaysWhenThatIsNothing) {
    test::SessionBuilder a("p/a.jsonl", "a");
    a.call("m1", 10, usage(5, 0, 0, 20), "opus").call("m2", 20, usage(6, 0, 0, 20), "haiku");
    test::SessionBuilder b("p/b.jsonl", "b");
    b.call("m3", 10, usage(7, 0, 0, 20), "haiku");
    const Corpus corpus = test::corpusOf({a, b});
    const Workload haiku = workloadOf(corpus, {.models = {"haiku"}});
    EXPECT_EQ(haiku.sessions.size(), 2U);
    EXPECT_EQ(haiku.distribution.input.turns, 2U);
    EXPECT_FALSE(problemOf(haiku));
    const Workload nothing = workloadOf(corpus, {.models = {"none of them"}});
    EXPECT_TRUE(nothing.sessions.empty());
    ASSERT_TRUE(problemOf(nothing));
}

TEST(WorkloadOfSessions, ResumedCallsCountOnce) {
    test::SessionBuilder first("p/a.jsonl", "a");
    first.call("m1", 10, usage(5, 0, 0, 20)).call("m2", 20, usage(6, 0, 0, 20));
    test::SessionBuilder resumed("p/b.jsonl", "b");
    resumed.call("m1", 10, usage(5, 0, 0, 20)).call("m2", 20, usage(6, 0, 0, 20));
    resumed.call("m3", 900, usage(7, 0, 0, 20));
    const Workload workload = workloadOf(test::corpusOf({first, resumed}));
    EXPECT_EQ(summaryOf(workload).turns, 3U);
}

TEST(WorkloadOfSessions, EveryCallInScopeIsATurn) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        const Corpus corpus = test::randomSession(seed, 60);
        const Workload workload = workloadOf(corpus);
        EXPECT_EQ(summaryOf(workload).turns, corpus.calls.size());
        Tokens input = 0;
        for (const WorkloadSession& session : workload.sessions) {
            EXPECT_LT(session.turns.front().gapS, 0);
            for (const WorkloadTurn& turn : session.turns) {
                input += turn.input;
                EXPECT_TRUE(turn.gapS >= 0 || turn.gapS == -1);
            }
        }
        EXPECT_EQ(input, totalsOf(corpus.calls).usage.newPrefill());
    }
}

} // namespace
} // namespace loadline
