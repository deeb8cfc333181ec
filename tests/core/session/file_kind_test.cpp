// Which program wrote a file: examples of every kind, Claude Code's own, what is none, and what is cut.
#include "core/session/files/file_kind.h"

#include "core/base/file/read_file.h"
#include "core/session/files/session_formats.h"
#include "tests/made_up_logs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

namespace loadline {
namespace {

using testing::ElementsAre;

std::string keyOf(std::string_view head, std::string_view name = {}) {
    const FileKind* kind = fileKindOf(head, name);
    return kind == nullptr ? "" : std::string(kind->key);
}

std::vector<made_up::Log> allLogs() {
    std::vector<made_up::Log> all = made_up::otherAgentsLogs();
    for (made_up::Log& log : made_up::otherKnownFiles()) {
        all.push_back(std::move(log));
    }
    return all;
}

TEST(FileKindOf, ExamplesOfEveryKind) {
    std::set<std::string> seen;
    for (const made_up::Log& log : allLogs()) {
        EXPECT_EQ(keyOf(log.text, log.name), log.key) << log.name;
        EXPECT_EQ(keyOf("\xEF\xBB\xBF" + log.text, log.name),
                  log.text.starts_with("SQLite") ? "" : std::string(log.key))
            << log.name << " after a byte order mark";
        seen.emplace(log.key);
    }
    for (const FileKind& kind : fileKinds()) {
        EXPECT_TRUE(kind.sessions != nullptr || seen.contains(std::string(kind.key)))
            << kind.key << " has neither an example nor a reader with tests of its own";
    }
}

TEST(FileKindOf, TheirNamesDoNotMatterButForBareDatabases) {
    for (const made_up::Log& log : allLogs()) {
        if (log.name != "opencode.db" && log.name != "kilo.db") {
            EXPECT_EQ(keyOf(log.text, "a.jsonl"), log.key) << log.name;
        }
    }
    EXPECT_EQ(keyOf(made_up::database("CREATE TABLE books (id)"), "library.db"), "");
}

TEST(FileKindOf, ClaudeCodeInAnyOrderOfMembersAndAnyFirstRecord) {
    for (
        const char* text :
        {R"({"parentUuid":null,"isSidechain":false,"sessionId":"s","type":"user","message":{"role":"user","content":"hi"},"uuid":"u"})",
         R"({"type":"user","sessionId":"s","message":{"content":"hi"}})",
         R"({"type":"summary","summary":"x","leafUuid":"l"})",
         R"({"type":"file-history-snapshot","messageId":"m","snapshot":{},"isSnapshotUpdate":false})",
         R"({"type":"queue-operation","operation":"enqueue","timestamp":"t","sessionId":"s"})",
         R"({"type":"custom-title","customTitle":"x","sessionId":"s"})",
         R"({"type":"something-new","uuid":"u","sessionId":"s"})",
         R"({"type":"system","subtype":"init","session_id":"s"})",
         "not json\n{\"type\":\"user\",\"sessionId\":\"s\",\"uuid\":\"u\"}\n",
         "\n\n{\"type\":\"mode\",\"mode\":\"x\",\"sessionId\":\"s\"}{\"type\":\"summary\"}\n"}) {
        EXPECT_EQ(keyOf(text), "claude-code") << text;
    }
}

/// A session may be about anything: what stands in texts, tools and results tells nothing.
TEST(FileKindOf, IsNotMisledByWhatASessionIsAbout) {
    for (const made_up::Log& log : allLogs()) {
        std::string quoted;
        for (const char c : log.text) {
            quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c >= ' ' ? c : ' ');
        }
        const bool line = log.text.starts_with('{') && log.text[1] != '\n';
        const std::string inner = line ? log.text.substr(0, log.text.find('\n')) : "[]";
        EXPECT_EQ(keyOf(R"({"type":"user","message":{"role":"user","content":")" + quoted +
                        R"("},"toolUseResult":)" + inner + R"(,"uuid":"u","sessionId":"s"})"),
                  "claude-code")
            << log.name;
    }
}

