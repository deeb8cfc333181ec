// A slot works at one task at a time: a new task is a new request.
#include "core/serverlog/format/llama_cpp_requests.h"

#include "core/serverlog/format/being_served.h"
#include "core/serverlog/read/log_assembly.h"
#include "core/serverlog/read/text_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <utility>

namespace loadline::llama {
namespace {

struct Slot {
    long task = -1;
    std::size_t request = LogAssembly::none;
    double evaluated = notTold; ///< tokens of its prompt that were computed
    bool promptTimed = false;   ///< the server printed the time of its prompt
};

struct Slots {
    std::map<std::pair<unsigned, int>, Slot> last; ///< by process and number: what it did last
    /// Tasks whose slot went on with another one before they ended: they come back where two processes
    /// write, each with a slot of this number. The newest are at the end.
    std::deque<std::pair<std::pair<unsigned, int>, Slot>> left;
    Slot* named = nullptr; ///< by the line at `namedAt`; null: none
    LogLine namedAt;
    Slot timed;                              ///< that printed timings last: lines without a prefix follow
    std::size_t unnamed = LogAssembly::none; ///< request whose access line has not come

    static Slots& in(LogAssembly& a) { return a.memory.of<Slots>(); }

    /// The slot that the line names; null: none.
    [[nodiscard]] Slot* ofLine(const LogAssembly& a) const { return namedAt == a.where ? named : nullptr; }
};

/// A router's child writes "[42027] " before its lines; 0: none.
unsigned processOf(std::string_view line) {
    const std::size_t open = line.find('[');
    TextCursor c(line, open == std::string_view::npos ? line.size() : open + 1);
    std::string_view port;
    return c.digits(port) && port.size() <= 6 && c.skip("] ") ? static_cast<unsigned>(numberOf(port)) : 0;
}

/// The request that the slot, or the line, is of; null: none.
LogRequest* requestOf(LogAssembly& a, const Slot* slot) {
    return slot == nullptr ? nullptr : &a.request(slot->request);
}

LogRequest* requestOf(LogAssembly& a) {
    return requestOf(a, Slots::in(a).ofLine(a));
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
Slot& timedSlot(LogAssembly& a, Slots& slots, bool first) {
    if (Slot* named = slots.ofLine(a)) {
        slots.timed = *named;
        return *named;
    }
    Slot& slot = slots.timed;
    const std::size_t served = BeingServed::in(a).request;
    if (first && slots.last.empty() && served != LogAssembly::none &&
        (slot.request != served || !isTold(a.request(served).endS))) {
        slot = {.request = served};
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
    std::deque<std::size_t>& withoutSlot = BeingServed::in(a).withoutSlot;
    while (!withoutSlot.empty()) {
        const std::size_t index = withoutSlot.front();
        withoutSlot.pop_front();
        if (a.request(index).end == RequestEnd::NotTold) {
            return index;
        }
    }
    return a.addRequest();
}

/// Lets the slot go on with a task: of another process with such a slot, if it was at it before, else a new
/// one.
void beginTask(LogAssembly& a, const std::pair<unsigned, int>& key, Slot& slot, long task,
               const LogMatch& m) {
    constexpr std::size_t mostLeft = 8;
    auto& left = Slots::in(a).left;
    const auto found = std::ranges::find_if(
        left, [&](const auto& one) { return one.first == key && one.second.task == task; });
    const Slot before = slot;
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
    Slots& slots = Slots::in(a);
    slots.named = nullptr;
    slots.namedAt = a.where;
    const double task = numberOf(m[2]);
    if (!(task >= 0 && task < 1e15)) { // "-1": of no request
        return;
    }
    const bool launch = m[0].starts_with("launch_slot_");
    const std::pair key(processOf(a.line.substr(0, m.begin)),
                        static_cast<int>(std::fmin(numberOf(m[1]), 1e6)));
    constexpr std::size_t mostSlots = 4096;
    if (slots.last.size() >= mostSlots && !slots.last.contains(key)) {
        return;
    }
    Slot& slot = slots.last[key];
    const bool over = slot.request != LogAssembly::none && isTold(a.request(slot.request).endS);
    if (slot.request == LogAssembly::none || slot.task != static_cast<long>(task) || (launch && over)) {
        beginTask(a, key, slot, static_cast<long>(task), m);
    }
    a.touch(slot.request);
    slots.named = &slot;
    if (m[0].starts_with("print_timing")) {
        slots.timed = slot;
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
    const Slot* slot = Slots::in(a).ofLine(a);
    if (const LogRequest* request = requestOf(a, slot)) { // n_tokens counts those of the cache too
        const double cached = isTold(request->cachedTokens) ? request->cachedTokens : 0;
        a.addProgress({.request = slot->request,
                       .ofPrompt = true,
                       .tokens = std::fmax(numberOf(m[0]) - cached, 0),
                       .ofTokens = request->inputTokens - cached});
    }
}

void takeLivePrompt(LogAssembly& a, const LogMatch& m) {
    const Slot* slot = Slots::in(a).ofLine(a);
    if (LogRequest* request = requestOf(a, slot)) {
        inferArrival(*request, a.now - numberOf(m[2]));
        a.addProgress({.request = slot->request,
                       .ofPrompt = true,
                       .tokens = numberOf(m[0]),
                       .ofTokens = request->inputTokens - request->cachedTokens,
                       .tokensPerS = numberOf(m[3])});
    }
}

void takeLiveOutput(LogAssembly& a, const LogMatch& m) {
    LogProgress progress{
        .tokens = numberOf(m[0]), .tokensPerS = numberOf(m[1]), .recentTokensPerS = numberOf(m[2])};
    const Slot* slot = Slots::in(a).ofLine(a);
    progress.request = slot == nullptr ? LogProgress::npos : slot->request;
    a.addProgress(progress);
}

void takePromptEval(LogAssembly& a, const LogMatch& m) {
    Slots& slots = Slots::in(a);
    Slot& timed = timedSlot(a, slots, true);
    timed.promptTimed = slots.timed.promptTimed = true;
    const std::size_t index = timed.request;
    LogRequest& request = a.request(index);
    request.prefillS = numberOf(m[0]) / 1e3;
    settleInput(request, numberOf(m[1]));
    for (auto& [key, slot] : slots.last) { // the line may not name it
        slot.evaluated = slot.request == index ? numberOf(m[1]) : slot.evaluated;
    }
}

void takeEval(LogAssembly& a, const LogMatch& m) {
    LogRequest& request = a.request(timedSlot(a, Slots::in(a), false).request);
    request.decodeS = numberOf(m[0]) / 1e3;
    request.outputTokens = numberOf(m[1]);
    // One token takes no step: what is printed then is no rate.
    request.decodeTokensPerS = request.outputTokens > 1 ? numberOf(m[3]) : notTold;
    tell(request.endS, a.now);
    request.firstTokenS = request.endS - request.decodeS;
    constexpr double coarse = 1; // stamps of seconds
    if (request.firstTokenS < request.arrivalS - coarse) {
        // The request's lines bear no times: the last time that was read is from before.
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
    const Slots& slots = Slots::in(a);
    const Slot* named = slots.ofLine(a);
    const Slot& slot = named == nullptr ? slots.timed : *named;
    if (there && slot.request != LogAssembly::none) {
        a.request(slot.request).acceptedDrafts = numberOf(accepted);
    }
}

void takeRelease(LogAssembly& a, const LogMatch& m) {
    Slots& slots = Slots::in(a);
    const Slot* slot = slots.ofLine(a);
    if (slot == nullptr) {
        return;
    }
    LogRequest* request = &a.request(slot->request);
    a.end(slot->request, RequestEnd::Complete);
    slots.unnamed = slot->request;
    if (m[1] == "0") {
        settleByEnd(*request, slot->evaluated, numberOf(m[0]));
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
    const bool isFound = found != std::string_view::npos && TextCursor(m[0], found + key.size()).digits(left);
    const LogRequest* request = requestOf(a);
    a.addEvent(LogEventKind::Truncated, isFound ? numberOf(left) : notTold,
               request == nullptr ? std::string() : request->id);
}

void takeCancel(LogAssembly& a, const LogMatch& m) {
    std::string_view task;
    TextCursor(m[0], std::string_view("cancel task, id_task = ").size()).digits(task);
    for (auto& [key, slot] : Slots::in(a).last) {
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
    std::size_t& unnamed = Slots::in(a).unnamed;
    if (c.word(method) && c.skipBlanks(1) && c.text(path) && (generates(method, path) || embeds(path)) &&
        unnamed != LogAssembly::none) {
        a.request(unnamed).path = fmt::format("{} {}", method, path);
        a.request(unnamed).generates = !embeds(path);
        unnamed = LogAssembly::none;
    }
}

} // namespace loadline::llama
