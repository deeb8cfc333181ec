// SGLang: batches of prompts and of decode steps, its settings, requests taken back for lack of memory.
//
// Read against excerpts of the issues sgl-project/sglang 1612 (with "cache hit rate"), 3909, 4759, 6291,
// 14972, 1030 (settings), 4184 (retracted), and logs of 2026 with "#pending-token", "#full token" and
// "--enable-request-time-stats-logging".
#include "core/serverlog/format/failures.h"
#include "core/serverlog/format/server_patterns.h"
#include "core/serverlog/read/log_assembly.h"
#include "core/serverlog/read/text_cursor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace loadline {
namespace {

constexpr int mostTries = 4; // of a text that stands on a line more than once

/// Calls `then` behind each of the first places of `text` from `at` on, until it is true there.
template <typename Then>
bool behindAny(std::string_view line, std::size_t at, std::string_view text, Then&& then) {
    for (int i = 0; i < mostTries; ++i) {
        const std::size_t found = line.find(text, at);
        if (found == std::string_view::npos) {
            return false;
        }
        if (then(TextCursor(line, found + text.size()))) {
            return true;
        }
        at = found + 1;
    }
    return false;
}

bool matchBatch(TextCursor& c, std::string_view name) {
    std::string_view rank;
    return c.skip(name) && c.maybe([&] { return c.skip(" [") && c.digits(rank) && c.skip("]"); }) &&
           (c.skip(".") || c.skip(","));
}

bool matchPrefill(std::string_view line, std::size_t at, LogMatch& m) {
    auto& g = m.groups;
    TextCursor c(line, at);
    if (!matchBatch(c, "Prefill batch") || !c.skip(" #new-seq: ") || !c.digits(g[0]) ||
        !c.skip(", #new-token: ") || !c.digits(g[1]) || !c.skip(", #cached-token: ") || !c.digits(g[2]) ||
        !c.skip(",")) {
        return false;
    }
    c.maybe([&] {
        std::string_view hit;
        const bool isFound = c.skip(" cache hit rate: ") && c.number(hit) && c.skip("%,");
        g[3] = isFound ? hit : g[3];
        return isFound;
    });
    m.begin = at;
    return behindAny(line, c.at(), "token usage: ", [&](TextCursor usage) {
        return usage.number(g[4]) && usage.skip(",") &&
               behindAny(line, usage.at(), "#running-req: ", [&](TextCursor running) {
                   if (!running.digits(g[5]) || !running.skip(", #queue-req: ") || !running.digits(g[6])) {
                       return false;
                   }
                   m.end = running.at();
                   behindAny(line, m.end, "input throughput (token/s): ", [&](TextCursor input) {
                       const bool isFound = input.number(g[7]);
                       m.end = isFound ? input.at() : m.end;
                       return isFound;
                   });
                   return true;
               });
    });
}

bool matchThroughput(std::string_view line, std::size_t at, LogMatch& m) {
    return behindAny(line, at, "gen throughput (token/s): ", [&](TextCursor rate) {
        return rate.number(m.groups[5]) && rate.skip(",") &&
               behindAny(line, rate.at(), "#queue-req: ", [&](TextCursor queue) {
                   const bool there = queue.digits(m.groups[6]);
                   m.end = queue.at();
                   return there;
               });
    });
}

bool matchCudaGraph(std::string_view line, std::size_t at, LogMatch& m) {
    const bool isFound = behindAny(line, at, "cuda graph: ", [&](TextCursor graph) {
        const std::size_t from = graph.at();
        if ((!graph.skip("True") && !graph.skip("False")) || line.substr(graph.at(), 1) != ",") {
            return false;
        }
        m.groups[4] = line.substr(from, graph.at() - from);
        return matchThroughput(line, graph.at() + 1, m);
    });
    m.groups[4] = isFound ? m.groups[4] : std::string_view();
    return isFound || matchThroughput(line, at, m);
}

bool matchAcceptLength(std::string_view line, std::size_t at, LogMatch& m) {
    const bool isFound = behindAny(line, at, "accept len: ", [&](TextCursor accept) {
        return accept.number(m.groups[3]) && accept.skip(",") && matchCudaGraph(line, accept.at(), m);
    });
    m.groups[3] = isFound ? m.groups[3] : std::string_view();
    return isFound || matchCudaGraph(line, at, m);
}

bool matchDecode(std::string_view line, std::size_t at, LogMatch& m) {
    auto& g = m.groups;
    TextCursor c(line, at);
    if (!matchBatch(c, "Decode batch") || !c.skip(" #running-req: ") || !c.digits(g[0]) || !c.skip(",")) {
        return false;
    }
    c.maybe([&] {
        std::string_view tokens;
        const bool isFound = c.skip(" #token: ") && c.digits(tokens) && c.skip(",");
        g[1] = isFound ? tokens : g[1];
        return isFound;
    });
    m.begin = at;
    return behindAny(line, c.at(), "token usage: ", [&](TextCursor usage) {
        return usage.number(g[2]) && usage.skip(",") && matchAcceptLength(line, usage.at(), m);
    });
}

bool matchBracket(std::string_view line, std::size_t at, LogMatch& m) {
    auto& g = m.groups;
    std::size_t open = at;
    if (at >= 11 && line[at - 1] == ' ') {
        TextCursor date(line, at - 11);
        std::string_view figures;
        if (!date.digits(figures, 4) || !date.skip("-") || !date.digits(figures, 2) || !date.skip("-") ||
            !date.digits(figures, 2)) {
            return false;
        }
        open = at - 11;
        g[0] = line.substr(open, 10);
    }
    if (open == 0 || line[open - 1] != '[') {
        return false;
    }
    g[1] = line.substr(at, timeAnchor.size());
    TextCursor c(line, at + timeAnchor.size());
    const std::size_t ranks = c.at();
    const auto rank = [&] {
        std::string_view figures;
        const std::size_t name = c.at() + 1;
        const bool letters = c.skip(" ") && name + 1 < line.size() && line[name] >= 'A' &&
                             line[name] <= 'Z' && line[name + 1] >= 'A' && line[name + 1] <= 'Z';
        if (!letters) {
            return false;
        }
        c = TextCursor(line, name + 2);
        return c.digits(figures);
    };
    for (std::size_t before = ranks - 1; before != c.at();) {
        before = c.at();
        c.maybe(rank);
    }
    g[2] = line.substr(ranks, c.at() - ranks);
    m.begin = open - 1;
    const bool there = c.skip("]");
    m.end = c.at();
    return there;
}

/// The ranks in front of a record ("[2025-02-27 04:46:39 DP1 TP0] "): the engine, and which of its processes.
struct Ranks {
    int engine = 0;
    std::string process;
};

Ranks ranksBefore(std::string_view line, std::size_t record) {
    Ranks ranks;
    const std::size_t close = line.substr(0, record).rfind(']');
    const std::size_t open = close == std::string_view::npos ? close : line.rfind('[', close);
    if (open == std::string_view::npos) {
        return ranks;
    }
    for (std::string_view rest = line.substr(open + 1, close - open - 1); !rest.empty();) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        const std::string_view word = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (word.size() < 2 || word[1] != 'P') {
            continue;
        }
        if (word[0] == 'D') {
            const double number = numberOf(word.substr(2));
            ranks.engine =
                number >= 0 ? static_cast<int>(std::fmin(number, LogAssembly::lastEngine)) : ranks.engine;
        } else if (word[0] == 'T' || word[0] == 'P' || word[0] == 'E') {
            ranks.process += word;
        }
    }
    return ranks;
}

