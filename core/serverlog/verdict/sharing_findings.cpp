// Whether requests share what serves them: the steps' prompts, the queue, the KV cache.
#include "core/serverlog/verdict/log_evidence.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

constexpr double fullCache = 0.95;
constexpr const char* waitingDecides = "Log arrival and first token of each request, and how many wait.";

} // namespace

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
        return interval.promptTokensPerS > 0 || interval.newTokens > 0;
    };
    const auto others = [&](const LogInterval& interval) {
        return prefills(interval) && interval.running > (isTold(interval.newTokens) ? 0 : 1);
    };
    finding.evidence = linesWhere<LogInterval>(evidence.log.intervals, others);
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
    finding.evidence = linesWhere<LogInterval>(evidence.log.intervals, prefills);
    if (concurrency == Verdict::Excluded) {
        finding.verdict = Verdict::Excluded;
        finding.reason = finding.evidence.empty()
                             ? "One request at a time: no other prompt was there to be computed."
                             : "Prompts were computed, but one request at a time: they were its own.";
        return finding;
    }
    finding.decide =
        "Log the tokens of prompts that each step computes, or the first token's time of each request.";
    if (!finding.evidence.empty()) {
        finding.reason =
            "Prompts were computed; whether those of requests that ran, or of others, is not told.";
        return finding;
    }
    const auto requests = std::ranges::count_if(evidence.log.requests, &LogRequest::generates);
    const bool statistics = !evidence.log.intervals.empty() &&
                            std::ranges::all_of(evidence.log.intervals, [](const LogInterval& interval) {
                                return isTold(interval.promptTokensPerS) || !(interval.outputTokensPerS > 0);
                            });
    if (statistics && requests <= 1) {
        finding.verdict = Verdict::Excluded;
        finding.reason = "No line has prompt throughput, which is of all the time between lines.";
        finding.decide.clear();
        return finding;
    }
    finding.reason = "Nothing says what the steps of the observed time computed.";
    return finding;
}

Finding queueing(const LogEvidence& evidence, Verdict concurrency) {
    Finding finding{.key = "queueing", .claim = "Requests wait in a queue"};
    finding.weight = 3;
    double most = 0;
    bool told = false;
    for (const LogInterval& interval : evidence.log.intervals) {
        told = told || isTold(interval.waiting);
        most = std::max(most, isTold(interval.waiting) ? interval.waiting : 0);
    }
    if (told) {
        const bool alone = most == 0 && concurrency == Verdict::Excluded;
        finding.verdict = most > 0 ? Verdict::Supported : alone ? Verdict::Excluded : Verdict::NotExcluded;
        finding.reason =
            most > 0 ? fmt::format("Up to {} requests waited: their time to first token holds that, the rate "
                                   "of those that ran does not.",
                                   formatReal(most, 1))
            : alone  ? "No line has a request waiting, and one ran at a time."
                    : "No line has a request waiting, but lines tell an instant each: what waited in between "
                      "is not told.";
        finding.decide = finding.verdict == Verdict::NotExcluded ? waitingDecides : "";
        finding.evidence =
            linesWhere<LogInterval>(evidence.log.intervals, [most](const LogInterval& interval) {
                return isTold(interval.waiting) && (most > 0 ? interval.waiting > 0 : true);
            });
        return finding;
    }
    finding.reason = "The log does not tell of waiting requests.";
    finding.decide = waitingDecides;
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
    const std::vector<LogInterval>& intervals = evidence.log.intervals;
    double most = notTold;
    for (const LogInterval& interval : intervals) {
        most = std::fmax(most, interval.kvUse);
    }
    const bool counted =
        !intervals.empty() &&
        std::ranges::all_of(intervals, [](const LogInterval& interval) { return interval.preemptions == 0; });
    if (concurrency == Verdict::Excluded || counted) {
        finding.verdict = Verdict::Excluded;
        finding.reason = counted ? "Each line counts the preemptions since the one before: none."
                                 : "One request at a time: nothing takes its blocks.";
    } else if (isTold(most)) {
        finding.reason = fmt::format(
            "Lines have the KV cache up to {} full, at an instant each; preemptions are not logged.",
            formatShare(most));
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
