// Finds whether requests fail, are given up or are refused.
#include "core/serverlog/verdict/log_evidence.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace loadline {
namespace {

/// Requests that did not end well, by how lines tell it.
struct BadEnds {
    std::size_t recorded = 0; ///< ends, of requests that generate
    std::size_t failed = 0;
    std::size_t aborted = 0;
    std::size_t refused = 0;
    std::map<int, std::size_t> byStatus; ///< of those that failed
    std::vector<LogLine> lines;

    [[nodiscard]] std::size_t all() const { return failed + aborted + refused; }
};

BadEnds badEndsOf(const ServerLog& log) {
    BadEnds ends;
    for (const LogRequest& request : log.requests) {
        if (!request.generates || request.end == RequestEnd::NotTold) {
            continue;
        }
        ++ends.recorded;
        const bool failed = request.end == RequestEnd::Failed;
        const bool aborted = request.end == RequestEnd::Aborted;
        ends.failed += failed ? 1 : 0;
        ends.aborted += aborted ? 1 : 0;
        if (failed) {
            ++ends.byStatus[request.status];
        }
        if ((failed || aborted) && ends.lines.size() < mostEvidence) {
            ends.lines.push_back(request.last);
        }
    }
    for (const LogEvent& event : log.events) {
        if (event.kind == LogEventKind::Refused) {
            ++ends.refused;
            if (ends.lines.size() < mostEvidence) {
                ends.lines.push_back(event.where);
            }
        }
    }
    return ends;
}

std::string exactCount(std::size_t count) {
    return formatExact(static_cast<std::int64_t>(count));
}

/// "15 failed (500: 7, 503: 8)"
std::string failedWords(const BadEnds& ends) {
    std::string codes;
    for (const auto& [status, count] : ends.byStatus) {
        if (status != 0) {
            codes += fmt::format("{}{}: {}", codes.empty() ? "" : ", ", status, exactCount(count));
        }
    }
    return fmt::format("{} failed{}", exactCount(ends.failed), codes.empty() ? "" : " (" + codes + ")");
}

} // namespace

bool tellsEnds(const ServerLog& log) {
    return std::ranges::any_of(log.requests,
                               [](const LogRequest& request) {
                                   return request.generates && request.end != RequestEnd::NotTold &&
                                          (request.status != 0 || request.end == RequestEnd::Failed ||
                                           request.end == RequestEnd::Aborted);
                               }) ||
           std::ranges::any_of(log.events,
                               [](const LogEvent& event) { return event.kind == LogEventKind::Refused; });
}

Finding failedRequests(const LogEvidence& evidence) {
    Finding finding{.key = "failed_requests", .claim = "Requests fail, are given up or are refused"};
    constexpr double many = 20; // one in so many is told first
    const BadEnds ends = badEndsOf(evidence.log);
    if (ends.all() == 0) {
        finding.verdict = Verdict::Excluded;
        finding.reason = fmt::format("None of {} failed.", counted(ends.recorded, "request"));
        return finding;
    }
    std::string words = ends.failed > 0 ? failedWords(ends) : "";
    const auto add = [&words](std::size_t count, std::string_view what) {
        if (count > 0) {
            words += fmt::format("{}{} {}", words.empty() ? "" : ", ", exactCount(count), what);
        }
    };
    add(ends.aborted, ends.aborted == 1 ? "was given up by the client" : "were given up by the client");
    add(ends.refused,
        ends.refused == 1 ? "was refused, larger than the context" : "were refused, larger than the context");
    finding.verdict = Verdict::Supported;
    finding.reason =
        fmt::format("Of {}, {}.", counted(std::max(ends.recorded, ends.all()), "request"), words);
    finding.evidence = ends.lines;
    finding.weight = many * static_cast<double>(ends.all()) >= static_cast<double>(ends.recorded) ? 10 : 0;
    return finding;
}

} // namespace loadline
