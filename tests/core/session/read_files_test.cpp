// Files as they are on disk: the unreadable ones, large ones in parts, stopping.
#include "core/base/file/byte_source.h"
#include "core/session/claude/session_format.h"
#include "core/session/files/read_sessions.h"
#include "core/session/lines/read_record.h"
#include "tests/core/session/files_fixture.h"
#include "tests/core/session/record_text.h"
#include "tests/core/session/session_file_text.h"
#include "tests/made_up_logs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace loadline {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

TEST_F(Files, PipesNeverBlock) {
    write("1.jsonl", userLine("u", "'x'"));
    ASSERT_EQ(::mkfifo((root_ + "/pipe.jsonl").c_str(), 0600), 0);
    const SessionFiles files = read();
    EXPECT_EQ(files.files.size(), 1U);
    ASSERT_EQ(files.diagnostics.size(), 1U);
    EXPECT_EQ(files.diagnostics[0].diagnostic.kind, DiagnosticKind::CannotOpen);
    // Also when the file became a pipe after it was found.
    const FoundFiles stale{.files = {{root_ + "/pipe.jsonl", 10}}, .diagnostics = {}};
    Progress progress;
    const SessionFiles none = readSessionFiles(stale, {}, {}, progress);
    EXPECT_TRUE(none.complete);
    EXPECT_TRUE(none.files.empty());
    ASSERT_EQ(none.diagnostics.size(), 1U);
    EXPECT_EQ(none.diagnostics[0].diagnostic.detail, "it is a pipe, a socket or a device");
    // Or a folder.
    fs::create_directory(root_ + "/folder.jsonl");
    const SessionFiles folder =
        readSessionFiles({.files = {{root_ + "/folder.jsonl", 10}}, .diagnostics = {}}, {}, {}, progress);
    EXPECT_TRUE(folder.files.empty());
    ASSERT_EQ(folder.diagnostics.size(), 1U);
    EXPECT_EQ(folder.diagnostics[0].diagnostic.detail, "it is a folder");
}

TEST_F(Files, OfOtherAgentsAreNamedAndMakeNoSession) {
    write("1.jsonl", userLine("u", "'x'"));
    std::vector<std::string> expected;
    for (const made_up::Log& log : made_up::otherAgentsLogs()) {
        const std::string name = std::string(log.key) + "/" + std::string(log.name);
        write(name, log.text);
        expected.push_back(name + " " + std::string(log.key));
    }
    std::ranges::sort(expected);
    write("package.json", "{}");
    write("agent-1.meta.json", made_up::codexLog()); // never looked at
    write("notes.txt", made_up::codexLog());
    Progress progress;
    const std::vector<std::string> paths{root_};
    const SessionFiles files = readSessionFiles(findSessionFiles(paths, {}), {}, {}, progress);
    EXPECT_EQ(files.files.size(), 1U);
    EXPECT_TRUE(files.complete);
    EXPECT_EQ(progress.bytesDone, progress.bytesTotal);
    EXPECT_EQ(progress.filesDone, progress.filesTotal);
    std::vector<std::string> notRead;
    for (const NotRead& file : files.notRead) {
        notRead.push_back(file.path.substr(root_.size() + 1) + " " + std::string(file.looksLike->key));
    }
    EXPECT_EQ(notRead, expected);
    EXPECT_EQ(files.diagnostics.size(), expected.size());
    for (const PathDiagnostic& d : files.diagnostics) {
        EXPECT_EQ(d.diagnostic.kind, DiagnosticKind::OtherLog);
        EXPECT_THAT(d.diagnostic.detail, testing::EndsWith("does not read yet"));
    }
}

TEST_F(Files, ThatAreNamedAreKnownByContentToo) {
    write("opencode.db", made_up::database(""));
    write("log", made_up::codexLog());
    write("session.txt", userLine("u", "'x'"));
    write("prose", "hello\nworld\n");
    Progress progress;
    const std::vector<std::string> paths{root_ + "/log", root_ + "/opencode.db", root_ + "/prose",
                                         root_ + "/session.txt"};
    const SessionFiles files = readSessionFiles(findSessionFiles(paths, {}), {}, {}, progress);
    ASSERT_EQ(files.files.size(), 1U);
    EXPECT_EQ(files.files[0]->path, root_ + "/session.txt");
    ASSERT_EQ(files.notRead.size(), 2U);
    EXPECT_EQ(files.notRead[0].looksLike->key, "codex");
    EXPECT_EQ(files.notRead[1].looksLike->key, "opencode");
    ASSERT_EQ(files.diagnostics.size(), 3U);
    EXPECT_EQ(files.diagnostics[2].path, root_ + "/prose");
    EXPECT_EQ(files.diagnostics[2].diagnostic.kind, DiagnosticKind::NotSessionLog);
}

