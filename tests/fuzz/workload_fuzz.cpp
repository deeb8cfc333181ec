// Any bytes as a workload file, as a trace of each format, as shapes: a value that makes sense, or a
// sentence.
#include "core/cost/shapes_json.h"
#include "core/trace/trace_lines.h"
#include "core/workload/read_workload.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace loadline;

void check(bool holds) {
    if (!holds) {
        std::abort();
    }
}

void checkTrace(const Result<Trace>& trace) {
    if (!trace) {
        check(!trace.error().what.empty() && !trace.error().remedy.empty());
        return;
    }
    double before = 0;
    for (const TraceRequest& request : trace->requests) {
        check(request.arrivalS >= before && std::isfinite(request.arrivalS));
        check(request.input >= 0 && request.input <= maxTurnTokens && request.output >= 0);
        check(request.cached >= 0 && request.cached <= request.input);
        before = request.arrivalS;
    }
    for (const WorkloadSession& session : trace->sessions) {
        check(!session.turns.empty());
        for (const WorkloadTurn& turn : session.turns) {
            check(turn.context >= 0 && turn.input >= 0 && turn.output >= 0);
            check(turn.gapS == -1 || (turn.gapS >= 0 && std::isfinite(turn.gapS)));
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    checkTrace(readTrace(text, "x"));
    checkTrace(readCsvTrace(TraceFormat::Azure, text, "x"));
    checkTrace(readCsvTrace(TraceFormat::PlainCsv, text, "x"));
    checkTrace(readWekaRequests(text, "x"));
    checkTrace(readWekaSession(text, "x"));
    for (const TraceFormat format :
         {TraceFormat::Mooncake, TraceFormat::PlainLines, TraceFormat::EngineRun}) {
        checkTrace(readJsonLinesTrace(format, text, "x"));
    }
    if (const auto workload = workloadFromText(text, "x")) {
        check(!problemOf(*workload));
        for (const DrawnTurn& turn : drawTurns(resampled(*workload, size), 16, 1)) {
            check(turn.input >= 1 && turn.output >= 1);
        }
    }
    if (const auto shapes = shapesFromJson(text, "x")) {
        const auto again = shapesFromJson(toJson(*shapes), "x");
        check(again && *again == *shapes);
    }
    return 0;
}
