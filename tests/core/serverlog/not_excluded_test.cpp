// Claims that a log cannot exclude are left open: by instants, hit rates, settings, lines before the first.
#include "core/serverlog/files/server_log_reader.h"
#include "core/serverlog/verdict/log_figure.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace loadline {
namespace {

struct VllmLine {
    double prompt = 0;
    double output = 50;
    int running = 1;
    double hit = 0;
};

/// Statistics each ten seconds.
std::string vllm(const std::vector<VllmLine>& lines) {
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        text += fmt::format(
            "INFO 05-19 12:{:02}:{}1 [loggers.py:271] Engine 000: Avg prompt throughput: {:.1f} tokens/s, "
            "Avg "
            "generation throughput: {:.1f} tokens/s, Running: {} reqs, Waiting: 0 reqs, GPU KV cache usage: "
            "5.9%, Prefix cache hit rate: {:.1f}%\n",
            i / 6, i % 6, lines[i].prompt, lines[i].output, lines[i].running, lines[i].hit);
    }
    return text;
}

constexpr std::string_view post =
    "INFO:     127.0.0.1:39830 - \"POST /v1/chat/completions HTTP/1.1\" 200 OK\n";

std::string saidOf(const std::string& text, std::string_view key) {
    const ServerLog log = serverLogOf(text);
    for (const Finding& finding : verdictOf(log, {}).findings) {
        if (finding.key == key) {
            return std::string(wordOf(finding.verdict)) + ": " + finding.reason;
        }
    }
    return "";
}

bool isOpen(const std::string& text, std::string_view key) {
    return saidOf(text, key).starts_with("not excluded");
}

TEST(NotExcluded, RunningIsOfAnInstantAndThroughputOfTheTimeBetween) {
    std::string text = vllm({{0, 50}, {0, 180}, {0, 50, 0}, {0, 50}});
    for (int i = 0; i < 6; ++i) {
        text += post;
    }
    for (const char* key : {"concurrent_requests", "prefill_interleaving", "queueing", "preemption"}) {
        EXPECT_TRUE(isOpen(text, key)) << key << ' ' << saidOf(text, key);
    }
    const std::string leaps = vllm({{0, 50}, {0, 180}, {0, 50}, {0, 50}});
    EXPECT_EQ(saidOf(leaps, "concurrent_requests"),
              "not excluded: No line of statistics has more than one request running, but they tell an "
              "instant each: 50 to 180 tokens/s are not the rate of one stream throughout.");
    EXPECT_TRUE(isOpen(leaps, "queueing"));
    EXPECT_TRUE(isOpen(vllm({{0, 50}, {0, 50}}), "concurrent_requests")) << "too few";
    EXPECT_TRUE(isOpen(vllm({{0, 50}, {0, 51}, {0, 50}}) + std::string(post) + std::string(post),
                       "concurrent_requests"))
        << "they took turns";
    EXPECT_TRUE(isOpen(vllm({{0, 50}, {0, 51}, {0, 20}, {0, 50}}), "concurrent_requests"))
        << "one ended and another began, perhaps before it";
    EXPECT_TRUE(isOpen(vllm({{900, 95}, {0, 51}, {0, 50}, {0, 50}}), "concurrent_requests"))
        << "more than one stream's beside a prompt";
}

TEST(NotExcluded, OneStreamsThroughputExcludesOthersAndSaysHow) {
    const std::string text = vllm({{900, 40}, {0, 51}, {0, 50}, {0, 49}});
    EXPECT_EQ(saidOf(text, "concurrent_requests"),
              "excluded: No line of statistics has more than one request running, and without prompts they "
              "tell 49 to 51 tokens/s in 3 lines, as of one stream throughout.");
    EXPECT_EQ(saidOf(text, "prefill_interleaving"),
              "excluded: Prompts were computed, but one request at a time: they were its own.");
    EXPECT_EQ(saidOf(text, "queueing"), "excluded: No line has a request waiting, and one ran at a time.");
    EXPECT_TRUE(saidOf(vllm({{0, 50}, {0, 90, 2}, {0, 50}}), "concurrent_requests").starts_with("supported"));
    EXPECT_TRUE(isOpen(vllm({{900, 50}, {0, 90}, {0, 50}}), "prefill_interleaving"))
        << "its own, or another's";
}

TEST(NotExcluded, PromptThroughputIsOfAllTheTimeBetween) {
    EXPECT_EQ(saidOf(vllm({{0, 620, 32}, {0, 600, 32}}), "prefill_interleaving"),
              "excluded: No line has prompt throughput, which is of all the time between lines.");
    EXPECT_TRUE(isOpen(vllm({{0, 50}, {900, 20, 0}, {0, 90}}), "prefill_interleaving"));
}

