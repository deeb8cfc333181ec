// Whether requests share what serves them: the batch, the steps, the queue, the KV cache.
#include "core/serverlog/verdict/log_evidence.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {
namespace {

constexpr double fullCache = 0.95;
constexpr double roomyCache = 0.9;

/// Lines of requests that are, or may be, served while another one is.
struct Overlaps {
    std::vector<LogLine> sure;
    std::vector<LogLine> open;
    double most = 0;
    bool atServer = true; ///< of the sure ones only ends and durations are told, which hold waiting too
};

/// As an access line alone tells it.
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

/// How many long ones ended in the same second: one after the other they would not.
std::size_t endedTogether(const ServerLog& log) {
    constexpr double longS = 5;
    std::vector<double> ends;
    for (const LogRequest& request : log.requests) {
        if (request.generates && isTimedByAccess(request) && request.endS - request.arrivalS > longS) {
            ends.push_back(request.endS);
        }
    }
    std::ranges::sort(ends);
    std::size_t together = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        together += (i > 0 && ends[i] - ends[i - 1] < 1) || (i + 1 < ends.size() && ends[i + 1] - ends[i] < 1)
                        ? 1
                        : 0;
    }
    return together;
}

/// Of requests that were at the server at once: whether it runs several, by its settings, else by their ends.
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

/// What the engine itself says of the batch: steps, then statistics.
bool decideByBatch(const LogEvidence& evidence, Finding& finding) {
    const auto several = [](const LogStep& step) { return isTold(step.active) && step.active > 1; };
    const auto counted =
        std::ranges::count_if(evidence.log.steps, [](const LogStep& step) { return isTold(step.active); });
    if (counted > 0) {
        const auto most = std::ranges::max(evidence.log.steps, {},
                                           [](const LogStep& s) { return isTold(s.active) ? s.active : 0; });
        const auto shared = std::ranges::count_if(evidence.log.steps, several);
        finding.verdict = shared > 0 ? Verdict::Supported : Verdict::Excluded;
        finding.reason =
            shared > 0
                ? fmt::format("{}; up to {} requests at once. Each step reads the weights once for all of "
                              "them, and each one's KV cache.",
                              shareWords(static_cast<std::size_t>(shared), static_cast<std::size_t>(counted),
                                         "logged step") +
                                  " had more than one request in the batch",
                              formatReal(most.active, 1))
                : fmt::format("All {} had one request in the batch.",
                              loadline::counted(static_cast<std::uint64_t>(counted), "logged step"));
        finding.evidence = linesWhere<LogStep>(evidence.log.steps, [&](const LogStep& step) {
            return shared > 0 ? several(step) : isTold(step.active);
        });
        return true;
    }
    const auto sharing = [](const LogInterval& interval) {
        return isTold(interval.running) && interval.running > 1;
    };
    const auto told = std::ranges::count_if(
        evidence.log.intervals, [](const LogInterval& interval) { return isTold(interval.running); });
    if (told == 0) {
        return false;
    }
    const auto shared = std::ranges::count_if(evidence.log.intervals, sharing);
    double most = 0;
    for (const LogInterval& interval : evidence.log.intervals) {
        most = std::max(most, isTold(interval.running) ? interval.running : 0);
    }
    finding.verdict = shared > 0 ? Verdict::Supported : Verdict::Excluded;
    finding.reason =
        shared > 0 ? fmt::format("{} running, up to {}. What one stream gets is the aggregate over those "
                                 "that run.",
                                 shareWords(static_cast<std::size_t>(shared), static_cast<std::size_t>(told),
                                            "line") +
                                     " have more than one request",
                                 formatReal(most, 1))
                   : "No line of statistics has more than one request running.";
    finding.evidence = linesWhere<LogInterval>(evidence.log.intervals, [&](const LogInterval& interval) {
        return shared > 0 ? sharing(interval) : isTold(interval.running);
    });
    return true;
}

} // namespace

Finding concurrentRequests(const LogEvidence& evidence) {
    Finding finding{.key = "concurrent_requests", .claim = "Concurrent requests share the batch"};
    finding.weight = 10;
    if (decideByBatch(evidence, finding)) {
        return finding;
    }
    Overlaps overlaps = overlapsOf(evidence);
    if (!overlaps.sure.empty() && overlaps.atServer) {
        decideByAccess(evidence, overlaps, finding);
        finding.evidence = firstOf(std::move(overlaps.sure));
        return finding;
    }
    if (!overlaps.sure.empty()) {
        finding.verdict = Verdict::Supported;
        finding.reason =
            fmt::format("{} while another one was: up to {} at once.",
                        counted(overlaps.sure.size(), "request") + " ran", formatReal(overlaps.most, 1));
        finding.evidence = firstOf(std::move(overlaps.sure));
        return finding;
    }
    const auto told = std::ranges::count_if(evidence.log.requests, [](const LogRequest& request) {
        return request.generates && isTold(request.arrivalS) && isTold(request.endS);
    });
    const bool inferred = std::ranges::any_of(evidence.log.requests, &LogRequest::endInferred);
    if (told > 0 && overlaps.open.empty() && !inferred) {
        finding.verdict = Verdict::Excluded;
        finding.reason = told > 1 ? "Each request began after the one before had ended."
                                  : "The log tells of one request alone.";
        for (const LogRequest& request : evidence.log.requests) {
            if (request.generates && finding.evidence.size() < mostEvidence) {
                finding.evidence.push_back(request.first);
            }
        }
        return finding;
    }
    finding.reason =
        inferred ? "The log does not tell when answers were complete: requests may have overlapped."
        : overlaps.open.empty()
            ? "The log does not tell how many requests ran at once."
            : fmt::format("The end of {} is not in the log: they may have run on beside the others.",
                          counted(overlaps.open.size(), "request"));
    finding.decide =
        "Log how many requests each step holds (for instance \"[BATCH] Step: active=N\"), or the end of "
        "every answer, streamed ones too.";
    finding.evidence = firstOf(std::move(overlaps.open));
    return finding;
}

