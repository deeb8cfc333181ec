// vLLM: statistics of its engines (V1 and V0), its settings, preemptions.
//
// Read against excerpts of the issues vllm-project/vllm 30599, 42363, 43295, LMCache 3655, llm-scaler 77
// (V1), vLLM's own documentation (preemption), logs of 0.8 to 0.11 (settings), of 0.4 to 0.9 (V0, with
// requests by name and the cache's rate on a line of its own) and of 2026 with "--enable-log-outputs" and
// "--aggregate-engine-logging"; of 2025 on KServe, which serves by it, and on Ascend's NPUs.
#include "core/serverlog/format/failures.h"
#include "core/serverlog/format/server_patterns.h"
#include "core/serverlog/format/vllm_requests.h"
#include "core/serverlog/format/vllm_stats.h"
#include "core/serverlog/read/log_assembly.h"
#include "core/serverlog/read/text_cursor.h"

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

bool matchTimestamp(std::string_view line, std::size_t at, LogMatch& m) {
    if (at < 6 || !isDigit(line[at - 6]) || !isDigit(line[at - 5]) || line[at - 4] != '-' ||
        !isDigit(line[at - 3]) || !isDigit(line[at - 2]) || line[at - 1] != ' ') {
        return false;
    }
    for (const std::string_view level : {"INFO ", "WARNING ", "ERROR ", "DEBUG "}) {
        if (endsBefore(line, at - 6, level)) {
            TextCursor c(line, at + 8);
            m.groups = {line.substr(at - 6, 2), line.substr(at - 3, 2), line.substr(at, 2),
                        line.substr(at + 3, 2), line.substr(at + 6, 2)};
            std::string_view digits;
            if (!c.skip(" ") || !c.maybe([&] { return c.skip("["); })) {
                return false;
            }
            const std::size_t file = c.at();
            while (c.at() < line.size() && (isWordLetter(line[c.at()]) || line[c.at()] == '/')) {
                c = TextCursor(line, c.at() + 1);
            }
            m.begin = at - 6 - level.size();
            const bool there = c.at() > file && c.skip(".py:") && c.digits(digits) && c.skip("]");
            m.end = c.at();
            return there;
        }
    }
    return false;
}

bool matchSpecDecoding(std::string_view line, std::size_t at, LogMatch& m) {
    auto& g = m.groups;
    TextCursor c(line, at);
    const bool there = c.skip("SpecDecoding metrics: Mean acceptance length: ") && c.number(g[0]) &&
                       c.skip(", Accepted throughput: ") && c.number(g[1]) &&
                       c.skip(" tokens/s, Drafted throughput: ") && c.number(g[2]) &&
                       c.skip(" tokens/s, Accepted: ") && c.digits(g[3]) && c.skip(" tokens, Drafted: ") &&
                       c.digits(g[4]) && c.skip(" tokens");
    m.begin = at;
    m.end = c.at();
    return there;
}

void takeSpecDecoding(LogAssembly& a, const LogMatch& m) {
    a.tellLastInterval(&LogInterval::acceptedLength, numberOf(m[0]));
}

/// V0, behind its statistics: the larger is that of the cache in use (a CPU has no other).
bool matchV0HitRate(std::string_view line, std::size_t at, LogMatch& m) {
    TextCursor c(line, at);
    const bool there = c.skip("Prefix cache hit rate: GPU: ") && c.number(m.groups[0]) &&
                       c.skip("%, CPU: ") && c.number(m.groups[1]) && c.skip("%");
    m.begin = at;
    m.end = c.at();
    return there;
}

void takeV0HitRate(LogAssembly& a, const LogMatch& m) {
    a.tellLastInterval(&LogInterval::prefixHit, std::max(numberOf(m[0]), numberOf(m[1])) / 100);
}

bool matchPreempted(std::string_view line, std::size_t at, LogMatch& m) {
    const std::size_t group = line.rfind("Sequence group ", at);
    m.begin = group == std::string_view::npos ? at : group;
    m.groups[0] = line.substr(m.begin, at - m.begin);
    m.groups[1] = line.substr(at);
    m.end = at + 1;
    return true;
}

void takePreempted(LogAssembly& a, const LogMatch& m) {
    a.addPreemption(1, std::string(m[0].substr(0, m[0].find_last_not_of(' ') + 1)),
                    m[1].starts_with("is preempted by PreemptionMode.SWAP"));
}

bool matchKvSize(std::string_view line, std::size_t at, LogMatch& m) {
    TextCursor c(line, at);
    const bool there = c.skip("GPU KV cache size: ") && c.count(m.groups[0]) && c.skip(" tokens");
    m.begin = at;
    m.end = c.at();
    return there;
}