struct SglangEngine {
    std::string rank; ///< the first that wrote; others of the same engine repeat it
    double lastS = notTold;
};

struct SglangEngines {
    std::map<int, SglangEngine> byKey;

    void shiftTimes(double seconds) {
        for (auto& [key, engine] : byKey) {
            engine.lastS += seconds;
        }
    }
};

/// The engine's state, where this is the first of its processes that wrote; others repeat what it wrote.
SglangEngine* engineOf(LogAssembly& a, const LogMatch& m, LogInterval& interval) {
    const Ranks ranks = ranksBefore(a.line, m.begin);
    interval.engine = ranks.engine;
    const auto [engine, isNew] = a.memory.of<SglangEngines>().byKey.try_emplace(a.engineKey(ranks.engine));
    if (isNew) {
        engine->second.rank = ranks.process;
    }
    return engine->second.rank == ranks.process ? &engine->second : nullptr;
}

/// Returns the use of the second cache that some models have, 0..1; not told where the line has none.
double shareAfter(std::string_view line, std::size_t at, std::string_view text) {
    std::string_view share;
    const bool isFound = behindAny(line, at, text, [&](TextCursor c) { return c.number(share); });
    return isFound ? numberOf(share) : notTold;
}

void takePrefill(LogAssembly& a, const LogMatch& m) {
    LogInterval interval;
    if (engineOf(a, m, interval) == nullptr) {
        return;
    }
    interval.newRequests = numberOf(m[0]);
    interval.newTokens = numberOf(m[1]);
    interval.cachedTokens = numberOf(m[2]);
    const double tokens = interval.newTokens + interval.cachedTokens;
    interval.prefixHit = tokens > 0 ? interval.cachedTokens / tokens : notTold;
    interval.kvUse = numberOf(m[4]);
    interval.stateUse = shareAfter(a.line, m.begin, "mamba usage: ");
    interval.windowUse = shareAfter(a.line, m.begin, "swa token usage: ");
    interval.running = numberOf(m[5]);
    interval.waiting = numberOf(m[6]);
    interval.promptTokensPerS = numberOf(m[7]);
    a.addInterval(interval);
}

