// The wall clock may jump: nothing is measured, timed out or put in order by it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace loadline {
namespace {

namespace fs = std::filesystem;

TEST(ClockUse, OnlyTheDateOfAProfileIsTheWallClocks) {
    const fs::path root = fs::path(LOADLINE_TEST_DATA).parent_path().parent_path();
    const auto readsWallClock = [](const std::string& text) {
        constexpr std::array uses = {"system_clock::now", "currentDateTime", "currentMSecs",
                                     "currentSecs",       "QTime::current",  "QDate::current",
                                     "CLOCK_REALTIME",    "gettimeofday",    "time(nullptr)"};
        return std::ranges::any_of(uses,
                                   [&](const char* use) { return text.find(use) != std::string::npos; });
    };
    std::vector<std::string> users;
    std::size_t read = 0;
    for (const char* floor : {"core", "gpu", "ui", "app"}) {
        for (const fs::directory_entry& file : fs::recursive_directory_iterator(root / floor)) {
            const fs::path end = file.path().extension();
            if (end != ".cpp" && end != ".h" && end != ".cu" && end != ".cuh") {
                continue;
            }
            std::ifstream in(file.path());
            const std::string text((std::istreambuf_iterator<char>(in)), {});
            ++read;
            if (readsWallClock(text)) {
                users.push_back(fs::relative(file.path(), root).string());
            }
        }
    }
    EXPECT_GT(read, 500U);
    EXPECT_THAT(users,
                testing::UnorderedElementsAre("app/cli/bench/bench_command.cpp", // when it was measured
                                              "app/serverlog/log_shown.cpp"));   // when a log was read
}

} // namespace
} // namespace loadline
