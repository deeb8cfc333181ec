// Prompts: how long they take, how fast they are computed, and what they cost requests beside them.
#include "core/serverlog/files/server_log_reader.h"
#include "tests/core/serverlog/made_up_statistics.h"

#include <algorithm>
#include <sstream>
#include <vector>

namespace loadline {
namespace {

using test::findingOn;
using test::headlineOn;
using test::says;

/// A request of one slot of llama.cpp with timings, from `at` seconds on.
std::string slotRequest(int slot, int task, double at, double promptS, int tokens, double decodeS,
                        int outputs) {
    const auto stamp = [](double seconds) {
        const auto ms = static_cast<long>(seconds * 1000 + 0.5);
        return fmt::format("{}.{:02}.{:03}.000", ms / 60'000, ms / 1000 % 60, ms % 1000);
    };
    const std::string end = stamp(at + promptS + decodeS);
    return fmt::format(
        "{0} I slot launch_slot_: id  {1} | task {2} | processing task, is_child = 0\n"
        "{3} I slot print_timing: id  {1} | task {2} | prompt eval time = {4:.2f} ms / {5} tokens ({6:.2f} "
        "ms per "
        "token, {7:.2f} tokens per second)\n"
        "{3} I slot print_timing: id  {1} | task {2} |        eval time = {8:.2f} ms / {9} tokens ({10:.2f} "
        "ms per "
        "token, {11:.2f} tokens per second)\n"
        "{3} I slot print_timing: id  {1} | task {2} |       total time = {12:.2f} ms / {13} tokens\n"
        "{3} I slot      release: id  {1} | task {2} | stop processing: n_tokens = {13}, truncated = 0\n",
        stamp(at), slot, task, end, 1000 * promptS, tokens, 1000 * promptS / tokens, tokens / promptS,
        1000 * decodeS, outputs, 1000 * decodeS / outputs, outputs / decodeS, 1000 * (promptS + decodeS),
        tokens + outputs);
}

/// Lines by their stamps.
std::string inOrder(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream from(text);
    for (std::string line; std::getline(from, line);) {
        lines.push_back(line + "\n");
    }
    std::ranges::stable_sort(lines, {},
                             [](const std::string& line) { return line.substr(0, line.find(' ')); });
    std::string sorted;
    for (const std::string& line : lines) {
        sorted += line;
    }
    return sorted;
}

TEST(PromptTime, AnHourBeforeTheFirstTokenIsInTheHeadline) {
    const std::string text = slotRequest(0, 1, 1, 3392, 10'000, 240, 312);
    const Finding finding = findingOn(text, "prompt_time");
    EXPECT_EQ(finding.verdict, Verdict::Supported) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "56 min 32 s to the first token, 93.4 % of the time")) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "at 2.95 tokens/s")) << finding.reason;
    EXPECT_TRUE(says(headlineOn(text), "56 min 32 s to the first token")) << headlineOn(text);
    EXPECT_EQ(findingOn(slotRequest(0, 1, 1, 1, 1000, 240, 312), "prompt_time").verdict, Verdict::Excluded);
}

TEST(PromptTime, APromptThatIsNotDoneTellsItsRateAndWhatIsLeft) {
    std::string text = "2026-03-23 02:05:12,306 - INFO - Starting httpd at 127.0.0.1 on port 1234...\n"
                       "127.0.0.1 - - [23/Mar/2026 02:05:20] \"POST /v1/chat/completions HTTP/1.1\" 200 -\n";
    int second = 20;
    for (int i = 1; i <= 9; ++i) {
        second += i < 5 ? 8 : 16; // 256, then 128 tokens/s
        text += fmt::format("2026-03-23 02:{:02}:{:02},000 - INFO - Prompt processing progress: {}/40960\n",
                            5 + second / 60, second % 60, 2048 * i);
    }
    const Finding finding = findingOn(text, "prompt_time");
    EXPECT_EQ(finding.verdict, Verdict::Supported) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "computed at 165 tokens/s")) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "2 min 56 s or more at its last rate")) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "falls from 256 to 128 tokens/s, 50.0 % less")) << finding.reason;
    EXPECT_TRUE(says(headlineOn(text), "165 tokens/s")) << headlineOn(text);
}

