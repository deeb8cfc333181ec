// Finds whether requests share the batch, by steps, requests and statistics of the log.
#include "core/base/statistics.h"
#include "core/serverlog/verdict/batch_order.h"
#include "core/serverlog/verdict/log_evidence.h"
#include "core/serverlog/verdict/serial_ends.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "core/text/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

/// Lines of requests that are, or may be, served while another one is.
struct Overlaps {
    std::vector<LogLine> sure;
    std::vector<LogLine> open;
    double most = 0;
    bool atServer = true; ///< of the sure ones only ends and durations are told, which hold waiting too
};

/// True if an access line alone times a request.
bool isTimedByAccess(const LogRequest& request) {
    return request.arrivalInferred && !isTold(request.firstTokenS) && !isTold(request.decodeS);
}

Overlaps overlapsOf(const LogEvidence& evidence) {
    Overlaps overlaps;
    const MostAtOnce sure(evidence.concurrency.atLeast);
    const MostAtOnce possible(evidence.concurrency.atMost);
    for (const LogRequest& request : evidence.log.requests) {
        if (!request.generates || !isTold(request.arrivalS)) {
            continue;
        }
        const double toS = isTold(request.endS) ? request.endS : evidence.log.lengthS;
        const double most = request.endInferred ? 0 : sure.between(request.arrivalS, toS);
        if (isTold(request.endS) && most > 1) {
            overlaps.sure.push_back(request.first);
            overlaps.most = std::max(overlaps.most, most);
            overlaps.atServer = overlaps.atServer && isTimedByAccess(request);
        } else if (!isTold(request.endS) && possible.between(request.arrivalS, toS) > 1) {
            overlaps.open.push_back(request.first);
        }
    }
    return overlaps;
}

/// How many long ones were complete in the same second: one after the other they would not. 0 if some request
/// was answered within a second: such ones may follow each other in it after long waits.
std::size_t endedTogether(const ServerLog& log) {
    constexpr double longS = 5;
    constexpr double stampS = 1; ///< ends are told to the second
    std::vector<double> ends;
    for (const LogRequest& request : log.requests) {
        if (!request.generates || !isTimedByAccess(request) || request.end != RequestEnd::Complete) {
            continue; // one that fails may end at any time
        }
        const double seconds = request.endS - request.arrivalS;
        if (seconds <= stampS) {
            return 0;
        }
        if (seconds > longS) {
            ends.push_back(request.endS);
        }
    }
    std::ranges::sort(ends);
    std::size_t together = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        together += (i > 0 && ends[i] - ends[i - 1] < stampS) ||
                            (i + 1 < ends.size() && ends[i + 1] - ends[i] < stampS)
                        ? 1
                        : 0;
    }
    return together;
}

/// Decides by settings, else by ends of requests, whether a server that had several ran several at once.
void decideByAccess(const LogEvidence& evidence, const Overlaps& overlaps, Finding& finding) {
    const std::string_view parallel = factOf(evidence.log, "parallel");
    const std::size_t together = endedTogether(evidence.log);
    finding.reason =
        fmt::format("{} at the server while another one was: up to {} at once",
                    counted(overlaps.sure.size(), "request") + (overlaps.sure.size() == 1 ? " was" : " were"),
                    formatReal(overlaps.most, 1));
    if (parallel == "1") {
        finding.verdict = Verdict::Excluded;
        finding.reason += ". It runs one at a time (parallel=1): the others waited.";
    } else if (const auto serial = serialEndsOf(evidence); serial && parallel.empty()) {
        finding.verdict = Verdict::Excluded;
        finding.reason +=
            fmt::format("; they end {} apart or more ({} on average), as of a server that serves "
                        "one at a time: the others waited.",
                        formatSeconds(serial->leastS), formatSeconds(serial->meanS));
    } else if (together > 0 || !parallel.empty()) {
        finding.verdict = Verdict::Supported;
        finding.reason += together > 0
                              ? fmt::format("; {} ended in the same second, as of one batch.", together)
                              : fmt::format(". It runs several (parallel={}).", parallel);
    } else {
        finding.reason += ". Whether they shared the batch or waited for one another is not told.";
        finding.decide =
            "Log how many requests the server runs at once (Ollama: OLLAMA_NUM_PARALLEL), or the "
            "first token's time of each.";
    }
}

