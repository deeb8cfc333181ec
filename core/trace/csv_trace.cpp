// Reads tables with a request a row.
#include "core/trace/csv_row.h"
#include "core/trace/trace_lines.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {

Result<Trace> readTable(const RequestNames& names, std::string_view text, const std::string& path) {
    TraceLines lines(text);
    const CsvHeader header(lines.next().value_or(TraceLine{}).text);
    const auto arrivalAt = header.find(names.arrival);
    const auto inputAt = header.find(names.input);
    const auto outputAt = header.find(names.output);
    if (!arrivalAt || !inputAt || !outputAt) {
        return notATrace(
            fmt::format("it has not the columns {},{},{}", names.arrival, names.input, names.output), path);
    }
    const std::size_t needed = std::max({*arrivalAt, *inputAt, *outputAt}) + 1;

    Trace trace;
    TraceProblems problems;
    if (lines.hadMark()) {
        problems.add(DiagnosticKind::ByteOrderMark, 1, "");
    }
    CsvRow row;
    while (const std::optional<TraceLine> line = lines.next()) {
        row.split(line->text);
        if (row.size() < needed) {
            problems.addBad(*line, "it has too few columns");
            continue;
        }
        const auto arrival =
            names.perSecond == 0 ? secondsFrom(row.at(*arrivalAt)) : realFrom(row.at(*arrivalAt));
        const auto input = tokensFrom(row.at(*inputAt));
        const auto output = tokensFrom(row.at(*outputAt));
        if (!arrival || *arrival < 0 || *arrival > mostTraceSeconds) {
            problems.add(DiagnosticKind::BadTimestamp, line->number,
                         fmt::format("{} is not a time", names.arrival));
        } else if (!input || !output) {
            problems.add(DiagnosticKind::BadNumber, line->number,
                         fmt::format("{} is not a count of tokens", input ? names.output : names.input));
        } else {
            trace.requests.push_back({.arrivalS = *arrival, .input = *input, .output = *output});
        }
    }
    noteOrder(trace, trace.requests);
    sortByArrival(trace);
    return finished(std::move(trace), problems, path);
}

} // namespace loadline
