// One request is one, whichever of its lines come first.
#include "core/serverlog/files/server_log_reader.h"
#include "core/serverlog/verdict/log_figure.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace loadline {
namespace {

const std::string mlxPost =
    "127.0.0.1 - - [21/Aug/2026 17:06:15] \"POST /v1/chat/completions HTTP/1.1\" 200 -\n";

std::string mlxProgress(int second, int done, int total) {
    return fmt::format("2026-08-21 17:06:{:02},049 - INFO - Prompt processing progress: {}/{}\n", second,
                       done, total);
}

TEST(OneRequest, OfMlxIsItsAccessLineWithTheProgressThatFollows) {
    const ServerLog streamed = serverLogOf(mlxPost + mlxProgress(16, 0, 4096) + mlxProgress(20, 2048, 4096) +
                                           mlxProgress(25, 4096, 4096));
    ASSERT_EQ(streamed.requests.size(), 1U);
    EXPECT_EQ(streamed.requests[0].path, "POST /v1/chat/completions");
    EXPECT_EQ(streamed.requests[0].arrivalS, 0);
    EXPECT_NEAR(streamed.requests[0].firstTokenS, 10.049, 1e-6);
    EXPECT_FALSE(isTold(streamed.requests[0].endS)) << "no line tells it";
    const ServerLog answered = serverLogOf(mlxProgress(5, 0, 4096) + mlxProgress(10, 4096, 4096) + mlxPost +
                                           mlxProgress(20, 0, 900));
    ASSERT_EQ(answered.requests.size(), 2U) << "the second prompt is another request's";
    EXPECT_EQ(answered.requests[0].path, "POST /v1/chat/completions");
    EXPECT_EQ(answered.requests[1].path, "");
    const ServerLog between = serverLogOf(mlxProgress(5, 0, 4096) + mlxPost + mlxProgress(20, 4096, 4096));
    ASSERT_EQ(between.requests.size(), 1U);
    EXPECT_EQ(between.requests[0].path, "POST /v1/chat/completions");
}

TEST(OneRequest, OfMlxHasTheGenerationThatIsPrinted) {
    const std::string printed =
        "2026-08-21 17:06:45,000 - INFO - Prompt: 4096 tokens, 400.5 tokens-per-sec\n"
        "2026-08-21 17:06:45,001 - INFO - Generation: 500 tokens, 25.5 tokens-per-sec\n";
    const std::string prompt =
        mlxProgress(16, 0, 4096) + mlxProgress(20, 2048, 4096) + mlxProgress(25, 4096, 4096);
    const ServerLog one = serverLogOf(mlxPost + prompt + printed);
    ASSERT_EQ(one.requests.size(), 1U);
    EXPECT_EQ(one.requests[0].outputTokens, 500);
    EXPECT_EQ(one.requests[0].inputTokens, 4096);
    EXPECT_EQ(one.requests[0].decodeTokensPerS, 25.5);
    EXPECT_NEAR(one.requests[0].endS, 30.001, 1e-6);
    EXPECT_EQ(verdictOf(one, {}).rates.size(), 1U);
    const ServerLog two = serverLogOf(mlxPost + prompt + printed + mlxPost + prompt + printed);
    EXPECT_EQ(two.requests.size(), 2U);
    const ServerLog command = serverLogOf("Prompt: 10 tokens, 400.5 tokens-per-sec\n"
                                          "Generation: 20 tokens, 25.5 tokens-per-sec\n"
                                          "Prompt: 30 tokens, 400.5 tokens-per-sec\n"
                                          "Generation: 40 tokens, 25.5 tokens-per-sec\n");
    ASSERT_EQ(command.requests.size(), 2U);
    EXPECT_EQ(command.requests[1].inputTokens, 30);
    EXPECT_EQ(command.requests[1].outputTokens, 40);
}

TEST(OneRequest, OfLmStudioHasTheTimingsThatFollowItsEnd) {
    const auto served = [](int minute) {
        return fmt::format("2026-05-29 11:{0:02}:40  [INFO]\n"
                           " [qwen3-8b] Running chat completion on conversation with 3 messages.\n"
                           "2026-05-29 11:{0:02}:40  [INFO]\n"
                           " [LM STUDIO SERVER] Streaming response...\n"
                           "2026-05-29 11:{0:02}:42  [INFO]\n"
                           " [LM STUDIO SERVER] First token generated. Continuing to stream response..\n"
                           "2026-05-29 11:{0:02}:50  [INFO]\n"
                           " Finished streaming response\n"
                           "2026-05-29 11:{0:02}:50 [DEBUG]\n"
                           " llama_perf_context_print: prompt eval time =    1800.00 ms /    90 tokens (   "
                           "20.00 ms per token, "
                           "   50.00 tokens per second)\n"
                           "llama_perf_context_print:        eval time =    8000.00 ms /   200 runs   (   "
                           "40.00 ms per token, "
                           "   25.00 tokens per second)\n",
                           minute);
    };
    const ServerLog one = serverLogOf(served(1));
    ASSERT_EQ(one.requests.size(), 1U);
    EXPECT_EQ(one.requests[0].outputTokens, 200);
    EXPECT_EQ(one.requests[0].decodeTokensPerS, 25);
    EXPECT_EQ(one.requests[0].streams, true);
    const ServerLog two = serverLogOf(served(1) + served(3));
    ASSERT_EQ(two.requests.size(), 2U);
    EXPECT_EQ(two.requests[1].arrivalS, 120);
    EXPECT_EQ(two.requests[1].outputTokens, 200);
    const auto findings = verdictOf(two, {}).findings;
    const auto sharing = std::ranges::find(findings, "concurrent_requests", &Finding::key);
    EXPECT_EQ(sharing->verdict, Verdict::Excluded) << sharing->reason;
}

} // namespace
} // namespace loadline
