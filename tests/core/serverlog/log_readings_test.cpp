// Readings of lines: devices, medians, ends that no line tells. All values are made up.
#include "core/serverlog/files/server_log_reader.h"
#include "core/serverlog/light/speed_of_light.h"
#include "core/serverlog/verdict/finding.h"
#include "core/serverlog/verdict/log_figure.h"
#include "tests/core/serverlog/log_lines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

namespace loadline {
namespace {

using namespace test;

std::string deviceOf(std::string_view text) {
    return servedOnLog({}, serverLogOf(text)).served.device;
}

TEST(LogReadings, TheDeviceIsTheLogsWhereItIsOneAndHoldsAll) {
    constexpr std::string_view one =
        "  Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9, VMM: yes\n";
    const std::string llama(one);
    EXPECT_EQ(deviceOf(llama), "RTX4090");
    EXPECT_EQ(deviceOf(llama + "  Device 1: NVIDIA GeForce RTX 4090, compute capability 8.9, VMM: yes\n"),
              "");
    EXPECT_EQ(deviceOf(llama + "load_tensors: offloaded 33/33 layers to GPU\n"), "RTX4090");
    EXPECT_EQ(deviceOf(llama + "load_tensors: offloaded 20/33 layers to GPU\n"), "");
    EXPECT_EQ(deviceOf("  Device 0: NVIDIA GeForce RTX 4090 D, compute capability 8.9, VMM: yes\n"), "");
    EXPECT_EQ(deviceOf("ggml_metal_init: GPU name:   Apple M3 Max\n"), "") << "there are two of this name";
    const auto compute = [](std::string_view id) {
        return "time=2025-12-01T20:28:45.760Z level=INFO source=types.go:131 msg=\"inference compute\" "
               "id=GPU-" +
               std::string(id) +
               " library=cuda variant=v12 compute=8.9 driver=12.4 name=\"NVIDIA GeForce RTX 4090\" "
               "total=\"23.6 GiB\"\n";
    };
    EXPECT_EQ(deviceOf(compute("1")), "RTX4090");
    EXPECT_EQ(deviceOf(compute("1") + compute("2")), "");
    ServedOn chosen;
    chosen.device = "L40S";
    EXPECT_EQ(servedOnLog(chosen, serverLogOf(llama)).served.device, "L40S") << "what is chosen counts";
}

TEST(LogReadings, TheMedianIsOfWhatItSays) {
    std::string text;
    for (int i = 0; i < 3; ++i) {
        text +=
            fmt::format("INFO 05-19 12:24:{}1 [loggers.py:271] Engine 000: Avg prompt throughput: {}.0 "
                        "tokens/s, Avg generation throughput: 5{}.0 tokens/s, Running: 1 reqs, Waiting: 0 "
                        "reqs, GPU KV cache usage: 5.9%, Prefix cache hit rate: 0.0%\n",
                        i, i == 0 ? 900 : 0, i);
    }
    const LogFigure figure = logFigureOf(std::make_shared<const ServerLog>(serverLogOf(text)), {});
    EXPECT_NE(figure.verdict.headline.find("(median of 2 observations without prompts)"), std::string::npos)
        << figure.verdict.headline;
}

std::string verdictOn(const ServerLog& log, std::string_view key) {
    for (const Finding& finding : verdictOf(log, {}).findings) {
        if (finding.key == key) {
            return std::string(wordOf(finding.verdict)) + ": " + finding.reason;
        }
    }
    return "";
}

TEST(LogReadings, EndsThatNoLineTellsExcludeNothing) {
    const ServerLog log =
        serverLogOf("2026-01-05 06:00:00 | INFO     | a:b:1 | Processed      0/8000 tokens (  0.00 tok/s)\n"
                    "2026-01-05 06:00:30 | INFO     | a:b:1 | Processed   8000/8000 tokens (266.70 tok/s)\n"
                    "2026-01-05 06:01:00 | INFO     | a:b:1 | Processed      0/9000 tokens (  0.00 tok/s)\n");
    ASSERT_EQ(log.requests.size(), 2U);
    EXPECT_EQ(log.requests[0].endS, 60);
    EXPECT_TRUE(log.requests[0].endInferred);
    EXPECT_TRUE(
        verdictOn(log, "concurrent_requests").starts_with("not excluded: The log does not tell when"));
}

std::string access(std::string_view ended, std::string_view took) {
    return fmt::format("[GIN] 2026/03/11 - {} | 200 | {} | 127.0.0.1 | POST     \"/api/chat\"\n", ended,
                       took);
}

TEST(LogReadings, RequestsAtAServerAtOnceMayHaveWaited) {
    const std::string apart = access("12:01:00", "50s") + access("12:01:40", "1m20s");
    EXPECT_TRUE(
        verdictOn(serverLogOf(apart), "concurrent_requests")
            .starts_with("not excluded: 2 requests were at the server while another one was: up to 2"));
    const std::string together = access("12:01:00", "50s") + access("12:01:00", "50s");
    EXPECT_TRUE(verdictOn(serverLogOf(together), "concurrent_requests").starts_with("supported"));
    // Served one at a time, each within a second of the one before.
    const std::string brief =
        access("12:00:02", "600ms") + access("12:01:00", "50s") + access("12:01:00", "50s");
    EXPECT_TRUE(verdictOn(serverLogOf(brief), "concurrent_requests").starts_with("not excluded"));
    const std::string second = access("12:01:00", "50s") + access("12:01:42", "42.2s");
    EXPECT_FALSE(verdictOn(serverLogOf(second), "concurrent_requests").starts_with("supported"));
    EXPECT_EQ(verdictOn(serverLogOf(second), "concurrent_requests").find("while another one was"),
              std::string::npos)
        << "ends are told to the second: 42.2 s before 12:01:42.9 is behind 12:01:00";
    const auto loaded = [&](int parallel) {
        return serverLogOf(
            fmt::format("time=2026-03-11T12:00:00.000Z level=INFO source=server.go:391 "
                        "msg=\"starting llama server\" cmd=\"/ollama runner --model /m --ctx-size "
                        "8192 --parallel {} --port 46231\"\n",
                        parallel) +
            apart);
    };
    EXPECT_TRUE(verdictOn(loaded(1), "concurrent_requests").starts_with("excluded"));
    EXPECT_TRUE(verdictOn(loaded(4), "concurrent_requests").starts_with("supported"));
}

TEST(LogReadings, OneRequestIsSaidToBeOne) {
    const std::string started = "time=2026-03-11T12:00:00.000Z level=INFO source=routes.go:1718 "
                                "msg=\"Listening on [::]:11434 (version 0.17.0)\"\n";
    EXPECT_EQ(verdictOn(serverLogOf(started + access("12:01:00", "50s")), "concurrent_requests"),
              "excluded: The log tells of one request alone.");
    EXPECT_EQ(verdictOn(serverLogOf(access("12:01:00", "50s")), "concurrent_requests"),
              "not excluded: The log tells of one request alone, but begins after it did: what ran beside it "
              "before is not told.");
    const std::string serial = access("12:01:00", "50s") + access("12:03:00", "50s");
    EXPECT_TRUE(verdictOn(serverLogOf(serial), "concurrent_requests")
                    .starts_with("excluded: Each request began after the one before had ended, but the log "
                                 "begins after the first did"));
}

} // namespace
} // namespace loadline
