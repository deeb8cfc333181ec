// Prompts alone: how fast they are computed over time, how much more of them is, what they take from others.
#include "core/serverlog/files/server_log_reader.h"
#include "core/serverlog/verdict/prompt_growth.h"
#include "core/serverlog/verdict/prompt_rates.h"
#include "tests/core/serverlog/made_up_statistics.h"

#include <cmath>

namespace loadline {
namespace {

using test::findingOn;
using test::headlineOn;
using test::says;
using test::vllmLines;
using test::VllmStats;

std::string clockText(double s) {
    const auto whole = static_cast<int>(s);
    return fmt::format("2026-10-03 {:02}:{:02}:{:02}", 14 + whole / 3600, whole / 60 % 60, whole % 60);
}

/// Prompts of mlx-openai-server of 4 000 to 8 000 tokens, at 310 tokens/s and from 15 min on `slow` of it.
std::string processedPrompts(double slow) {
    std::string text;
    double s = 0;
    for (int i = 0; i < 60; ++i) {
        const int total = 4000 + i * 2711 % 4000;
        const double rate = 310 * (s < 900 ? 1 : slow);
        for (int done = 0;; done = std::min(done + 2048, total)) {
            text += fmt::format("{} | INFO     | app.utils.debug_logging:callback:121 | Processed {:6d}/{} "
                                "tokens ({:6.2f} tok/s)\n",
                                clockText(s + done / rate), done, total, done > 0 ? rate : 0.0);
            if (done == total) {
                break;
            }
        }
        s += total / rate + 12;
    }
    return text;
}

TEST(PromptCourse, ThrottlingShowsInPromptsAlone) {
    const std::string text = processedPrompts(0.68);
    const Finding fall = findingOn(text, "thermal_decay");
    EXPECT_EQ(fall.verdict, Verdict::Supported) << fall.reason;
    EXPECT_TRUE(says(fall.reason, "a prompt is computed at")) << fall.reason;
    EXPECT_TRUE(says(headlineOn(text), "slower than in lines")) << headlineOn(text);
    const Finding none = findingOn(processedPrompts(1), "thermal_decay");
    EXPECT_NE(none.verdict, Verdict::Supported) << none.reason;
    EXPECT_FALSE(says(none.reason, "tells no rate")) << none.reason;
}

TEST(PromptCourse, ALineOfNothingDoneIsNoObservation) {
    const std::vector<double> rates = promptRates(serverLogOf(processedPrompts(1)));
    EXPECT_EQ(std::ranges::count_if(rates, [](double rate) { return std::abs(rate - 310) > 0.01; }), 0);
}

/// mlx_lm.server: an access line when it is taken, the prompt 3 s later.
TEST(PromptCourse, AWaitBeforeAPromptIsNoPartOfIt) {
    for (const bool cache : {false, true}) {
        std::string text;
        for (int i = 0; i < 12; ++i) {
            const double s = 30 * i;
            text += fmt::format("127.0.0.1 - - [03/Oct/2026 14:{:02}:{:02}] \"POST /v1/chat/completions "
                                "HTTP/1.1\" 200 -\n",
                                30 * i / 60, 30 * i % 60);
            if (cache) {
                text += clockText(s) + ",000 - INFO - Prompt Cache: 1 sequences, 0.21 GB\n";
            }
            for (const int done : {0, 2048, 4096}) {
                text += fmt::format("{},000 - INFO - Prompt processing progress: {}/4096\n",
                                    clockText(s + 3 + done / 512), done);
            }
        }
        const ServerLog log = serverLogOf(text);
        EXPECT_EQ(requestCount(log), 12U) << cache;
        EXPECT_TRUE(says(headlineOn(text), "computed at 512 tokens/s")) << headlineOn(text);
    }
}

TEST(PromptCourse, GrowthIsToldFromThreeTimesOn) {
    const auto words = [](double last, double output = 100) {
        return promptGrowthWords(serverLogOf(vllmLines(
            30, [=](int i) { return VllmStats{.prompt = i < 20 ? 200 : 200 * last, .output = output}; })));
    };
    EXPECT_EQ(words(4),
              "; 2 tokens of prompts are computed for each of output in the first third of the lines "
              "and 8 in the last");
    EXPECT_EQ(words(2.9), "");
    EXPECT_EQ(words(4, 0), "") << "nothing came out";
    EXPECT_EQ(promptGrowthWords(serverLogOf(
                  vllmLines(11, [](int i) { return VllmStats{.prompt = i < 8 ? 1.0 : 1000.0}; }))),
              "")
        << "too few lines";
}

/// A time since a llama.cpp server started.
std::string uptimeText(double s) {
    return fmt::format("{}.{:02}.{:03}.000", static_cast<int>(s / 60), static_cast<int>(s) % 60,
                       static_cast<int>(s * 1000) % 1000);
}

std::string beginOnSlot(int slot, int task, double s) {
    return fmt::format("{} I slot launch_slot_: id  {} | task {} | processing task, is_child = 0\n",
                       uptimeText(s), slot, task);
}

/// The end of a request, with the seconds of its prompt and of its decoding.
std::string endOnSlot(int slot, int task, double s, double promptS, int prompt, double decodeS, int output) {
    return fmt::format(
        "{} I slot print_timing: id  {} | task {} | \n"
        "prompt eval time = {:10.2f} ms / {:5d} tokens ({:8.2f} ms per token, {:8.2f} tokens per second)\n"
        "       eval time = {:10.2f} ms / {:5d} tokens ({:8.2f} ms per token, {:8.2f} tokens per second)\n"
        "      total time = {:10.2f} ms / {:5d} tokens\n",
        uptimeText(s), slot, task, promptS * 1000, prompt, promptS * 1000 / prompt, prompt / promptS,
        decodeS * 1000, output, decodeS * 1000 / output, output / decodeS, (promptS + decodeS) * 1000,
        prompt + output);
}

/// The last of twelve requests has 50 tokens in 40 s, 36 of which a prompt of another one takes, or not.
TEST(PromptCourse, PromptsOfOthersMakeNoRequestFarSlower) {
    const auto headline = [](bool beside) {
        std::string text;
        for (int i = 0; i < 11; ++i) {
            text += beginOnSlot(0, i, 100 * i + 1) + endOnSlot(0, i, 100 * i + 43, 2, 1000, 40, 800);
        }
        const std::string other = beginOnSlot(1, 20, beside ? 1202 : 1302);
        const std::string ended = endOnSlot(1, 20, beside ? 1240 : 1340, 36, 11'000, 2, 20);
        const std::string slow = endOnSlot(0, 19, 1241, 1, 1000, 40, 50);
        text += beginOnSlot(0, 19, 1200);
        text += beside ? other + ended + slow : slow + other + ended;
        return headlineOn(text);
    };
    EXPECT_FALSE(says(headline(true), "far slower")) << headline(true);
    EXPECT_TRUE(says(headline(false), "far slower")) << headline(false);
}

TEST(PromptCourse, LinesOfSeveralFilesNameTheirs) {
    ServerLog log =
        serverLogOf(vllmLines(120, [](int i) { return VllmStats{.output = i < 60 ? 100.0 : 60.0}; }));
    const auto reason = [&log] {
        for (const Finding& finding : verdictOf(log, {}).findings) {
            if (finding.key == "thermal_decay") {
                return finding.reason;
            }
        }
        return std::string();
    };
    EXPECT_TRUE(says(reason(), "In lines 61 to 120 (")) << reason();
    log.files = {"/var/log/vllm.log.1", "/var/log/vllm.log"};
    for (LogInterval& line : log.intervals) {
        line.where = line.where.line <= 90 ? line.where : LogLine{1, line.where.line - 90};
    }
    EXPECT_TRUE(says(reason(), "In line 61 of vllm.log.1 to line 30 of vllm.log (")) << reason();
    EXPECT_TRUE(says(reason(), "of vllm.log.1 (")) << reason();
}

} // namespace
} // namespace loadline
