// A slot works at one task at a time: a new task is a new request.
#include "core/serverlog/format/llama_cpp_requests.h"

#include "core/serverlog/format/text_cursor.h"
#include "core/serverlog/read/log_assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline::llama {
namespace {

/// A router's child writes "[42027] " before its lines; 0: none.
unsigned processOf(std::string_view line) {
    const std::size_t open = line.find('[');
    TextCursor c(line, open == std::string_view::npos ? line.size() : open + 1);
    std::string_view port;
    return c.digits(port) && port.size() <= 6 && c.skip("] ") ? static_cast<unsigned>(numberOf(port)) : 0;
}

/// The request that the line is of; null: none.
LogRequest* requestOf(LogAssembly& a) {
    return a.slots.ofLine == nullptr ? nullptr : &a.request(a.slots.ofLine->request);
}

void tell(double& field, double value) {
    field = isTold(field) ? field : value;
}

/// Prompt tokens that are counted exclude those found in the cache.
void settleInput(LogRequest& request, double evaluated) {
    if (isTold(request.cachedTokens)) {
        request.inputTokens = request.cachedTokens + evaluated;
    } else if (isTold(request.inputTokens)) {
        request.cachedTokens = std::fmax(0, request.inputTokens - evaluated);
    }
}

/// At a slot's end, the tokens it holds are prompt and output, or one less: the last may not be computed.
void settleByEnd(LogRequest& request, double evaluated, double held) {
    const double found = held - evaluated - request.outputTokens;
    if (!isTold(request.cachedTokens) && found >= -1) { // false where one is not told
        request.cachedTokens = std::fmax(0, found);
        settleInput(request, evaluated);
    }
}

/// The slot whose timings these are: of the line, or the one that announced a block of lines; without slots
/// (as LM Studio prints them) of the request that it serves, or served last: they may follow its end.
LogAssembly::Slot& timedSlot(LogAssembly& a, bool first) {
    if (a.slots.ofLine != nullptr) {
        a.slots.timed = *a.slots.ofLine;
        return *a.slots.ofLine;
    }
    LogAssembly::Slot& slot = a.slots.timed;
    if (first && a.slots.last.empty() && a.running != LogAssembly::none &&
        (slot.request != a.running || !isTold(a.request(a.running).endS))) {
        slot = {.request = a.running};
    } else if (slot.request == LogAssembly::none || (first && slot.promptTimed)) {
        slot = {.request = a.addRequest()};
    }
    a.touch(slot.request);
    return slot;
}

void inferArrival(LogRequest& request, double arrivalS) {
    if (!isTold(request.arrivalS) && isTold(arrivalS)) {
        request.arrivalS = arrivalS;
        request.arrivalInferred = true;
    }
}

/// The request that a slot begins to work at: a new one, or the one that LM Studio told of when it took it.
std::size_t begunRequest(LogAssembly& a) {
    while (!a.withoutSlot.empty()) {
        const std::size_t index = a.withoutSlot.front();
        a.withoutSlot.pop_front();
        if (a.request(index).end == RequestEnd::NotTold) {
            return index;
        }
    }
    return a.addRequest();
}

/// Lets the slot go on with a task: of another process with such a slot, if it was at it before, else a new
/// one.
void beginTask(LogAssembly& a, const std::pair<unsigned, int>& key, LogAssembly::Slot& slot, long task,
               const LogMatch& m) {
    constexpr std::size_t mostLeft = 8;
    auto& left = a.slots.left;
    const auto found = std::ranges::find_if(
        left, [&](const auto& one) { return one.first == key && one.second.task == task; });
    const LogAssembly::Slot before = slot;
    if (found != left.end()) {
        slot = found->second;
        left.erase(found);
    } else {
        slot = {.task = task, .request = begunRequest(a)};
        a.request(slot.request).id = fmt::format("slot {}, task {}", m[1], m[2]);
    }
    if (before.request != LogAssembly::none && !isTold(a.request(before.request).endS)) {
        left.emplace_back(key, before);
        if (left.size() > mostLeft) {
            left.pop_front();
        }
    }
}

} // namespace

