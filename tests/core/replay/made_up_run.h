// A made-up recorded run in a folder of its own, which tests may break.
#pragma once

#include "core/replay/replay.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace loadline::test {

inline std::filesystem::path madeUpRun() {
    return std::filesystem::path(LOADLINE_TEST_DATA) / "engine_run";
}

/// A copy of the made-up run; removed at the end.
class RunFolder {
public:
    RunFolder() {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        path_ = std::filesystem::path(testing::TempDir()) /
                (std::string("loadline_run_") + info->test_suite_name() + "_" + info->name());
        std::filesystem::remove_all(path_);
        std::filesystem::copy(madeUpRun(), path_, std::filesystem::copy_options::recursive);
    }

    ~RunFolder() { std::filesystem::remove_all(path_); }

    RunFolder(const RunFolder&) = delete;
    RunFolder& operator=(const RunFolder&) = delete;

    [[nodiscard]] std::string path() const { return path_.string(); }

    void write(const std::string& name, const std::string& content) const {
        std::ofstream(path_ / name, std::ios::binary) << content;
    }

    void remove(const std::string& name) const { std::filesystem::remove_all(path_ / name); }

private:
    std::filesystem::path path_;
};

/// The made-up run as a value.
inline EngineRun readMadeUpRun() {
    Result<EngineRun> run = readEngineRun(madeUpRun().string());
    EXPECT_TRUE(run) << (run ? "" : run.error().sentence());
    return run ? std::move(*run) : EngineRun{};
}

} // namespace loadline::test