TEST(PromptTime, TokensOfTheCacheAreNotComputed) {
    std::string text = "0.01.000.000 I slot launch_slot_: id  0 | task 1 | processing task, is_child = 0\n"
                       "0.01.001.000 I slot update_slots: id  0 | task 1 | new prompt, n_ctx_slot = 32768, "
                       "n_keep = 0, task.n_tokens = 20000\n"
                       "0.01.002.000 I slot update_slots: id  0 | task 1 | n_tokens = 16000, memory_seq_rm "
                       "[16000, end)\n";
    for (int i = 1; i <= 2; ++i) {
        text += fmt::format("0.{}1.000.000 I slot update_slots: id  0 | task 1 | prompt processing progress, "
                            "n_tokens = {}, batch.n_tokens = 500, progress = {}\n",
                            i, 16'000 + 500 * i, 0.8 + 0.025 * i);
    }
    const Finding finding = findingOn(text, "prompt_time");
    EXPECT_TRUE(finding.reason.starts_with("A prompt is computed at 50 tokens/s: ")) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "60 s or more at its last rate")) << finding.reason;
}

TEST(PromptTime, NothingIsSaidOfAPromptBeforeItsFirstTokens) {
    const std::string text =
        "2026-03-23 02:05:12,306 - INFO - Starting httpd at 127.0.0.1 on port 1234...\n"
        "127.0.0.1 - - [23/Mar/2026 02:05:20] \"POST /v1/chat/completions HTTP/1.1\" 200 -\n"
        "2026-03-23 02:05:25,000 - INFO - Prompt processing progress: 0/40960\n";
    for (const Finding& finding : verdictOf(serverLogOf(text), {}).findings) {
        EXPECT_NE(finding.key, "prompt_time") << finding.reason;
        EXPECT_NE(finding.key, "failed_requests") << finding.reason << " The request runs.";
    }
}

TEST(PromptTime, NumbersThatNoPromptHasAreWrittenAsTheyAre) {
    const std::string text =
        "2026-03-23 02:05:12,306 - INFO - Starting httpd at 127.0.0.1 on port 1234...\n"
        "127.0.0.1 - - [23/Mar/2026 02:05:20] \"POST /v1/chat/completions HTTP/1.1\" 200 -\n"
        "2026-03-23 02:05:25,000 - INFO - Prompt processing progress: 2048/99999999999999999999999\n"
        "2026-03-23 02:05:29,000 - INFO - Prompt processing progress: 9999999999999999999999/"
        "99999999999999999999999\n";
    EXPECT_FALSE(says(findingOn(text, "prompt_time").reason, "-")) << findingOn(text, "prompt_time").reason;
}

TEST(PromptTime, OfRequestsThatShareStepsTheRateIsOfBoth) {
    const std::string text =
        "2026-03-23 02:05:12,306 - INFO - Starting httpd at 127.0.0.1 on port 1234...\n"
        "127.0.0.1 - - [23/Mar/2026 02:05:34] \"POST /v1/chat/completions HTTP/1.1\" 200 -\n"
        "127.0.0.1 - - [23/Mar/2026 02:05:34] \"POST /v1/chat/completions HTTP/1.1\" 200 -\n"
        "2026-03-23 02:05:39,000 - INFO - Prompt processing progress: 2048/12699\n"
        "2026-03-23 02:05:39,500 - INFO - Prompt processing progress: 592/592\n"
        "2026-03-23 02:05:44,000 - INFO - Prompt processing progress: 4096/12699\n"
        "2026-03-23 02:05:49,000 - INFO - Prompt processing progress: 6144/12699\n";
    EXPECT_TRUE(says(headlineOn(text), "Prompts are computed at 449 tokens/s")) << headlineOn(text);
}

TEST(PromptTime, RequestsBesideWhichPromptsAreComputedAreCompared) {
    std::string text;
    for (int i = 0; i < 4; ++i) {
        const double at = 100 * i + 1;
        // One that decodes at 40 tokens/s alone, then one at 20 beside a prompt of 8 of its 10 s.
        text += slotRequest(0, 10 * i, at, 1, 100, 10, 400);
        text += slotRequest(0, 10 * i + 1, at + 40, 1, 100, 10, 200);
        text += slotRequest(1, 10 * i + 2, at + 42, 8, 4000, 0.1, 4);
    }
    const Finding finding = findingOn(inOrder(text), "prefill_interleaving");
    EXPECT_EQ(finding.verdict, Verdict::Supported) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "20 tokens/s so and 40 without: 50.0 % less")) << finding.reason;
}

} // namespace
} // namespace loadline