void takeSlot(LogAssembly& a, const LogMatch& m) {
    a.slots.ofLine = nullptr;
    const double task = numberOf(m[2]);
    if (!(task >= 0 && task < 1e15)) { // "-1": of no request
        return;
    }
    const bool launch = m[0].starts_with("launch_slot_");
    const std::pair key(processOf(a.line.substr(0, m.begin)),
                        static_cast<int>(std::fmin(numberOf(m[1]), 1e6)));
    constexpr std::size_t mostSlots = 4096;
    if (a.slots.last.size() >= mostSlots && !a.slots.last.contains(key)) {
        return;
    }
    LogAssembly::Slot& slot = a.slots.last[key];
    const bool over = slot.request != LogAssembly::none && isTold(a.request(slot.request).endS);
    if (slot.request == LogAssembly::none || slot.task != static_cast<long>(task) || (launch && over)) {
        beginTask(a, key, slot, static_cast<long>(task), m);
    }
    a.touch(slot.request);
    a.slots.ofLine = &slot;
    if (m[0].starts_with("print_timing")) {
        a.slots.timed = slot;
    }
    if (launch && a.line.find("processing task", m.begin) != std::string_view::npos) {
        tell(a.request(slot.request).arrivalS, a.now);
    }
}

void takeNewPrompt(LogAssembly& a, const LogMatch& m) {
    a.addFact("context_tokens", m[0]);
    if (LogRequest* request = requestOf(a)) {
        tell(request->arrivalS, a.now);
        request->inputTokens = numberOf(m[2]);
    }
}

void takeCache(LogAssembly& a, const LogMatch& m) {
    if (LogRequest* request = requestOf(a)) { // each batch of the prompt writes one: the first tells
        std::string_view kept = m[0].empty() ? m[1] : m[0];
        if (kept.empty()) { // "kv cache rm [0, end)"
            TextCursor c(a.line, m.end);
            kept = c.digits(kept) ? kept : std::string_view();
        }
        tell(request->cachedTokens, numberOf(kept));
    }
}

void takeRestored(LogAssembly& a, const LogMatch& m) {
    constexpr std::string_view key = "n_past = ";
    const std::size_t found = m[0].find(key);
    LogRequest* request = requestOf(a);
    std::string_view kept;
    if (request != nullptr && found != std::string_view::npos &&
        TextCursor(m[0], found + key.size()).digits(kept)) {
        tell(request->cachedTokens, numberOf(kept));
    }
}

void takeFullReprocess(LogAssembly& a, const LogMatch& /*match*/) {
    const LogRequest* request = requestOf(a);
    a.addEvent(LogEventKind::FullReprocess, notTold, request == nullptr ? std::string() : request->id);
}

void takePromptProgress(LogAssembly& a, const LogMatch& m) {
    if (const LogRequest* request = requestOf(a)) { // n_tokens counts those of the cache too
        const double cached = isTold(request->cachedTokens) ? request->cachedTokens : 0;
        a.addProgress({.request = a.slots.ofLine->request,
                       .ofPrompt = true,
                       .tokens = std::fmax(numberOf(m[0]) - cached, 0),
                       .ofTokens = request->inputTokens - cached});
    }
}

void takeLivePrompt(LogAssembly& a, const LogMatch& m) {
    if (LogRequest* request = requestOf(a)) {
        inferArrival(*request, a.now - numberOf(m[2]));
        a.addProgress({.request = a.slots.ofLine->request,
                       .ofPrompt = true,
                       .tokens = numberOf(m[0]),
                       .ofTokens = request->inputTokens - request->cachedTokens,
                       .tokensPerS = numberOf(m[3])});
    }
}

void takeLiveOutput(LogAssembly& a, const LogMatch& m) {
    LogProgress progress{
        .tokens = numberOf(m[0]), .tokensPerS = numberOf(m[1]), .recentTokensPerS = numberOf(m[2])};
    progress.request = a.slots.ofLine == nullptr ? LogProgress::npos : a.slots.ofLine->request;
    a.addProgress(progress);
}

void takePromptEval(LogAssembly& a, const LogMatch& m) {
    LogAssembly::Slot& timed = timedSlot(a, true);
    timed.promptTimed = a.slots.timed.promptTimed = true;
    const std::size_t index = timed.request;
    LogRequest& request = a.request(index);
    request.prefillS = numberOf(m[0]) / 1e3;
    settleInput(request, numberOf(m[1]));
    for (auto& [key, slot] : a.slots.last) { // the line may not name it
        slot.evaluated = slot.request == index ? numberOf(m[1]) : slot.evaluated;
    }
}