TEST_F(Files, WithoutARecordOfASessionMakeNone) {
    write("other.jsonl", "{'level':'info'}\n{'type':'user','text':'hi'}\n");
    write("broken.jsonl", "}{\n}{\n");
    write("text.jsonl", "hello");
    write("cut.jsonl", "{\"type\":\"us");                                         // being written
    write("late.jsonl", "}{\n{\"level\":1}\n" + userLine("u", "'x'"));            // one record is enough
    write("bare.jsonl", "{\"type\":\"user\",\"message\":{\"content\":\"x\"}}\n"); // without any id
    write("empty.jsonl", "");
    write("blank.jsonl", "\n \n");
    const SessionFiles files = read();
    std::vector<std::string> sessions;
    for (const auto& file : files.files) {
        sessions.push_back(file->path.substr(root_.size() + 1));
    }
    EXPECT_THAT(sessions, ElementsAre("bare.jsonl", "blank.jsonl", "cut.jsonl", "empty.jsonl", "late.jsonl"));
    EXPECT_EQ(files.diagnostics.size(), 3U);
    for (const PathDiagnostic& d : files.diagnostics) {
        EXPECT_EQ(d.diagnostic.kind, DiagnosticKind::NotSessionLog) << d.path;
    }
    EXPECT_TRUE(files.notRead.empty());
}

TEST_F(Files, WithoutPermissionAreSaidAndTheOthersRead) {
    if (::geteuid() == 0) {
        GTEST_SKIP() << "root may read everything";
    }
    write("1.jsonl", userLine("u", "'x'"));
    write("2.jsonl", userLine("u", "'x'"));
    write("locked/3.jsonl", userLine("u", "'x'"));
    fs::permissions(root_ + "/2.jsonl", fs::perms::none);
    fs::permissions(root_ + "/locked", fs::perms::none);
    const SessionFiles files = read();
    EXPECT_EQ(files.files.size(), 1U);
    ASSERT_EQ(files.diagnostics.size(), 2U);
    EXPECT_EQ(files.diagnostics[0].path, root_ + "/2.jsonl");
    EXPECT_EQ(files.diagnostics[1].path, root_ + "/locked");
    EXPECT_TRUE(files.complete);
}

TEST_F(Files, MayHaveNamesThatAreNotUtf8) {
    write("caf\xe9.jsonl", userLine("u", "'x'"));
    const SessionFiles files = read();
    ASSERT_EQ(files.files.size(), 1U);
    EXPECT_EQ(files.files[0]->path, root_ + "/caf\xe9.jsonl");
}

TEST_F(Files, LargeOnesAreReadInPartsByAnyNumberOfThreadsWithOneResult) {
    std::string text;
    for (int i = 0; text.size() < 13'000'000; ++i) {
        const std::string n = std::to_string(i);
        text += userLine("u" + n, "'" + std::string(static_cast<std::size_t>(i * 37 % 3000), 'x') + "'") +
                callLine({.id = "m" + std::to_string(i / 2), .uuid = "a" + n, .output = i % 100});
        text += i % 500 == 0 ? "{broken\n\n" : "";
    }
    write("big.jsonl", text);
    write("small.jsonl", userLine("u", "'x'"));
    const std::string whole = textOf(readSessionText("big.jsonl", text));
    for (const unsigned threads : {1U, 2U, 4U}) {
        const SessionFiles files = read(threads);
        ASSERT_EQ(files.files.size(), 2U);
        EXPECT_EQ(firstDifferentLine(textOf(*files.files[0]), whole), "") << threads;
        EXPECT_EQ(files.bytes, text.size() + userLine("u", "'x'").size());
    }
}

