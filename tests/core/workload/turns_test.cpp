// Turns of the three methods, and what they conserve.
#include "core/workload/scope/turns.h"

#include "tests/core/session_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace loadline {
namespace {

using test::corpusOf;
using test::SessionBuilder;
using test::used;
using testing::ElementsAre;
using testing::Pair;

using Amounts = std::vector<std::pair<Tokens, Tokens>>;

Amounts amounts(const std::vector<Turn>& turns) {
    Amounts result;
    for (const Turn& turn : turns) {
        result.emplace_back(turn.input, turn.output);
    }
    return result;
}

Amounts inScope(const Corpus& corpus, const Scope& scope, TurnMethod method) {
    return amounts(turnsInScope(corpus, select(corpus, scope, method), method));
}

/// prompt, two calls with a tool result between, prompt without an answer, slash command with one call.
SessionBuilder conversation(const std::string& name) {
    SessionBuilder file(name + ".jsonl", name);
    file.user(UserKind::Human, 1, 43, 9).call("m1", 2, used(1, 10, 0, 4));
    file.user(UserKind::ToolResult, 3, 7, 11)
        .call("m2", 4, used(2, 20, 11, 5), "opus", OutputQuality::LowerBound);
    file.user(UserKind::Human, 5, 3, 0);
    file.user(UserKind::SlashCommand, 6, 100, 6).call("m3", 7, used(3, 30, 31, 6));
    return file;
}

TEST(Turns, PerLineTakesEveryUserRecord) {
    const Corpus corpus = corpusOf({conversation("a")});
    const std::vector<Turn> turns = turnsOfFile(corpus, 0, TurnMethod::PerLine);
    EXPECT_THAT(amounts(turns), ElementsAre(Pair(10, 9), Pair(1, 11), Pair(0, 0), Pair(25, 6)));
    EXPECT_EQ(turns[0].quality, OutputQuality::Final);
    EXPECT_EQ(turns[1].quality, OutputQuality::LowerBound);
    EXPECT_EQ(turns[2].quality, OutputQuality::None);
    EXPECT_EQ(turns[2].model, 0xffffffff);
    EXPECT_EQ(turns[3].record, 3U);
}

TEST(Turns, ApiCallTakesEachCall) {
    const Corpus corpus = corpusOf({conversation("a")});
    EXPECT_THAT(amounts(turnsOfFile(corpus, 0, TurnMethod::ApiCall)),
                ElementsAre(Pair(11, 4), Pair(22, 5), Pair(33, 6)));
}

TEST(Turns, PromptSumsUpToTheNext) {
    const Corpus corpus = corpusOf({conversation("a")});
    const std::vector<Turn> turns = turnsOfFile(corpus, 0, TurnMethod::Prompt);
    EXPECT_THAT(amounts(turns), ElementsAre(Pair(33, 9), Pair(0, 0), Pair(33, 6)));
    EXPECT_EQ(turns[0].quality, OutputQuality::Mixed);
    EXPECT_EQ(turns[0].time, SessionBuilder::at(1));
}

TEST(Turns, WithoutARecordedCacheInputIsWhatPromptsGrewBy) {
    SessionBuilder file("a.jsonl", "a");
    file.prompt(1).call("w1", 2, used(60'000, 0, 0, 4)).call("w2", 3, used(63'000, 0, 0, 4));
    file.prompt(4).call("w3", 5, used(64'000, 0, 0, 4));
    const Corpus corpus = corpusOf({file, conversation("recorded")});
    EXPECT_THAT(amounts(turnsOfFile(corpus, 0, TurnMethod::ApiCall)),
                ElementsAre(Pair(60'000, 4), Pair(3'000, 4), Pair(1'000, 4)));
    const std::vector<Turn> turns =
        turnsInScope(corpus, select(corpus, {}, TurnMethod::Prompt), TurnMethod::Prompt);
    EXPECT_THAT(amounts(turns),
                ElementsAre(Pair(63'000, 8), Pair(1'000, 4), Pair(33, 9), Pair(0, 0), Pair(33, 6)));
    EXPECT_TRUE(turns[1].inputAbout);
    EXPECT_FALSE(turns[2].inputAbout);
}

TEST(Turns, CountInheritedCallsOnceButLinesAgain) {
    SessionBuilder fork = conversation("fork");
    fork.user(UserKind::Human, 20, 4, 8).call("m4", 21, used(4, 40, 0, 8));
    fork.user(UserKind::Human, 22, 4, 0);
    const Corpus corpus = corpusOf({conversation("original"), fork});
    EXPECT_THAT(inScope(corpus, {}, TurnMethod::ApiCall),
                ElementsAre(Pair(11, 4), Pair(22, 5), Pair(33, 6), Pair(44, 8)));
    EXPECT_THAT(inScope(corpus, {}, TurnMethod::Prompt),
                ElementsAre(Pair(44, 8), Pair(0, 0), // fork: its own, also the one without an answer
                            Pair(33, 9), Pair(0, 0), Pair(33, 6)));
    EXPECT_EQ(inScope(corpus, {}, TurnMethod::PerLine).size(), 4U + 6U);
    EXPECT_EQ(inScope(corpus, {.sessions = {"claude:fork"}}, TurnMethod::PerLine).size(), 6U);
    EXPECT_EQ(turnsOfFile(corpus, 0, TurnMethod::Prompt).size(), 5U);
}

TEST(Turns, ConserveTokensOfTheCallsInScope) {
    SessionBuilder first("a.jsonl", "a");
    for (int i = 0; i < 200; ++i) {
        if (i % 5 == 0) {
            first.prompt(10 * i);
        }
        first.call("a" + std::to_string(i), 10 * i + 1, used(i, 3 * i, 0, i % 11),
                   i % 3 == 0 ? "opus" : "haiku");
    }
    SessionBuilder second = conversation("b");
    const Corpus corpus = corpusOf({first, second});
    for (const Scope& scope : {Scope{}, Scope{.models = {"opus"}}, Scope{.from = SessionBuilder::at(333)}}) {
        const Selection selection = select(corpus, scope, TurnMethod::ApiCall);
        Tokens input = 0;
        Tokens output = 0;
        for (std::size_t i = 0; i < corpus.calls.size(); ++i) {
            input += selection.callIn[i] != 0 ? corpus.calls[i].usage.newPrefill() : 0;
            output += selection.callIn[i] != 0 ? corpus.calls[i].usage.output : 0;
        }
        for (const TurnMethod method : {TurnMethod::ApiCall, TurnMethod::Prompt}) {
            Tokens turnInput = 0;
            Tokens turnOutput = 0;
            for (const Turn& turn : turnsInScope(corpus, select(corpus, scope, method), method)) {
                turnInput += turn.input;
                turnOutput += turn.output;
            }
            EXPECT_EQ(turnInput, input);
            EXPECT_EQ(turnOutput, output);
        }
    }
}

TEST(Turns, OfACallAreFoundForEachMethod) {
    SessionBuilder file("a.jsonl", "a");
    file.call("early", 0, used(1, 0, 0, 1));
    file.prompt(1).call("m1", 2, used(1, 0, 0, 1)).call("m2", 3, used(1, 0, 0, 1));
    file.user(UserKind::ToolResult, 4).call("m3", 5, used(1, 0, 0, 1));
    constexpr std::uint32_t none = 0xffffffff;
    EXPECT_THAT(turnsOfCalls(file.file(), TurnMethod::PerLine), ElementsAre(none, 0U, 0U, 1U));
    EXPECT_THAT(turnsOfCalls(file.file(), TurnMethod::Prompt), ElementsAre(none, 0U, 0U, 0U));
    EXPECT_THAT(turnsOfCalls(file.file(), TurnMethod::ApiCall), ElementsAre(0U, 1U, 2U, 3U));
}

} // namespace
} // namespace loadline