void takeEval(LogAssembly& a, const LogMatch& m) {
    LogRequest& request = a.request(timedSlot(a, false).request);
    request.decodeS = numberOf(m[0]) / 1e3;
    request.outputTokens = numberOf(m[1]);
    // One token takes no step: what is printed then is no rate.
    request.decodeTokensPerS = request.outputTokens > 1 ? numberOf(m[3]) : notTold;
    tell(request.endS, a.now);
    request.firstTokenS = request.endS - request.decodeS;
    constexpr double coarse = 1; // stamps of seconds
    if (request.firstTokenS < request.arrivalS - coarse) {
        // Its lines bear no times: the last one seen is of before.
        request.arrivalS = request.firstTokenS = request.endS = notTold;
        return;
    }
    request.firstTokenS = std::fmax(request.firstTokenS, request.arrivalS);
    inferArrival(request, request.firstTokenS - request.prefillS);
}

/// "draft acceptance rate = 0.83333 (  120 accepted /   144 generated)", behind the timings of a request.
void takeAcceptance(LogAssembly& a, const LogMatch& m) {
    const std::size_t open = m[0].find('(');
    TextCursor c(m[0], open == std::string_view::npos ? m[0].size() : open + 1);
    std::string_view accepted;
    std::string_view drafted;
    const bool there = c.skipBlanks() && c.digits(accepted) && c.skip(" accepted / ") && c.skipBlanks() &&
                       c.digits(drafted) && c.skip(" generated)");
    const LogAssembly::Slot& slot = a.slots.ofLine == nullptr ? a.slots.timed : *a.slots.ofLine;
    if (there && slot.request != LogAssembly::none) {
        a.request(slot.request).acceptedDrafts = numberOf(accepted);
    }
}

void takeRelease(LogAssembly& a, const LogMatch& m) {
    LogRequest* request = requestOf(a);
    if (request == nullptr) {
        return;
    }
    a.end(a.slots.ofLine->request, RequestEnd::Complete);
    a.slots.unnamed = a.slots.ofLine->request;
    if (m[1] == "0") {
        settleByEnd(*request, a.slots.ofLine->evaluated, numberOf(m[0]));
    } else {
        a.addEvent(LogEventKind::Truncated, notTold, request->id);
    }
}

/// "slot=0 task=1 p0=0 ...": a line of 2024, which ends with its fields.
void takeFields(LogAssembly& a, const LogMatch& m) {
    LogMatch slot = m;
    takeSlot(a, slot);
    LogRequest* request = requestOf(a);
    if (request == nullptr) {
        return;
    }
    if (!m[3].empty()) { // each batch of the prompt writes one: the first tells
        tell(request->cachedTokens, numberOf(m[3]));
    }
    if (a.line.find("] slot released |") != std::string_view::npos) {
        const bool whole = a.line.find(" truncated=false") != std::string_view::npos;
        LogMatch release;
        release.groups = {m[4], whole ? "0" : "1"};
        takeRelease(a, release);
    }
}

void takeShift(LogAssembly& a, const LogMatch& m) {
    constexpr std::string_view key = "n_discard = ";
    const std::size_t found = m[0].find(key);
    std::string_view left;
    const bool told = found != std::string_view::npos && TextCursor(m[0], found + key.size()).digits(left);
    const LogRequest* request = requestOf(a);
    a.addEvent(LogEventKind::Truncated, told ? numberOf(left) : notTold,
               request == nullptr ? std::string() : request->id);
}

void takeCancel(LogAssembly& a, const LogMatch& m) {
    std::string_view task;
    TextCursor(m[0], std::string_view("cancel task, id_task = ").size()).digits(task);
    for (auto& [key, slot] : a.slots.last) {
        LogRequest* request = slot.request == LogAssembly::none ? nullptr : &a.request(slot.request);
        if (request != nullptr && static_cast<double>(slot.task) == numberOf(task) &&
            !isTold(request->endS)) {
            request->end = RequestEnd::Aborted;
        }
    }
}

/// "done request: POST /v1/chat/completions 127.0.0.1 200"
void takeAccess(LogAssembly& a, const LogMatch& m) {
    TextCursor c(m[0], m[0].find("request: ") + std::string_view("request: ").size());
    std::string_view method;
    std::string_view path;
    if (c.word(method) && c.skipBlanks(1) && c.text(path) && (generates(method, path) || embeds(path)) &&
        a.slots.unnamed != LogAssembly::none) {
        a.request(a.slots.unnamed).path = fmt::format("{} {}", method, path);
        a.request(a.slots.unnamed).generates = !embeds(path);
        a.slots.unnamed = LogAssembly::none;
    }
}

} // namespace loadline::llama
