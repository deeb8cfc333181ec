// Readings of the lines of each server, checked by hand against excerpts of public logs.
#include "core/serverlog/files/server_log_reader.h"
#include "tests/core/serverlog/log_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace loadline {
namespace {

using namespace test;

MATCHER(IsNotTold, "") {
    return !isTold(arg);
}

TEST(ServerLog, VllmTellsItsSettingsAndPreemptions) {
    const ServerLog log = serverLogOf(vllmStart);
    EXPECT_EQ(serverKey(log), "vllm");
    EXPECT_EQ(factOf(log, "version"), "0.11.0");
    EXPECT_EQ(factOf(log, "model"), "Qwen/Qwen3-4B");
    EXPECT_EQ(factOf(log, "max_batch_size"), "50");
    EXPECT_EQ(factOf(log, "max_batched_tokens"), "2048");
    EXPECT_EQ(factOf(log, "prefix_cache"), "off");
    EXPECT_EQ(factOf(log, "kv_tokens"), "686320");
    EXPECT_EQ(factOf(log, "context_tokens"), "100000");
    EXPECT_EQ(factOf(log, "max_concurrency"), "6.86");
    ASSERT_EQ(log.events.size(), 1U);
    EXPECT_EQ(log.events[0].kind, LogEventKind::Preemption);
    EXPECT_EQ(log.events[0].detail, "Sequence group 0");
    EXPECT_EQ(log.events[0].where.line, 6U);
}

TEST(ServerLog, VllmV0WaitsForWhatIsSwappedAndPending) {
    const ServerLog log = serverLogOf(vllmV0);
    ASSERT_EQ(log.intervals.size(), 2U);
    EXPECT_DOUBLE_EQ(log.intervals[0].promptTokensPerS, 48.7);
    EXPECT_DOUBLE_EQ(log.intervals[0].outputTokensPerS, 4.1);
    EXPECT_EQ(log.intervals[0].running, 2);
    EXPECT_EQ(log.intervals[0].waiting, 4);
    EXPECT_DOUBLE_EQ(log.intervals[0].kvUse, 0.125);
    EXPECT_THAT(log.intervals[0].prefixHit, IsNotTold());
    EXPECT_THAT(log.intervals[0].spanS, IsNotTold());
    EXPECT_EQ(log.intervals[1].timeS, 5);
    EXPECT_EQ(log.intervals[1].spanS, 5);
    EXPECT_EQ(log.clock, LogClock::MonthDay);
    EXPECT_FALSE(isKnown(log.begin));
    EXPECT_EQ(log.requestsFrom, RequestsFrom::None);
}

TEST(ServerLog, AnIdleIntervalOfVllmIsNotPartOfTheNext) {
    std::string text(vllmV0);
    text +=
        "INFO 03-15 21:57:41 metrics.py:481] Avg prompt throughput: 1.0 tokens/s, Avg generation throughput: "
        "2.0 tokens/s, Running: 1 reqs, Swapped: 0 reqs, Pending: 0 reqs, GPU KV cache usage: 0.0%, CPU KV "
        "cache usage: 0.0%.\n";
    EXPECT_EQ(serverLogOf(text).intervals.at(2).spanS, 5);
}

TEST(ServerLog, TwoRecordsOfOneLineHaveEachTheirTime) {
    const std::string record =
        "[loggers.py:259] Engine 000: Avg prompt throughput: 2.3 tokens/s, Avg generation "
        "throughput: 0.5 tokens/s, Running: 1 reqs, Waiting: 0 reqs, GPU KV cache usage: "
        "0.0%, Prefix cache hit rate: 0.0%";
    const ServerLog log = serverLogOf("(APIServer pid=1) INFO 03-19 07:08:57 " + record +
                                      "(APIServer pid=1) INFO 03-19 07:09:07 " + record + "\n");
    EXPECT_EQ(countsOf(log)["vllm_v1_stats"], 2U);
    ASSERT_EQ(log.intervals.size(), 2U);
    EXPECT_EQ(log.intervals[1].timeS - log.intervals[0].timeS, 10);
    EXPECT_EQ(log.intervals[1].where.line, 1U);
}

TEST(ServerLog, SglangsRanksWriteOnce) {
    const ServerLog log = serverLogOf(sglangNew);
    EXPECT_EQ(serverKey(log), "sglang");
    EXPECT_EQ(countsOf(log)["sglang_decode"], 4U);
    ASSERT_EQ(log.intervals.size(), 4U);
    EXPECT_EQ(log.intervals[0].engine, 0);
    EXPECT_DOUBLE_EQ(log.intervals[0].outputTokensPerS, 446.45);
    EXPECT_EQ(log.intervals[0].contextTokens, 1920);
    EXPECT_EQ(log.intervals[1].engine, 1);
    EXPECT_EQ(log.intervals[1].running, 2);
    EXPECT_EQ(log.intervals[2].contextTokens, 2326796);
    EXPECT_DOUBLE_EQ(log.intervals[2].kvUse, 0.14);
    EXPECT_EQ(log.intervals[2].spanS, 2);
    EXPECT_EQ(log.intervals[3].newRequests, 3);
    EXPECT_EQ(log.intervals[3].newTokens, 48);
    EXPECT_DOUBLE_EQ(log.intervals[3].prefixHit, 0.2);
    EXPECT_EQ(log.intervals[3].promptTokensPerS, 1200);
    ASSERT_EQ(log.events.size(), 1U);
    EXPECT_EQ(log.events[0].kind, LogEventKind::Preemption);
    EXPECT_EQ(factOf(log, "kv_tokens"), "171008");
    EXPECT_EQ(factOf(log, "max_batch_size"), "48");
    EXPECT_EQ(factOf(log, "prefill_step_size"), "8192");
    EXPECT_EQ(formatIso8601(log.begin), "2025-12-12T08:43:57.000Z");
}

TEST(ServerLog, LlamaCppsRequestIsPutTogetherFromItsSlot) {
    const ServerLog log = serverLogOf(llamaNew);
    EXPECT_EQ(serverKey(log), "llama-cpp");
    EXPECT_EQ(log.clock, LogClock::Uptime);
    ASSERT_EQ(log.requests.size(), 1U);
    const LogRequest& request = log.requests[0];
    EXPECT_EQ(request.id, "slot 3, task 70");
    EXPECT_EQ(request.path, "POST /v1/chat/completions");
    EXPECT_EQ(request.cachedTokens, 4679);
    EXPECT_EQ(request.inputTokens, 4679 + 14922);
    EXPECT_EQ(request.outputTokens, 2618);
    EXPECT_DOUBLE_EQ(request.prefillS, 8.13148);
    EXPECT_DOUBLE_EQ(request.decodeS, 41.94265);
    EXPECT_DOUBLE_EQ(request.decodeTokensPerS, 62.42);
    EXPECT_NEAR(request.arrivalS, 93.116468 - 6.325920, 1e-6);
    EXPECT_NEAR(request.endS, 143.191280 - 6.325920, 1e-3);
    EXPECT_NEAR(request.firstTokenS, 143.190813 - 41.94265 - 6.325920, 1e-3);
    EXPECT_EQ(request.end, RequestEnd::Complete);
    EXPECT_FALSE(request.arrivalInferred);
    EXPECT_EQ(log.requestsFrom, RequestsFrom::Log);
    ASSERT_EQ(log.progress.size(), 2U);
    EXPECT_TRUE(log.progress[0].ofPrompt);
    EXPECT_EQ(log.progress[0].tokens, 6144);
    EXPECT_EQ(log.progress[1].tokens, 101);
    EXPECT_EQ(log.progress[1].request, 0U);
    EXPECT_EQ(factOf(log, "parallel"), "4");
    EXPECT_EQ(factOf(log, "context_tokens"), "184320");
}

// ggml-org/llama.cpp 23269: the prompt's tokens are told by the slot's end alone.
TEST(ServerLog, LlamaCppsTimingsWithoutPrefixAreOfTheSlotBefore) {
    const ServerLog log = serverLogOf(
        "[42027] 1.37.495.377 I slot print_timing: id  0 | task 388 | \n"
        "[42027] prompt eval time =     789.03 ms /    27 tokens (   29.22 ms per token,    34.22 tokens per "
        "second)\n"
        "[42027]        eval time =   16112.50 ms /   192 tokens (   83.92 ms per token,    11.92 tokens per "
        "second)\n"
        "[42027] 1.37.495.428 I slot      release: id  0 | task 388 | stop processing: n_tokens = 218, "
        "truncated "
        "= 0\n");
    ASSERT_EQ(log.requests.size(), 1U);
    EXPECT_EQ(log.requests[0].inputTokens, 27);
    EXPECT_EQ(log.requests[0].cachedTokens, 0);
    EXPECT_EQ(log.requests[0].outputTokens, 192);
    EXPECT_TRUE(log.requests[0].arrivalInferred);
    EXPECT_NEAR(log.requests[0].endS - log.requests[0].arrivalS, 16.9015, 1e-3);
}

TEST(ServerLog, LlamaCppTellsWhatItLost) {
    const ServerLog log = serverLogOf(
        "slot update_slots: id  0 | task 0 | slot context shift, n_keep = 0, n_left = 63, n_discard = 31\n"
        "slot   operator(): id  1 | task 5 | forcing full prompt re-processing due to lack of cache data "
        "(likely "
        "due to SWA)\n"
        "srv          stop: cancel task, id_task = 5\n"
        "slot      release: id  1 | task 5 | stop processing: n_tokens = 9, truncated = 1\n");
    ASSERT_EQ(log.events.size(), 3U);
    EXPECT_EQ(log.events[0].kind, LogEventKind::Truncated);
    EXPECT_EQ(log.events[0].tokens, 31);
    EXPECT_EQ(log.events[1].kind, LogEventKind::FullReprocess);
    EXPECT_EQ(log.events[1].detail, "slot 1, task 5");
    EXPECT_EQ(log.events[2].kind, LogEventKind::Truncated);
    EXPECT_EQ(log.requests.at(1).end, RequestEnd::Aborted);
    EXPECT_EQ(log.clock, LogClock::None);
}

TEST(ServerLog, OllamasAccessLineCompletesWhatItsRunnerTold) {
    const ServerLog log = serverLogOf(ollamaMlx);
    EXPECT_EQ(serverKey(log), "ollama");
    ASSERT_EQ(log.requests.size(), 2U);
    const LogRequest& request = log.requests[0];
    EXPECT_EQ(request.path, "POST /v1/responses");
    EXPECT_EQ(request.inputTokens, 27411);
    EXPECT_EQ(request.cachedTokens, 26921);
    EXPECT_EQ(request.outputTokens, 68 + 178);
    EXPECT_NEAR(request.firstTokenS - request.arrivalS, 4.389, 1e-3);
    EXPECT_NEAR(request.endS, 39, 1e-3);
    EXPECT_FALSE(log.requests[1].generates);
    EXPECT_EQ(formatIso8601(log.begin), "2026-08-19T17:41:00.000Z");
    EXPECT_EQ(factOf(log, "version"), "0.17.0");
    EXPECT_EQ(factOf(log, "parallel"), "1");
    EXPECT_EQ(factOf(log, "kv_tokens"), "9200");
    ASSERT_EQ(log.events.size(), 3U);
    EXPECT_EQ(log.events[0].kind, LogEventKind::ServerStarted);
    EXPECT_EQ(log.events[1].kind, LogEventKind::CacheHit);
    EXPECT_EQ(log.events[2].kind, LogEventKind::Truncated);
    EXPECT_EQ(log.events[2].tokens, 5065 - 2048);
}

TEST(ServerLog, MlxLmTellsTwoPromptsAtATime) {
    const ServerLog log = serverLogOf(mlxLm);
    EXPECT_EQ(serverKey(log), "mlx-lm");
    ASSERT_EQ(log.requests.size(), 4U);
    EXPECT_FALSE(log.requests[0].generates);
    EXPECT_EQ(log.requests[1].path, "POST /v1/chat/completions");
    EXPECT_NEAR(log.requests[1].arrivalS, 1.273, 1e-3);
    EXPECT_NEAR(log.requests[1].prefillS, 44.953, 1e-3);
    EXPECT_NEAR(log.requests[2].firstTokenS, 61.722, 1e-3);
    EXPECT_EQ(log.requests[2].inputTokens, 12699);
    EXPECT_NEAR(log.requests[2].endS, 65.581, 1e-3);
    EXPECT_THAT(log.requests[3].inputTokens, IsNotTold());
    EXPECT_THAT(log.requests[3].endS, IsNotTold());
    EXPECT_EQ(log.events.at(0).kind, LogEventKind::ServerStarted);
}

TEST(ServerLog, LmStudiosTimesStandOnTheLineBefore) {
    const ServerLog log = serverLogOf(lmStudio);
    EXPECT_EQ(serverKey(log), "lm-studio");
    ASSERT_EQ(log.requests.size(), 1U);
    EXPECT_EQ(log.requests[0].arrivalS, 0);
    EXPECT_EQ(log.requests[0].firstTokenS, 270);
    EXPECT_EQ(log.requests[0].endS, 289);
    EXPECT_EQ(log.requests[0].inputTokens, 34188);
    EXPECT_EQ(log.requests[0].outputTokens, 82);
    EXPECT_EQ(log.requests[0].end, RequestEnd::Complete);
    EXPECT_EQ(factOf(log, "model"), "huihui-qwen3.5-27b");
    ASSERT_EQ(log.progress.size(), 3U);
    EXPECT_NEAR(log.progress[1].tokens, 0.06 * 34188, 1e-6);
    EXPECT_EQ(log.events.at(0).kind, LogEventKind::CacheMiss);
}

TEST(ServerLog, TheStudysServerTellsRequestsCacheAndSteps) {
    const ServerLog log = serverLogOf(study);
    EXPECT_EQ(serverKey(log), "semantic");
    ASSERT_EQ(log.requests.size(), 3U);
    EXPECT_EQ(log.requests[0].streams, true);
    EXPECT_EQ(log.requests[0].id, "msg_22cc86115e391733");
    EXPECT_EQ(log.requests[0].end, RequestEnd::NotTold);
    EXPECT_FALSE(log.requests[1].generates);
    EXPECT_EQ(log.requests[1].inputTokens, 9983);
    EXPECT_EQ(log.requests[2].streams, false);
    EXPECT_EQ(log.requests[2].cachedTokens, 49152);
    EXPECT_EQ(log.requests[2].outputTokens, 8192);
    EXPECT_NEAR(log.requests[2].endS - log.requests[2].arrivalS, 321, 1e-9);
    ASSERT_EQ(log.steps.size(), 3U);
    EXPECT_EQ(log.steps[0].active, 2);
    EXPECT_EQ(log.steps[1].active, 2);
    EXPECT_DOUBLE_EQ(log.steps[1].seconds, 0.041);
    EXPECT_EQ(log.steps[1].responses, 2);
    EXPECT_THAT(log.steps[2].active, IsNotTold());
    EXPECT_DOUBLE_EQ(log.steps[2].seconds, 0.039);
    EXPECT_EQ(factOf(log, "model"), "gemma-3-12b-it-4bit");
}

TEST(ServerLog, TheStudysTimeLineIsReadAsItWasNotedDown) {
    const ServerLog log = serverLogOf(
        "Time      | Event                                          | Details\n"
        "----------|------------------------------------------------|---------------------------\n"
        "09:43:51  | POST /v1/messages/count_tokens                 | 9,983 tokens\n"
        "09:43:51  | POST /v1/messages (streaming)                  | Cache miss: msg_bddb635ad8df413b\n"
        "          | [~5.5 minutes of generation]                   | Both streaming requests generating\n"
        "09:49:13  | POST /v1/messages (non-streaming)              | Cache hit: 49,152 tokens\n"
        "09:54:34  | Response complete                              | 8,192 output tokens\n"
        "          | Duration: 321 seconds (5.36 minutes)           | 25.5 tokens/sec\n"
        "09:54:38  | [Server killed]                                | Test ended\n"
        "- Result: 21,585 tokens in 47.65 seconds = **452.95 tokens/sec**\n"
        "max_batch_size=5\nprefill_step_size=512\n");
    EXPECT_EQ(log.clock, LogClock::TimeOfDay);
    ASSERT_EQ(log.requests.size(), 3U);
    EXPECT_EQ(log.requests[0].inputTokens, 9983);
    EXPECT_EQ(log.requests[1].streams, true);
    EXPECT_THAT(log.requests[1].endS, IsNotTold());
    EXPECT_EQ(log.requests[2].endS - log.requests[2].arrivalS, 321);
    EXPECT_EQ(log.requests[2].cachedTokens, 49152);
    EXPECT_EQ(log.requests[2].outputTokens, 8192);
    EXPECT_EQ(log.requests[2].decodeTokensPerS, 25.5);
    EXPECT_EQ(log.requests[2].last.line, 8U);
    EXPECT_EQ(log.events.at(2).kind, LogEventKind::ServerStopped);
    EXPECT_EQ(log.events.at(3).kind, LogEventKind::ReportedRate);
    EXPECT_EQ(log.events.at(3).tokens, 21585);
    EXPECT_EQ(log.events.at(3).seconds, 47.65);
    EXPECT_THAT(log.events.at(3).timeS, IsNotTold());
    EXPECT_EQ(factOf(log, "max_batch_size"), "5");
    EXPECT_EQ(factOf(log, "prefill_step_size"), "512");
}

} // namespace
} // namespace loadline