void takeDecode(LogAssembly& a, const LogMatch& m) {
    LogInterval interval;
    SglangEngine* engine = engineOf(a, m, interval);
    if (engine == nullptr) {
        return;
    }
    interval.running = numberOf(m[0]);
    interval.contextTokens = numberOf(m[1]);
    if (m[1].empty()) { // of models with two caches the full one is told
        behindAny(a.line, m.begin, "#full token: ", [&](TextCursor c) {
            std::string_view tokens;
            const bool isFound = c.digits(tokens);
            interval.contextTokens = isFound ? numberOf(tokens) : notTold;
            return isFound;
        });
    }
    interval.kvUse = numberOf(m[2]);
    interval.stateUse = shareAfter(a.line, m.begin, "mamba usage: ");
    interval.windowUse = shareAfter(a.line, m.begin, "swa token usage: ");
    interval.acceptedLength = numberOf(m[3]);
    interval.outputTokensPerS = numberOf(m[5]);
    interval.waiting = numberOf(m[6]);
    const double since = a.now - engine->lastS;
    interval.spanS = since > 0 ? since : notTold;
    engine->lastS = a.now;
    a.addInterval(interval);
    if (!m[4].empty()) { // large batches and prompts run without
        a.addFact("cuda_graph", m[4] == "True" ? "on" : "off");
    }
}

bool matchRetracted(std::string_view line, std::size_t at, LogMatch& m) {
    TextCursor c(line, at);
    const bool there = c.skip("#retracted_reqs: ") && c.digits(m.groups[0]);
    m.begin = at;
    m.end = c.at();
    return there;
}

void takeRetracted(LogAssembly& a, const LogMatch& m) {
    LogInterval ranked;
    if (engineOf(a, m, ranked) != nullptr) {
        a.addPreemption(numberOf(m[0]), std::string(m[0]) + " retracted");
    }
}

