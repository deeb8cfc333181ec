// What a scope lets in, field by field.
#include "core/workload/scope/scope.h"

#include "core/workload/scope/turns.h"
#include "core/workload/timeline/timeline.h"
#include "tests/core/session_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

using test::corpusOf;
using test::SessionBuilder;
using test::used;
using testing::ElementsAre;

constexpr std::int64_t day = 86'400;

/// Two sessions with a sub-agent; calls in path order: alpha a1 a2, its agent g1, beta b1.
Corpus small() {
    SessionBuilder alpha("p/alpha.jsonl", "alpha");
    alpha.project("", "/home/ada/One").title("Mend the Straße");
    alpha.prompt(10).call("a1", 11, used(10, 20, 300, 5), "claude-opus-4-5-20251101");
    alpha.prompt(day + 10).call("a2", day + 11, used(1, 2, 30, 500), "claude-haiku-4-5");
    SessionBuilder agent("p/alpha/subagents/agent-g.jsonl", "alpha");
    agent.subAgent("g").call("g1", 12, used(100, 0, 0, 7), "claude-haiku-4-5");
    SessionBuilder beta("p/beta.jsonl", "beta");
    beta.project("", "/home/ada/Two").title("Other thing");
    beta.prompt(2 * day).call("b1", 2 * day + 1, used(4, 0, 0, 6), "claude-opus-4-5-20251101");
    return corpusOf({alpha, agent, beta});
}

struct ScopeCase {
    const char* name;
    Scope scope;
    std::vector<std::uint8_t> calls;    // a1 a2 g1 b1
    std::vector<std::uint8_t> sessions; // alpha beta
};

class ScopeTable : public testing::TestWithParam<ScopeCase> {};

TEST_P(ScopeTable, LetsIn) {
    const Corpus corpus = small();
    const Selection selection = select(corpus, GetParam().scope, TurnMethod::ApiCall);
    EXPECT_EQ(selection.callIn, GetParam().calls);
    EXPECT_EQ(selection.sessionIn, GetParam().sessions);
    EXPECT_EQ(selection.calls, static_cast<std::uint64_t>(std::ranges::count(GetParam().calls, 1)));
    EXPECT_EQ(selection.sessions, static_cast<std::uint64_t>(std::ranges::count(GetParam().sessions, 1)));
    EXPECT_EQ(selection.callHit, selection.callIn);
}

TimeMs secondAt(std::int64_t seconds) {
    return SessionBuilder::at(seconds);
}

const ScopeCase scopeCases[] = {
    {"nothing_given", {}, {1, 1, 1, 1}, {1, 1}},
    {"session", {.sessions = {"claude:beta"}}, {0, 0, 0, 1}, {0, 1}},
    {"sessions_or", {.sessions = {"claude:beta", "claude:alpha"}}, {1, 1, 1, 1}, {1, 1}},
    {"project", {.projects = {"/home/ada/One"}}, {1, 1, 1, 0}, {1, 0}},
    {"model", {.models = {"claude-haiku-4-5"}}, {0, 1, 1, 0}, {1, 0}},
    {"main", {.agents = {"main"}}, {1, 1, 0, 1}, {1, 1}},
    {"sub_agent", {.agents = {"sub-agent"}}, {0, 0, 1, 0}, {1, 0}},
    {"program", {.agents = {"claude"}}, {1, 1, 1, 1}, {1, 1}},
    {"other_program", {.agents = {"codex"}}, {0, 0, 0, 0}, {0, 0}},
    {"text_in_title", {.text = "STRASSE"}, {0, 0, 0, 0}, {0, 0}},
    {"text_in_title_folded", {.text = "the straß"}, {1, 1, 1, 0}, {1, 0}},
    {"text_in_project", {.text = "two"}, {0, 0, 0, 1}, {0, 1}},
    {"text_in_path", {.text = "Agent-G"}, {0, 0, 1, 0}, {1, 0}},
    {"text_in_model", {.text = "haiku"}, {0, 1, 1, 0}, {1, 0}},
    {"text_in_id", {.text = "BETA"}, {0, 0, 0, 1}, {0, 1}},
    {"from", {.from = secondAt(day)}, {0, 1, 0, 1}, {1, 1}},
    {"to_is_open", {.to = secondAt(11)}, {0, 0, 0, 0}, {0, 0}},
    {"range", {.from = secondAt(11), .to = secondAt(day)}, {1, 0, 1, 0}, {1, 0}},
    {"fields_and",
     {.projects = {"/home/ada/One"}, .models = {"claude-haiku-4-5"}, .agents = {"main"}},
     {0, 1, 0, 0},
     {1, 0}},
};

