// Rates of two models, or of two servers in one log, are not compared with each other.
#include "core/serverlog/log_parts.h"

#include "core/serverlog/files/server_log_reader.h"
#include "tests/core/serverlog/made_up_statistics.h"

namespace loadline {
namespace {

using test::findingOn;
using test::headlineOn;
using test::says;
using test::vllmLine;
using test::VllmStats;

std::string vllmStart(int seconds, std::string_view model, int mostRequests = 256) {
    return fmt::format("INFO 06-01 {:02}:{:02}:{:02} [utils.py:233] non-default args: {{'model': '{}', "
                       "'max_num_seqs': {}}}\n",
                       10 + seconds / 3600, seconds / 60 % 60, seconds % 60, model, mostRequests);
}

/// Twenty minutes each of 60 and of 15 tokens/s a stream, with a start-up before each.
std::string twoModels(std::string_view first, std::string_view second, int mostRequests = 256) {
    constexpr int lines = 120;
    std::string text = vllmStart(0, first);
    for (int i = 1; i <= lines; ++i) {
        text += vllmLine({.output = 120, .running = 2}, 10 * i);
    }
    text += vllmStart(10 * lines + 5, second, mostRequests);
    for (int i = lines + 6; i <= 2 * lines; ++i) {
        text += vllmLine({.output = 30, .running = 2}, 10 * i);
    }
    return text;
}

TEST(LogParts, AnotherModelAfterARestartIsNoThrottling) {
    const std::string text =
        twoModels("meta-llama/Llama-3.1-8B-Instruct", "meta-llama/Llama-3.3-70B-Instruct");
    EXPECT_NE(findingOn(text, "thermal_decay").verdict, Verdict::Supported);
    const std::string headline = headlineOn(text);
    EXPECT_TRUE(says(headline, "Llama-3.3-70B-Instruct (lines 123 to 237): each of 2 streams decodes at 15 "
                               "tokens/s"))
        << headline;
    EXPECT_TRUE(says(headline, "Before it, Llama-3.1-8B-Instruct (lines 2 to 121): each of 2 streams decodes "
                               "at 60 tokens/s"))
        << headline;
    EXPECT_FALSE(says(headline, "75")) << headline;
}

TEST(LogParts, ARestartWithTheSameSettingsIsCompared) {
    const std::string text = twoModels("a/Llama-3.1-8B-Instruct", "a/Llama-3.1-8B-Instruct");
    EXPECT_TRUE(partsOf(serverLogOf(text)).empty());
    EXPECT_EQ(findingOn(text, "thermal_decay").verdict, Verdict::Supported);
}

TEST(LogParts, AnotherLimitAfterARestartIsNoThrottling) {
    const std::string text = twoModels("a/Llama-3.1-8B-Instruct", "a/Llama-3.1-8B-Instruct", 4);
    EXPECT_NE(findingOn(text, "thermal_decay").verdict, Verdict::Supported);
    EXPECT_TRUE(says(headlineOn(text), "Llama-3.1-8B-Instruct, max_batch_size=4 (lines")) << headlineOn(text);
}

TEST(LogParts, EachModelHasItsOwnCeiling) {
    const ServerLog log =
        serverLogOf(twoModels("meta-llama/Llama-3.1-8B-Instruct", "meta-llama/Llama-3.3-70B-Instruct"));
    ServedOn chosen;
    chosen.device = "H100-SXM";
    const std::string headline = verdictOf(log, servedOnLog(chosen, log).served).headline;
    EXPECT_TRUE(says(headline, "llama-3.3-70b at 16 bits")) << headline;
    EXPECT_TRUE(says(headline, "llama-3.1-8b at 16 bits")) << headline;
}

TEST(LogParts, AServerThatReturnsToAModelGoesOnWithItsPart) {
    std::string text;
    for (int life = 0; life < 3; ++life) {
        text += vllmStart(1000 * life, life == 1 ? "b/Qwen3-32B" : "a/Qwen3-8B");
        for (int i = 1; i <= 20; ++i) {
            text += vllmLine({.output = life == 1 ? 20.0 : 60.0}, 1000 * life + 10 * i);
        }
    }
    const std::vector<LogPart> parts = partsOf(serverLogOf(text));
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_EQ(parts[0].name, "Qwen3-8B");
    EXPECT_EQ(parts[0].log.intervals.size(), 40U);
    EXPECT_EQ(parts[1].log.intervals.size(), 20U);
    EXPECT_TRUE(says(headlineOn(text), "2 models or settings take turns. Qwen3-8B")) << headlineOn(text);
}

/// A request of a router's child: a prompt of 100 ms, then 100 tokens at this rate.
std::string routedRequest(int port, int task, double beginS, double tokensPerS) {
    const double decodeS = 100 / tokensPerS;
    const auto stamp = [port](double seconds) {
        const auto ms = static_cast<int>(seconds * 1000);
        return fmt::format("[{}] {}.{:02}.{:03}.000 I ", port, ms / 60'000, ms / 1000 % 60, ms % 1000);
    };
    const std::string begin = stamp(beginS);
    const std::string end = stamp(beginS + 0.1 + decodeS);
    return fmt::format(
        "{0}slot launch_slot_: id  0 | task {1} | processing task, is_child = 0\n"
        "{0}slot update_slots: id  0 | task {1} | new prompt, n_ctx_slot = 32768, n_keep = 0, "
        "task.n_tokens = 50\n"
        "{2}slot print_timing: id  0 | task {1} | \n"
        "[{3}] prompt eval time =     100.00 ms /    50 tokens (    2.00 ms per token,   500.00 "
        "tokens per second)\n"
        "[{3}]        eval time =  {4:.2f} ms /   100 tokens (   {5:.2f} ms per token,    "
        "{6:.2f} tokens per second)\n"
        "{2}slot      release: id  0 | task {1} | stop processing: n_tokens = 150, truncated = "
        "0\n",
        begin, task, end, port, 1000 * decodeS, 1000 / tokensPerS, tokensPerS);
}

std::string loads(int port, std::string_view model) {
    return fmt::format("[{}] 0.00.000.000 I srv    load_model: loading model '/models/{}.gguf'\n", port,
                       model);
}

TEST(LogParts, ARoutersChildrenAreServersOfTheirOwn) {
    std::string text = loads(42027, "Qwen3-4B-Q4_K_M") + loads(42031, "gemma-3-27b-it-Q4_K_M");
    for (int i = 0; i < 60; ++i) {
        text += routedRequest(42027, i, 20 * i, 80) + routedRequest(42031, i, 20 * i, 17);
    }
    const std::string headline = headlineOn(text);
    EXPECT_TRUE(says(headline, "2 servers write this log. Qwen3-4B-Q4_K_M [42027]")) << headline;
    EXPECT_TRUE(says(headline, "a stream decodes at 80 tokens/s")) << headline;
    EXPECT_TRUE(says(headline, "gemma-3-27b-it-Q4_K_M [42031]")) << headline;
    EXPECT_TRUE(says(headline, "a stream decodes at 17 tokens/s")) << headline;
    EXPECT_EQ(findingOn(text, "concurrent_requests").verdict, Verdict::Excluded);
}

TEST(LogParts, AChildThatFollowsAnotherIsNoThrottling) {
    std::string text = loads(42027, "Qwen3-4B-Q4_K_M");
    for (int i = 0; i < 60; ++i) {
        text += routedRequest(42027, i, 10 * i, 70);
    }
    text += loads(42031, "gemma-3-27b-it-Q4_K_M");
    for (int i = 0; i < 60; ++i) {
        text += routedRequest(42031, i, 10 * i, 25);
    }
    EXPECT_NE(findingOn(text, "thermal_decay").verdict, Verdict::Supported);
    EXPECT_TRUE(says(headlineOn(text), "Before it, Qwen3-4B-Q4_K_M [42027]")) << headlineOn(text);
}

TEST(LogParts, ServicesOfOneLogAreToldByTheirPrefixes) {
    std::string text;
    for (int i = 1; i <= 60; ++i) {
        text += "small-1  | " + vllmLine({.output = 100, .running = 2}, 10 * i);
        text += "big-1    | " + vllmLine({.output = 30, .running = 2}, 10 * i);
    }
    const std::string headline = headlineOn(text);
    EXPECT_TRUE(says(headline, "[small-1] (lines 1 to 119): each of 2 streams decodes at 50 tokens/s"))
        << headline;
    EXPECT_TRUE(says(headline, "[big-1] (lines 2 to 120): each of 2 streams decodes at 15 tokens/s"))
        << headline;
}

TEST(LogParts, AFallOfAnEarlierModelIsStillTold) {
    std::string text = vllmStart(0, "a/Qwen3-8B");
    for (int i = 1; i <= 180; ++i) {
        text += vllmLine({.output = i < 90 ? 60.0 : 40.0}, 10 * i);
    }
    text += vllmStart(1900, "b/Qwen3-32B");
    for (int i = 191; i <= 260; ++i) {
        text += vllmLine({.output = 20}, 10 * i);
    }
    const Finding finding = findingOn(text, "thermal_decay");
    EXPECT_EQ(finding.verdict, Verdict::Supported) << finding.reason;
    EXPECT_TRUE(finding.reason.starts_with("Qwen3-8B: In lines")) << finding.reason;
}

} // namespace
} // namespace loadline
