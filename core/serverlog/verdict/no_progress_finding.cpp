// Finds whether requests ran for minutes while nothing came out.
#include "core/serverlog/server_log.h"
#include "core/serverlog/verdict/log_evidence.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace loadline {
namespace {

constexpr double longS = 60; ///< shorter ones are steps of large batches or long prompts

/// Time in which requests of one engine run and nothing is computed.
struct StuckSpan {
    LogLine first, last;
    double fromS = notTold;
    double toS = notTold;
    std::size_t lines = 0;
    double running = 0; ///< most
    double waiting = 0;
    bool silent = false; ///< from one line to the next
    int engine = 0;

    [[nodiscard]] double seconds() const { return toS - fromS; }
};

/// Returns the longest span of neighbouring lines that are stuck.
StuckSpan longestOf(const ServerLog& log) {
    StuckSpan longest;
    std::map<int, StuckSpan> current;
    for (const LogInterval& line : log.intervals) {
        if (!isTold(line.outputTokensPerS)) {
            continue; // a line of prompts alone
        }
        StuckSpan& span = current[line.engine];
        if (!line.isStuck()) {
            span = {};
            continue;
        }
        if (span.lines == 0) {
            span.first = line.where;
            span.engine = line.engine;
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

/// True if requests ran from one line of a server that tells each prompt (SGLang) to its next: an idle server
/// goes on with a prompt beside none running. `decodeTokensPerS`: before; a token of a prompt takes no longer
/// than one that is decoded.
bool isSilence(const LogInterval& before, const LogInterval& after, double decodeTokensPerS) {
    const double seconds = after.timeS - before.timeS;
    const double computed = isTold(before.newTokens) ? before.newTokens : 0;
    return after.running > 0 && seconds >= longS && computed < seconds * decodeTokensPerS;
}

/// Returns the longest time without a line of a server that writes one for so many steps, if the next line of
/// decoding tells that hardly a token came out in it.
StuckSpan longestSilence(const ServerLog& log) {
    constexpr double hardly = 0.1;
    struct Engine {
        const LogInterval* last = nullptr;
        const LogInterval* decode = nullptr;
        bool tellsPrompts = false;
        StuckSpan silence; ///< since `decode`
    };
    StuckSpan longest;
    std::map<int, Engine> engines;
    for (const LogInterval& line : log.intervals) {
        Engine& engine = engines[line.engine];
        if (engine.decode != nullptr && isSilence(*engine.last, line, engine.decode->outputTokensPerS) &&
            !(line.timeS - engine.last->timeS <= engine.silence.seconds())) {
            engine.silence = {.first = engine.last->where,
                              .last = line.where,
                              .fromS = engine.last->timeS,
                              .toS = line.timeS,
                              .lines = 2,
                              .running = line.running,
                              .waiting = isTold(line.waiting) ? line.waiting : 0,
                              .silent = true,
                              .engine = line.engine};
        }
        engine.last = &line;
        engine.tellsPrompts = engine.tellsPrompts || isTold(line.newTokens);
        if (!isTold(line.outputTokensPerS)) {
            continue;
        }
        const bool slow = engine.decode != nullptr && engine.tellsPrompts &&
                          line.outputTokensPerS < hardly * engine.decode->outputTokensPerS;
        if (slow && isTold(engine.silence.seconds()) && !(engine.silence.seconds() <= longest.seconds())) {
            longest = engine.silence;
        }
        engine.decode = &line;
        engine.silence = {};
    }
    return longest;
}

/// True if other engines gave tokens while one was stuck.
bool othersGoOn(const ServerLog& log, const StuckSpan& span) {
    return std::ranges::any_of(log.intervals, [&span](const LogInterval& line) {
        return line.engine != span.engine && line.outputTokensPerS > 0 && line.where > span.first &&
               line.where < span.last;
    });
}

/// Lines of a server that writes none while it is idle end minutes before the log does, several requests
/// running on the last one; nothing where it is told that one ended after it.
std::optional<Finding> silentEnd(const ServerLog& log) {
    constexpr double minutesS = 300;
    constexpr double several = 4; // the last one or two that run end so
    const LogInterval* last = nullptr;
    for (const LogInterval& line : log.intervals) {
        last = isTold(line.outputTokensPerS) ? &line : last;
    }
    const bool sglang = log.server != nullptr && log.server->key == "sglang";
    if (!sglang || last == nullptr || !(last->running >= several) || clockGoesBack(log) ||
        !(log.lengthS - last->timeS >= minutesS) || last != &log.intervals.back() ||
        std::ranges::any_of(log.requests, [&](const LogRequest& request) {
            return request.generates && request.endS > last->timeS;
        })) {
        return std::nullopt;
    }
    Finding finding{.key = "no_progress", .claim = "The server is stuck: requests run and nothing comes out"};
    finding.weight = 12;
    finding.evidence = {last->where};
    finding.reason = fmt::format("No line of statistics in the last {} of the log, though {} ran on the last "
                                 "one ({}): all of them "
                                 "ended within its next steps, or the server is stuck.",
                                 formatSeconds(log.lengthS - last->timeS),
                                 counted(static_cast<std::uint64_t>(last->running), "request"),
                                 lineWords(log, last->where));
    finding.decide = "Send a request (SGLang: /health_generate), or log the ends of requests.";
    return finding;
}

} // namespace

std::optional<Finding> noProgress(const LogEvidence& evidence) {
    constexpr std::size_t manyLines = 6;
    StuckSpan span = longestOf(evidence.log);
    if (const StuckSpan silence = longestSilence(evidence.log); !(silence.seconds() <= span.seconds())) {
        span = silence.lines > 0 ? silence : span;
    }
    const bool timed = isTold(span.seconds()) && !clockGoesBack(evidence.log);
    if (span.lines < 2 || (timed ? span.seconds() < longS : span.lines < manyLines)) {
        return silentEnd(evidence.log);
    }
    Finding finding{.key = "no_progress", .claim = "The server is stuck: requests run and nothing comes out"};
    finding.verdict = Verdict::Supported;
    finding.evidence = {span.first, span.last};
    const bool one = othersGoOn(evidence.log, span);
    if (one) {
        finding.claim = "One engine is stuck: requests run on it and nothing comes out";
    }
    finding.reason = fmt::format(
        "No token came out{}{} {}, with up to {} running{}{}.{}",
        one ? fmt::format(" of engine {}", span.engine) : std::string(),
        timed ? " for " + formatSeconds(span.seconds()) : std::string(),
        (span.silent ? "between " : "in ") +
            linesWords(evidence.log, span.first, span.last, span.silent ? "and" : "to"),
        counted(static_cast<std::uint64_t>(span.running), "request"),
        span.waiting > 0 ? fmt::format(" and {} waiting", formatReal(span.waiting, 1)) : std::string(),
        one ? ", while others went on" : "", span.silent ? "" : " Rates are of the other lines.");
    return finding;
}

} // namespace loadline