INSTANTIATE_TEST_SUITE_P(Scopes, ScopeTable, testing::ValuesIn(scopeCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Scope, KeepsSessionsWithoutCallsByTheirOwnFields) {
    SessionBuilder prompts("quiet.jsonl", "quiet");
    prompts.title("Only words").prompt(5);
    const Corpus corpus = corpusOf({prompts});
    EXPECT_EQ(select(corpus, {}, TurnMethod::ApiCall).sessions, 1U);
    EXPECT_EQ(select(corpus, {.text = "words"}, TurnMethod::ApiCall).sessions, 1U);
    EXPECT_EQ(select(corpus, {.from = secondAt(1), .to = secondAt(9)}, TurnMethod::ApiCall).sessions, 1U);
    EXPECT_EQ(select(corpus, {.from = secondAt(6)}, TurnMethod::ApiCall).sessions, 0U);
    EXPECT_EQ(select(corpus, {.models = {"opus"}}, TurnMethod::ApiCall).sessions, 0U);
}

TEST(Scope, BrushesCallsByTheTurnsOfTheMethod) {
    const Corpus corpus = small();
    const Scope brush{.turnInput = TokenRange{24, 47}}; // a1 alone has 30 of new prefill
    EXPECT_THAT(select(corpus, brush, TurnMethod::ApiCall).callHit, ElementsAre(1, 0, 0, 0));
    EXPECT_THAT(select(corpus, brush, TurnMethod::Prompt).callHit, ElementsAre(1, 0, 0, 0));
    EXPECT_THAT(select(corpus, brush, TurnMethod::ApiCall).callIn, ElementsAre(1, 1, 1, 1));
    // per-line: every prompt of the builder has 40 characters, so 10 tokens; the agent's file has no prompt.
    const Selection lines = select(corpus, {.turnInput = TokenRange{6, 11}}, TurnMethod::PerLine);
    EXPECT_THAT(lines.callHit, ElementsAre(1, 1, 0, 1));
    EXPECT_EQ(lines.callsHit, 3U);
    EXPECT_EQ(lines.calls, 4U);
    const Selection both = select(
        corpus, {.turnInput = TokenRange{1, 99}, .turnOutput = TokenRange{400, 600}}, TurnMethod::ApiCall);
    EXPECT_THAT(both.callHit, ElementsAre(0, 1, 0, 0));
}

TEST(Scope, NamesItsMethods) {
    for (const TurnMethod method : {TurnMethod::PerLine, TurnMethod::ApiCall, TurnMethod::Prompt}) {
        EXPECT_EQ(turnMethodFromKey(keyOf(method)), method);
    }
    EXPECT_EQ(keyOf(TurnMethod::PerLine), "per-line");
    EXPECT_FALSE(turnMethodFromKey("lines"));
}

TEST(Scope, DescribesItself) {
    const Corpus corpus = small();
    const auto words = [&](const Scope& scope) {
        return describe(scope, corpus, select(corpus, scope, TurnMethod::ApiCall));
    };
    EXPECT_EQ(words({}), "all 2 sessions");
    EXPECT_EQ(words({.models = {"claude-opus-4-5-20251101"}}), "2 of 2 sessions, model opus-4-5");
    EXPECT_EQ(words({.sessions = {"claude:alpha"}}), "1 of 2 sessions, “Mend the Straße”");
    EXPECT_EQ(words({.agents = {"main"}, .text = "one"}), "1 of 2 sessions, agent main, with “one”");
    EXPECT_EQ(words({.from = secondAt(0), .to = secondAt(day)}), "1 of 2 sessions, 2026-01-01");
    EXPECT_EQ(words({.from = secondAt(0), .to = secondAt(3 * day)}),
              "2 of 2 sessions, 2026-01-01 to 2026-01-03");
    EXPECT_EQ(words({.from = secondAt(60)}), "2 of 2 sessions, from 2026-01-01 00:01:00 UTC");
    EXPECT_EQ(words({.turnOutput = TokenRange{16, 31}}),
              "0 of 2 sessions, turns with output of 16 to 31 tokens");
    EXPECT_EQ(words({.turnInput = TokenRange{1, 1}}), "0 of 2 sessions, turns with input of 1 token");
    SessionBuilder bounds("p/bounds.jsonl", "bounds");
    bounds.prompt(10)
        .call("c1", 11, used(10, 20, 300, 1), "opus", OutputQuality::LowerBound)
        .call("c2", 12, used(10, 20, 300, 9), "opus");
    const Corpus recorded = corpusOf({bounds});
    const auto output = [&](Tokens tokens) {
        const Scope scope{.turnOutput = TokenRange{tokens, tokens}};
        return describe(scope, recorded, select(recorded, scope, TurnMethod::ApiCall));
    };
    EXPECT_EQ(output(1), "1 of 1 session, turns with output of ≥ 1 token");
    EXPECT_EQ(output(9), "1 of 1 session, turns with output of 9 tokens");
    const Corpus nothing = buildCorpus({});
    EXPECT_EQ(describe({}, nothing, select(nothing, {}, TurnMethod::ApiCall)), "all 0 sessions");
}

TEST(Scope, AnAgentIsCalledAsItsLaneIs) {
    const Corpus corpus = small();
    const Selection lane = select(corpus, {.agents = {"Explore g"}}, TurnMethod::ApiCall);
    EXPECT_THAT(lane.callIn, ElementsAre(0, 0, 1, 0));
    const Timeline timeline = timelineOf(corpus, lane, 0);
    ASSERT_EQ(timeline.calls.size(), 3U);
    for (const CallSpan& call : timeline.calls) {
        EXPECT_EQ(call.hit, timeline.lanes[call.lane].name == "Explore g");
    }
    EXPECT_THAT(select(corpus, {.agents = {"Explore g", "main"}}, TurnMethod::ApiCall).callIn,
                ElementsAre(1, 1, 1, 1));
    EXPECT_THAT(select(corpus, {.agents = {"Explore h"}}, TurnMethod::ApiCall).callIn,
                ElementsAre(0, 0, 0, 0));
}

} // namespace
} // namespace loadline
