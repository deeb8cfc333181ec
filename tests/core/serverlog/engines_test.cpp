// Several engines in one log are counted apart and summed; one request that two programs tell of is one.
#include "core/serverlog/files/server_log_reader.h"
#include "core/serverlog/log_engines.h"
#include "core/serverlog/verdict/finding.h"
#include "tests/core/serverlog/log_lines.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace loadline {
namespace {

/// Made-up lines of four engines that write at the same time.
std::string fourEngines(int ticks) {
    std::string text;
    for (int i = 0; i < ticks; ++i) {
        for (int engine = 0; engine < 4; ++engine) {
            text += fmt::format(
                "(APIServer pid=7) INFO 06-01 10:{:02}:{:02} [loggers.py:123] Engine 00{}: Avg prompt "
                "throughput: 0.0 tokens/s, Avg generation throughput: {:.1f} tokens/s, Running: {} reqs, "
                "Waiting: 1 reqs, GPU KV cache usage: 40.0%, Prefix cache hit rate: 0.0%\n",
                i / 6, i % 6 * 10, engine, 1000.0 + 100 * engine + i, 30 + engine);
        }
    }
    return text;
}

const Finding* findingIn(const LogVerdict& verdict, std::string_view key) {
    for (const Finding& finding : verdict.findings) {
        if (finding.key == key) {
            return &finding;
        }
    }
    return nullptr;
}

TEST(LogEngines, AreSummedAtTheSameTime) {
    const ServerLog log = serverLogOf(fourEngines(12));
    const std::vector<LogSum> sums = engineSumsOf(log);
    ASSERT_EQ(sums.size(), 12U);
    EXPECT_DOUBLE_EQ(sums[0].outputTokensPerS, 4600);
    EXPECT_DOUBLE_EQ(sums[11].outputTokensPerS, 4644);
    EXPECT_DOUBLE_EQ(sums[11].running, 126);
    EXPECT_DOUBLE_EQ(sums[11].waiting, 4);
    const std::vector<LogEngine> engines = enginesOf(log);
    ASSERT_EQ(engines.size(), 4U);
    EXPECT_EQ(engines[3].engine, 3);
    EXPECT_DOUBLE_EQ(engines[3].mostOutputTokensPerS, 1311);
    EXPECT_DOUBLE_EQ(engines[3].mostRunning, 33);
    EXPECT_DOUBLE_EQ(figuresOf(sums, &LogSum::outputTokensPerS).most, 4644);
}

TEST(LogEngines, HeadlineTellsTheirSum) {
    const std::string headline = verdictOf(serverLogOf(fourEngines(12)), {}).headline;
    EXPECT_NE(headline.find("4 engines 4\u202f622 together, up to 4\u202f644 with 126 running"),
              std::string::npos)
        << headline;
    EXPECT_NE(headline.find("streams of an engine"), std::string::npos) << headline;
}

TEST(LogEngines, OneThatIsSilentForLongIsIdle) {
    std::string text = fourEngines(6);
    for (int i = 6; i < 18; ++i) { // engine 0 alone goes on
        text += fmt::format("(APIServer pid=7) INFO 06-01 10:{:02}:{:02} [loggers.py:123] Engine 000: Avg "
                            "prompt throughput: 0.0 "
                            "tokens/s, Avg generation throughput: 500.0 tokens/s, Running: 9 reqs, Waiting: "
                            "0 reqs, GPU KV cache "
                            "usage: 40.0%, Prefix cache hit rate: 0.0%\n",
                            i / 6, i % 6 * 10);
    }
    const std::vector<LogSum> sums = engineSumsOf(serverLogOf(text));
    EXPECT_DOUBLE_EQ(sums.back().outputTokensPerS, 500);
    EXPECT_DOUBLE_EQ(sums.back().running, 9);
}

TEST(LogEngines, RanksOfSglangAreSummedToo) {
    std::string text;
    for (int i = 0; i < 8; ++i) {
        for (int rank = 0; rank < 2; ++rank) {
            text +=
                fmt::format("[2026-02-27 04:46:{:02} DP{} TP0] Decode batch. #running-req: {}, #token: 6253, "
                            "token usage: 0.12, gen throughput (token/s): {:.2f}, #queue-req: 0\n",
                            4 * i + rank, rank, 8 + rank, 180.0 + 20 * rank);
        }
    }
    const std::vector<LogSum> sums = engineSumsOf(serverLogOf(text));
    ASSERT_FALSE(sums.empty());
    EXPECT_DOUBLE_EQ(sums.back().outputTokensPerS, 380);
    EXPECT_DOUBLE_EQ(sums.back().running, 17);
    EXPECT_TRUE(
        engineSumsOf(serverLogOf("[2026-02-27 04:46:39] Decode batch. #running-req: 8, #token: 62531, token "
                                 "usage: 0.12, gen throughput (token/s): 186.64, #queue-req: 0\n"))
            .empty());
}

TEST(LogEngines, AnAggregatedLineIsTheSumAlready) {
    const std::string text = "(APIServer pid=66) INFO 06-01 10:00:00 [loggers.py:271] 4 Engines Aggregated: "
                             "Avg prompt throughput: 0.0 "
                             "tokens/s, Avg generation throughput: 4000.0 tokens/s, Running: 40 reqs, "
                             "Waiting: 0 reqs, GPU KV cache "
                             "usage: 20.0%, Prefix cache hit rate: 0.0%\n";
    const ServerLog log = serverLogOf(text);
    ASSERT_EQ(log.intervals.size(), 1U);
    EXPECT_EQ(log.intervals[0].engines, 4);
    const LogVerdict verdict = verdictOf(log, {});
    ASSERT_EQ(verdict.rates.size(), 1U);
    EXPECT_DOUBLE_EQ(verdict.rates[0].streams, 10) << "of each engine";
    EXPECT_DOUBLE_EQ(verdict.rates[0].tokensPerS, 100);
    EXPECT_NE(verdict.headline.find("4 engines 4\u202f000 together"), std::string::npos) << verdict.headline;
}

TEST(LogEngines, StatisticsWithoutAnEngineAndOfOtherDevicesAreRead) {
    const ServerLog plain = serverLogOf("INFO 03-12 09:00:00 [loggers.py:79] Avg prompt throughput: 12.0 "
                                        "tokens/s, Avg generation throughput: 51.5 "
                                        "tokens/s, Running: 2 reqs, Waiting: 1 reqs, GPU KV cache usage: "
                                        "3.5%, Prefix cache hit rate: 8.0%\n");
    ASSERT_EQ(plain.intervals.size(), 1U);
    EXPECT_EQ(test::serverKey(plain), "vllm");
    EXPECT_DOUBLE_EQ(plain.intervals[0].running, 2);
    EXPECT_DOUBLE_EQ(plain.intervals[0].prefixHit, 0.08);
    EXPECT_FALSE(test::countsOf(plain).contains("vllm_v1_stats")) << "of no counted pattern";
    const ServerLog npu = serverLogOf("INFO 02-19 17:37:35 metrics.py:453 Avg prompt throughput: 0.0 "
                                      "tokens/s, Avg generation throughput: 1.9 "
                                      "tokens/s, Running: 1 reqs, Swapped: 0 reqs, Pending: 2 reqs, NPU KV "
                                      "cache usage: 4.0%, CPU KV cache usage: "
                                      "0.0%.\n");
    ASSERT_EQ(npu.intervals.size(), 1U);
    EXPECT_DOUBLE_EQ(npu.intervals[0].waiting, 2);
    EXPECT_DOUBLE_EQ(npu.intervals[0].kvUse, 0.04);
}

constexpr std::string_view lmStudioDebug =
    "2026-03-02 10:00:00  [INFO]\n"
    " [qwen/qwen3-8b] Running chat completion on conversation with 2 messages.\n"
    "2026-03-02 10:00:00 [DEBUG]\n"
    " slot launch_slot_: id  0 | task 0 | processing task\n"
    "slot update_slots: id  0 | task 0 | new prompt, n_ctx_slot = 8192, n_keep = 0, n_prompt_tokens = 1200\n"
    "2026-03-02 10:00:00  [INFO]\n"
    " [qwen/qwen3-8b] Prompt processing progress: 0.0%\n"
    "2026-03-02 10:00:04  [INFO]\n"
    " [qwen/qwen3-8b] Prompt processing progress: 100.0%\n"
    "2026-03-02 10:00:34 [DEBUG]\n"
    " slot print_timing: id  0 | task 0 |\n"
    "prompt eval time =    4000.00 ms /  1200 tokens (    3.33 ms per token,   300.00 tokens per second)\n"
    "       eval time =   30000.00 ms /   508 tokens (   59.05 ms per token,    16.90 tokens per second)\n"
    "      total time =   34000.00 ms /  1708 tokens\n"
    "slot      release: id  0 | task 0 | stop processing: n_tokens = 1707, truncated = 0\n"
    "2026-03-02 10:00:34  [INFO]\n"
    " [qwen/qwen3-8b] Finished streaming response\n";

TEST(LogEngines, ARequestThatLmStudioAndItsSlotTellOfIsOne) {
    const std::string once(lmStudioDebug);
    const ServerLog log = serverLogOf(once);
    EXPECT_EQ(test::serverKey(log), "lm-studio");
    ASSERT_EQ(requestCount(log), 1U);
    EXPECT_DOUBLE_EQ(log.requests[0].outputTokens, 508);
    EXPECT_DOUBLE_EQ(log.requests[0].inputTokens, 1200);
    const LogVerdict verdict = verdictOf(log, {});
    EXPECT_TRUE(verdict.headline.starts_with("A stream decodes at 16.9 tokens/s")) << verdict.headline;
    ASSERT_NE(findingIn(verdict, "concurrent_requests"), nullptr);
    EXPECT_NE(findingIn(verdict, "concurrent_requests")->verdict, Verdict::Supported);
    EXPECT_EQ(requestCount(serverLogOf(once + once)), 2U)
        << "a later one in the same slot and task is another";
}

TEST(LogEngines, AccessLinesAloneNameNoServer) {
    const ServerLog log =
        serverLogOf("INFO:     127.0.0.1:59042 - \"POST /v1/chat/completions HTTP/1.1\" 200 OK\n");
    EXPECT_TRUE(log.known());
    EXPECT_EQ(log.server, nullptr);
    EXPECT_EQ(serverNameOf(log), "Access lines");
    EXPECT_TRUE(markdownOf(verdictOf(log, {}), log, {}).starts_with("# Access lines"));
}

} // namespace
} // namespace loadline