std::vector<LogLine> firstOf(std::vector<LogLine> lines) {
    lines.resize(std::min(lines.size(), mostEvidence));
    return lines;
}

/// Steps tell who shared them.
bool decideBySteps(const LogEvidence& evidence, Finding& finding) {
    const auto several = [](const LogStep& step) { return isTold(step.active) && step.active > 1; };
    const auto known =
        std::ranges::count_if(evidence.log.steps, [](const LogStep& step) { return isTold(step.active); });
    if (known == 0) {
        return false;
    }
    const auto most = std::ranges::max(evidence.log.steps, {},
                                       [](const LogStep& s) { return isTold(s.active) ? s.active : 0; });
    const auto shared = std::ranges::count_if(evidence.log.steps, several);
    finding.verdict = shared > 0 ? Verdict::Supported : Verdict::Excluded;
    finding.reason =
        shared > 0 ? fmt::format("{}; up to {} requests at once. Each step reads the weights once for all of "
                                 "them, and each one's KV cache.",
                                 shareWords(static_cast<std::size_t>(shared), static_cast<std::size_t>(known),
                                            "logged step") +
                                     " had more than one request in the batch",
                                 formatReal(most.active, 1))
                   : fmt::format("All {} had one request in the batch.",
                                 counted(static_cast<std::uint64_t>(known), "logged step"));
    finding.evidence = linesWhere<LogStep>(evidence.log.steps, [&](const LogStep& step) {
        return shared > 0 ? several(step) : isTold(step.active);
    });
    return true;
}

/// A line of statistics with several running is proof; lines with one or none are not: see aloneByThroughput.
bool decideBySeveralRunning(const LogEvidence& evidence, Finding& finding) {
    const auto sharing = [](const LogInterval& interval) { return interval.running > 1; };
    const auto shared = std::ranges::count_if(evidence.log.intervals, sharing);
    if (shared == 0) {
        return false;
    }
    const auto known = std::ranges::count_if(
        evidence.log.intervals, [](const LogInterval& interval) { return isTold(interval.running); });
    double most = 0;
    for (const LogInterval& interval : evidence.log.intervals) {
        most = std::fmax(most, interval.running);
    }
    finding.verdict = Verdict::Supported;
    finding.reason = fmt::format(
        "{} {} more than one request running, up to {}. What one stream gets is the aggregate over those "
        "that run.",
        shareWords(static_cast<std::size_t>(shared), static_cast<std::size_t>(known), "line"),
        shared == 1 ? "has" : "have", formatReal(most, 1));
    finding.evidence = linesWhere<LogInterval>(evidence.log.intervals, sharing);
    return true;
}

/// Decides by overlapping requests, if there are any.
bool decideByOverlaps(const LogEvidence& evidence, Overlaps& overlaps, Finding& finding) {
    if (overlaps.sure.empty()) {
        return false;
    }
    if (overlaps.atServer) {
        decideByAccess(evidence, overlaps, finding);
    } else {
        // Stamps of one that ends and of the next one in its slot may overlap.
        const double slots = parseNumber<double>(factOf(evidence.log, "parallel")).value_or(notTold);
        finding.verdict = Verdict::Supported;
        finding.reason = fmt::format(
            "{} while another one was: up to {} at once.", counted(overlaps.sure.size(), "request") + " ran",
            formatReal(slots > 1 ? std::min(overlaps.most, slots) : overlaps.most, 1));
    }
    finding.evidence = firstOf(std::move(overlaps.sure));
    return true;
}