/// "ReqTimeStats(rid=..., input_len=N, ...): queue_duration=..." of a request that is complete; versions of
/// 2025 write "Req Time Stats(rid=..., input len=N, ...". Groups: rid, input, cached, output, queue, prefill,
/// forward.
bool matchTimeStats(std::string_view line, std::size_t at, LogMatch& m) {
    auto& g = m.groups;
    const std::size_t open = line.find("(rid=", at);
    const std::size_t close = line.find("): ", at);
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
        return false;
    }
    const std::size_t rid = open + std::string_view("(rid=").size();
    g[0] = line.substr(rid, std::min(line.find(',', rid), close) - rid);
    const auto number = [&](std::size_t from, std::size_t to, std::string_view key, std::size_t group) {
        const std::size_t found = line.substr(0, to).find(key, from);
        std::string_view text;
        const bool isFound =
            found != std::string_view::npos && TextCursor(line, found + key.size()).number(text);
        g[group] = isFound ? text : std::string_view();
        return isFound;
    };
    const bool newer = number(open, close, ", input_len=", 1);
    const bool lengths = (newer || number(open, close, ", input len=", 1)) &&
                         number(open, close, newer ? ", output_len=" : ", output len=", 3);
    number(open, close, ", cached_input_len=", 2);
    number(close, line.size(), " queue_duration=", 4);
    number(close, line.size(), " initial_prefill_elapsed=", 5);
    number(close, line.size(), " forward_duration=", 6);
    m.begin = at;
    m.end = line.size();
    return lengths;
}

/// Durations that a clock which was never set prints are no durations.
double plausibleSeconds(std::string_view milliseconds) {
    constexpr double mostS = 1e6;
    const double seconds = numberOf(milliseconds) / 1e3;
    return seconds <= mostS ? seconds : notTold;
}

void takeTimeStats(LogAssembly& a, const LogMatch& m) {
    LogInterval ranked;
    if (engineOf(a, m, ranked) == nullptr) {
        return;
    }
    const std::size_t index = a.addRequest();
    LogRequest& request = a.request(index);
    request.id = m[0];
    request.inputTokens = numberOf(m[1]);
    request.cachedTokens = numberOf(m[2]);
    request.outputTokens = numberOf(m[3]);
    a.end(index, RequestEnd::Complete);
    const double forwardS = plausibleSeconds(m[6]);
    const double prefillS = plausibleSeconds(m[5]);
    const double queuedS = plausibleSeconds(m[4]);
    request.arrivalS = a.now - forwardS - (isTold(queuedS) ? queuedS : 0);
    request.arrivalInferred = isTold(request.arrivalS);
    if (forwardS >= prefillS) { // false where one is not told
        request.prefillS = prefillS;
        request.decodeS = forwardS - prefillS;
        request.firstTokenS = a.now - request.decodeS;
        const double steps = request.outputTokens - 1;
        request.decodeTokensPerS = steps > 0 && request.decodeS > 0 ? steps / request.decodeS : notTold;
    }
}

void takeServerArgs(LogAssembly& a, const LogMatch& m) {
    a.addFactAfter(m[0], "model_path='", "model");
    a.addFactAfter(m[0], "context_length=", "context_tokens");
    a.addFactAfter(m[0], "max_running_requests=", "max_batch_size");
    a.addFactAfter(m[0], "chunked_prefill_size=", "prefill_step_size");
    a.addFactAfter(m[0], " tp_size=", "tensor_parallel");
}

void takePool(LogAssembly& a, const LogMatch& m) {
    a.addFactAfter(m[0], "max_total_num_tokens=", "kv_tokens");
    a.addFactAfter(m[0], "context_len=", "context_tokens");
    a.addFactAfter(m[0], "max_running_requests=", "max_batch_size");
    a.addFactAfter(m[0], "chunked_prefill_size=", "prefill_step_size");
}

constexpr auto sglangTable = std::to_array<LogPattern>({
    {"sglang_prefill", {"Prefill batch"}, matchPrefill, takePrefill},
    {"sglang_decode", {"Decode batch"}, matchDecode, takeDecode},
    {"sglang_timestamp", {timeAnchor}, matchBracket, nullptr, Tells::Time},
    {"", {"ReqTimeStats(rid=", "Req Time Stats(rid="}, matchTimeStats, takeTimeStats},
    {"", {"#retracted_reqs: 0"}, matchRetracted, takeRetracted},
    {"", {"server_args=ServerArgs("}, matchRestOfLine, takeServerArgs},
    {"",
     {"Scheduler hit an exception", "Received sigquit from a child process"},
     failures::match,
     failures::take,
     Tells::Shared},
    {"", {"max_total_num_tokens=0"}, matchRestOfLine, takePool},
});

} // namespace

std::span<const LogPattern> sglangPatterns() {
    return sglangTable;
}

} // namespace loadline