void takeKvSize(LogAssembly& a, const LogMatch& m) {
    a.addFact("kv_tokens", m[0]);
}

bool matchConcurrency(std::string_view line, std::size_t at, LogMatch& m) {
    TextCursor c(line, at);
    const bool there = c.skip("Maximum concurrency for ") && c.count(m.groups[0]) &&
                       c.skip(" tokens per request: ") && c.number(m.groups[1]) && c.skip("x");
    m.begin = at;
    m.end = c.at();
    return there;
}

void takeConcurrency(LogAssembly& a, const LogMatch& m) {
    a.addFact("context_tokens", m[0]);
    a.addFact("max_concurrency", m[1]);
}

void takeBatchedTokens(LogAssembly& a, const LogMatch& m) {
    a.addFactAfter(m[0], "max_num_batched_tokens=", "max_batched_tokens");
}

/// "version 0.11.0", "Using max model len 4096", and all that its configuration prints.
void takeSettings(LogAssembly& a, const LogMatch& m) {
    a.addFactAfter(m[0], "version ", "version");
    a.addFactAfter(m[0], "engine (v", "version");
    a.addFactAfter(m[0], "max model len ", "context_tokens");
    a.addFactAfter(m[0], "'max_model_len': ", "context_tokens");
    a.addFactAfter(m[0], "max_seq_len=", "context_tokens");
    a.addFactAfter(m[0], "'max_num_seqs': ", "max_batch_size");
    a.addFactAfter(m[0], "'max_num_batched_tokens': ", "max_batched_tokens");
    a.addFactAfter(m[0], "'model': '", "model");
    a.addFactAfter(m[0], "config: model='", "model");
    a.addFactAfter(m[0], "enable_prefix_caching=", "prefix_cache");
    a.addFactAfter(m[0], "'enable_prefix_caching': ", "prefix_cache");
    a.addFactAfter(m[0], "enforce_eager=", "eager");
    a.addFactAfter(m[0], "'enforce_eager': ", "eager");
    a.addFactAfter(m[0], "tensor_parallel_size=", "tensor_parallel");
    a.addFactAfter(m[0], "'tensor_parallel_size': ", "tensor_parallel");
}

/// Uvicorn's access line; `ofWorker` with the number of its process behind the client's port.
bool matchAccessLine(std::string_view line, std::size_t at, LogMatch& m, bool ofWorker) {
    auto& g = m.groups;
    std::size_t path = at;
    while (path > 0 && !isBlank(line[path - 1])) {
        --path;
    }
    std::size_t method = path == 0 ? 0 : path - 1;
    while (method > 0 && isWordLetter(line[method - 1])) {
        --method;
    }
    constexpr std::string_view quote = " - \"";
    if (path == at || path == 0 || line[path - 1] != ' ' || method + 1 == path ||
        !endsBefore(line, method, quote)) {
        return false;
    }
    std::size_t portEnd = method - quote.size();
    if (ofWorker) {
        const std::size_t process = digitsBefore(line, portEnd);
        if (process == portEnd || !endsBefore(line, process, " ")) {
            return false;
        }
        portEnd = process - 1;
    }
    const std::size_t port = digitsBefore(line, portEnd);
    if (port == portEnd || port == 0 || line[port - 1] != ':') {
        return false;
    }
    std::size_t ip = port - 1;
    while (ip > 0 && !isBlank(line[ip - 1])) {
        --ip;
    }
    std::size_t level = ip;
    while (level > 0 && isBlank(line[level - 1])) {
        --level;
    }
    if (ip == port - 1 || level == ip || !endsBefore(line, level, "INFO:")) {
        return false;
    }
    g[0] = line.substr(ip, port - 1 - ip);
    g[1] = line.substr(port, portEnd - port);
    g[2] = line.substr(method, path - 1 - method);
    g[3] = line.substr(path, at - path);
    std::string_view version;
    TextCursor c(line, at);
    const bool there = c.skip(" HTTP/") && c.number(version) && c.skip("\" ") && c.digits(g[4], 3);
    m.begin = level - 5;
    m.end = c.at();
    return there;
}

bool matchUvicorn(std::string_view line, std::size_t at, LogMatch& m) {
    return matchAccessLine(line, at, m, false);
}

bool matchWorker(std::string_view line, std::size_t at, LogMatch& m) {
    return matchAccessLine(line, at, m, true);
}

void takeUvicorn(LogAssembly& a, const LogMatch& m) {
    if (!generates(m[2], m[3]) || !vllm::takeAccess(a, m[2], m[3])) {
        a.addAccess(m[2], m[3], m[4]);
    }
}