/// One stream that ran alone throughout, if one did, and how that is decided or why it cannot be.
struct Alone {
    bool holds = false;
    std::string words;
};

/// Lines of statistics tell who runs at an instant, and throughput of the time between. One stream ran alone
/// where each line has one running and all throughput without prompts is that of one stream: two that share
/// an interval give more, and requests that take turns, less.
Alone aloneByThroughput(const LogEvidence& evidence) {
    constexpr double alike = 0.1;
    constexpr std::size_t enough = 3;
    const ServerLog& log = evidence.log;
    if (std::ranges::any_of(log.intervals, [](const LogInterval& interval) {
            return interval.outputTokensPerS > 0 && interval.running < 1;
        })) {
        return {false, "tokens were generated before lines that have none running"};
    }
    if (std::ranges::any_of(log.intervals,
                            [&](const LogInterval& one) { return one.engine != log.intervals[0].engine; })) {
        return {false, "several engines write them"};
    }
    const auto requests = std::ranges::count_if(log.requests, &LogRequest::generates);
    if (requests > 1) {
        return {false, fmt::format("{} took turns, whose beginnings are not told",
                                   counted(static_cast<std::uint64_t>(requests), "request"))};
    }
    std::vector<double> rates;  ///< without prompts
    std::vector<double> steps;  ///< the same over the tokens that a step gives: acceptance taken out
    std::vector<double> shares; ///< the same over the ceiling at their context, where that is known
    double mostWithPrompts = 0;
    for (const ObservedRate& rate : evidence.rates) {
        const bool freed = evidence.light && isTold(rate.contextLow) && isTold(rate.contextHigh);
        if (rate.source == RateSource::Interval && rate.atLeast) {
            mostWithPrompts = std::max(mostWithPrompts, rate.tokensPerS / rate.tokensPerStep);
        } else if (rate.source == RateSource::Interval) {
            rates.push_back(rate.tokensPerS);
            steps.push_back(rate.tokensPerS / rate.tokensPerStep);
            shares.push_back(freed ? rate.tokensPerS /
                                         evidence.light->ceiling(rate.contextHigh, 1, rate.tokensPerStep)
                                   : notTold);
        }
    }
    if (rates.size() < enough) {
        return {false, "too few of them are without prompts to tell the rate of one stream"};
    }
    const bool freed = std::ranges::all_of(shares, isTold);
    const auto [least, most] = std::ranges::minmax(freed ? shares : steps);
    const double middle = medianOf(freed ? shares : steps);
    const auto [low, high] = std::ranges::minmax(rates);
    const double mostSteps = std::ranges::max(steps);
    const bool drafts = mostSteps < high;
    const std::string range = formatReal(low, 3) + (high > low ? " to " + formatReal(high, 3) : "");
    const bool steady = least >= (1 - alike) * middle && most <= (1 + alike) * middle &&
                        mostWithPrompts <= (1 + alike) * mostSteps;
    if (!steady && drafts) {
        return {false, fmt::format("{} to {} steps/s are not those of one stream throughout",
                                   formatReal(std::ranges::min(steps), 3),
                                   formatReal(std::max(mostSteps, mostWithPrompts), 3))};
    }
    if (!steady) {
        return {false,
                fmt::format("{} tokens/s are not the rate of one stream throughout",
                            formatReal(low, 3) + " to " + formatReal(std::max(high, mostWithPrompts), 3))};
    }
    return {true, fmt::format("without prompts they tell {} tokens/s in {}{}, as of one stream throughout",
                              range, counted(rates.size(), "line"),
                              freed    ? ", the growing context taken out"
                              : drafts ? ", the acceptance of drafts taken out"
                                       : "")};
}

