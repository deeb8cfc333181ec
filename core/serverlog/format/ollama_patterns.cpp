// Ollama: access lines with durations, its own records, and those of its MLX runner. What its llama.cpp
// runner writes is read as llama.cpp's.
//
// Read against excerpts of the issues ollama/ollama 7907, 10368 (truncated prompts), 12027 (what a runner is
// loaded with), 13552, 14772 (access lines), 17829 (MLX runner), 7656 and 13372 (its own engine at DEBUG);
// gin-gonic/gin 2168 (colours without escapes).
#include "core/serverlog/format/being_served.h"
#include "core/serverlog/format/failures.h"
#include "core/serverlog/format/server_patterns.h"
#include "core/serverlog/read/log_assembly.h"
#include "core/serverlog/read/text_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace loadline {
namespace {

bool matchGin(std::string_view line, std::size_t at, LogMatch& m) {
    auto& g = m.groups;
    TextCursor c(line, at + 6);
    std::string_view figures;
    const bool date =
        c.digits(figures, 4) && c.skip("/") && c.digits(figures, 2) && c.skip("/") && c.digits(figures, 2);
    g[0] = line.substr(at + 6, 10);
    const bool time = date && c.skip(" - ") && c.digits(figures, 2) && c.skip(":") && c.digits(figures, 2) &&
                      c.skip(":") && c.digits(figures, 2);
    g[1] = line.substr(std::min(at + 19, line.size()), 8);
    const bool there = time && c.skip(" | ") && c.digits(g[2], 3) && c.skip(" |") && c.skipBlanks(1) &&
                       c.text(g[3]) && c.skip(" |") && c.skipBlanks(1) && c.text(g[4]) && c.skip(" | ") &&
                       c.word(g[5]) && c.skipBlanks(1) && c.skip("\"") && c.upTo('"', g[6]) && c.skip("\"");
    m.begin = at;
    m.end = c.at();
    return there;
}

bool matchSlog(std::string_view line, std::size_t at, LogMatch& m) {
    auto& g = m.groups;
    constexpr std::string_view key = "time=";
    std::size_t word = at;
    while (word > 0 && !isBlank(line[word - 1])) {
        --word;
    }
    const std::size_t time = line.substr(word, at - word).find(key);
    if (time == std::string_view::npos || word + time + key.size() == at) {
        return false;
    }
    m.begin = word + time;
    m.end = line.size();
    g[0] = line.substr(m.begin + key.size(), at - m.begin - key.size());
    TextCursor c(line, at);
    if (!c.skip(" level=") || !c.word(g[1]) || !c.skip(" source=") || !c.text(g[2]) || !c.skip(" msg=")) {
        return false;
    }
    const std::size_t from = c.at();
    const std::size_t quote =
        line.substr(from).starts_with('"') ? line.find('"', from + 1) : std::string_view::npos;
    if (quote != std::string_view::npos) {
        c = TextCursor(line, quote + 1);
        g[3] = line.substr(from, quote + 1 - from);
    } else if (!c.text(g[3])) {
        return false;
    }
    g[4] = c.rest();
    return true;
}

struct OllamaRunner {
    bool devicesTold = false;         ///< one of them, since the server started
    std::vector<std::size_t> unnamed; ///< of the last requests: those without a path that generate
    std::size_t looked = 0;           ///< requests before this one were taken into `unnamed`
};

/// The request of its runner that this access line is of; none: it wrote nothing else of it.
std::size_t runnersRequest(LogAssembly& a, double seconds) {
    constexpr std::size_t mostOpen = 64;
    constexpr double resolutionS = 1.5; // access lines tell whole seconds
    auto& ollama = a.memory.of<OllamaRunner>();
    const std::size_t size = a.requestsAdded();
    const std::size_t oldest = size - std::min(size, mostOpen);
    for (ollama.looked = std::max(ollama.looked, oldest); ollama.looked < size; ++ollama.looked) {
        ollama.unnamed.push_back(ollama.looked);
    }
    std::erase_if(ollama.unnamed, [&](std::size_t i) { // what has a path keeps it
        const LogRequest& request = a.request(i);
        return i < oldest || !request.path.empty() || !request.generates;
    });
    const auto fits = [&](std::size_t i) {
        const LogRequest& request = a.request(i);
        const bool within =
            request.arrivalS <= a.now + resolutionS && request.arrivalS >= a.now - seconds - resolutionS;
        return within || (!isTold(request.arrivalS) && request.prefillS + request.decodeS <= seconds);
    };
    const auto found = std::find_if(ollama.unnamed.rbegin(), ollama.unnamed.rend(), fits);
    return found == ollama.unnamed.rend() ? LogAssembly::none : *found;
}

/// Prompts that its runner computed for embeddings generate nothing.
void takeEmbedding(LogAssembly& a, double seconds) {
    for (std::size_t i = runnersRequest(a, seconds);
         i != LogAssembly::none && !isTold(a.request(i).outputTokens); i = runnersRequest(a, seconds)) {
        a.request(i).generates = false;
    }
}

void takeGin(LogAssembly& a, const LogMatch& m) {
    const double seconds = goSeconds(m[3]);
    if (embeds(m[6])) {
        takeEmbedding(a, seconds);
    }
    const bool answers = generates(m[5], m[6]);
    a.tellsServer = answers || m[6].starts_with("/api/");
    const std::size_t runners = answers ? runnersRequest(a, seconds) : LogAssembly::none;
    const std::size_t index = runners == LogAssembly::none ? a.addAccess(m[5], m[6], m[2], seconds) : runners;
    LogRequest& request = a.request(index);
    if (index == runners) { // its arrival at the server was before that at the runner
        a.touch(index);
        request.path = fmt::format("{} {}", m[5], m[6]);
        a.end(index, m[2].starts_with('2') ? RequestEnd::Complete : RequestEnd::Failed);
        request.arrivalInferred = !isTold(request.arrivalS);
        request.arrivalS = request.arrivalInferred ? a.now - seconds : request.arrivalS;
        request.firstTokenS = isTold(request.decodeS) ? request.endS - request.decodeS : request.firstTokenS;
    }
    std::size_t& served = BeingServed::in(a).request;
    served = index == served ? LogAssembly::none : served;
}

/// The number behind " key=".
double field(std::string_view fields, std::string_view key) {
    const std::size_t found = fields.find(key);
    std::string_view digits;
    return found != std::string_view::npos && TextCursor(fields, found + key.size()).digits(digits)
               ? numberOf(digits)
               : notTold;
}

/// Begins a request, at the line on what a runner found in its cache.
void takeRunnerCache(LogAssembly& a, double input, double cached) {
    const std::size_t index = BeingServed::in(a).request = a.addRequest();
    LogRequest& request = a.request(index);
    request.arrivalS = a.now;
    request.inputTokens = input;
    request.cachedTokens = cached;
    a.addEvent(cached > 0 ? LogEventKind::CacheHit : LogEventKind::CacheMiss, cached);
}

void takeRunnerProgress(LogAssembly& a, std::string_view fields) {
    const double done = field(fields, " processed=");
    const double total = field(fields, " total=");
    LogProgress progress{.ofPrompt = true, .tokens = done, .ofTokens = total};
    const std::size_t served = BeingServed::in(a).request;
    progress.request = served;
    a.addProgress(progress);
    if (served != LogAssembly::none &&
        total - done <= 1) { // the last token is computed with the first output
        LogRequest& request = a.request(served);
        request.firstTokenS = a.now;
        request.prefillS = a.now - request.arrivalS;
    }
}

void takeLoad(LogAssembly& a, std::string_view fields) {
    a.addFactAfter(fields, "Parallel:", "parallel");
    a.addFactAfter(fields, "KvSize:", "kv_tokens");
    a.addFactAfter(fields, " --ctx-size ", "context_tokens");
    a.addFactAfter(fields, " --parallel ", "parallel");
    a.addFactAfter(fields, " --model ", "model");
}

/// "offloaded 20/49 layers to GPU" of its own engine, or "layers.model=65 layers.offload=45" of its estimate.
bool takeOffload(LogAssembly& a, std::string_view text, std::string_view fields) {
    constexpr std::string_view done = "\"offloaded ";
    double some = field(fields, " layers.offload=");
    double all = field(fields, " layers.model=");
    if (text.starts_with(done)) {
        TextCursor c(text, done.size());
        std::string_view on;
        std::string_view of;
        const bool isFound = c.digits(on) && c.skip("/") && c.digits(of) && c.skip(" layers to GPU");
        some = isFound ? numberOf(on) : notTold;
        all = isFound ? numberOf(of) : notTold;
    }
    if (!(all >= some)) { // or one is not told
        return false;
    }
    a.addFact("on_cpu", std::to_string(static_cast<std::int64_t>(std::fmin(all - some, 1e6))));
    return true;
}

void takeSlog(LogAssembly& a, const LogMatch& m) {
    const std::string_view text = m[3];
    const std::string_view fields = m[4];
    const std::size_t served = BeingServed::in(a).request;
    a.tellsServer = true;
    if (text == "\"cache hit\"" || text == "\"cache miss\"") {
        takeRunnerCache(a, field(fields, " total="), field(fields, " cached="));
    } else if (text == "\"loading cache slot\"") { // its own engine's, at DEBUG
        takeRunnerCache(a, field(fields, " prompt="), field(fields, " used="));
    } else if (text == "\"Prompt processing progress\"") {
        takeRunnerProgress(a, fields);
    } else if (text == "\"speculative decode stats\"" && served != LogAssembly::none) {
        // Each step gives a token and those of the draft that it accepts.
        a.request(served).outputTokens = field(fields, " iterations=") + field(fields, " accepted=");
    } else if (text == "\"Request terminated\"" && served != LogAssembly::none) {
        a.request(served).end = RequestEnd::Aborted;
    } else if (text == "\"truncating input prompt\"") {
        a.addEvent(LogEventKind::Truncated, field(fields, " prompt=") - field(fields, " limit="));
    } else if (text == "\"starting runner\"" || text == "load" || text == "\"starting llama server\"") {
        takeLoad(a, fields);
    } else if (takeOffload(a, text, fields)) {
        return;
    } else if (text == "\"inference compute\"") {
        if (!factOf(a.log, "device").empty() && a.memory.of<OllamaRunner>().devicesTold) {
            a.addFact("devices", "several");
        }
        a.addFactAfter(fields, " name=\"", "device");
        a.addFactAfter(fields, "description=\"", "device");
        a.memory.of<OllamaRunner>().devicesTold = true;
    } else if (text.starts_with("\"Listening on ")) {
        a.addFactAfter(text, "(version ", "version");
        a.memory.of<OllamaRunner>().devicesTold = false; // they follow
        a.addEvent(LogEventKind::ServerStarted);
    } else {
        a.tellsServer =
            m[2].starts_with("routes.go") || m[2].starts_with("sched.go") || m[2].starts_with("server.go");
    }
}

constexpr auto ollamaTable = std::to_array<LogPattern>({
    {"gin_access",
     {"[GIN] 00"},
     matchGin,
     takeGin,
     Tells::Record,
     "Access lines tell ends to the second, and durations: arrivals are inferred."},
    {"ollama_slog", {" level="}, matchSlog, takeSlog, Tells::Record},
    {"",
     {"llama runner process has terminated", "llama runner terminated", "model request too large"},
     failures::match,
     failures::take,
     Tells::Shared},
});

} // namespace

std::span<const LogPattern> ollamaPatterns() {
    return ollamaTable;
}

} // namespace loadline
