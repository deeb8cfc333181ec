// Any bytes as a request trace of each format: what is read makes sense, and no line is lost without a word.
#include "core/trace/trace_lines.h"
#include "tests/fuzz/check.h"

#include <algorithm>

namespace {

using namespace loadline;
using namespace loadline::fuzz;

void checkTrace(const Result<Trace>& trace) {
    if (!trace) {
        return checkError(trace.error());
    }
    check(!trace->requests.empty() || !trace->sessions.empty());
    check(trace->requests.empty() || trace->requests.front().arrivalS == 0);
    double before = 0;
    for (const TraceRequest& request : trace->requests) {
        check(request.arrivalS >= before && std::isfinite(request.arrivalS));
        check(request.input >= 0 && request.input <= maxTurnTokens);
        check(request.output >= 0 && request.output <= maxTurnTokens);
        check(request.cached >= 0 && request.cached <= request.input);
        before = request.arrivalS;
    }
    for (const WorkloadSession& session : trace->sessions) {
        check(!session.turns.empty());
        for (const WorkloadTurn& turn : session.turns) {
            check(turn.context >= 0 && turn.input >= 0 && turn.output >= 0);
            check(turn.context + turn.input <= maxTurnTokens && turn.output <= maxTurnTokens);
            check(turn.gapS == -1 || isTime(turn.gapS));
        }
    }
}

std::uint64_t linesLeftOut(const Trace& trace) {
    std::uint64_t count = 0;
    for (const Diagnostic& diagnostic : trace.diagnostics) {
        count += diagnostic.kind == DiagnosticKind::ByteOrderMark ? 0 : diagnostic.count;
    }
    return count;
}

std::uint64_t linesIn(std::string_view text) {
    TraceLines lines(text);
    std::uint64_t count = 0;
    while (lines.next()) {
        ++count;
    }
    return count;
}

/// Each line is a request or left out; `header` lines are neither.
void checkLines(const Result<Trace>& trace, std::string_view text, std::uint64_t header) {
    checkTrace(trace);
    if (trace) {
        check(trace->requests.size() + linesLeftOut(*trace) + header == linesIn(text));
    }
}

/// A byte order mark in front, and line ends of another system, change no request.
void checkOtherEnds(const Result<Trace>& trace, std::string_view text) {
    if (text.find('\r') != std::string_view::npos || text.find('"') != std::string_view::npos) {
        return;
    }
    std::string other = text.starts_with("\xef\xbb\xbf") ? "" : "\xef\xbb\xbf";
    for (const char c : text) {
        other += c == '\n' ? "\r\n" : std::string(1, c);
    }
    const Result<Trace> again = readTrace(other, "x");
    check(again.hasValue() == trace.hasValue());
    check(!trace || (again->requests == trace->requests && again->sessions == trace->sessions));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);
    const Result<Trace> told = readTrace(text, "x");
    checkTrace(told);
    checkOtherEnds(told, text);
    for (const TraceFormat& format : traceFormats()) {
        const Result<Trace> trace = format.read(text, "x");
        if (format.key.starts_with("weka-")) { // leaves rows out that repeat others
            checkTrace(trace);
        } else {
            checkLines(trace, text, format.isTable ? 1 : 0);
        }
    }
    return 0;
}
