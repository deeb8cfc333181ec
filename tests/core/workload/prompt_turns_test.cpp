// Prompt turns of a session: nothing counted twice or lost, sub-agents under the prompt they ran for.
#include "core/workload/timeline/prompt_turns.h"

#include "core/workload/timeline/selection_sum.h"
#include "tests/core/everything_selected.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

using namespace test;

TEST(PromptTurnsOf, SubAgentsBelongToThePromptBefore) {
    SessionBuilder main("p/s.jsonl", "s");
    main.call("m0", 0, used(1, 0, 0, 0)); // before the first prompt
    main.prompt(10).call("m1", 11, used(1, 2, 3, 4)).call("m2", 30, used(0, 0, 100, 5));
    main.user(UserKind::SlashCommand, 40).call("m3", 41, used(7, 0, 0, 1));
    addTool(main, "t1", "Task", 11, 29, 1);
    SessionBuilder agent("p/s/subagents/agent-x.jsonl", "s");
    agent.subAgent("x").call("m4", 20, used(0, 0, 500, 6)).call("m5", 45, used(0, 0, 9, 1));
    const Corpus corpus = corpusOf({main, agent});
    const std::vector<SessionPromptTurn> turns = promptTurnsOf(corpus, 0);
    ASSERT_EQ(turns.size(), 3U);
    EXPECT_FALSE(turns[0].isPrompt);
    EXPECT_EQ(turns[0].totals.calls, 1U);
    EXPECT_EQ(turns[0].evidence.place.line, 1U);
    EXPECT_EQ(turns[1].totals.calls, 2U);
    EXPECT_EQ(turns[1].subAgents.calls, 1U);
    EXPECT_EQ(turns[1].promptTokens(), 606);
    EXPECT_EQ(turns[1].tokens(), 621);
    EXPECT_EQ(turns[1].tools, 1U);
    EXPECT_EQ(turns[1].largestContext, 500);
    EXPECT_EQ(turns[1].largestAt, SessionBuilder::at(20));
    EXPECT_EQ(turns[1].end, SessionBuilder::at(30));
    EXPECT_EQ(turns[2].kind, UserKind::SlashCommand);
    EXPECT_EQ(turns[2].subAgents.calls, 1U);
}

TEST(PromptTurnsOf, ASessionOfSubAgentsAloneIsOneRow) {
    SessionBuilder agent("p/s/subagents/agent-x.jsonl", "s");
    agent.subAgent("x").call("m1", 20, used(0, 0, 500, 6));
    const std::vector<SessionPromptTurn> turns = promptTurnsOf(corpusOf({agent}), 0);
    ASSERT_EQ(turns.size(), 1U);
    EXPECT_FALSE(turns[0].isPrompt);
    EXPECT_EQ(turns[0].start, SessionBuilder::at(20));
}

TEST(PromptTurnsOf, NoCallsNoRows) {
    EXPECT_TRUE(promptTurnsOf(corpusOf({SessionBuilder("s.jsonl", "s")}), 0).empty());
}

TEST(PromptTurnsOf, SumToTheSession) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        const Corpus corpus = randomSession(seed, 100);
        ASSERT_EQ(corpus.sessions.size(), 1U);
        UsageTotals sum;
        const std::vector<SessionPromptTurn> turns = promptTurnsOf(corpus, 0);
        for (const SessionPromptTurn& turn : turns) {
            sum += turn.totals;
            sum += turn.subAgents;
            EXPECT_LE(turn.start, turn.end);
        }
        EXPECT_EQ(sum, corpus.sessions[0].totals);
        const Table table = tableOf(turns, corpus);
        ASSERT_EQ(table.rows.size(), turns.size());
        for (const std::vector<Cell>& row : table.rows) {
            EXPECT_EQ(row.size(), table.columns.size());
        }
    }
}

TEST(PromptTurnsWithin, AreOfTheCallsThatStartThere) {
    SessionBuilder main("p/s.jsonl", "s");
    main.prompt(10).call("m1", 11, used(1, 2, 3, 4)).call("m2", 30, used(0, 0, 100, 5));
    main.prompt(40).call("m3", 41, used(7, 0, 0, 1)).prompt(50);
    const Corpus corpus = corpusOf({main});
    const auto within = [&](int from, int to) {
        return promptTurnsWithin(corpus, everythingOf(corpus), 0, SessionBuilder::at(from),
                                 SessionBuilder::at(to));
    };
    const auto middle = within(30, 42);
    ASSERT_EQ(middle.size(), 2U);
    EXPECT_EQ(middle[0].start, SessionBuilder::at(10)) << "its prompt stands before";
    EXPECT_EQ(middle[0].totals.calls, 1U);
    EXPECT_EQ(middle[0].tokens(), 105);
    EXPECT_EQ(middle[1].tokens(), 8);
    EXPECT_TRUE(within(31, 41).empty());
    EXPECT_EQ(within(45, 60).size(), 1U) << "a prompt without calls";
    EXPECT_EQ(within(0, 100).size(), promptTurnsOf(corpus, 0).size());
}

TEST(PromptTurnsWithin, AreCutWhereTheirPartBeginsAndEnds) {
    SessionBuilder main("p/s.jsonl", "s");
    main.prompt(10).call("m1", 20, used(1, 2, 3, 4));
    lasting(main, 5, 10);
    main.call("m2", 50, used(1, 2, 3, 4));
    lasting(main, 5, 10);
    const Corpus corpus = corpusOf({main});
    const Selection all = everythingOf(corpus);
    const auto fromTo = [](const std::vector<SessionPromptTurn>& turns) {
        return turns.size() == 1 ? std::pair(turns[0].from, turns[0].end) : std::pair(TimeMs{}, TimeMs{});
    };
    const auto within = [&](int from, int to) {
        return promptTurnsWithin(corpus, all, 0, SessionBuilder::at(from), SessionBuilder::at(to));
    };
    const auto seconds = [](int from, int to) {
        return std::pair(SessionBuilder::at(from), SessionBuilder::at(to));
    };
    EXPECT_EQ(fromTo(promptTurnsOf(corpus, 0)), seconds(10, 60));
    EXPECT_EQ(fromTo(within(0, 100)), seconds(10, 60));
    EXPECT_EQ(fromTo(within(40, 100)), seconds(40, 60)) << "begins before the view";
    EXPECT_EQ(within(40, 100)[0].start, SessionBuilder::at(10));
    EXPECT_EQ(fromTo(within(0, 55)), seconds(10, 55)) << "ends behind the view";
    EXPECT_EQ(fromTo(within(0, 40)), seconds(10, 30)) << "the last call in view ends in it";
    const Timeline timeline = timelineOf(corpus, all, 0);
    const SelectionSum sum = sumOf(timeline, {}, within(40, 55));
    EXPECT_EQ(sum.totals.calls, 1U);
    EXPECT_EQ(sum.time, sumWithin(timeline, {}, SessionBuilder::at(40), SessionBuilder::at(55)).time);

    Scope scope;
    scope.from = SessionBuilder::at(40);
    scope.to = SessionBuilder::at(55);
    const Selection dated = select(corpus, scope, TurnMethod::ApiCall);
    EXPECT_EQ(fromTo(promptTurnsOf(corpus, dated, 0)), seconds(40, 55));
    EXPECT_EQ(fromTo(promptTurnsWithin(corpus, dated, 0, SessionBuilder::at(0), SessionBuilder::at(100))),
              seconds(40, 55));
}

} // namespace
} // namespace loadline
