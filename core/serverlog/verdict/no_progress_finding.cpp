// Whether requests ran for minutes while nothing came out.
#include "core/serverlog/verdict/log_evidence.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace loadline {
namespace {

/// Neighbouring lines of one engine on which requests run and nothing is computed.
struct StuckSpan {
    LogLine first, last;
    double fromS = notTold;
    double toS = notTold;
    std::size_t lines = 0;
    double running = 0; ///< most
    double waiting = 0;

    [[nodiscard]] double seconds() const { return toS - fromS; }
};

bool isStuck(const LogInterval& line) {
    return line.running > 0 && line.outputTokensPerS == 0 && !(line.promptTokensPerS > 0) &&
           !(line.newTokens > 0);
}

StuckSpan longestOf(const ServerLog& log) {
    StuckSpan longest;
    std::map<int, StuckSpan> current;
    for (const LogInterval& line : log.intervals) {
        if (!isTold(line.outputTokensPerS)) {
            continue; // a line of prompts alone
        }
        StuckSpan& span = current[line.engine];
        if (!isStuck(line)) {
            span = {};
            continue;
        }
        if (span.lines == 0) {
            span.first = line.where;
            span.fromS = isTold(line.spanS) ? line.timeS - line.spanS : line.timeS;
        }
        span.last = line.where;
        span.toS = line.timeS;
        ++span.lines;
        span.running = std::max(span.running, line.running);
        span.waiting = std::max(span.waiting, isTold(line.waiting) ? line.waiting : 0);
        if (span.lines > longest.lines) {
            longest = span;
        }
    }
    return longest;
}

} // namespace

std::optional<Finding> noProgress(const LogEvidence& evidence) {
    constexpr double longS = 60;
    constexpr std::size_t manyLines = 6;
    const StuckSpan span = longestOf(evidence.log);
    const bool timed = isTold(span.seconds()) && !clockGoesBack(evidence.log);
    if (span.lines < 2 || (timed ? span.seconds() < longS : span.lines < manyLines)) {
        return std::nullopt;
    }
    const auto exact = [](std::uint64_t line) { return formatExact(static_cast<std::int64_t>(line)); };
    Finding finding{.key = "no_progress", .claim = "The server is stuck: requests run and nothing comes out"};
    finding.verdict = Verdict::Supported;
    finding.evidence = {span.first, span.last};
    finding.reason = fmt::format(
        "No token came out{} in lines {} to {}, with up to {} running{}. Rates are of the other lines.",
        timed ? " for " + formatSeconds(span.seconds()) : std::string(), exact(span.first.line),
        exact(span.last.line), counted(static_cast<std::uint64_t>(span.running), "request"),
        span.waiting > 0 ? fmt::format(" and {} waiting", formatReal(span.waiting, 1)) : std::string());
    return finding;
}

} // namespace loadline
