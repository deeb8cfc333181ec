// The server by votes, times from the first, and notes.
#include "core/serverlog/read/finish_log.h"

#include "core/text/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

/// Calls `take` with each time of the log.
template <typename Take>
void forTimes(ServerLog& log, Take&& take) {
    for (LogInterval& interval : log.intervals) {
        take(interval.timeS);
    }
    for (LogRequest& request : log.requests) {
        take(request.arrivalS);
        take(request.firstTokenS);
        take(request.endS);
    }
    for (LogEvent& event : log.events) {
        take(event.timeS);
    }
    for (LogStep& step : log.steps) {
        take(step.timeS);
    }
    for (LogProgress& progress : log.progress) {
        take(progress.timeS);
    }
}

} // namespace

const ServerFormat* serverOf(std::span<const FormatPatterns> formats, std::span<const std::uint64_t> lines) {
    const ServerFormat* most = nullptr;
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < formats.size(); ++i) {
        const auto runs = std::ranges::find_if(
            formats, [&](const FormatPatterns& other) { return other.server->key == formats[i].runs; });
        const bool both = lines[i] > 0 && runs != formats.end();
        const std::uint64_t own =
            lines[i] + (both ? lines[static_cast<std::size_t>(runs - formats.begin())] : 0);
        if (own > count) {
            count = own;
            most = formats[i].server;
        }
    }
    return most;
}

void finishTimes(ServerLog& log, double firstS, double lastS) {
    if (!isTold(firstS)) {
        return;
    }
    for (const LogRequest& request : log.requests) { // may have arrived before the first line
        for (const double time : {request.arrivalS, request.firstTokenS, request.endS}) {
            firstS = std::fmin(firstS, time);
            lastS = std::fmax(lastS, time);
        }
    }
    constexpr double millisecondsPerS = 1000;
    double begin = firstS;
    if (log.clock == LogClock::Date) {
        begin = std::floor(firstS * millisecondsPerS) / millisecondsPerS;
        log.begin = {static_cast<std::int64_t>(std::llround(begin * millisecondsPerS))};
    }
    forTimes(log, [&](double& time) { time -= begin; });
    log.lengthS = lastS - begin;
}

void finishNotes(ServerLog& log, const LogAssembly& assembly, std::span<const std::string_view> ofPatterns) {
    for (const LogRequest& request : log.requests) {
        if (request.generates && log.requestsFrom != RequestsFrom::Inferred) {
            log.requestsFrom = request.arrivalInferred ? RequestsFrom::Inferred : RequestsFrom::Log;
        }
    }
    if (log.known()) {
        log.firstLines.clear();
    }
    if (log.clock == LogClock::MonthDay) {
        log.notes.emplace_back("The log names no year: 29 February is counted where a line bears it.");
    }
    log.notes.insert(log.notes.end(), ofPatterns.begin(), ofPatterns.end());
    if (assembly.merges > 0) {
        log.notes.push_back(
            fmt::format("Statistics were merged: {} lines are one.", std::uint64_t{1} << assembly.merges));
    }
    log.moreRequests = assembly.requestsBeyond();
    if (log.moreRequests > 0) {
        log.notes.push_back(
            fmt::format("{}{}.", counted(requestCount(log), "request"), keptRequestsWords(log)));
    }
    if (assembly.leftOut > 0) {
        log.notes.push_back(fmt::format("{} records beyond the limits were left out.", assembly.leftOut));
    }
}

} // namespace loadline
