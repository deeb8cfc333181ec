// Reads requests.jsonl of a recorded run and brings its two clocks together.
#include "core/replay/run_requests.h"

#include "core/base/file/read_json.h"
#include "core/text/json/json_fields.h"
#include "core/trace/request.h"
#include "core/trace/trace_lines.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace loadline {
namespace {

using Json = nlohmann::json;

constexpr double latestS = 1e11;
/// Clocks nearer than this are taken for one clock (epoch seconds against seconds since boot differ by
/// years).
constexpr double sameClockS = 1e6;

std::optional<double> secondsIn(const Json& object, const char* key) {
    const Json& found = memberOf(object, key);
    if (!found.is_number()) {
        return std::nullopt;
    }
    const auto value = found.get<double>();
    return std::isfinite(value) && std::abs(value) <= latestS ? std::optional(value) : std::nullopt;
}

std::optional<Tokens> tokensIn(const Json& object, const char* key) {
    const Json& found = memberOf(object, key);
    const double value = found.is_number() ? found.get<double>() : 0;
    const bool good = value >= 1 && value <= static_cast<double>(maxTurnTokens) && std::floor(value) == value;
    return good ? std::optional(static_cast<Tokens>(value)) : std::nullopt;
}

std::optional<RecordedTimes> timesIn(const Json& object) {
    const auto queued = secondsIn(object, "queued_ts");
    const auto first = secondsIn(object, "first_token_ts");
    const auto last = secondsIn(object, "last_token_ts");
    if (!queued || !first || !last || *first < *queued || *last < *first) {
        return std::nullopt;
    }
    return RecordedTimes{.queuedS = *queued, .firstTokenS = *first, .lastTokenS = *last};
}

/// Returns the request; nothing if the line cannot be used: the problem is noted.
std::optional<RecordedRequest> requestIn(const TraceLine& line, TraceProblems& problems) {
    const Json object = jsonFrom(line.text);
    if (object.is_discarded()) {
        problems.addBad(line, "it is not JSON");
        return std::nullopt;
    }
    if (!object.is_object()) {
        problems.add(DiagnosticKind::NotAnObject, line.number, "it is not a JSON object");
        return std::nullopt;
    }
    RecordedRequest request;
    const auto input = tokensIn(object, "input_toks");
    const auto output = tokensIn(object, "output_toks");
    if (!input || !output) {
        problems.add(
            DiagnosticKind::BadNumber, line.number,
            fmt::format("{} is not a count of at least one token", input ? "output_toks" : "input_toks"));
        return std::nullopt;
    }
    request.input = *input;
    request.output = *output;
    request.times = timesIn(object);
    const auto arrival = secondsIn(object, "arrival_time");
    const auto queued = secondsIn(object, "queued_ts");
    if (!arrival && !queued) {
        problems.add(DiagnosticKind::BadTimestamp, line.number, "arrival_time is not a time");
        return std::nullopt;
    }
    request.arrivalS = arrival ? *arrival : *queued;
    const Json& id = memberOf(object, "request_id");
    request.id = id.is_string() ? id.get<std::string>() : fmt::format("line {}", line.number);
    return request;
}

/// Moves all times so that the first arrival is at 0.
void layClocksTogether(RunRequests& run) {
    double apart = std::numeric_limits<double>::infinity();
    double start = std::numeric_limits<double>::infinity();
    for (const RecordedRequest& request : run.requests) {
        start = std::min(start, request.arrivalS);
        if (request.times) {
            apart = std::min(apart, request.times->queuedS - request.arrivalS);
        }
    }
    const bool twoClocks = std::isfinite(apart) && (apart < 0 || apart > sameClockS);
    const double engineStart = start + (twoClocks ? apart : 0);
    for (RecordedRequest& request : run.requests) {
        request.arrivalS -= start;
        if (request.times) {
            request.times->queuedS -= engineStart;
            request.times->firstTokenS -= engineStart;
            request.times->lastTokenS -= engineStart;
        }
    }
    if (twoClocks) {
        run.notes.emplace_back("arrivals and engine times are on two clocks, which were laid over each other "
                               "where the least time lies between arrival and queue");
    }
}

} // namespace

Result<RunRequests> runRequestsFromJsonLines(std::string_view text, const std::string& path) {
    RunRequests run;
    TraceProblems problems;
    TraceLines lines(text);
    std::size_t untimed = 0;
    while (const auto line = lines.next()) {
        if (auto request = requestIn(*line, problems)) {
            untimed += request->times ? 0 : 1;
            run.requests.push_back(std::move(*request));
        }
    }
    run.diagnostics = problems.list();
    if (run.requests.empty()) {
        const std::string why = run.diagnostics.empty() ? std::string("it has no lines")
                                                        : sentenceOfLine(run.diagnostics.front());
        return Error{"no recorded request could be read: " + why, path,
                     R"(a request a line: {"request_id", "input_toks", "output_toks", "arrival_time"})"};
    }
    std::ranges::stable_sort(run.requests, {}, &RecordedRequest::arrivalS);
    if (untimed != 0 && untimed != run.requests.size()) {
        run.notes.push_back(fmt::format("{} of {} requests have no recorded times; what was recorded is not "
                                        "compared",
                                        untimed, run.requests.size()));
    }
    layClocksTogether(run);
    return run;
}

} // namespace loadline