Finding prefillInterleaving(const LogEvidence& evidence, Verdict concurrency) {
    Finding finding{.key = "prefill_interleaving",
                    .claim = "Prompts of other requests are computed in between"};
    finding.weight = 6;
    std::vector<double> with;
    std::vector<double> without;
    for (const ObservedRate& rate : evidence.rates) {
        (rate.atLeast ? with : without).push_back(rate.tokensPerS * rate.streams);
    }
    const auto prefills = [](const LogInterval& interval) {
        const bool computes = (isTold(interval.promptTokensPerS) && interval.promptTokensPerS > 0) ||
                              (isTold(interval.newTokens) && interval.newTokens > 0);
        return computes && isTold(interval.running) && interval.running >= 1;
    };
    finding.evidence = linesWhere<LogInterval>(evidence.log.intervals, prefills);
    if (!finding.evidence.empty() && concurrency == Verdict::Excluded) {
        finding.verdict = Verdict::Excluded;
        finding.reason = "Prompts were computed, but never with more than one request running: they were its "
                         "own.";
        return finding;
    }
    if (!finding.evidence.empty()) {
        finding.verdict = Verdict::Supported;
        finding.reason = "Prompts were computed while requests ran.";
        if (!with.empty() && !without.empty()) {
            finding.reason +=
                fmt::format(" In such intervals all streams together had {} tokens/s, in the others {} "
                            "(medians).",
                            formatReal(medianOf(with), 3), formatReal(medianOf(without), 3));
        }
        return finding;
    }
    const bool statistics = std::ranges::any_of(evidence.log.intervals, [](const LogInterval& interval) {
        return isTold(interval.promptTokensPerS);
    });
    if (concurrency == Verdict::Excluded || statistics) {
        finding.verdict = Verdict::Excluded;
        finding.reason = statistics ? "No interval in which requests ran has prompt throughput."
                                    : "One request at a time: no other prompt was there to be computed.";
        return finding;
    }
    finding.reason = "Nothing says what the steps of the observed time computed.";
    finding.decide =
        "Log the tokens of prompts that each step computes, or the first token's time of each request.";
    return finding;
}

Finding queueing(const LogEvidence& evidence) {
    Finding finding{.key = "queueing", .claim = "Requests wait in a queue"};
    finding.weight = 3;
    double most = 0;
    bool told = false;
    for (const LogInterval& interval : evidence.log.intervals) {
        told = told || isTold(interval.waiting);
        most = std::max(most, isTold(interval.waiting) ? interval.waiting : 0);
    }
    if (told) {
        finding.verdict = most > 0 ? Verdict::Supported : Verdict::Excluded;
        finding.reason = most > 0
                             ? fmt::format("Up to {} requests waited: their time to first token holds that, "
                                           "the rate of those that ran does not.",
                                           formatReal(most, 1))
                             : "No line has a request waiting.";
        finding.evidence =
            linesWhere<LogInterval>(evidence.log.intervals, [most](const LogInterval& interval) {
                return isTold(interval.waiting) && (most > 0 ? interval.waiting > 0 : true);
            });
        return finding;
    }
    finding.reason = "The log does not tell of waiting requests.";
    finding.decide = "Log arrival and first token of each request, or the length of the queue.";
    return finding;
}

Finding preemption(const LogEvidence& evidence, Verdict concurrency) {
    Finding finding{.key = "preemption", .claim = "Requests are preempted and computed again"};
    finding.weight = 4;
    finding.evidence = linesWhere<LogEvent>(
        evidence.log.events, [](const LogEvent& event) { return event.kind == LogEventKind::Preemption; });
    if (!finding.evidence.empty()) {
        finding.verdict = Verdict::Supported;
        finding.reason = "The log tells of preempted requests.";
        return finding;
    }
    double most = notTold;
    for (const LogInterval& interval : evidence.log.intervals) {
        if (isTold(interval.kvUse)) {
            most = isTold(most) ? std::max(most, interval.kvUse) : interval.kvUse;
        }
    }
    if (concurrency == Verdict::Excluded || (isTold(most) && most < roomyCache)) {
        finding.verdict = Verdict::Excluded;
        finding.reason = isTold(most)
                             ? fmt::format("The KV cache was never fuller than {}.", formatShare(most))
                             : "One request at a time: nothing takes its blocks.";
    } else if (isTold(most)) {
        finding.reason =
            fmt::format("The KV cache was up to {} full; preemptions are not logged.", formatShare(most));
        finding.decide = "Read the engine's count of preemptions (vLLM: vllm:num_preemptions_total).";
    } else {
        finding.reason = "The log tells neither preemptions nor how full the KV cache is.";
    }
    finding.evidence = linesWhere<LogInterval>(evidence.log.intervals, [most](const LogInterval& interval) {
        return isTold(interval.kvUse) && (most < fullCache || interval.kvUse >= fullCache);
    });
    return finding;
}

} // namespace loadline