TEST(FileKindOf, NothingElseIsKnown) {
    for (const char* text : {"", " \n\t", "{}", "[]", "prose", "# A heading\n", "1", "\"type\"",
                             "{\"type\":", "{\"a\":1}\n{\"b\":2}\n", R"({"type":"user","text":"hi"})",
                             R"({"name":"package","version":"1.0.0","dependencies":{}})",
                             R"({"agentType":"explore","description":"x"})", "a,b,c\n1,2,3\n"}) {
        EXPECT_EQ(keyOf(text), "") << text;
    }
    EXPECT_EQ(keyOf(std::string(1000, '\0')), "");
    EXPECT_EQ(keyOf(std::string("SQLite format 3\0", 16)), "");
}

TEST(FileKindOf, WhatIsCutIsTheSameOrUnknown) {
    for (const made_up::Log& log : allLogs()) {
        const std::size_t step = 1 + log.text.size() / 500;
        for (std::size_t length = 0; length < log.text.size(); length += step) {
            const std::string key = keyOf(std::string_view(log.text).substr(0, length), log.name);
            const bool copied = log.key == "qwen" && key == "claude-code"; // the same up to the message
            EXPECT_TRUE(key.empty() || key == log.key || copied)
                << log.name << " cut to " << length << ": " << key;
        }
    }
}

TEST(FileKindOf, LongRecordsAreKnownByTheirBeginning) {
    const std::string text = R"({"timestamp":"t","type":"session_meta","payload":{"instructions":")";
    EXPECT_EQ(keyOf(text + std::string(1 << 20, 'x')), "codex");
}

TEST(FileKindOf, LooksAtNothingBehindTheHead) {
    EXPECT_EQ(keyOf(std::string(headBytes, ' ') + made_up::codexLog()), "");
    EXPECT_EQ(keyOf(std::string(headBytes - 200, ' ') + made_up::codexLog()), "codex");
}

TEST(FileKindOf, AnyBytesAreFine) {
    std::mt19937 random(7);
    const std::vector<made_up::Log> logs = allLogs();
    for (int i = 0; i < 3000; ++i) {
        std::string text = logs[random() % logs.size()].text;
        for (int change = 0; change < 8; ++change) {
            text[random() % text.size()] = static_cast<char>(random() % 256);
        }
        (void)fileKindOf(text, "opencode.db");
    }
    for (const std::string_view bracket : {"[", "{\"a\":", "[{\"a\":"}) {
        std::string deep;
        while (deep.size() < headBytes) {
            deep += bracket;
        }
        EXPECT_EQ(keyOf(deep), "");
    }
}

TEST(SessionFormats, AreNamedReadAndFoundByTheirAgent) {
    for (const SessionFormat* format : sessionFormats()) {
        EXPECT_EQ(formatOfAgent(format->agent), format);
        EXPECT_FALSE(format->program.empty());
        EXPECT_THAT(format->home, testing::StartsWith("~/"));
        ASSERT_NE(format->readPart, nullptr) << format->agent;
    }
    EXPECT_EQ(formatOfAgent("nobody"), nullptr);
    EXPECT_THAT(sessionPrograms(" and ", ", in "), testing::StartsWith("Claude Code, in ~/.claude/projects"));
}

TEST(ContentOf, SaysWhatCanBeDoneWithAFile) {
    EXPECT_EQ(contentOf(made_up::codexLog()), FileContent::Sessions);
    EXPECT_EQ(contentOf("M, kernel ,\"time_us\"\n"), FileContent::KernelTimes);
    EXPECT_EQ(contentOf(R"({"devices": [{"id": 0}], "benchmarks": [{"name": "x"}]})"),
              FileContent::KernelTimes);
    EXPECT_EQ(contentOf("kernel,time_us\n"), FileContent::Unknown);
    EXPECT_EQ(contentOf("{\"type\":\"us"), FileContent::Sessions);
    EXPECT_EQ(contentOf("{\"typ"), FileContent::Unknown);
}

