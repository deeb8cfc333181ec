// Any bytes as a request trace of each format: what is read makes sense, and no line is lost without a word.
#include "core/cache/reuse/trace_figures.h"
#include "core/trace/trace_lines.h"
#include "core/trace/weka_document.h"
#include "core/trace/write_trace.h"
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
        const bool kept = diagnostic.kind == DiagnosticKind::ByteOrderMark ||
                          diagnostic.kind == DiagnosticKind::UnequalBlock;
        count += kept ? 0 : diagnostic.count;
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

bool isShare(double value) {
    return value >= 0 && value <= 1;
}

/// Whole prompts, the figures of which hold together.
void checkBlocks(const BlockTrace& trace) {
    for (const BlockChain& chain : trace.chains) {
        double before = 0;
        std::uint32_t there = 0;
        for (const BlockRequest& request : trace.requestsOf(chain)) {
            check(request.startS >= before && request.shared <= there);
            for (const std::uint32_t block : trace.addedBy(request)) {
                check(block < trace.blocksOfScope[chain.scope]);
            }
            before = request.startS;
            there = request.blocks();
        }
    }
    WorkProgress progress;
    const TraceFigures figures = traceFiguresOf(trace, 1, {}, progress);
    const PrefixReuse& reuse = figures.unlimited;
    check(reuse.consecutive.blocks <= reuse.prefix.blocks && reuse.prefix.blocks <= reuse.setHits);
    check(reuse.setHits <= reuse.references && reuse.consecutive.tokens <= reuse.inputTokens);
    check(isShare(reuse.tokenWeighted.cached) && isShare(reuse.meanPrefixTokens));
    const double most = figures.engine.fwd.hit(~std::uint64_t{0});
    check(isShare(most) && most == figures.engine.rev.hit(~std::uint64_t{0}));
    check(isShare(figures.engine.contiguousTokens.hit(3)));
}

/// What is written of a session reads back equal.
void checkSession(std::string_view text) {
    std::string own(text);
    const Result<WekaDocument> document = readWekaDocument(own, "x");
    if (!document) {
        return checkError(document.error());
    }
    checkBlocks(document->trace);
    std::vector<WekaFile> files = wekaFiles(document->trace);
    check(files.size() == 1);
    const Result<WekaDocument> again = readWekaDocument(files[0].text, "x");
    check(again.hasValue() && again->trace.requests.size() == document->trace.requests.size());
    for (std::size_t i = 0; i < again->trace.requests.size(); ++i) {
        const BlockRequest& one = document->trace.requests[i];
        const BlockRequest& other = again->trace.requests[i];
        check(one.startS == other.startS && one.input == other.input && one.output == other.output);
        check(one.shared == other.shared && one.added == other.added && one.answerS == other.answerS);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);
    const Result<Trace> told = readTrace(text, "x");
    checkTrace(told);
    checkOtherEnds(told, text);
    if (told && !told->requests.empty()) {
        checkBlocks(blockTraceOf(told->requests, told->blockTokens, "x"));
    }
    checkSession(text);
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
