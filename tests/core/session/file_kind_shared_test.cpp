// Real logs of the shared data: each agent's are known, and no session of Claude Code is taken for another's.
#include "core/session/files/file_kind.h"

#include "core/base/file/read_file.h"
#include "tests/core/shared_sessions.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

namespace loadline {
namespace {

using nlohmann::json;

const std::string sharedFolder = test::sharedSessions().string() + "/";

class RealLogs : public testing::Test {
protected:
    void SetUp() override { LOADLINE_NEED_SHARED_SESSIONS(); }
};

TEST_F(RealLogs, OfOtherAgentsAreNamedAndMakeNoSessions) {
    const json expected = test::expectedResults("expected_other_agents.json");
    std::size_t all = 0;
    for (const auto& [agent, files] : expected.items()) {
        std::map<std::string, std::vector<std::string>> byFolder;
        for (const auto& [path, answers] : files.items()) {
            ++all;
            ASSERT_TRUE(std::filesystem::exists(sharedFolder + path)) << path;
            byFolder[path.substr(0, path.rfind('/'))].push_back(sharedFolder + path);
            const FileKind* kind = fileKindOf(readHead(sharedFolder + path));
            ASSERT_NE(kind, nullptr) << path;
            EXPECT_EQ(kind->key, agent) << path;
        }
        for (const auto& [folder, paths] : byFolder) {
            const Corpus corpus = test::readCorpus(sharedFolder + folder);
            EXPECT_TRUE(corpus.sessions.empty()) << folder;
            EXPECT_TRUE(corpus.calls.empty()) << folder;
            std::vector<std::string> notRead;
            for (const NotRead& file : corpus.notRead) {
                notRead.push_back(file.path);
            }
            EXPECT_EQ(notRead, paths);
            for (const PathDiagnostic& odd : corpus.diagnostics) {
                EXPECT_TRUE(leavesOut(odd.diagnostic.kind)) << odd.path;
            }
        }
    }
    EXPECT_EQ(all, 42U);
}

TEST_F(RealLogs, OfClaudeCodeAreNeverTakenForAnothers) {
    std::size_t known = 0, all = 0;
    for (const char* part : {"claude", "live", "derived"}) {
        const Corpus corpus = test::readCorpus(sharedFolder + part);
        EXPECT_TRUE(corpus.notRead.empty()) << corpus.notRead.front().path;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(sharedFolder + part)) {
            if (entry.path().extension() != ".jsonl") {
                continue;
            }
            const FileKind* kind = fileKindOf(readHead(entry.path().string()));
            EXPECT_TRUE(kind == nullptr || kind->sessions != nullptr) << entry.path() << kind->key;
            known += kind != nullptr ? 1 : 0;
            ++all;
        }
    }
    EXPECT_EQ(known, all - 1); // by the first records alone; derived/empty.jsonl has none
}

/// Every line of a session as if the file began there: still no other agent's.
TEST_F(RealLogs, OfClaudeCodeAreKnownFromAnyLineOn) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(sharedFolder + "claude")) {
        if (entry.path().extension() != ".jsonl" || entry.file_size() > (std::uintmax_t{1} << 18)) {
            continue;
        }
        const std::string text = readWholeFile(entry.path().string(), "it").value();
        for (std::size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size() - 1) + 1) {
            const FileKind* kind = fileKindOf(std::string_view(text).substr(at));
            EXPECT_TRUE(kind == nullptr || kind->sessions != nullptr)
                << entry.path() << " from " << at << ": " << kind->key;
        }
    }
}

} // namespace
} // namespace loadline
