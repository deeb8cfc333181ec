// Copies of histories: which file a shared call originates from.
#include "tests/core/session_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

using test::corpusOf;
using test::SessionBuilder;
using test::used;
using testing::ElementsAre;

/// A session named after its file that holds calls [from, to) of a conversation, one per 10 s.
SessionBuilder holding(const std::string& name, const std::string& branch, int from, int to) {
    SessionBuilder builder(name + ".jsonl", name);
    for (int i = from; i < to; ++i) {
        builder.call(branch + std::to_string(i), 10 * i, used(1, 2, 3, 4));
    }
    return builder;
}

SessionBuilder& andThen(SessionBuilder& builder, const std::string& branch, int from, int to) {
    for (int i = from; i < to; ++i) {
        builder.call(branch + std::to_string(i), 10 * i, used(1, 2, 3, 4));
    }
    return builder;
}

TEST(CallOrigin, IsThePrefixOfTheOthers) {
    const SessionBuilder original = holding("z-original", "m", 0, 5);
    const SessionBuilder fork = holding("a-fork", "m", 0, 8);
    const Corpus corpus = corpusOf({original, fork});
    const FileInCorpus& a = corpus.files[0];
    const FileInCorpus& z = corpus.files[1];
    EXPECT_EQ(a.inheritedCalls, 5U);
    EXPECT_THAT(a.inherited, ElementsAre(1, 1, 1, 1, 1, 0, 0, 0));
    EXPECT_THAT(a.inheritedFrom, ElementsAre(1U));
    EXPECT_EQ(z.inheritedCalls, 0U);
    EXPECT_EQ(corpus.calls[a.calls[4]].file, 1U);
    EXPECT_EQ(corpus.calls[a.calls[4]].callInFile, 4U);
    EXPECT_TRUE(corpus.diagnostics.empty());
}

TEST(CallOrigin, IsTheFileWhoseOwnCallsStartFirst) {
    SessionBuilder original = holding("z", "m", 0, 5);
    andThen(original, "z", 5, 9);
    SessionBuilder fork = holding("a", "m", 0, 5);
    andThen(fork, "a", 20, 30);
    const Corpus corpus = corpusOf({original, fork});
    EXPECT_EQ(corpus.files[0].inheritedCalls, 5U);
    EXPECT_EQ(corpus.files[1].inheritedCalls, 0U);
}

TEST(CallOrigin, FollowsAChainOfForks) {
    const Corpus corpus =
        corpusOf({holding("c", "m", 0, 3), holding("a", "m", 0, 6), holding("b", "m", 0, 9)});
    EXPECT_EQ(corpus.files[0].inheritedCalls, 3U); // a: from c
    EXPECT_THAT(corpus.files[0].inheritedFrom, ElementsAre(2U));
    EXPECT_EQ(corpus.files[1].inheritedCalls, 6U); // b: from a and c
    EXPECT_THAT(corpus.files[1].inheritedFrom, ElementsAre(0U, 2U));
    EXPECT_EQ(corpus.files[2].inheritedCalls, 0U);
}

TEST(CallOrigin, IsNotMisledByAForkOfAFork) {
    SessionBuilder original = holding("a", "m", 0, 3);
    andThen(original, "a", 3, 5);
    SessionBuilder fork = holding("b", "m", 0, 3);
    andThen(fork, "b", 10, 12);
    SessionBuilder forkOfFork = holding("c", "m", 0, 3);
    andThen(andThen(forkOfFork, "b", 10, 12), "c", 20, 22);
    const Corpus corpus = corpusOf({original, fork, forkOfFork});
    EXPECT_EQ(corpus.files[0].inheritedCalls, 0U);
    EXPECT_EQ(corpus.files[1].inheritedCalls, 3U);
    EXPECT_EQ(corpus.files[2].inheritedCalls, 5U);
    EXPECT_THAT(corpus.files[2].inheritedFrom, ElementsAre(0U, 1U));
}

TEST(CallOrigin, SaysSoWhenItIsAmbiguous) {
    const Corpus corpus = corpusOf({holding("b", "m", 0, 4), holding("a", "m", 0, 4)});
    EXPECT_EQ(corpus.files[0].inheritedCalls, 0U);
    EXPECT_EQ(corpus.files[1].inheritedCalls, 4U);
    ASSERT_EQ(corpus.diagnostics.size(), 1U);
    EXPECT_EQ(corpus.diagnostics[0].path, "a.jsonl");
    EXPECT_EQ(corpus.diagnostics[0].diagnostic.kind, DiagnosticKind::AmbiguousOrigin);
    EXPECT_EQ(corpus.diagnostics[0].diagnostic.count, 4U);
    EXPECT_EQ(corpus.diagnostics[0].diagnostic.line, 1U);
    EXPECT_EQ(corpus.diagnostics[0].diagnostic.detail, "also in b.jsonl");
}

TEST(CallOrigin, LooksAtPromptsWhereNoFileHasCallsOfItsOwn) {
    const SessionBuilder original = holding("b", "m", 0, 4);
    SessionBuilder fork = holding("a", "m", 0, 4);
    fork.prompt(100);
    const Corpus corpus = corpusOf({original, fork});
    EXPECT_EQ(corpus.files[0].inheritedCalls, 4U);
    EXPECT_TRUE(corpus.diagnostics.empty());
}

TEST(CallOrigin, IsNoMatterBetweenFilesOfOneSession) {
    SessionBuilder main("p/s.jsonl", "s");
    main.call("m0", 0, used(1, 0, 0, 1)).call("m1", 1, used(1, 0, 0, 1));
    SessionBuilder agent("p/s/subagents/agent-x.jsonl", "s");
    agent.subAgent("x").call("m0", 0, used(1, 0, 0, 1)).call("m1", 1, used(1, 0, 0, 1));
    const Corpus corpus = corpusOf({main, agent});
    EXPECT_TRUE(corpus.diagnostics.empty());
    ASSERT_EQ(corpus.sessions.size(), 1U);
    EXPECT_EQ(corpus.sessions[0].totals.calls, 2U);
    EXPECT_EQ(corpus.sessions[0].ownTotals, corpus.sessions[0].totals);
    EXPECT_EQ(corpus.sessions[0].inheritedCalls, 0U);
}

} // namespace
} // namespace loadline
