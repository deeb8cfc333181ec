// Which files make one session, and what the session says of itself.
#include "tests/core/session_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

using test::corpusOf;
using test::SessionBuilder;
using test::used;
using testing::ElementsAre;

SessionBuilder fileAt(const std::string& path, const std::string& id, const std::string& slug = "") {
    SessionBuilder builder(path, id);
    builder.project(slug, "");
    return builder;
}

TEST(Sessions, HoldTheirSubAgentsByIdWhateverTheSlug) {
    SessionBuilder late = fileAt("r/projects/-w/s/subagents/agent-late.jsonl", "s", "-w");
    late.subAgent("late").call("m3", 30, used(1, 0, 0, 1));
    SessionBuilder early = fileAt("r/projects/-w-tree/s/subagents/agent-early.jsonl", "s", "-w-tree");
    early.subAgent("early").call("m2", 20, used(1, 0, 0, 1));
    SessionBuilder main = fileAt("r/projects/-w/s.jsonl", "s", "-w");
    main.project("-w", "/w").title("Fix it").prompt(1).call("m1", 40, used(1, 0, 0, 1));

    const Corpus corpus = corpusOf({late, early, main});

    ASSERT_EQ(corpus.sessions.size(), 1U);
    const Session& session = corpus.sessions[0];
    EXPECT_EQ(session.key, "claude:s");
    EXPECT_EQ(session.project, "/w");
    EXPECT_EQ(session.title, "Fix it");
    EXPECT_EQ(session.prompts, 1U);
    EXPECT_EQ(session.promptTurns, 1U);
    EXPECT_EQ(session.totals.calls, 3U);
    EXPECT_EQ(session.firstTime, SessionBuilder::at(1));
    EXPECT_EQ(session.lastTime, SessionBuilder::at(40));
    std::vector<std::string> paths;
    for (const FileIndex file : session.files) {
        paths.push_back(corpus.files[file].file->path);
    }
    EXPECT_THAT(paths,
                ElementsAre("r/projects/-w/s.jsonl", "r/projects/-w-tree/s/subagents/agent-early.jsonl",
                            "r/projects/-w/s/subagents/agent-late.jsonl"));
}

TEST(Sessions, WithoutAMainFileTakeTheirNamesFromSubAgents) {
    SessionBuilder orphan = fileAt("r/projects/-w/s/subagents/agent-x.jsonl", "s", "-w");
    orphan.subAgent("x").call("m", 1, used(1, 0, 0, 1));
    const Corpus corpus = corpusOf({orphan});
    ASSERT_EQ(corpus.sessions.size(), 1U);
    EXPECT_EQ(corpus.sessions[0].project, "-w");
    EXPECT_EQ(corpus.sessions[0].prompts, 0U);
}

TEST(Sessions, OfTwoRootsAreTwoWithKeysOfTheirOwn) {
    const Corpus corpus =
        corpusOf({fileAt("r1/projects/-w/s.jsonl", "s", "-w"), fileAt("r2/projects/-w/s.jsonl", "s", "-w")});
    ASSERT_EQ(corpus.sessions.size(), 2U);
    EXPECT_EQ(corpus.sessions[0].key, "claude:s");
    EXPECT_EQ(corpus.sessions[1].key, "claude:s@r2/projects/-w/s.jsonl");
}

TEST(Sessions, CopiesUnderOtherNamesStandAlone) {
    const Corpus corpus =
        corpusOf({fileAt("d/01.jsonl", "s"), fileAt("d/02.jsonl", "s"), fileAt("d/s.jsonl", "s")});
    std::vector<std::string> keys;
    for (const Session& session : corpus.sessions) {
        keys.push_back(session.key);
        EXPECT_EQ(session.project, "d");
    }
    EXPECT_THAT(keys,
                testing::UnorderedElementsAre("claude:s", "claude:s@d/01.jsonl", "claude:s@d/02.jsonl"));
}

TEST(Sessions, WithoutAnIdGoByThePath) {
    const Corpus corpus = corpusOf({fileAt("d/empty.jsonl", ""), fileAt("d/none.jsonl", "")});
    ASSERT_EQ(corpus.sessions.size(), 2U);
    EXPECT_EQ(corpus.sessions[0].key, "claude:@d/empty.jsonl");
    EXPECT_EQ(corpus.sessions[1].key, "claude:@d/none.jsonl");
}

TEST(Sessions, StandInOrderOfProjectThenTime) {
    SessionBuilder b2 = fileAt("b2.jsonl", "b2");
    b2.project("", "/b").prompt(20);
    SessionBuilder b1 = fileAt("b1.jsonl", "b1");
    b1.project("", "/b").prompt(10);
    SessionBuilder timeless = fileAt("b0.jsonl", "b0");
    timeless.project("", "/b");
    SessionBuilder a = fileAt("z.jsonl", "z");
    a.project("", "/a").prompt(99);
    std::vector<std::string> ids;
    for (const Session& session : corpusOf({timeless, b2, b1, a}).sessions) {
        ids.push_back(session.sessionId);
    }
    EXPECT_THAT(ids, ElementsAre("z", "b1", "b2", "b0"));
}

TEST(Sessions, NameTheirModelsByCalls) {
    SessionBuilder main = fileAt("s.jsonl", "s");
    main.call("m1", 1, used(1, 0, 0, 1), "haiku");
    main.call("m2", 2, used(1, 0, 0, 1), "opus").call("m3", 3, used(1, 0, 0, 1), "opus");
    const Corpus corpus = corpusOf({main});
    std::vector<std::string> names;
    for (const ModelIndex model : corpus.sessions[0].models) {
        names.push_back(corpus.models[model]);
    }
    EXPECT_THAT(names, ElementsAre("opus", "haiku"));
}

} // namespace
} // namespace loadline
