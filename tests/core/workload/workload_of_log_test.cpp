// The requests of a server's log as a workload: what is told is replayed, what is not is left out and said.
#include "core/workload/source/workload_of_log.h"

#include "core/session/files/content_of_file.h"
#include "core/workload/source/read_workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace loadline {
namespace {

LogRequest toldRequest(double arrivalS, double input, double output) {
    LogRequest request;
    request.arrivalS = arrivalS;
    request.inputTokens = input;
    request.outputTokens = output;
    return request;
}

TEST(WorkloadOfLog, TellsRequestsAtTheirTimes) {
    ServerLog log;
    log.requests = {toldRequest(40, 2000, 30), toldRequest(10, 1000, 20)};
    log.requests[0].cachedTokens = 1500;
    const Result<Workload> workload = workloadOfLog(log, "/logs/server.log");
    ASSERT_TRUE(workload);
    EXPECT_EQ(workload->kind, WorkloadKind::Trace);
    EXPECT_EQ(workload->key, "/logs/server.log");
    ASSERT_EQ(workload->requests.size(), 2U);
    EXPECT_EQ(workload->requests[0], (TraceRequest{0, 1000, 20, 0}));
    EXPECT_EQ(workload->requests[1], (TraceRequest{30, 2000, 30, 1500}));
    EXPECT_TRUE(workload->notes.empty() || workload->notes.back().find("left out") == std::string::npos);
}

TEST(WorkloadOfLog, KeepsWhatItsServerTook) {
    ServerLog log;
    for (int i = 0; i < 5; ++i) {
        LogRequest request = toldRequest(i, 100, 10);
        request.endS = i + 10.0 * (i + 1);
        request.end = RequestEnd::Complete;
        log.requests.push_back(request);
    }
    log.requests[4].end = RequestEnd::Aborted;
    log.requests[3].endInferred = true;
    const Result<Workload> workload = workloadOfLog(log, "server.log");
    ASSERT_TRUE(workload);
    ASSERT_TRUE(workload->recorded);
    EXPECT_EQ(workload->recorded->latencyS.n, 3U);
    EXPECT_DOUBLE_EQ(workload->recorded->latencyS.p50, 20);
    EXPECT_DOUBLE_EQ(workload->recorded->tokensPerS, 50.0 / 54); // the last ends at 4 + 50 s
    EXPECT_EQ(workload->recorded->maxSeqs, 0);
    EXPECT_EQ(workload->recorded->model, "");
    log.requests.resize(1);
    log.requests[0].endS = notTold;
    EXPECT_EQ(workloadOfLog(log, "server.log")->recorded->latencyS.n, 0U);
    EXPECT_EQ(workloadOfLog(log, "server.log")->recorded->tokensPerS, 0); // the end is not told
}

TEST(WorkloadOfLog, KeepsWhatItsServerWas) {
    ServerLog log;
    log.requests = {toldRequest(0, 100, 10)};
    log.facts = {{"model", "Qwen3-8B-Q8_0.gguf", {0, 1}},
                 {"bits_per_weight", "8.5", {0, 2}},
                 {"parallel", "4", {0, 3}}};
    const Result<Workload> workload = workloadOfLog(log, "server.log");
    ASSERT_TRUE(workload && workload->recorded);
    EXPECT_EQ(workload->recorded->model, "qwen3-8b");
    EXPECT_DOUBLE_EQ(workload->recorded->bitsPerWeight, 8.5);
    EXPECT_EQ(workload->recorded->maxSeqs, 4);
    log.facts = {{"model", "Qwen3-8B", {0, 1}}, {"max_batch_size", "8", {0, 3}}};
    EXPECT_EQ(workloadOfLog(log, "server.log")->recorded->bitsPerWeight, 0); // 4.5 would be assumed
    EXPECT_EQ(workloadOfLog(log, "server.log")->recorded->maxSeqs, 8);
}

TEST(WorkloadOfLog, LeavesOutWhatIsNotTold) {
    ServerLog log;
    log.requests = {toldRequest(1, 1000, 20), toldRequest(2, notTold, 20), toldRequest(3, 5, 0),
                    toldRequest(4, 1000, 20)};
    log.requests[3].generates = false; // counts tokens
    const Result<Workload> workload = workloadOfLog(log, "server.log");
    ASSERT_TRUE(workload);
    EXPECT_EQ(workload->requests.size(), 1U);
    EXPECT_THAT(workload->notes.back(), testing::HasSubstr("2 of 3 requests are left out"));
}

TEST(WorkloadOfLog, NamesWhatIsMissing) {
    const auto reason = [](const LogRequest& request) {
        ServerLog log;
        log.requests = {request};
        const Result<Workload> workload = workloadOfLog(log, "server.log");
        return workload ? std::string() : workload.error().what;
    };
    EXPECT_THAT(reason(toldRequest(notTold, 1, 1)), testing::HasSubstr("no arrivals"));
    EXPECT_THAT(reason(toldRequest(1, notTold, 1)), testing::HasSubstr("no prompt tokens"));
    EXPECT_THAT(reason(toldRequest(1, 1, notTold)), testing::HasSubstr("no output tokens"));
    EXPECT_THAT(workloadOfLog({}, "server.log").error().what, testing::HasSubstr("no requests"));
}

TEST(WorkloadOfLog, IsReadFromItsFile) {
    const std::filesystem::path path =
        std::filesystem::path(testing::TempDir()) / "loadline_workload_of_log_test.log";
    std::ofstream(path) << "slot launch_slot_: id  0 | task 7 | processing task\n"
                           "slot print_timing: id  0 | task 7 |\n"
                           "prompt eval time =     100.00 ms /    10 tokens (   10.00 ms per token,   100.00 "
                           "tokens per second)\n";
    EXPECT_EQ(contentOfFile(path), FileContent::ServerLog);
    const Result<Workload> workload = readWorkload(path); // without times
    ASSERT_FALSE(workload);
    EXPECT_THAT(workload.error().what, testing::HasSubstr("cannot be replayed"));
    std::filesystem::remove(path);
    EXPECT_EQ(contentOfFile(path), FileContent::Unknown);
}

} // namespace
} // namespace loadline
