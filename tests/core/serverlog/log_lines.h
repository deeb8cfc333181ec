// Excerpts of public logs, and reading them.
#pragma once

#include "core/serverlog/server_log.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>

namespace loadline::test {

inline std::map<std::string, std::uint64_t> countsOf(const ServerLog& log) {
    std::map<std::string, std::uint64_t> counts;
    for (const PatternCount& matched : log.matched) {
        counts[std::string(matched.pattern)] = matched.count;
    }
    return counts;
}

inline std::string serverKey(const ServerLog& log) {
    return log.server == nullptr ? "" : std::string(log.server->key);
}

/// Everything that is told, for comparing two logs.
inline std::string textOf(const ServerLog& log) {
    std::string text = fmt::format("{} {} {} {} {} {} {} {}\n", serverKey(log), log.lines, log.knownLines,
                                   log.bytes, static_cast<int>(log.clock), log.begin.ms, log.lengthS,
                                   static_cast<int>(log.requestsFrom));
    for (const PatternCount& matched : log.matched) {
        text += fmt::format("matched {} {}\n", matched.pattern, matched.count);
    }
    for (const LogInterval& i : log.intervals) {
        text +=
            fmt::format("interval {} {} {} {} {} {} {} {} {} {} {} {} {} {}\n", i.where.line, i.engine,
                        i.timeS, i.spanS, i.promptTokensPerS, i.outputTokensPerS, i.running, i.waiting,
                        i.kvUse, i.prefixHit, i.contextTokens, i.acceptedLength, i.newTokens, i.cachedTokens);
    }
    for (const LogRequest& r : log.requests) {
        text +=
            fmt::format("request {} {} {} {} {} {} {} {} {} {} {} {} {} {}\n", r.first.line, r.last.line,
                        r.id, r.path, r.arrivalS, r.firstTokenS, r.endS, r.inputTokens, r.cachedTokens,
                        r.outputTokens, r.prefillS, r.decodeS, r.decodeTokensPerS, static_cast<int>(r.end));
    }
    for (const LogEvent& e : log.events) {
        text += fmt::format("event {} {} {} {} {} {}\n", e.where.line, static_cast<int>(e.kind), e.timeS,
                            e.tokens, e.seconds, e.detail);
    }
    for (const LogStep& s : log.steps) {
        text += fmt::format("step {} {} {} {} {}\n", s.where.line, s.timeS, s.active, s.seconds, s.responses);
    }
    for (const LogProgress& p : log.progress) {
        text += fmt::format("progress {} {} {} {} {}\n", p.where.line, p.timeS, p.request, p.tokens,
                            p.tokensPerS);
    }
    for (const LogFact& fact : log.facts) {
        text += fmt::format("fact {} {} {}\n", fact.name, fact.value, fact.where.line);
    }
    for (const Diagnostic& diagnostic : log.diagnostics) {
        text += fmt::format("diagnostic {} {}\n", diagnostic.line, diagnosticSentence(diagnostic));
    }
    for (const std::string& line : log.notes) {
        text += line + '\n';
    }
    for (const std::string& line : log.firstLines) {
        text += line + '\n';
    }
    return text;
}

// vllm-project/vllm documentation (preemption), and logs of 0.8 to 0.11.
inline constexpr std::string_view vllmStart =
    "(APIServer pid=1) INFO 10-20 06:48:01 [api_server.py:1839] vLLM API server version 0.11.0\n"
    "(APIServer pid=1) INFO 10-20 06:48:01 [utils.py:233] non-default args: {'model': 'Qwen/Qwen3-4B', "
    "'max_model_len': 4096, 'max_num_seqs': 50, 'enable_prefix_caching': False}\n"
    "(APIServer pid=1795) INFO 10-20 06:48:01 [scheduler.py:205] Chunked prefill is enabled with "
    "max_num_batched_tokens=2048.\n"
    "(EngineCore_DP0 pid=2412130) INFO 12-11 00:06:53 [kv_cache_utils.py:1286] GPU KV cache size: 686,320 "
    "tokens\n"
    "(EngineCore_DP0 pid=2412130) INFO 12-11 00:06:54 [kv_cache_utils.py:1291] Maximum concurrency for "
    "100,000 "
    "tokens per request: 6.86x\n"
    "WARNING 12-11 00:49:33 scheduler.py:1057] Sequence group 0 is preempted by PreemptionMode.RECOMPUTE "
    "mode "
    "because there is not enough KV cache space.\n";

// jetson-ai-lab (0.8.1, without a cache rate), and a public note of 2025.
inline constexpr std::string_view vllmV0 =
    "INFO 03-15 20:57:36 [metrics.py:481] Avg prompt throughput: 48.7 tokens/s, Avg generation throughput: "
    "4.1 "
    "tokens/s, Running: 2 reqs, Swapped: 1 reqs, Pending: 3 reqs, GPU KV cache usage: 12.5%, CPU KV cache "
    "usage: 0.0%.\n"
    "INFO 03-15 20:57:41 metrics.py:481] Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: "
    "33.5 "
    "tokens/s, Running: 1 reqs, Swapped: 0 reqs, Pending: 0 reqs, GPU KV cache usage: 0.0%, CPU KV cache "
    "usage: "
    "0.0%.\n";

// sgl-project/sglang 14972 and 4184, and a public log of March 2026 of a model with two caches.
inline constexpr std::string_view sglangNew =
    "[2025-12-12 08:43:57 DP0 TP0] Decode batch, #running-req: 6, #token: 1920, token usage: 0.94, cuda "
    "graph: "
    "True, gen throughput (token/s): 446.45, #queue-req: 5, \n"
    "[2025-12-12 08:43:57 DP0 TP1] Decode batch, #running-req: 6, #token: 1920, token usage: 0.94, cuda "
    "graph: "
    "True, gen throughput (token/s): 446.45, #queue-req: 5, \n"
    "[2025-12-12 08:43:59 DP1 TP2] Decode batch, #running-req: 2, #token: 11, token usage: 0.01, cuda graph: "
    "True, gen throughput (token/s): 12.50, #queue-req: 0, \n"
    "[2025-12-12 08:43:59 DP0 TP0] Decode batch, #running-req: 20, #full token: 2326796, full token usage: "
    "0.14, mamba num: 20, mamba usage: 1.00, cuda graph: True, gen throughput (token/s): 1174.06, "
    "#queue-req: "
    "6, \n"
    "[2025-12-12 08:44:00 DP0 TP0] Prefill batch, #new-seq: 3, #new-token: 48, #cached-token: 12, token "
    "usage: "
    "0.00, #running-req: 4, #queue-req: 1, #pending-token: 0, cuda graph: True, input throughput (token/s): "
    "1200.0\n"
    "[2025-12-12 08:44:01 DP0 TP1] Decode out of memory happened. #retracted_reqs: 1, #new_token_ratio: "
    "0.1474 "
    "-> 0.1845\n"
    "[2025-12-12 08:44:01 DP0 TP0] Decode out of memory happened. #retracted_reqs: 1, #new_token_ratio: "
    "0.1474 "
    "-> 0.1845\n"
    "[2025-12-12 08:44:02 DP0 TP0] max_total_num_tokens=171008, chunked_prefill_size=8192, "
    "max_running_requests=48, context_len=169000, available_gpu_mem=8.27 GB\n";

// A public log of May 2026 (speculative decoding, prompt cache), cut.
inline constexpr std::string_view llamaNew =
    "0.06.325.920 I srv    load_model: initializing slots, n_slots = 4\n"
    "0.06.560.788 I slot   load_model: id  0 | task -1 | new slot, n_ctx = 184320\n"
    "0.06.577.632 I srv  llama_server: server is listening on http://0.0.0.0:8000\n"
    "1.33.115.531 I slot get_availabl: id  3 | task -1 | selected slot by LCP similarity, sim_best = 0.249 "
    "(> "
    "0.100 thold), f_keep = 1.000\n"
    "1.33.116.468 I slot launch_slot_: id  3 | task 70 | processing task, is_child = 0\n"
    "1.33.119.362 W slot update_slots: id  3 | task 70 | restored context checkpoint (pos_min = 4678, "
    "pos_max = "
    "4678, n_tokens = 4679, n_past = 4679, size = 67.757 MiB)\n"
    "1.36.294.484 I slot print_timing: id  3 | task 70 | prompt processing, n_tokens =   6144, progress = "
    "0.55, "
    "t =   3.18 s / 1933.31 tokens per second\n"
    "1.42.701.766 I slot print_timing: id  3 | task 70 | n_decoded =    101, tg =  69.48 t/s\n"
    "2.23.190.809 I slot print_timing: id  3 | task 70 | prompt eval time =    8131.48 ms / 14922 tokens (   "
    " "
    "0.54 ms per token,  1835.09 tokens per second)\n"
    "2.23.190.813 I slot print_timing: id  3 | task 70 |        eval time =   41942.65 ms /  2618 tokens (   "
    "16.02 ms per token,    62.42 tokens per second)\n"
    "2.23.190.813 I slot print_timing: id  3 | task 70 |       total time =   50074.13 ms / 17540 tokens\n"
    "2.23.191.280 I slot      release: id  3 | task 70 | stop processing: n_tokens = 22220, truncated = 0\n"
    "2.23.191.335 I srv  update_slots: all slots are idle\n"
    "2.23.191.400 I srv  log_server_r: done request: POST /v1/chat/completions 127.0.0.1 200\n";

// ollama/ollama 17829 (MLX runner), 10368 (truncated), 12027 (what is loaded).
inline constexpr std::string_view ollamaMlx =
    "time=2026-08-19T19:41:00.000+02:00 level=INFO source=routes.go:1718 msg=\"Listening on [::]:11434 "
    "(version "
    "0.17.0)\"\n"
    "time=2026-08-19T19:41:24.241+02:00 level=INFO source=prefix_cache.go:124 msg=\"cache hit\" total=27411 "
    "matched=26921 cached=26921 left=490\n"
    "time=2026-08-19T19:41:28.630+02:00 level=INFO source=pipeline.go:200 msg=\"Prompt processing progress\" "
    "processed=489 total=490\n"
    "time=2026-08-19T19:41:39.096+02:00 level=INFO source=speculate_stats.go:62 msg=\"speculative decode "
    "stats\" "
    "iterations=68 drafted=206 accepted=178 acceptance=0.86\n"
    "[GIN] 2026/08/19 - 19:41:39 | 200 | 14.976123292s |    100.94.94.44 | POST     \"/v1/responses\"\n"
    "[GIN] 2026/08/19 - 19:41:39 | 200 |   57.734916ms |    100.94.94.44 | GET      \"/api/tags\"\n"
    "time=2026-08-19T19:41:46.411+02:00 level=WARN source=runner.go:131 msg=\"truncating input prompt\" "
    "limit=2048 prompt=5065 keep=5 new=2048\n"
    "time=2026-08-19T19:41:47.837+02:00 level=INFO source=runner.go:925 msg=load request=\"{Operation:alloc "
    "Parallel:1 BatchSize:512 FlashAttention:true KvSize:9200}\"\n";

// Public session notes of August 2026 with mlx_lm.server's log: two prompts at a time.
inline constexpr std::string_view mlxLm =
    "2026-08-21 17:06:14,049 - INFO - Starting httpd at 127.0.0.1 on port 5804...\n"
    "127.0.0.1 - - [21/Aug/2026 17:06:14] \"GET /v1/models HTTP/1.1\" 200 -\n"
    "2026-08-21 17:06:15,273 - INFO - Prompt Cache: 0 sequences, 0.00 GB\n"
    "127.0.0.1 - - [21/Aug/2026 17:06:15] \"POST /v1/chat/completions HTTP/1.1\" 200 -\n"
    "2026-08-21 17:06:15,388 - INFO - Prompt Cache: 0 sequences, 0.00 GB\n"
    "127.0.0.1 - - [21/Aug/2026 17:06:15] \"POST /v1/chat/completions HTTP/1.1\" 200 -\n"
    "2026-08-21 17:06:28,049 - INFO - Prompt processing progress: 568/592\n"
    "2026-08-21 17:06:28,049 - INFO - Prompt processing progress: 2048/12699\n"
    "2026-08-21 17:07:00,226 - INFO - Prompt processing progress: 592/592\n"
    "2026-08-21 17:07:15,722 - INFO - Prompt processing progress: 12699/12699\n"
    "2026-08-21 17:07:19,581 - INFO - Prompt Cache: 7 sequences, 4.52 GB\n"
    "127.0.0.1 - - [21/Aug/2026 17:07:19] \"POST /v1/chat/completions HTTP/1.1\" 200 -\n"
    "2026-08-21 17:07:21,913 - INFO - Prompt processing progress: 581/581\n";

// lmstudio-ai/lmstudio-bug-tracker 1977, and a public log of November 2025.
inline constexpr std::string_view lmStudio =
    "2026-05-29 11:02:40  [INFO]\n"
    " [huihui-qwen3.5-27b] Running chat completion on conversation with 171 messages.\n"
    "2026-05-29 11:02:40 [DEBUG]\n"
    " [coordinator][INFO]: Prompt cache restore: cached_tokens=0 uncached_tokens=34188 "
    "lifetime_efficiency=0.00%\n"
    "2026-05-29 11:02:40  [INFO]\n"
    " [huihui-qwen3.5-27b] Prompt processing progress: 0.0%\n"
    "2026-05-29 11:02:56  [INFO]\n"
    " [huihui-qwen3.5-27b] Prompt processing progress: 6.0%\n"
    "2026-05-29 11:07:10  [INFO]\n"
    " [huihui-qwen3.5-27b] Prompt processing progress: 100.0%\n"
    "2026-05-29 11:07:29  [INFO]\n"
    " [huihui-qwen3.5-27b] Generated prediction:  {\n"
    "  \"usage\": {\n"
    "    \"prompt_tokens\": 34188,\n"
    "    \"completion_tokens\": 82,\n";

/// The published live observation, as its server writes and as it was noted down.
inline constexpr std::string_view study =
    "2026-01-26 09:43:50,120 - INFO - POST /v1/messages: model=gemma-3-12b-it-4bit, stream=True\n"
    "2026-01-26 09:43:50,160 - INFO - Cache miss: msg_22cc86115e391733\n"
    "2026-01-26 09:43:51,002 - INFO - POST /v1/messages/count_tokens: model=gemma-3-12b-it-4bit\n"
    "2026-01-26 09:43:51,010 - INFO - Token count: 9983\n"
    "2026-01-26 09:49:13,000 - INFO - POST /v1/messages: model=gemma-3-12b-it-4bit, stream=False\n"
    "2026-01-26 09:49:13,020 - INFO - Cache hit: msg_bddb635ad8df413b (49152 tokens)\n"
    "2026-01-26 09:49:13,150 - INFO - Cache reconstructed for msg_bddb635ad8df413b: 49152 tokens\n"
    "2026-01-26 09:49:13,200 - INFO - [BATCH] Step: active=2\n"
    "2026-01-26 09:49:13,240 - INFO - [BATCH] Step start: batch_size=2, uids=['a', 'b']\n"
    "2026-01-26 09:49:13,280 - INFO - [BATCH] Step complete: 0.041s, responses=2\n"
    "2026-01-26 09:49:13,320 - INFO - [BATCH] Step: 0.039s, responses=1\n"
    "2026-01-26 09:54:34,000 - INFO - Response: 1 blocks, 8192 output tokens\n";

} // namespace loadline::test
