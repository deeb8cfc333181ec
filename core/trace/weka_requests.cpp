// Reads kv-cache-tester's table of sessions: chains of requests with the prefix each shares with the last.
#include "core/text/counted.h"
#include "core/trace/csv_row.h"
#include "core/trace/trace_lines.h"
#include "core/trace/weka_chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace loadline {
namespace {

constexpr Tokens dataSetBlockTokens = 64; // of this data set; the table does not tell

/// Indices of the columns.
struct ColumnPlaces {
    std::size_t file, chain, t, in, out, shared;
    std::optional<std::size_t> duplicateOf, apiTime;
    std::size_t needed = 0;
};

std::optional<ColumnPlaces> columnsOf(const CsvHeader& header) {
    const auto file = header.find("file");
    const auto chain = header.find("chain");
    const auto t = header.find("t");
    const auto in = header.find("in");
    const auto out = header.find("out");
    const auto shared = header.find("lcp_prev_blocks");
    if (!file || !chain || !t || !in || !out || !shared) {
        return std::nullopt;
    }
    return ColumnPlaces{.file = *file,
                        .chain = *chain,
                        .t = *t,
                        .in = *in,
                        .out = *out,
                        .shared = *shared,
                        .duplicateOf = header.find("dup_of"),
                        .apiTime = header.find("api_time"),
                        .needed = std::max({*file, *chain, *t, *in, *out, *shared}) + 1};
}

std::optional<double> secondsIn(std::string_view text) {
    const auto seconds = realFrom(text);
    return seconds && *seconds >= 0 && *seconds <= mostTraceSeconds ? seconds : std::nullopt;
}

} // namespace

Result<Trace> readWekaRequests(std::string_view text, const std::string& path) {
    TraceLines lines(text);
    const std::optional<ColumnPlaces> columns = columnsOf(CsvHeader(lines.next().value_or(TraceLine{}).text));
    if (!columns) {
        return notATrace("it has not the columns file,chain,t,in,out,lcp_prev_blocks", path);
    }
    Trace trace;
    TraceProblems problems;
    if (lines.hadMark()) {
        problems.add(DiagnosticKind::ByteOrderMark, 1, "");
    }
    WekaChains chains;
    std::set<std::string, std::less<>> duplicates;
    std::uint64_t duplicateRows = 0;
    CsvRow row;
    while (const std::optional<TraceLine> line = lines.next()) {
        row.split(line->text);
        if (row.size() < columns->needed) {
            problems.addBad(*line, "it has too few columns");
            continue;
        }
        if (columns->duplicateOf && !row.at(*columns->duplicateOf).empty()) {
            ++duplicateRows;
            duplicates.emplace(row.at(columns->file));
            continue;
        }
        const auto t = secondsIn(row.at(columns->t));
        const auto in = tokensFrom(row.at(columns->in));
        const auto out = tokensFrom(row.at(columns->out));
        const auto shared = tokensFrom(row.at(columns->shared));
        const auto apiTime = columns->apiTime ? secondsIn(row.at(*columns->apiTime)) : std::nullopt;
        if (!t || !in || !out || !shared) {
            problems.add(DiagnosticKind::BadNumber, line->number,
                         fmt::format("{} is not a number that fits", !t     ? "t"
                                                                     : !in  ? "in"
                                                                     : !out ? "out"
                                                                            : "lcp_prev_blocks"));
            continue;
        }
        chains.add(row.at(columns->file), row.at(columns->chain),
                   {.startS = *t,
                    .apiS = apiTime,
                    .input = *in,
                    .output = *out,
                    .sharedTokens = *shared * dataSetBlockTokens});
    }
    trace.sessions = chains.finish(trace.notes);
    if (duplicateRows > 0) {
        trace.notes.push_back(counted(duplicates.size(), "session") + " (" +
                              counted(duplicateRows, "request") + ") left out: repeated another");
    }
    return finished(std::move(trace), problems, path);
}

} // namespace loadline
