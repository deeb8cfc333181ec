// LM Studio: its records stand on the line behind their time, or behind "[time][level][model] ".
//
// Read against excerpts of lmstudio-ai/lmstudio-bug-tracker 597 and 1977, and public logs of 2024 to 2026
// with its MLX engine and with llama.cpp's, whose lines stand between.
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

/// "[qwen3.6-35b-a3b] " in front of a record names the model; "[LM STUDIO SERVER] " and levels are in
/// capitals.
void takeModel(LogAssembly& a, const LogMatch& m) {
    const std::string_view before = a.line.substr(0, m.begin);
    const std::size_t open = before.rfind('[');
    if (!before.ends_with("] ") || open == std::string_view::npos) {
        return;
    }
    const std::string_view name = before.substr(open + 1, before.size() - open - 3);
    if (name.find_first_of("abcdefghijklmnopqrstuvwxyz") != std::string_view::npos) {
        a.addFact("model", name);
    }
}

bool isOver(LogAssembly& a) {
    return a.running == LogAssembly::none || isTold(a.request(a.running).endS);
}

/// The request being served, which these lines do not name: of those that were taken, the first.
LogRequest& served(LogAssembly& a) {
    if (isOver(a) && !a.queued.empty()) {
        a.running = a.queued.front();
        a.queued.pop_front();
    } else if (a.running == LogAssembly::none) {
        a.running = a.addRequest();
    }
    a.touch(a.running);
    return a.request(a.running);
}

void takeRunning(LogAssembly& a, const LogMatch& m) {
    constexpr std::size_t mostQueued = 4096;
    takeModel(a, m);
    const std::size_t index = a.addRequest();
    a.request(index).arrivalS = a.now;
    if (a.withoutSlot.size() >= mostQueued) { // its engine has no slots
        a.withoutSlot.pop_front();
    }
    a.withoutSlot.push_back(index);
    if (a.queued.empty() && isOver(a)) {
        a.running = index;
    } else if (a.queued.size() < mostQueued) {
        a.queued.push_back(index);
    }
}

/// Takes the line with which versions of 2024 begin a request; it is behind the line of later ones.
void takeBegun(LogAssembly& a, const LogMatch& m) {
    if (a.queued.empty() && isOver(a)) {
        takeRunning(a, m);
    }
}

void takeStreaming(LogAssembly& a, const LogMatch& m) {
    takeBegun(a, m);
    a.request(a.queued.empty() ? a.running : a.queued.back()).streams = true;
}

void takeFirstToken(LogAssembly& a, const LogMatch& /*match*/) {
    served(a).firstTokenS = a.now;
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
    // llama.cpp's timings, where they are printed, told when it ended before.
    if (a.running != LogAssembly::none && a.request(a.running).end == RequestEnd::NotTold) {
        a.end(a.running, how);
    }
    std::erase(a.withoutSlot, a.running);
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
    {"", {"[LM STUDIO SERVER] Context Overflow Policy"}, matchRestOfLine, takeBegun},
    {"", {"[LM STUDIO SERVER] Streaming response"}, matchRestOfLine, takeStreaming},
    {"",
     {"First token generated. Continuing to stream", "[LM STUDIO SERVER] Accumulating tokens"},
     matchRestOfLine,
     takeFirstToken},
    {"", {"Generated prediction: ", "Finished streaming response"}, matchRestOfLine, takeGenerated},
    {"", {"Client disconnected. Stopping generation"}, matchRestOfLine, takeDisconnected},
    {"", {"\"completion_tokens\": 0", "\"prompt_tokens\": 0"}, matchRestOfLine, takeUsage, Tells::Time},
});

} // namespace

std::span<const LogPattern> lmStudioPatterns() {
    return lmStudioTable;
}

} // namespace loadline