/// KServe, behind its access line: "...endpoints.create_completion: 6.823 ['http_status:200', ...
/// 'time:wall']".
bool matchWallTime(std::string_view line, std::size_t at, LogMatch& m) {
    TextCursor c(line, at);
    std::string_view name;
    const bool there = c.skip("openai.endpoints.create_") && c.word(name) && c.skip(": ") &&
                       c.number(m.groups[0]) && c.rest().find("'time:wall'") != std::string_view::npos;
    m.begin = at;
    m.end = line.size();
    return there;
}

void takeWallTime(LogAssembly& a, const LogMatch& m) {
    constexpr double soonS = 1;
    if (a.requestsAdded() == 0) {
        return;
    }
    LogRequest& last = a.request(a.requestsAdded() - 1);
    const double seconds = numberOf(m[0]);
    if (!isTold(last.arrivalS) && a.now - last.endS < soonS && isTold(seconds)) {
        a.touch(a.requestsAdded() - 1);
        last.arrivalS = last.endS - seconds;
        last.arrivalInferred = true;
    }
}

constexpr auto vllmTable = std::to_array<LogPattern>({
    {"vllm_v1_stats", {"Avg prompt throughput: "}, vllm::matchV1Stats, vllm::takeV1Stats},
    {"vllm_v0_stats", {"Avg prompt throughput: "}, vllm::matchV0Stats, vllm::takeV0Stats},
    {"", {"Avg prompt throughput: "}, vllm::matchV1Aggregated, vllm::takeV1Aggregated},
    {"", {"Avg prompt throughput: "}, vllm::matchV1Plain, vllm::takeV1Plain},
    {"", {"Avg prompt throughput: "}, vllm::matchV0OtherDevice, vllm::takeV0Stats},
    {"vllm_timestamp", {timeAnchor}, matchTimestamp, nullptr, Tells::Time},
    {"vllm_specdec", {"SpecDecoding metrics: "}, matchSpecDecoding, takeSpecDecoding},
    {"uvicorn", {" HTTP/0", " HTTP/."}, matchUvicorn, takeUvicorn, Tells::Shared},
    {"", {" HTTP/0", " HTTP/."}, matchWorker, takeUvicorn, Tells::Shared},
    {"", {"openai.endpoints.create_"}, matchWallTime, takeWallTime, Tells::Shared},
    {"", {"Prefix cache hit rate: GPU: "}, matchV0HitRate, takeV0HitRate},
    {"",
     {"Received request cmpl-", "Received request chatcmpl-", "Added request cmpl-",
      "Added request chatcmpl-"},
     vllm::matchNamed,
     vllm::takeReceived},
    {"", {"Finished request cmpl-", "Finished request chatcmpl-"}, vllm::matchNamed, vllm::takeFinished},
    {"", {"Aborted request cmpl-", "Aborted request chatcmpl-"}, vllm::matchNamed, vllm::takeAborted},
    {"", {"Generated response cmpl-", "Generated response chatcmpl-"}, vllm::matchNamed, vllm::takeGenerated},
    {"", {"is preempted by PreemptionMode"}, matchPreempted, takePreempted},
    {"", {"GPU KV cache size: "}, matchKvSize, takeKvSize},
    {"", {"Maximum concurrency for "}, matchConcurrency, takeConcurrency},
    {"", {"Chunked prefill is enabled with "}, matchRestOfLine, takeBatchedTokens},
    {"",
     {"vLLM API server version ", "non-default args: {", " LLM engine (v"},
     matchRestOfLine,
     takeSettings},
    {"",
     {"CUDA out of memory", "HIP out of memory", "OutOfMemoryError", "std::bad_alloc"},
     failures::match,
     failures::take,
     Tells::Shared},
    {"",
     {"CUDA error: ", "HIP error: ", "illegal memory access", "NCCL error"},
     failures::match,
     failures::take,
     Tells::Shared},
    {"",
     {"Out of memory: Killed process", "NVRM: Xid", "No available memory for the cache blocks",
      "KV cache is needed, which is larger than"},
     failures::match,
     failures::take,
     Tells::Shared},
    {"",
     {"EngineCore encountered a fatal error", "EngineDeadError", "Engine core proc", "died unexpectedly"},
     failures::match,
     failures::take,
     Tells::Shared},
    {"", {"Using max model len "}, matchRestOfLine, takeSettings},
});

} // namespace

std::span<const LogPattern> vllmPatterns() {
    return vllmTable;
}

} // namespace loadline
