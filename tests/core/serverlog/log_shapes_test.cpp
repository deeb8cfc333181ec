// Shapes in which the same servers write elsewhere: other versions, prefixes, colours. All values are made
// up.
#include "core/serverlog/files/read_server_log.h"
#include "core/serverlog/files/server_log_reader.h"
#include "core/serverlog/light/speed_of_light.h"
#include "tests/core/serverlog/log_lines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace loadline {
namespace {

using namespace test;

std::vector<LogRequest> generatingOf(const ServerLog& log) {
    std::vector<LogRequest> requests = log.requests;
    std::erase_if(requests, [](const LogRequest& request) { return !request.generates; });
    return requests;
}

TEST(LogShapes, VllmNamesItsRequests) {
    const ServerLog log = serverLogOf(
        "INFO 04-20 10:00:00 [logger.py:39] Received request chatcmpl-a1: prompt: 'finish, [1, 2] and tell', "
        "params: SamplingParams(n=1, max_tokens=120), prompt_token_ids: [100, 200, 300, 400], lora_request: "
        "None, prompt_adapter_request: None.\n"
        "INFO:     10.0.0.1:41422 - \"POST /v1/chat/completions HTTP/1.1\" 200 OK\n"
        "INFO 04-20 10:00:00 [async_llm_engine.py:211] Added request chatcmpl-a1.\n"
        "INFO 04-20 10:00:04 [async_llm_engine.py:211] Added request cmpl-b2-0.\n"
        "INFO 04-20 10:00:09 [async_llm_engine.py:179] Finished request chatcmpl-a1.\n"
        "INFO 04-20 10:00:11 [async_llm_engine.py:190] Aborted request cmpl-b2-0.\n"
        "INFO:     10.0.0.1:41430 - \"POST /v1/completions HTTP/1.1\" 200 OK\n");
    ASSERT_EQ(log.requests.size(), 2U) << "an access line is of a request that was named";
    EXPECT_EQ(log.requests[0].id, "chatcmpl-a1");
    EXPECT_EQ(log.requests[0].path, "POST /v1/chat/completions");
    EXPECT_EQ(log.requests[0].inputTokens, 4);
    EXPECT_EQ(log.requests[0].arrivalS, 0);
    EXPECT_EQ(log.requests[0].endS, 9);
    EXPECT_EQ(log.requests[0].end, RequestEnd::Complete);
    EXPECT_EQ(log.requests[1].id, "cmpl-b2-0");
    EXPECT_EQ(log.requests[1].path, "POST /v1/completions");
    EXPECT_EQ(log.requests[1].arrivalS, 4);
    EXPECT_EQ(log.requests[1].end, RequestEnd::Aborted);
    EXPECT_EQ(log.requestsFrom, RequestsFrom::Log);
}

TEST(LogShapes, VllmListsWhatItGenerates) {
    const ServerLog log = serverLogOf(
        "(APIServer pid=6) INFO 09-02 10:00:00 [entrypoints/logger.py:39] Received request chatcmpl-c3: "
        "params: "
        "SamplingParams(n=1), lora_request: None.\n"
        "(APIServer pid=6) INFO 09-02 10:00:02 [entrypoints/logger.py:92] Generated response chatcmpl-c3 "
        "(streaming delta): output: 'One', output_token_ids: [31], finish_reason: None\n"
        "(APIServer pid=6) INFO 09-02 10:00:12 [entrypoints/logger.py:92] Generated response chatcmpl-c3 "
        "(streaming delta): output: ' output_token_ids: [1, 2]', output_token_ids: [32, 33], finish_reason: "
        "None\n"
        "(APIServer pid=6) INFO 09-02 10:00:12 [entrypoints/logger.py:92] Generated response chatcmpl-c3 "
        "(streaming complete): output: 'One', output_token_ids: None, finish_reason: streaming_complete\n"
        "(APIServer pid=6) INFO 09-02 10:00:20 [entrypoints/logger.py:92] Generated response chatcmpl-d4: "
        "output: 'ok', output_token_ids: [1, 2, 3, 4, 5], finish_reason: length\n");
    ASSERT_EQ(log.requests.size(), 2U);
    EXPECT_EQ(log.requests[0].firstTokenS, 2);
    EXPECT_EQ(log.requests[0].endS, 12);
    EXPECT_EQ(log.requests[0].outputTokens, 3);
    EXPECT_EQ(log.requests[0].streams, true);
    EXPECT_EQ(log.requests[1].outputTokens, 5);
    const auto rates = observedRatesOf(log);
    ASSERT_EQ(rates.size(), 1U) << "of the other one no beginning is told";
    EXPECT_DOUBLE_EQ(rates[0].tokensPerS, 0.2) << "two tokens in ten seconds after the first";
    EXPECT_FALSE(rates[0].atLeast);
}

TEST(LogShapes, VllmV0TellsTheCachesRateOnALineOfItsOwn) {
    constexpr std::string_view statistics =
        "INFO 05-25 06:50:29 [metrics.py:486] Avg prompt throughput: 0.0 tokens/s, Avg generation "
        "throughput: "
        "15.5 tokens/s, Running: 1 reqs, Swapped: 0 reqs, Pending: 0 reqs, GPU KV cache usage: 0.0%, CPU KV "
        "cache usage: 0.1%.\n";
    const auto hit = [&](std::string_view rates) {
        const std::string line = "INFO 05-25 06:50:29 [metrics.py:502] Prefix cache hit rate: ";
        return serverLogOf(std::string(statistics) + line + std::string(rates) + "\n").intervals[0].prefixHit;
    };
    EXPECT_DOUBLE_EQ(hit("GPU: 62.50%, CPU: 0.00%"), 0.625);
    EXPECT_DOUBLE_EQ(hit("GPU: 0.00%, CPU: 90.00%"), 0.9) << "on a CPU";
}

TEST(LogShapes, LlamaCppOf2024EndsItsLinesWithFields) {
    const ServerLog log = serverLogOf(
        "INFO [   launch_slot_with_task] slot is processing task | tid=\"1\" timestamp=1749930000 id_slot=2 "
        "id_task=7\n"
        "INFO [            update_slots] kv cache rm [p0, end) | tid=\"1\" timestamp=1749930001 id_slot=2 "
        "id_task=7 p0=100\n"
        "INFO [            update_slots] kv cache rm [p0, end) | tid=\"1\" timestamp=1749930005 id_slot=2 "
        "id_task=7 p0=4196\n"
        "INFO [           print_timings] prompt eval time     =   10000.00 ms /  5000 tokens (    2.00 ms "
        "per "
        "token,   500.00 tokens per second) | tid=\"1\" timestamp=1749930031 id_slot=2 id_task=7 "
        "t_prompt_processing=10000.0\n"
        "INFO [           print_timings] generation eval time =   20000.00 ms /   400 runs   (   50.00 ms "
        "per "
        "token,    20.00 tokens per second) | tid=\"1\" timestamp=1749930031 id_slot=2 id_task=7 "
        "n_decoded=400\n"
        "INFO [           print_timings]           total time =   30000.00 ms | tid=\"1\" "
        "timestamp=1749930031 id_slot=2 id_task=7\n"
        "INFO [            update_slots] slot released | tid=\"1\" timestamp=1749930031 id_slot=2 id_task=7 "
        "n_ctx=65536 n_past=5499 truncated=false\n");
    EXPECT_EQ(serverKey(log), "llama-cpp");
    EXPECT_EQ(log.knownLines, 7U);
    EXPECT_EQ(log.begin.ms, 1'749'930'000'000);
    ASSERT_EQ(log.requests.size(), 1U);
    const LogRequest& request = log.requests[0];
    EXPECT_EQ(request.id, "slot 2, task 7");
    EXPECT_EQ(request.arrivalS, 0);
    EXPECT_EQ(request.firstTokenS, 11);
    EXPECT_EQ(request.endS, 31);
    EXPECT_EQ(request.cachedTokens, 100);
    EXPECT_EQ(request.inputTokens, 5100);
    EXPECT_EQ(request.outputTokens, 400);
    EXPECT_EQ(request.decodeTokensPerS, 20);
    EXPECT_EQ(request.end, RequestEnd::Complete);
}

TEST(LogShapes, LmStudioServesItsQueueInOrder) {
    const ServerLog log = serverLogOf(
        "2025-03-09 18:00:00  [INFO] \n[LM STUDIO SERVER] Running chat completion on conversation with 4 "
        "messages.\n"
        "2025-03-09 18:00:01  [INFO] \n[LM STUDIO SERVER] Running chat completion on conversation with 9 "
        "messages.\n"
        "2025-03-09 18:00:03  [INFO] \n[LM STUDIO SERVER] First token generated. Continuing to stream "
        "response..\n"
        "2025-03-09 18:00:43 [DEBUG] \ntarget model llama_perf stats:\n"
        "llama_perf_context_print: prompt eval time =    3000.00 ms /   600 tokens (    5.00 ms per token,   "
        "200.00 tokens per second)\n"
        "llama_perf_context_print:        eval time =   40000.00 ms /   800 runs   (   50.00 ms per token,   "
        " "
        "20.00 tokens per second)\n"
        "2025-03-09 18:00:43  [INFO] \nFinished streaming response\n"
        "2025-03-09 18:00:45  [INFO] \n[LM STUDIO SERVER] First token generated. Continuing to stream "
        "response..\n"
        "2025-03-09 18:00:55  [INFO] \nFinished streaming response\n");
    EXPECT_EQ(serverKey(log), "lm-studio");
    ASSERT_EQ(log.requests.size(), 2U);
    EXPECT_EQ(log.requests[0].arrivalS, 0);
    EXPECT_EQ(log.requests[0].endS, 43);
    EXPECT_EQ(log.requests[0].outputTokens, 800) << "llama.cpp's timings are of the request that is served";
    EXPECT_EQ(log.requests[0].decodeTokensPerS, 20);
    EXPECT_EQ(log.requests[0].end, RequestEnd::Complete);
    EXPECT_EQ(log.requests[1].arrivalS, 1);
    EXPECT_EQ(log.requests[1].firstTokenS, 45);
    EXPECT_EQ(log.requests[1].endS, 55);
    EXPECT_EQ(factOf(log, "model"), "") << "its own name is no model's";
}

TEST(LogShapes, LmStudioOf2024) {
    const ServerLog log = serverLogOf(
        "[2024-03-21 19:30:00.200] [INFO] [LM STUDIO SERVER] Context Overflow Policy is: Rolling Window\n"
        "[2024-03-21 19:30:00.204] [INFO] [LM STUDIO SERVER] Streaming response...\n"
        "[2024-03-21 19:30:01.200] [INFO] [LM STUDIO SERVER] First token generated. Continuing to stream "
        "response..\n"
        "[2024-03-21 19:30:05.200] [INFO] Finished streaming response\n");
    ASSERT_EQ(log.requests.size(), 1U);
    EXPECT_EQ(log.requests[0].streams, true);
    EXPECT_NEAR(log.requests[0].firstTokenS, 1, 1e-3);
    EXPECT_NEAR(log.requests[0].endS, 5, 1e-3);
}

/// docker compose writes no times: those of llama.cpp's lines are the access lines'.
TEST(LogShapes, OllamasAccessLinesTimeItsRunnersRequests) {
    const ServerLog log = serverLogOf(
        "rag-ollama  | slot   operator(): id  0 | task 3 | new prompt, n_ctx_slot = 4096, n_keep = 4, "
        "task.n_tokens = 300\n"
        "rag-ollama  | slot print_timing: id  0 | task 3 | prompt eval time =    4000.00 ms /   300 tokens ( "
        "  13.33 ms per token,    75.00 tokens per second)\n"
        "rag-ollama  | slot print_timing: id  0 | task 3 |        eval time =    6000.00 ms /    60 tokens ( "
        " 100.00 ms per token,    10.00 tokens per second)\n"
        "rag-ollama  | [GIN] 2026/09/19 - 16:00:30 | 200 |         12s |      10.0.0.4 | POST     "
        "\"/v1/chat/completions\"\n"
        "rag-ollama  | slot   operator(): id  0 | task 5 | new prompt, n_ctx_slot = 4096, n_keep = 0, "
        "task.n_tokens = 6\n"
        "rag-ollama  | slot      release: id  0 | task 5 | stop processing: n_tokens = 6, truncated = 0\n"
        "rag-ollama  | [GIN] 2026/09/19 - 16:00:31 | 200 |  844.232336ms |      10.0.0.4 | POST     "
        "\"/v1/embeddings\"\n"
        "rag-ollama  | slot   operator(): id  0 | task 9 | new prompt, n_ctx_slot = 4096, n_keep = 4, "
        "task.n_tokens = 80\n"
        "rag-ollama  | slot print_timing: id  0 | task 9 | prompt eval time =    2000.00 ms /    80 tokens ( "
        "  25.00 ms per token,    40.00 tokens per second)\n"
        "rag-ollama  | slot print_timing: id  0 | task 9 |        eval time =   30000.00 ms /   300 tokens ( "
        " 100.00 ms per token,    10.00 tokens per second)\n"
        "rag-ollama  | [GIN] 2026/09/19 - 16:01:04 | 200 |         33s |      10.0.0.4 | POST     "
        "\"/v1/chat/completions\"\n");
    EXPECT_EQ(serverKey(log), "ollama");
    const std::vector<LogRequest> requests = generatingOf(log);
    ASSERT_EQ(requests.size(), 2U) << "an embedding generates nothing";
    EXPECT_EQ(requests[0].arrivalS, 0);
    EXPECT_EQ(requests[0].firstTokenS, 6);
    EXPECT_EQ(requests[0].endS, 12);
    EXPECT_EQ(requests[1].arrivalS, 13);
    EXPECT_EQ(requests[1].firstTokenS, 16);
    EXPECT_EQ(requests[1].endS, 46);
}

TEST(LogShapes, OllamasOwnEngineTellsPromptAndCache) {
    const ServerLog log = serverLogOf(
        "Oct 03 13:22:29 host ollama[26]: [GIN] 2025/10/03 - 13:22:29 | 200 |      35.456µs |             "
        "::1 | "
        "HEAD     \"/\"\n"
        "Oct 03 13:22:30 host ollama[26]: time=2025-10-03T13:22:30.000+02:00 level=DEBUG source=cache.go:104 "
        "msg=\"loading cache slot\" id=0 cache=90 prompt=126 used=80 remaining=46\n"
        "Oct 03 13:22:40 host ollama[26]: [GIN] 2025/10/03 - 13:22:40 | 200 |   10.10313825s |             "
        "::1 | "
        "POST     \"/api/generate\"\n");
    const std::vector<LogRequest> requests = generatingOf(log);
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_EQ(requests[0].inputTokens, 126);
    EXPECT_EQ(requests[0].cachedTokens, 80);
    ASSERT_EQ(log.events.size(), 1U);
    EXPECT_EQ(log.events[0].kind, LogEventKind::CacheHit);
    EXPECT_NEAR(log.lengthS, 11, 0.01) << "the first line's zone is that of the second";
    EXPECT_TRUE(log.diagnostics.empty());
}

TEST(LogShapes, ColoursAreNoTextEvenWhereTheyAreShown) {
    for (const std::string_view escape : {"\x1b[", "^[["}) {
        const auto coloured = [&](std::string_view code, std::string_view text) {
            return std::string(escape) + std::string(code) + std::string(text) + std::string(escape) + "0m";
        };
        const ServerLog log = serverLogOf("[GIN] 2024/03/01 - 01:34:07 |" + coloured("97;42m", " 200 ") +
                                          "|  7.799372595s |      172.19.0.3 |" +
                                          coloured("97;46m", " POST    ") + " \"/api/chat\"\n");
        EXPECT_EQ(countsOf(log)["gin_access"], 1U) << escape;
        ASSERT_EQ(log.requests.size(), 1U);
        EXPECT_EQ(log.requests[0].path, "POST /api/chat");
    }
    const ServerLog vllm = serverLogOf(
        "\x1b[0;36m(APIServer pid=5)\x1b[0;0m \x1b[32mINFO\x1b[0m \x1b[90m05-19 12:24:41\x1b[0m "
        "\x1b[90m[loggers.py:271]\x1b[0m Engine 000: Avg prompt throughput: 12.0 tokens/s, Avg generation "
        "throughput: 55.3 tokens/s, Running: 1 reqs, Waiting: 0 reqs, GPU KV cache usage: 5.9%, Prefix cache "
        "hit rate: 0.0%\n");
    EXPECT_EQ(countsOf(vllm)["vllm_timestamp"], 1U);
    EXPECT_EQ(vllm.intervals.size(), 1U);
}

// gin-gonic/gin 2168 ("?"), and public notes on services that use it.
TEST(LogShapes, ColoursThatLostTheirEscapesAreNoText) {
    for (const std::string_view lost : {"", "?", "\xe2\x86\x90"}) {
        const ServerLog log = serverLogOf(fmt::format("[GIN] 2024/03/01 - 01:34:07 |{0}[97;42m 200 {0}[0m|  "
                                                      "7.799372595s |      172.19.0.3 |{0}[97;46m POST   "
                                                      " {0}[0m \"/api/chat\"\n",
                                                      lost));
        EXPECT_EQ(countsOf(log)["gin_access"], 1U) << lost;
        ASSERT_EQ(log.requests.size(), 1U);
        EXPECT_EQ(log.requests[0].path, "POST /api/chat");
    }
    const ServerLog whole =
        serverLogOf("[GIN] 2024/03/01 - 01:34:07 | 200 |  7.799372595s |      172.19.0.3 | "
                    "POST     \"/api/chat?a=[0m[1]\"\n");
    ASSERT_EQ(whole.requests.size(), 1U);
    EXPECT_EQ(whole.requests[0].path, "POST /api/chat?a=[0m[1]") << "of a line without colours";
}

// mostlygeek/llama-swap 464 (2026).
TEST(LogShapes, LlamaSwapsAccessLinesAreRequestsWhereNothingElseTellsThem) {
    const std::string access =
        "Jan 16 12:37:21 llm llama-swap-start[2821]: [INFO] Request 192.168.10.5 \"POST /v1/chat/completions "
        "HTTP/1.0\" 401 67 \"curl/8.17.0\" 90.222534ms\n"
        "Jan 16 12:38:21 llm llama-swap-start[2821]: [INFO] Request 127.0.0.1 \"GET /v1/models HTTP/1.1\" "
        "200 1562 "
        "\"python-httpx/0.28.1\" 126.439µs\n"
        "Jan 16 12:39:21 llm llama-swap-start[2821]: [INFO] Request 127.0.0.1 \"POST "
        "/upstream/qwen3.6/v1/chat/completions HTTP/1.1\" 200 15301 \"python-httpx/0.28.1\" 1m2.5s\n";
    EXPECT_TRUE(isServerLog(access));
    const ServerLog log = serverLogOf(access);
    EXPECT_EQ(log.knownLines, 3U);
    ASSERT_EQ(log.requests.size(), 2U);
    EXPECT_EQ(log.requests[0].end, RequestEnd::Failed);
    EXPECT_NEAR(log.requests[0].endS - log.requests[0].arrivalS, 0.090222534, 1e-6);
    EXPECT_EQ(log.requests[1].path, "POST /upstream/qwen3.6/v1/chat/completions");
    EXPECT_NEAR(log.requests[1].endS - log.requests[1].arrivalS, 62.5, 1e-6);
    EXPECT_TRUE(log.requests[1].arrivalInferred);
    const ServerLog behind = serverLogOf(
        "Jan 16 12:37:20 llm llama-swap-start[2821]: slot launch_slot_: id  0 | task 7 | processing task\n" +
        access);
    ASSERT_EQ(behind.requests.size(), 1U) << "the server behind it tells its own";
    EXPECT_EQ(behind.requests[0].id, "slot 0, task 7");
}

// mostlygeek/llama-swap 35 (2025).
TEST(LogShapes, LlamaSwapOf2025TellsItsNameAndTime) {
    const std::string access = "[llama-swap] 192.168.16.7 [2025-01-30 18:37:14] \"POST /v1/chat/completions "
                               "HTTP/1.1\" 200 2927 \"Python/3.11 aiohttp/3.11.8\" 520.776271ms\n";
    const ServerLog log = serverLogOf(access);
    ASSERT_EQ(log.requests.size(), 1U);
    EXPECT_EQ(log.clock, LogClock::Date);
    EXPECT_NEAR(log.requests[0].endS - log.requests[0].arrivalS, 0.520776271, 1e-6);
    EXPECT_EQ(
        serverLogOf("INFO 01-30 18:37:14 [logger.py:37] Received request chatcmpl-4f06: prompt: None\n" +
                    access)
            .requests.size(),
        1U);
}

// Public notes of 2025 on KServe.
TEST(LogShapes, KServesAccessLinesNameTheProcessAndTimesFollow) {
    const ServerLog log = serverLogOf("2025-04-23 08:50:50.386 uvicorn.access INFO:     10.244.0.27:60956 1 "
                                      "- \"POST /openai/v1/completions "
                                      "HTTP/1.1\" 200 OK\n"
                                      "2025-04-23 08:50:50.387 1 kserve.trace "
                                      "kserve.io.kserve.protocol.rest.openai.endpoints.create_completion: "
                                      "6.823767900466919 ['http_status:200', "
                                      "'http_method:POST', 'time:wall']\n"
                                      "2025-04-23 08:50:50.388 1 kserve.trace "
                                      "kserve.io.kserve.protocol.rest.openai.endpoints.create_completion: "
                                      "2.788153999999992 ['http_status:200', "
                                      "'http_method:POST', 'time:cpu']\n");
    EXPECT_EQ(log.knownLines, 2U);
    ASSERT_EQ(log.requests.size(), 1U);
    EXPECT_EQ(log.requests[0].path, "POST /openai/v1/completions");
    EXPECT_EQ(log.requests[0].end, RequestEnd::Complete);
    EXPECT_NEAR(log.requests[0].endS - log.requests[0].arrivalS, 6.8237679, 1e-6);
    EXPECT_EQ(log.requests[0].last.line, 2U);
    EXPECT_TRUE(countsOf(log).empty()) << "the published expression has no process";
}

} // namespace
} // namespace loadline
