// The excerpts of real servers' logs: how often each pattern matches.
#include "core/serverlog/files/read_server_log.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace loadline {
namespace {

std::filesystem::path serverLogs() {
    return std::filesystem::path(LOADLINE_SHARED_DATA) / "serverlogs";
}

ServerLog logIn(const std::string& name) {
    Progress progress;
    const Result<ServerLog> log = readServerLog(std::vector{(serverLogs() / name).string()}, {}, progress);
    EXPECT_TRUE(log) << (log ? "" : log.error().sentence());
    return log ? *log : ServerLog();
}

std::map<std::string, std::uint64_t> countsOf(const ServerLog& log) {
    std::map<std::string, std::uint64_t> counts;
    for (const PatternCount& matched : log.matched) {
        counts[std::string(matched.pattern)] = matched.count;
    }
    return counts;
}

TEST(SharedServerLogs, MatchesAsOftenAsExpected) {
    if (!std::filesystem::exists(serverLogs() / "expected_counts.json")) {
        GTEST_SKIP() << "the shared excerpts are not at " << serverLogs();
    }
    const auto expected = nlohmann::json::parse(std::ifstream(serverLogs() / "expected_counts.json"));
    ASSERT_FALSE(expected.empty());
    for (const auto& [name, counts] : expected.items()) {
        SCOPED_TRACE(name);
        EXPECT_EQ(countsOf(logIn(name)), (counts.get<std::map<std::string, std::uint64_t>>()));
    }
}

} // namespace
} // namespace loadline