TEST_F(Files, ReportThemselvesOneByOneAndCanBeStopped) {
    for (int i = 0; i < 50; ++i) {
        write(std::to_string(i) + ".jsonl", userLine("u", "'x'"));
    }
    const std::vector<std::string> paths{root_};
    const FoundFiles found = findSessionFiles(paths, {});
    std::stop_source stop;
    std::vector<std::string> seen;
    Progress progress;
    const SessionFiles files = readSessionFiles(found,
                                                {.threads = 4,
                                                 .onFile =
                                                     [&](const std::shared_ptr<const SessionFile>& file) {
                                                         seen.push_back(file->path);
                                                         if (seen.size() == 5) {
                                                             stop.request_stop();
                                                         }
                                                     }},
                                                stop.get_token(), progress);
    EXPECT_FALSE(files.complete);
    EXPECT_LT(files.files.size(), 50U);
    std::ranges::sort(seen);
    std::vector<std::string> read;
    for (const auto& file : files.files) {
        read.push_back(file->path);
    }
    EXPECT_EQ(read, seen);
    stop = {};
    Progress whole;
    EXPECT_TRUE(readSessionFiles(found, {}, stop.get_token(), whole).complete);
    EXPECT_EQ(whole.filesDone, 50U);
    EXPECT_EQ(whole.bytesDone, found.bytes());
}

TEST_F(Files, ThatShrankSinceTheyWereFoundAreReadAsTheyAre) {
    write("1.jsonl", userLine("u", "'x'"));
    const FoundFiles stale{.files = {{root_ + "/1.jsonl", 100'000'000}, {root_ + "/2.jsonl", 5}},
                           .diagnostics = {}};
    Progress progress;
    const SessionFiles files = readSessionFiles(stale, {}, {}, progress);
    ASSERT_EQ(files.files.size(), 1U);
    EXPECT_EQ(files.files[0]->userRecords.size(), 1U);
    EXPECT_TRUE(files.files[0]->diagnostics.empty());
    EXPECT_EQ(files.diagnostics.size(), 1U);
}

/// Ends or fails at some byte, like a file that is cut while it is read.
class FailingSource final : public ByteSource {
public:
    FailingSource(std::string text, std::int64_t end) : text_(std::move(text)), end_(end) {}

    std::int64_t read(char* into, std::size_t size, std::uint64_t offset) const override {
        return offset >= text_.size() ? end_ : MemorySource(text_).read(into, size, offset);
    }

private:
    std::string text_;
    std::int64_t end_;
};

TEST(VanishingFile, KeepsWhatWasRead) {
    const std::string text = userLine("u1", "'x'") + userLine("u2", "'y'").substr(0, 20);
    for (const std::int64_t end : {std::int64_t{0}, std::int64_t{-EIO}}) {
        const FailingSource source(text, end);
        ReadingSpace space;
        Progress progress;
        const facts::PartFacts facts =
            claude::sessionFormat.readPart({source, 0, 1000, 1000, ReaderLimits{}}, space, {}, progress);
        EXPECT_EQ(facts.users.size(), 1U);
        const std::vector<Diagnostic> said = facts.diagnostics.sorted();
        const DiagnosticKind kind = end == 0 ? DiagnosticKind::VanishedWhileRead : DiagnosticKind::ReadError;
        EXPECT_EQ(std::ranges::count(said, kind, &Diagnostic::kind), 1);
        EXPECT_TRUE(losesData(kind));
    }
}

TEST_F(Files, GiveASubAgentItsTypeFromTheNeighbour) {
    write("s/subagents/agent-a1.jsonl", callLine({}));
    write("s/subagents/agent-a1.meta.json", R"({"agentType":"Explore","description":"x"})");
    write("s/subagents/agent-a2.jsonl", callLine({}));
    write("s/subagents/agent-a2.meta.json", "{broken");
    const SessionFiles files = read();
    ASSERT_EQ(files.files.size(), 2U);
    EXPECT_EQ(files.files[0]->lanes.at(0).agentType, "Explore");
    EXPECT_EQ(files.files[1]->lanes.at(0).agentType, "");
}

TEST_F(Files, GiveTheTextOfARecordAgain) {
    const std::string first = userLine("u1", "'x'");
    const std::string second = userLine("u2", "'y'");
    write("1.jsonl", first + second);
    const SessionFiles files = read();
    const RecordPlace place = files.files.at(0)->userRecords.at(1).place;
    const Result<std::string> text = readRecord(root_ + "/1.jsonl", place);
    ASSERT_TRUE(text);
    EXPECT_EQ(*text + "\n", second);
    write("1.jsonl", first);
    const Result<std::string> gone = readRecord(root_ + "/1.jsonl", place);
    ASSERT_FALSE(gone);
    EXPECT_NE(gone.error().sentence().find("line 2"), std::string::npos);
    EXPECT_FALSE(readRecord(root_ + "/2.jsonl", place));
}

} // namespace
} // namespace loadline
