// Archives and folders of traces as workloads: conversations stay whole, requests keep times and prefixes.
#include "core/workload/source/workload_of_traces.h"

#include "core/trace/trace.h"
#include "core/workload/source/read_workload.h"
#include "tests/core/trace/pack_archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace loadline {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto talk = R"({"id": "A", "block_size": 64, "hash_id_scope": "local", "requests": [
    {"t": 0, "in": 200, "out": 3, "hash_ids": [1, 2, 3, 4], "api_time": 2.5},
    {"t": 1, "type": "subagent", "agent_id": "agent_001", "requests": [
        {"t": 0, "in": 90, "out": 1, "hash_ids": [70, 80]}]},
    {"t": 12.5, "in": 300, "out": 4, "hash_ids": [1, 2, 3, 5, 6]}]})";
/// Another of the same name.
constexpr auto namesake = R"({"id": "A", "block_size": 64, "hash_id_scope": "local", "requests": [
    {"t": 0, "in": 64, "out": 7, "hash_ids": [1]}]})";

constexpr auto mooncake = R"({"timestamp": 0, "input_length": 600, "output_length": 5, "hash_ids": [7, 8]}
{"timestamp": 3000, "input_length": 1100, "output_length": 6, "hash_ids": [7, 9, 10]}
)";
constexpr auto later = R"({"timestamp": 9000, "input_length": 512, "output_length": 1, "hash_ids": [7]}
{"timestamp": 10000, "input_length": 600, "output_length": 2, "hash_ids": [7, 8]}
)";

class WorkloadOfTracesTest : public testing::Test {
protected:
    WorkloadOfTracesTest()
        : folder_(testing::TempDir() + "workload_of_traces_" + std::to_string(::getpid())) {
        std::filesystem::create_directories(folder_);
    }

    ~WorkloadOfTracesTest() override { std::filesystem::remove_all(folder_); }

    std::string at(const std::string& name) { return (folder_ / name).string(); }

    std::string write(const std::string& name, std::string_view text) {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return at(name);
    }

private:
    std::filesystem::path folder_;
};

TEST_F(WorkloadOfTracesTest, AnArchiveOfConversationsIsTheirSessions) {
    packArchive(at("talks.tar.xz"), {{"a.json", talk}, {"b.json", namesake}, {"c.json", talk}});
    Progress progress;
    const Result<Workload> workload = readWorkload(at("talks.tar.xz"), {1, {}, &progress});
    ASSERT_TRUE(workload) << workload.error().sentence();
    EXPECT_EQ(workload->kind, WorkloadKind::Sessions);
    EXPECT_EQ(workload->key, at("talks.tar.xz"));
    ASSERT_EQ(workload->sessions.size(), 3U);
    const WorkloadSession& main = workload->sessions[0];
    EXPECT_EQ(main.id, "A");
    EXPECT_THAT(main.turns, ElementsAre(WorkloadTurn{0, 200, 3, -1}, WorkloadTurn{192, 108, 4, 10}));
    EXPECT_EQ(workload->sessions[1].id, "A agent_001");
    EXPECT_EQ(workload->sessions[1].conversation, "A");
    EXPECT_NE(workload->sessions[2].partOf(), "A"); // not one conversation with its namesake
    EXPECT_THAT(workload->sessions[2].turns, ElementsAre(WorkloadTurn{0, 64, 7, -1}));
    EXPECT_THAT(workload->notes, Contains(HasSubstr("1 file left out: repeated another")));
    EXPECT_GT(progress.bytesTotal.load(), 0U);
    EXPECT_EQ(progress.filesDone.load(), 3U);
}

TEST_F(WorkloadOfTracesTest, OneFileIsTheSameByItselfAndInAnArchive) {
    packArchive(at("one.tar.xz"), {{"trace.jsonl", mooncake}});
    const Result<Workload> packed = readWorkload(at("one.tar.xz"));
    const Result<Workload> plain = readWorkload(write("trace.jsonl", mooncake));
    ASSERT_TRUE(packed && plain);
    EXPECT_EQ(packed->requests, plain->requests);
    EXPECT_EQ(plain->requests[1].cached, 512);
    EXPECT_THAT(plain->requests[1].blocks, ElementsAre(0U, 2U, 3U));
}

TEST_F(WorkloadOfTracesTest, SeveralTracesRunSideBySideAndShareNothing) {
    const std::vector<std::string> files{write("1.jsonl", mooncake), write("2.jsonl", later)};
    Progress progress;
    const Result<Workload> workload = readTraceFiles(files, at(""), 2, {}, progress);
    ASSERT_TRUE(workload) << workload.error().sentence();
    EXPECT_EQ(workload->kind, WorkloadKind::Trace);
    EXPECT_FALSE(workload->name.empty()); // though its path ends with a slash
    ASSERT_EQ(workload->requests.size(), 4U);
    EXPECT_EQ(workload->requests[0].arrivalS, 0);
    EXPECT_EQ(workload->requests[1].arrivalS, 0);
    EXPECT_EQ(workload->requests[2].arrivalS, 1);
    EXPECT_EQ(workload->requests[1].cached, 0);
    EXPECT_THAT(workload->requests[1].blocks, ElementsAre(4U)); // of the first trace are 0 to 3
    EXPECT_EQ(workload->requests[2].cached, 512);
    EXPECT_THAT(workload->notes, Contains("2 traces side by side, each from its own start"));
}

TEST_F(WorkloadOfTracesTest, BlocksOfAnotherSizeAreToldAsCachedTokensAlone) {
    BlockTraceFiles read;
    BlockTraceBuilder builder(16, false);
    builder.beginScope();
    builder.beginChain("x", false);
    builder.add({.startS = 0, .input = 32, .output = 1}, std::vector<std::int64_t>{1, 2});
    builder.add({.startS = 1, .input = 40, .output = 1}, std::vector<std::int64_t>{1, 2, 3});
    read.trace = builder.finish();
    const Result<Workload> workload = workloadOfTraces(read, "x");
    ASSERT_TRUE(workload);
    EXPECT_EQ(workload->requests[1].cached, 32);
    EXPECT_TRUE(workload->requests[1].blocks.empty());
}

TEST_F(WorkloadOfTracesTest, WhatHoldsNoTraceIsAnError) {
    packArchive(at("prose.tar.xz"), {{"prose.txt", "Lorem ipsum"}});
    const Result<Workload> workload = readWorkload(at("prose.tar.xz"));
    ASSERT_FALSE(workload);
    EXPECT_THAT(workload.error().sentence(), HasSubstr("its format is not known"));
    const Result<Workload> none = workloadOfTraces({}, "x");
    ASSERT_FALSE(none);
}

} // namespace
} // namespace loadline
