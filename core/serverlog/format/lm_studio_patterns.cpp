// LM Studio: its records stand on the line behind their time, or behind "[time][level][model] ".
//
// Read against excerpts of lmstudio-ai/lmstudio-bug-tracker 1977, and public logs of 2025 and 2026 with its
// MLX engine and with llama.cpp's, whose lines stand between.
#include "core/serverlog/format/text_cursor.h"
#include "core/serverlog/read/log_assembly.h"

namespace loadline {
namespace {

bool matchRestore(std::string_view line, std::size_t at, LogMatch& m) {
    TextCursor c(line, at);
    const bool there = c.skip("Prompt cache restore: cached_tokens=") && c.digits(m.groups[0]) &&
                       c.skip(" uncached_tokens=") && c.digits(m.groups[1]);
    m.begin = at;
    m.end = c.at();
    return there;
}

bool matchPercent(std::string_view line, std::size_t at, LogMatch& m) {
    TextCursor c(line, at);
    const bool there = c.skip("Prompt processing progress: ") && c.number(m.groups[0]) && c.skip("%");
    m.begin = at;
    m.end = c.at();
    return there;
}

/// "[qwen3.6-35b-a3b] " in front of a record names the model.
void takeModel(LogAssembly& a, const LogMatch& m) {
    const std::string_view before = a.line.substr(0, m.begin);
    const std::size_t open = before.rfind('[');
    if (before.ends_with("] ") && open != std::string_view::npos) {
        a.addFact("model", before.substr(open + 1, before.size() - open - 3));
    }
}

/// The request being served, which these lines do not name.
LogRequest& served(LogAssembly& a) {
    if (a.running == LogAssembly::none) {
        a.running = a.addRequest();
    }
    a.touch(a.running);
    return a.request(a.running);
}

void takeRunning(LogAssembly& a, const LogMatch& m) {
    takeModel(a, m);
    a.running = LogAssembly::none;
    served(a).arrivalS = a.now;
}

void takeRestore(LogAssembly& a, const LogMatch& m) {
    LogRequest& request = served(a);
    request.cachedTokens = numberOf(m[0]);
    request.inputTokens = request.cachedTokens + numberOf(m[1]);
    a.addEvent(request.cachedTokens > 0 ? LogEventKind::CacheHit : LogEventKind::CacheMiss,
               request.cachedTokens);
}

void takePercent(LogAssembly& a, const LogMatch& m) {
    takeModel(a, m);
    LogRequest& request = served(a);
    const double share = numberOf(m[0]) / 100;
    const double uncached = request.inputTokens - request.cachedTokens;
    a.addProgress({.request = a.running, .ofPrompt = true, .tokens = share * uncached, .ofTokens = uncached});
    if (share >= 1) {
        request.firstTokenS = a.now;
        request.prefillS = a.now - request.arrivalS;
    }
}

void endServed(LogAssembly& a, RequestEnd how) {
    if (a.running != LogAssembly::none && !isTold(a.request(a.running).endS)) {
        a.end(a.running, how);
    }
}

void takeGenerated(LogAssembly& a, const LogMatch& /*match*/) {
    endServed(a, RequestEnd::Complete);
}

void takeDisconnected(LogAssembly& a, const LogMatch& /*match*/) {
    endServed(a, RequestEnd::Aborted);
}

/// `"completion_tokens": 821` of the answer that is printed when it is complete.
void takeUsage(LogAssembly& a, const LogMatch& m) {
    std::string_view tokens;
    if (a.running == LogAssembly::none || !isTold(a.request(a.running).endS)) {
        return;
    }
    LogRequest& request = a.request(a.running);
    a.touch(a.running);
    TextCursor c(m[0], 0);
    if (c.skip("\"completion_tokens\": ") && c.digits(tokens)) {
        request.outputTokens = numberOf(tokens);
    } else if (c.skip("\"prompt_tokens\": ") && c.digits(tokens)) {
        request.inputTokens = numberOf(tokens);
    }
}

constexpr auto lmStudioTable = std::to_array<LogPattern>({
    {"lmstudio_restore", {"Prompt cache restore: cached_tokens="}, matchRestore, takeRestore},
    {"lmstudio_progress", {"Prompt processing progress: "}, matchPercent, takePercent},
    {"", {"Running chat completion on conversation with "}, matchRestOfLine, takeRunning},
    {"", {"Generated prediction: ", "Finished streaming response"}, matchRestOfLine, takeGenerated},
    {"", {"Client disconnected. Stopping generation"}, matchRestOfLine, takeDisconnected},
    {"", {"\"completion_tokens\": 0", "\"prompt_tokens\": 0"}, matchRestOfLine, takeUsage, Tells::Time},
});

} // namespace

std::span<const LogPattern> lmStudioPatterns() {
    return lmStudioTable;
}

} // namespace loadline