TEST(NotExcluded, AHitRateBelowNearlyAllLeavesPromptsThatWereComputedAgain) {
    for (const double rate : {50.0, 72.2, 91.1}) {
        EXPECT_TRUE(isOpen(vllm({{657, 50, 1, rate}}), "cache_misses")) << rate;
    }
    EXPECT_TRUE(saidOf(vllm({{10, 50, 1, 99.0}}), "cache_misses").starts_with("excluded"));
    const auto prefill = [](int added, int cached) {
        return fmt::format("[2025-05-14 09:31:43] Prefill batch. #new-seq: 2, #new-token: {}, #cached-token: "
                           "{}, token usage: 0.26, #running-req: 28, #queue-req: 0\n",
                           added, cached);
    };
    EXPECT_TRUE(saidOf(prefill(2, 8027), "cache_misses").starts_with("excluded"));
    EXPECT_TRUE(isOpen(prefill(2000, 8000), "cache_misses"));
    EXPECT_TRUE(saidOf(prefill(2, 8027), "cache_reconstruction")
                    .starts_with("not excluded: Lines tell what prompts found in the cache"));
    EXPECT_TRUE(saidOf(vllm({{236, 51, 1, 91.1}}), "cache_reconstruction")
                    .starts_with("not excluded: Lines tell what prompts found in the cache"));
}

TEST(NotExcluded, LinesWithoutThroughputSayNothingOfTheClient) {
    const std::string prefill =
        "[16:43:29 TP0] Prefill batch. #new-seq: 1, #new-token: 2062, #cached-token: 0, "
        "cache hit rate: 0.00%, token usage: 0.00, #running-req: 0, #queue-req: 0\n";
    EXPECT_TRUE(isOpen(prefill, "streaming_or_client"));
    EXPECT_TRUE(saidOf(vllm({{}}), "streaming_or_client").starts_with("excluded"));
}

TEST(NotExcluded, SettingsAreEvidenceAndEagerModeSupports) {
    const std::string args =
        "INFO 10-20 06:48:01 [utils.py:233] non-default args: {'model': 'Qwen/Qwen3-4B', "
        "'max_num_seqs': 50, 'enforce_eager': True}\n";
    EXPECT_EQ(saidOf(vllm({{0, 620, 32}}), "engine_settings").substr(0, 12), "not excluded");
    EXPECT_NE(saidOf(vllm({{0, 620, 32}}), "engine_settings").find("Told: 32 running at most"),
              std::string::npos);
    EXPECT_TRUE(saidOf(args + vllm({{}}), "engine_settings").starts_with("supported"));
    EXPECT_NE(saidOf(args + vllm({{}}), "engine_settings").find("Told: eager=on, max_batch_size=50."),
              std::string::npos);
    const auto decode = [](std::string_view graph) {
        return fmt::format(
            "[2025-12-12 08:43:57 TP0] Decode batch, #running-req: 6, #token: 1920, token usage: "
            "0.94, cuda graph: {}, gen throughput (token/s): 446.45, #queue-req: 5, \n",
            graph);
    };
    EXPECT_TRUE(saidOf(decode("False"), "engine_settings").starts_with("supported"));
    EXPECT_TRUE(isOpen(decode("True"), "engine_settings"));
}

TEST(NotExcluded, ALogThatBeginsAfterItsRequest) {
    // ggml-org/llama.cpp 23269, cut: the request ran before.
    const std::string text =
        "1.35.716.244 I slot print_timing: id  0 | task 388 | n_decoded =    172, tg =  12.00 t/s\n"
        "1.37.495.377 I slot print_timing: id  0 | task 388 | \n"
        "prompt eval time =     789.03 ms /    27 tokens (   29.22 ms per token,    34.22 tokens per "
        "second)\n"
        "       eval time =   16112.50 ms /   192 tokens (   83.92 ms per token,    11.92 tokens per "
        "second)\n"
        "1.37.495.428 I slot      release: id  0 | task 388 | stop processing: n_tokens = 218, truncated = "
        "0\n";
    EXPECT_TRUE(isOpen(text, "concurrent_requests")) << saidOf(text, "concurrent_requests");
}

TEST(NotExcluded, PreemptionsThatAreCountedAsNoneAreNone) {
    const auto line = [](int preemptions) {
        return fmt::format(
            "INFO 05-19 12:24:01 [loggers.py:271] Engine 000: Avg prompt throughput: 0.0 tokens/s, Avg "
            "generation throughput: 500.0 tokens/s, Running: 9 reqs, Waiting: 0 reqs, Preemptions: {}, GPU "
            "KV "
            "cache usage: 96.0%, Prefix cache hit rate: 0.0%\n",
            preemptions);
    };
    EXPECT_TRUE(saidOf(line(0), "preemption").starts_with("excluded"));
    EXPECT_TRUE(saidOf(line(2), "preemption").starts_with("supported"));
    EXPECT_TRUE(isOpen(vllm({{0, 90, 3}}), "preemption")) << "5.9 % full at an instant";
}

} // namespace
} // namespace loadline
