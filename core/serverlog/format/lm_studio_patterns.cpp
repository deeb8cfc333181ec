// LM Studio: its records stand on the line behind their time, or behind "[time][level][model] ".
//
// Read against excerpts of lmstudio-ai/lmstudio-bug-tracker 597 and 1977, and public logs of 2024 to 2026
// with its MLX engine and with llama.cpp's, whose lines stand between.
#include "core/serverlog/format/being_served.h"
#include "core/serverlog/format/server_patterns.h"
#include "core/serverlog/read/log_assembly.h"
#include "core/serverlog/read/text_cursor.h"

#include <deque>

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

struct Queue {
    std::deque<std::size_t> taken; ///< while another request is served

    static Queue& in(LogAssembly& a) { return a.memory.of<Queue>(); }
};

std::size_t& servedIndex(LogAssembly& a) {
    return BeingServed::in(a).request;
}

bool isOver(LogAssembly& a) {
    const std::size_t served = servedIndex(a);
    return served == LogAssembly::none || isTold(a.request(served).endS);
}

/// The request being served, which these lines do not name: of those that were taken, the first.
LogRequest& served(LogAssembly& a) {
    std::deque<std::size_t>& queued = Queue::in(a).taken;
    std::size_t& index = servedIndex(a);
    if (isOver(a) && !queued.empty()) {
        index = queued.front();
        queued.pop_front();
    } else if (index == LogAssembly::none) {
        index = a.addRequest();
    }
    a.touch(index);
    return a.request(index);
}

void takeRunning(LogAssembly& a, const LogMatch& m) {
    constexpr std::size_t mostQueued = 4096;
    takeModel(a, m);
    const std::size_t index = a.addRequest();
    a.request(index).arrivalS = a.now;
    BeingServed& served = BeingServed::in(a);
    if (served.withoutSlot.size() >= mostQueued) { // its engine has no slots
        served.withoutSlot.pop_front();
    }
    served.withoutSlot.push_back(index);
    std::deque<std::size_t>& queued = Queue::in(a).taken;
    if (queued.empty() && isOver(a)) {
        served.request = index;
    } else if (queued.size() < mostQueued) {
        queued.push_back(index);
    }
}

/// Takes the line with which versions of 2024 begin a request; it is behind the line of later ones.
void takeBegun(LogAssembly& a, const LogMatch& m) {
    if (Queue::in(a).taken.empty() && isOver(a)) {
        takeRunning(a, m);
    }
}

void takeStreaming(LogAssembly& a, const LogMatch& m) {
    takeBegun(a, m);
    const std::deque<std::size_t>& queued = Queue::in(a).taken;
    a.request(queued.empty() ? servedIndex(a) : queued.back()).streams = true;
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
    a.addProgress(
        {.request = servedIndex(a), .ofPrompt = true, .tokens = share * uncached, .ofTokens = uncached});
    if (share >= 1) {
        request.firstTokenS = a.now;
        request.prefillS = a.now - request.arrivalS;
    }
}

void endServed(LogAssembly& a, RequestEnd how) {
    BeingServed& served = BeingServed::in(a);
    // llama.cpp's timings, where they are printed, told when it ended before.
    if (served.request != LogAssembly::none && a.request(served.request).end == RequestEnd::NotTold) {
        a.end(served.request, how);
    }
    std::erase(served.withoutSlot, served.request);
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
    const std::size_t index = servedIndex(a);
    if (index == LogAssembly::none || !isTold(a.request(index).endS)) {
        return;
    }
    LogRequest& request = a.request(index);
    a.touch(index);
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
