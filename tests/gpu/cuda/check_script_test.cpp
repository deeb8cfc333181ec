// What is checked on a GPU, as a script: run here with programs that only pretend.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace loadline::gpu {
namespace {

namespace fs = std::filesystem;

class CheckScript : public testing::Test {
protected:
    void SetUp() override {
        folder_ =
            fs::temp_directory_path() /
            ("loadline_check_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
        fs::remove_all(folder_);
        fs::create_directories(folder_ / "bin");
        program("nvidia-smi", "echo GPU 0");
        program("ldconfig", "echo libcublas.so");
        program("loadline", "echo cuda:0");
        program("gpu_tests", "echo '[  PASSED  ] 3 tests.'");
    }
    void TearDown() override { fs::remove_all(folder_); }

    void program(const std::string& name, const std::string& what) const {
        const fs::path path = folder_ / "bin" / name;
        std::ofstream(path) << "#!/bin/sh\n" << what << '\n';
        fs::permissions(path, fs::perms::owner_all);
    }

    /// Its exit status.
    int run(const std::string& steps, const std::string& before = "") const {
        const std::string bin = (folder_ / "bin").string();
        const std::string script =
            (fs::path(LOADLINE_TEST_DATA).parent_path() / "gpu" / "cuda" / "check.sh").string();
        const std::string command = before + " PATH=" + bin + ":$PATH bash " + script + ' ' + bin +
                                    "/loadline " + bin + "/gpu_tests " + (folder_ / "out").string() + ' ' +
                                    steps + " >" + (folder_ / "said").string() + " 2>&1";
        const int status = std::system(command.c_str()); // NOLINT(concurrency-mt-unsafe)
        return status / 256;
    }
    std::string text(const char* file) const {
        std::ifstream in(folder_ / file);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    fs::path folder_;
};

TEST_F(CheckScript, LeavesOneArchive) {
    ASSERT_EQ(run("facts correct"), 0) << text("said");
    EXPECT_TRUE(fs::exists(folder_ / "out.tar.gz"));
    const std::string list = "tar tzf " + (folder_ / "out.tar.gz").string() + " | grep -q out/correct.log";
    EXPECT_EQ(std::system(list.c_str()), 0); // NOLINT(concurrency-mt-unsafe)
}

TEST_F(CheckScript, FailsWhereEveryTestWasSkipped) {
    program("gpu_tests", "echo '[  SKIPPED ] OnDevice.A'; echo '[  PASSED  ] 0 tests.'");
    EXPECT_EQ(run("correct"), 1);
    EXPECT_NE(text("said").find("all of it was skipped"), std::string::npos) << text("said");
    program("gpu_tests", "echo '[  SKIPPED ] OnDevice.A'; echo '[  PASSED  ] 2 tests.'");
    EXPECT_EQ(run("correct"), 0) << text("said");
    EXPECT_NE(text("said").find("parts of it"), std::string::npos) << text("said");
}

TEST_F(CheckScript, EndsWhereTheProgramFindsNoGpu) {
    program("loadline", "echo host");
    EXPECT_EQ(run("facts correct"), 1);
    EXPECT_FALSE(fs::exists(folder_ / "out" / "correct.log"));
    EXPECT_TRUE(fs::exists(folder_ / "out.tar.gz"));
}

TEST_F(CheckScript, EndsAStepThatTakesTooLong) {
    program("gpu_tests", "sleep 30");
    EXPECT_EQ(run("correct", "LOADLINE_GPU_CHECK_SECONDS=1"), 1);
    EXPECT_NE(text("said").find("not done after 1 s"), std::string::npos) << text("said");
}

TEST_F(CheckScript, KeepsCublasFromTheSanitizer) {
    program("compute-sanitizer", "for last; do :; done; echo \"$last\"; echo '[  PASSED  ] 1 test.'");
    ASSERT_EQ(run("memcheck"), 0) << text("said");
    const std::string filter = text("out/memcheck.log");
    EXPECT_NE(filter.find("-OnDevice.*Cublas*"), std::string::npos) << filter;
}

TEST_F(CheckScript, LooksThroughTheProfilerWhereThereIsOne) {
    program("ncu", "for last; do :; done; echo \"$LOADLINE_GPU_CHECK $last\"; echo '[  PASSED  ] 1 test.'");
    ASSERT_EQ(run("profiler"), 0) << text("said");
    EXPECT_NE(text("out/profiler.log").find("profiler --gtest_filter=Profiled.*"), std::string::npos)
        << text("out/profiler.log");
    program("ncu", "echo '==ERROR== ERR_NVGPUCTRPERM'; exit 1");
    EXPECT_EQ(run("profiler"), 0) << text("said");
    EXPECT_NE(text("said").find("profiler: the driver keeps its counters"), std::string::npos)
        << text("said");
    program("ncu", "exit 1");
    EXPECT_EQ(run("profiler"), 1) << text("said");
}

TEST_F(CheckScript, DoesTheStepsInTheirOrder) {
    program("compute-sanitizer", "echo '[  PASSED  ] 1 test.'");
    program("ncu", "echo '[  PASSED  ] 1 test.'");
    program("python3", "true");
    ASSERT_EQ(run(""), 0) << text("said");
    std::size_t before = 0;
    for (const char* name : {"facts", "correct", "targets", "profiler", "memcheck", "standard", "torch",
                             "racecheck", "initcheck"}) {
        const std::size_t at = text("said").find("== " + std::string(name) + "\n");
        ASSERT_NE(at, std::string::npos) << name << text("said");
        EXPECT_GE(at, before) << name;
        before = at;
    }
}

} // namespace
} // namespace loadline::gpu