TEST(ContentOf, KnowsServersLogsByTheirLinesAfterAllOthers) {
    const std::string line =
        "2.08.884.687 I slot print_timing: id  3 | task 0 | n_decoded =   1157, tg =  12.90 "
        "t/s, tg_3s =  12.61 t/s\n";
    const std::string gin =
        "[GIN] 2025/12/23 - 10:36:24 | 200 |         1m43s |   192.168.0.131 | POST     \"/api/chat\"\n";
    EXPECT_EQ(contentOf(line), FileContent::ServerLog);
    EXPECT_EQ(contentOf("# a note\n\nsome words\n" + line), FileContent::ServerLog);
    EXPECT_EQ(contentOf(gin), FileContent::ServerLog);
    EXPECT_EQ(contentOf(R"({"log":"slot release: id  0 | task 1 | \n","time":"2026-01-01T00:00:00Z"})"),
              FileContent::ServerLog);
    // Such lines within JSON are what a session or another program tells.
    const std::string quoted = R"({"text":")" + line.substr(0, line.size() - 1) + "\"}\n";
    EXPECT_EQ(contentOf(quoted), FileContent::Unknown);
    EXPECT_EQ(contentOf("[" + quoted + "]"), FileContent::Unknown);
    EXPECT_EQ(contentOf("arrival_s,input_tokens,output_tokens\n" + line), FileContent::Trace);
    EXPECT_EQ(contentOf("# aider chat started at 2026-01-01 10:00:00\n" + line), FileContent::Sessions);
    // Times and access lines alone are of any program.
    EXPECT_EQ(contentOf("[12:00:01] door opened\n"), FileContent::Unknown);
    EXPECT_EQ(contentOf("127.0.0.1 - - [18/Mar/2026 23:34:23] \"GET / HTTP/1.1\" 200 -\n"),
              FileContent::Unknown);
    EXPECT_EQ(contentOf("INFO:     127.0.0.1:39830 - \"GET /health HTTP/1.1\" 200 OK\n"),
              FileContent::Unknown);
}

TEST(MayBeLog, SaysWhichFilesAreWorthALook) {
    for (const char* name :
         {"session-1.json", "opencode.db", "state.vscdb", "a.sqlite", ".aider.chat.history.md"}) {
        EXPECT_TRUE(mayBeLog(name)) << name;
    }
    for (const char* name : {"agent-1.meta.json", "README.md", "x.txt", "json", "a.jsonl.gz"}) {
        EXPECT_FALSE(mayBeLog(name)) << name;
    }
}

TEST(SentencesOfNotRead, NameAndCountEachKind) {
    const FileKind* codex = fileKindOf(made_up::codexLog());
    const FileKind* trace = fileKindOf("arrival_s,input_tokens,output_tokens\n");
    EXPECT_THAT(sentencesOf(std::vector<NotRead>{{"a", codex}, {"b", trace}, {"c", codex}}),
                ElementsAre("2 files look like Codex CLI logs; Loadline does not read those yet. No sessions "
                            "were made of them.",
                            "1 file looks like a request trace, which holds no sessions: open it alone, or "
                            "simulate it as a workload."));
    EXPECT_THAT(
        sentencesOf(std::vector<NotRead>{{"a", codex}}),
        ElementsAre("1 file looks like a Codex CLI log; Loadline does not read those yet. No session was "
                    "made of it."));
    EXPECT_THAT(sentencesOf({}), ElementsAre());
    EXPECT_EQ(reasonNotToRead(*codex), "it looks like a Codex CLI log, which Loadline does not read yet");
}

} // namespace
} // namespace loadline