/// Returns when the first of the kept lines was written; not told if none has a time.
double firstLineS(const ServerLog& log) {
    double first = notTold;
    const auto take = [&first](double timeS) {
        first = std::fmin(first, timeS);
    }; // passes over what is not told
    for (const LogInterval& interval : log.intervals) {
        take(interval.timeS);
    }
    for (const LogEvent& event : log.events) {
        take(event.timeS);
    }
    for (const LogProgress& progress : log.progress) {
        take(progress.timeS);
    }
    for (const LogRequest& request : log.requests) {
        take(request.arrivalInferred ? notTold : request.arrivalS);
        take(request.endInferred ? notTold : request.endS);
    }
    return first;
}

/// Decides by requests whose beginnings and ends are all told and do not overlap.
void decideBySerial(const LogEvidence& evidence, std::size_t requests, Finding& finding) {
    const double firstS = firstLineS(evidence.log);
    std::size_t before = 0;
    for (const LogRequest& request : evidence.log.requests) {
        before += request.generates && request.arrivalInferred && request.arrivalS < firstS ? 1 : 0;
        if (request.generates && finding.evidence.size() < mostEvidence) {
            finding.evidence.push_back(request.first);
        }
    }
    finding.verdict = before < requests ? Verdict::Excluded : Verdict::NotExcluded;
    finding.reason = requests > 1 ? "Each request began after the one before had ended"
                                  : "The log tells of one request alone";
    if (before > 0) {
        finding.reason += requests > 1 ? ", but the log begins after the first did: what ran beside that one "
                                         "before is not told"
                                       : ", but begins after it did: what ran beside it before is not told";
        finding.decide = before < requests ? "" : "Read the log from before the request began.";
    }
    finding.reason += '.';
}

} // namespace

Finding concurrentRequests(const LogEvidence& evidence) {
    Finding finding{.key = "concurrent_requests", .claim = "Concurrent requests share the batch"};
    finding.weight = 10;
    if (decideBySteps(evidence, finding) || decideBySeveralRunning(evidence, finding)) {
        return finding;
    }
    Overlaps overlaps = overlapsOf(evidence);
    if (decideByOverlaps(evidence, overlaps, finding)) {
        return finding;
    }
    if (decideByOrder(evidence, finding) || decideByOneSlot(evidence, finding)) {
        return finding;
    }
    const auto requests = std::ranges::count_if(evidence.log.requests, &LogRequest::generates);
    const auto known = std::ranges::count_if(evidence.log.requests, [](const LogRequest& request) {
        return request.generates && isTold(request.arrivalS) && isTold(request.endS) && !request.endInferred;
    });
    if (known > 0 && known == requests) {
        decideBySerial(evidence, static_cast<std::size_t>(requests), finding);
        return finding;
    }
    const auto runs = [](const LogInterval& interval) { return isTold(interval.running); };
    if (std::ranges::any_of(evidence.log.intervals, runs)) {
        const Alone alone = aloneByThroughput(evidence);
        finding.verdict = alone.holds ? Verdict::Excluded : Verdict::NotExcluded;
        finding.reason =
            fmt::format("No line of statistics has more than one request running{}{}.",
                        alone.holds ? ", and " : ", but they tell an instant each: ", alone.words);
        finding.evidence = linesWhere<LogInterval>(evidence.log.intervals, runs);
    } else {
        const bool inferred = std::ranges::any_of(evidence.log.requests, &LogRequest::endInferred);
        finding.reason =
            inferred ? "The log does not tell when answers were complete: requests may have overlapped."
            : overlaps.open.empty()
                ? "The log does not tell how many requests ran at once."
                : fmt::format("The end of {} is not in the log: they may have run on beside the others.",
                              counted(overlaps.open.size(), "request"));
        finding.evidence = firstOf(std::move(overlaps.open));
    }
    if (finding.verdict == Verdict::NotExcluded) {
        finding.decide =
            "Log how many requests each step holds (for instance \"[BATCH] Step: active=N\"), or the end of "
            "every answer, streamed ones too.";
    }
    return finding;
}

} // namespace loadline
