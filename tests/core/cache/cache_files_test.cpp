// What cache finds below paths: traces of every format in folders, each once, and no link out of them.
#include "core/cache/cache_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace loadline {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class CacheFilesTest : public testing::Test {
protected:
    CacheFilesTest() : folder_(fs::path(testing::TempDir()) / ("cache_files_" + std::to_string(::getpid()))) {
        fs::create_directories(folder_ / "in");
    }

    ~CacheFilesTest() override { fs::remove_all(folder_); }

    std::string write(const std::string& name, std::string_view text) {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return path(name);
    }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    static CacheFiles filesIn(const std::vector<std::string>& paths) {
        const Result<CacheFiles> found = cacheFilesIn(paths, {});
        EXPECT_TRUE(found) << (found ? "" : found.error().sentence());
        return found ? *found : CacheFiles{};
    }

private:
    fs::path folder_;
};

constexpr auto mooncakeLine =
    "{\"timestamp\": 0, \"input_length\": 9, \"output_length\": 2, \"hash_ids\": [1]}\n";
constexpr auto azureTable = "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.6805900,9,2\n";
constexpr auto sessionLine =
    R"({"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"a"}})"
    "\n";

TEST_F(CacheFilesTest, FindsEveryFormatInAFolder) {
    const std::vector<std::pair<std::string, std::string_view>> files = {
        {"in/a.jsonl", mooncakeLine},
        {"in/b.csv", azureTable},
        {"in/c.csv", "Timestamp,Model,Request tokens,Response tokens,Total tokens\n5,m,472,18,490\n"},
        {"in/d.json", R"({"block_size": 64, "requests": [{"t": 0, "in": 9, "out": 1}]})"},
    };
    for (const auto& [name, text] : files) {
        const std::string file = write(name, text);
        const CacheFiles found = filesIn({path("in")});
        EXPECT_THAT(found.traces, ElementsAre(file));
        EXPECT_THAT(found.sessions, IsEmpty());
        fs::remove(file);
    }
    write("in/e.csv", "name,price\nbread,2\n");
    EXPECT_THAT(filesIn({path("in")}).traces, IsEmpty());
}

TEST_F(CacheFilesTest, SessionsKeepTheirFolder) {
    write("in/a.jsonl", mooncakeLine);
    write("in/s.jsonl", sessionLine);
    const CacheFiles found = filesIn({path("in")});
    EXPECT_THAT(found.sessions, ElementsAre(path("in")));
    EXPECT_THAT(found.traces, IsEmpty());
    EXPECT_FALSE(cacheFilesIn(std::vector{path("in/a.jsonl"), path("in/s.jsonl")}, {}));
}

TEST_F(CacheFilesTest, CountsAFileOnceAndTellsOfPathsThatAreNotThere) {
    const std::string trace = write("in/a.jsonl", mooncakeLine);
    const CacheFiles found = filesIn({trace, trace, path("in"), path("none")});
    EXPECT_THAT(found.traces, ElementsAre(trace));
    ASSERT_EQ(found.diagnostics.size(), 1U);
    EXPECT_EQ(found.diagnostics[0].path, path("none"));
    EXPECT_EQ(found.diagnostics[0].diagnostic.kind, DiagnosticKind::CannotOpen);
}

TEST_F(CacheFilesTest, FollowsNoLinkOutOfAFolder) {
    const std::string inside = write("in/a.csv", azureTable);
    fs::create_symlink(write("outside.csv", azureTable), path("in/b.csv"));
    fs::create_symlink(inside, path("in/c.csv"));
    const CacheFiles found = filesIn({path("in")});
    EXPECT_THAT(found.traces, ElementsAre(inside));
    ASSERT_EQ(found.diagnostics.size(), 1U);
    EXPECT_EQ(found.diagnostics[0].path, path("in/b.csv"));
    EXPECT_EQ(found.diagnostics[0].diagnostic.kind, DiagnosticKind::LinkLeadsOut);
}

} // namespace
} // namespace loadline
