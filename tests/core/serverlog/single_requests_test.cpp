// Requests as lines of servers tell each: oMLX, two runners of Ollama, stamps of seconds, one far slower than
// all.
#include "core/serverlog/files/server_log_reader.h"
#include "tests/core/serverlog/made_up_statistics.h"

#include <algorithm>

namespace loadline {
namespace {

using test::findingOn;
using test::headlineOn;
using test::says;

TEST(SingleRequests, OmlxTellsRatesOfDecoding) {
    std::string text;
    for (int i = 0; i < 3; ++i) {
        text += fmt::format("2026-08-28 11:{:02}:57,302 - omlx.server - INFO - [-] - Chat completion: "
                            "model=Qwen3-30B-A3B-4bit, 534 tokens in 25.99s (24.4 tok/s), prompt: 4168, "
                            "finish_reason=stop, max_tokens=4096\n",
                            10 + i);
    }
    const ServerLog log = serverLogOf(text);
    EXPECT_EQ(serverNameOf(log), "oMLX");
    ASSERT_EQ(log.requests.size(), 3U);
    EXPECT_DOUBLE_EQ(log.requests[0].inputTokens, 4168);
    EXPECT_NEAR(log.requests[1].prefillS, 25.99 - 534 / 24.4, 1e-9);
    EXPECT_TRUE(says(headlineOn(text), "A stream decodes at 24.4 tokens/s")) << headlineOn(text);
}

TEST(SingleRequests, TwoRunnersHaveASlotOfTheSameNumberEach) {
    std::string text;
    for (int i = 0; i < 6; ++i) {
        text += fmt::format(
            "Aug 28 16:17:{:02} host ollama[2924030]: slot print_timing: id  0 | task {} | n_gen = "
            "   {}, tg =  18.96 t/s, tg_3s =  19.26 t/s\n",
            10 + 3 * i, i % 2 == 0 ? 4121 : 1549, 100 + 57 * i);
    }
    EXPECT_EQ(serverLogOf(text).requests.size(), 2U);
    EXPECT_EQ(findingOn(text, "concurrent_requests").verdict, Verdict::Supported);
}

TEST(SingleRequests, TheFirstTokenIsNotBeforeTheArrival) {
    const ServerLog log = serverLogOf(
        "INFO [   launch_slot_with_task] slot is processing task | tid=\"11744\" timestamp=1723514873 "
        "id_slot=0 "
        "id_task=0\n"
        "INFO [           print_timings] prompt eval time     =     222.95 ms /    12 tokens (   18.58 ms "
        "per "
        "token,    53.82 tokens per second) | tid=\"11744\" timestamp=1723514879 id_slot=0 id_task=0\n"
        "INFO [           print_timings] generation eval time =    6485.43 ms /   660 runs   (    9.83 ms "
        "per "
        "token,   101.77 tokens per second) | tid=\"11744\" timestamp=1723514879 id_slot=0 id_task=0\n");
    ASSERT_EQ(log.requests.size(), 1U);
    EXPECT_GE(log.requests[0].firstTokenS, log.requests[0].arrivalS);
}

std::string timed(int i, double decodeMs, int tokens) {
    return fmt::format(
        "{}.{:02}.100.000 I slot print_timing: id  0 | task {} | prompt eval time =     100.00 ms "
        "/   100 tokens (    1.00 ms per token,  1000.00 tokens per second)\n"
        "{}.{:02}.100.100 I slot print_timing: id  0 | task {} |        eval time =   {:.2f} ms / "
        "{:5} tokens (   16.02 ms per token,    {:.2f} tokens per second)\n"
        "{}.{:02}.100.200 I slot      release: id  0 | task {} | stop processing: n_tokens = {}, "
        "truncated = 0\n",
        10 * i + 9, 0, i, 10 * i + 9, 0, i, decodeMs, tokens, 1000.0 * tokens / decodeMs, 10 * i + 9, 0, i,
        100 + tokens);
}

TEST(SingleRequests, OneThatIsFarSlowerIsNamed) {
    const auto logOf = [](double slowMs) {
        std::string text;
        for (int i = 0; i < 20; ++i) {
            text += i == 12 ? timed(i, slowMs, 150) : timed(i, 8000, 200);
        }
        return text;
    };
    const std::string text = logOf(400000);
    EXPECT_TRUE(says(headlineOn(text), "150 tokens in 6 min 40 s: 0.38 tokens/s, where the median is 25."))
        << headlineOn(text);
    EXPECT_EQ(findingOn(text, "slow_requests").evidence.size(), 1U);
    const LogVerdict verdict = verdictOf(serverLogOf(logOf(12000)), {});
    EXPECT_TRUE(std::ranges::none_of(verdict.findings,
                                     [](const Finding& finding) { return finding.key == "slow_requests"; }));
}

TEST(SingleRequests, NoMoreRunAtOnceThanThereAreSlots) {
    // The fifth is launched in the slot of the first a millisecond before that one is released.
    std::string text = "0.00.100.000 I srv    load_model: initializing slots, n_slots = 4\n";
    const auto launch = [](int slot, int task, std::string_view at) {
        return fmt::format("{} I slot launch_slot_: id  {} | task {} | processing task, is_child = 0\n", at,
                           slot, task);
    };
    const auto end = [](int slot, int task, std::string_view at) {
        return fmt::format(
            "{} I slot print_timing: id  {} | task {} | prompt eval time =     100.00 ms /   100 "
            "tokens (    1.00 ms per token,  1000.00 tokens per second)\n"
            "{} I slot print_timing: id  {} | task {} |        eval time =    8000.00 ms /   200 tokens "
            "(   40.00 ms per token,    25.00 tokens per second)\n"
            "{} I slot      release: id  {} | task {} | stop processing: n_tokens = 300, truncated = "
            "0\n",
            at, slot, task, at, slot, task, at, slot, task);
    };
    for (int slot = 0; slot < 4; ++slot) {
        text += launch(slot, slot, "0.01.000.000");
    }
    text += end(0, 0, "0.10.000.001") + launch(0, 9, "0.10.000.000") + end(1, 1, "0.20.000.000") +
            end(2, 2, "0.20.000.000") + end(3, 3, "0.20.000.000") + end(0, 9, "0.20.000.000");
    EXPECT_TRUE(says(findingOn(text, "concurrent_requests").reason, "up to 4 at once"))
        << findingOn(text, "concurrent_requests").reason;
}

TEST(SingleRequests, SglangThatEndsWithManyRunningMayBeStuck) {
    std::string text;
    for (int i = 0; i < 60; ++i) {
        text += fmt::format(
            "[2026-02-27 04:00:{:02} TP0] Decode batch. #running-req: 8, #token: 6253, token usage: "
            "0.12, gen throughput (token/s): 400.00, #queue-req: 0\n",
            i);
    }
    const std::string health =
        "[2026-02-27 04:16:00] INFO:     127.0.0.1:5000 - \"GET /health HTTP/1.1\" 200 OK\n";
    const Finding atEnd = findingOn(text + health, "no_progress");
    EXPECT_EQ(atEnd.verdict, Verdict::NotExcluded);
    EXPECT_TRUE(
        says(atEnd.reason, "No line of statistics in the last 15 min 01 s of the log, though 8 requests"))
        << atEnd.reason;
    const LogVerdict verdict = verdictOf(serverLogOf(text), {});
    EXPECT_TRUE(std::ranges::none_of(verdict.findings,
                                     [](const Finding& finding) { return finding.key == "no_progress"; }));
}

} // namespace
} // namespace loadline
