// New input of calls whose logs record no cache: what prompts grow by.
#include "core/session/corpus/continued_prompts.h"

#include "tests/core/everything_selected.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace loadline {
namespace {

using namespace test;
using testing::ElementsAre;

/// Returns newInput() of each call, in the corpus' order.
std::vector<Tokens> newInputs(const Corpus& corpus) {
    std::vector<Tokens> all;
    for (const CorpusCall& call : corpus.calls) {
        all.push_back(call.newInput());
    }
    return all;
}

SessionBuilder promptsOfLengths(const std::string& name, const std::vector<Tokens>& lengths) {
    SessionBuilder session(name + ".jsonl", name);
    session.prompt(0);
    int i = 0;
    for (const Tokens length : lengths) {
        session.call(name + std::to_string(i), 10 * i + 1, used(length, 0, 0, 10));
        ++i;
    }
    return session;
}

TEST(ContinuedPrompts, APromptThatGrowsAddsWhatItGrewBy) {
    const Corpus corpus = corpusOf({promptsOfLengths("a", {20'000, 23'000, 23'000, 60'000, 9'000, 11'000})});
    EXPECT_THAT(newInputs(corpus), ElementsAre(20'000, 3'000, 0, 37'000, 9'000, 2'000));
    EXPECT_FALSE(corpus.sessions[0].recordsCache);
    EXPECT_TRUE(corpus.calls[0].newInputAbout); // what sessions share is not recorded either
}

TEST(ContinuedPrompts, ARecordedCacheTellsItself) {
    SessionBuilder recorded("b.jsonl", "b");
    recorded.prompt(0)
        .call("m1", 1, used(20'000, 0, 0, 1))
        .call("m2", 2, used(25'000, 0, 0, 1))
        .call("m3", 3, used(5, 3000, 25'000, 1));
    const Corpus corpus = corpusOf({recorded});
    EXPECT_THAT(newInputs(corpus), ElementsAre(20'000, 25'000, 3'005));
    EXPECT_TRUE(corpus.sessions[0].recordsCache);
    EXPECT_FALSE(corpus.calls[1].newInputAbout);
}

TEST(ContinuedPrompts, ASummaryEndsAConversation) {
    SessionBuilder session = promptsOfLengths("a", {20'000, 23'000});
    session.user(UserKind::CompactSummary, 30).call("after", 31, used(24'000, 0, 0, 1));
    session.call("next", 41, used(25'000, 0, 0, 1));
    EXPECT_THAT(newInputs(corpusOf({session})), ElementsAre(20'000, 3'000, 24'000, 1'000));
}

TEST(ContinuedPrompts, ModelsAndLanesHaveConversationsOfTheirOwn) {
    SessionBuilder session = promptsOfLengths("a", {20'000, 23'000});
    session.call("small", 30, used(24'000, 0, 0, 1), "haiku").call("m", 40, used(26'000, 0, 0, 1));
    SessionBuilder agent("a/subagents/agent-x.jsonl", "a");
    agent.subAgent("x").call("x1", 35, used(30'000, 0, 0, 4));
    EXPECT_THAT(newInputs(corpusOf({session, agent})),
                testing::UnorderedElementsAre(20'000, 3'000, 24'000, 3'000, 30'000));
}

TEST(ContinuedPrompts, PromptsTooShortForACacheAreNew) {
    const Corpus corpus = corpusOf({promptsOfLengths("a", {634, 635, leastCached - 1, leastCached})});
    EXPECT_THAT(newInputs(corpus), ElementsAre(634, 635, leastCached - 1, 1));
    EXPECT_FALSE(corpus.calls[2].newInputAbout);
}

TEST(ContinuedPrompts, AForkContinuesWhatItInherits) {
    SessionBuilder fork = promptsOfLengths("a", {20'000, 23'000});
    fork.file().path = "fork.jsonl";
    fork.file().sessionId = "fork";
    fork.user(UserKind::Human, 50).call("own", 51, used(29'000, 0, 0, 1));
    EXPECT_THAT(newInputs(corpusOf({promptsOfLengths("a", {20'000, 23'000}), fork})),
                testing::UnorderedElementsAre(20'000, 3'000, 6'000));
}

} // namespace
} // namespace loadline
