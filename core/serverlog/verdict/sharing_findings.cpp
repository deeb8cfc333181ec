// Finds whether requests wait for one another: the queue, and what limits the batch; the KV cache.
#include "core/serverlog/verdict/log_evidence.h"
#include "core/serverlog/verdict/serial_ends.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

namespace loadline {
namespace {

constexpr double fullCache = 0.95;
constexpr const char* waitingDecides = "Log arrival and first token of each request, and how many wait.";

std::string lineText(const LogLine& where) {
    return formatExact(static_cast<std::int64_t>(where.line));
}

/// Lines with waiting requests that follow each other, of one engine.
struct Queue {
    std::size_t lines = 0; ///< of all
    std::size_t recorded = 0;
    double most = 0;
    LogLine first, last; ///< of the longest run of lines
    double seconds = notTold;
    std::size_t run = 0;
};

Queue queueOf(const ServerLog& log) {
    struct Run {
        LogLine first;
        double fromS = notTold;
        std::size_t lines = 0;
    };
    Queue queue;
    std::map<int, Run> runs;
    for (const LogInterval& interval : log.intervals) {
        if (!isTold(interval.waiting)) {
            continue;
        }
        ++queue.recorded;
        Run& run = runs[interval.engine];
        if (!(interval.waiting > 0)) {
            run = {};
            continue;
        }
        ++queue.lines;
        queue.most = std::max(queue.most, interval.waiting);
        run = run.lines == 0 ? Run{interval.where, interval.timeS, 0} : run;
        if (++run.lines > queue.run) {
            queue.run = run.lines;
            queue.first = run.first;
            queue.last = interval.where;
            queue.seconds = interval.timeS - run.fromS;
        }
    }
    return queue;
}

/// Requests that were preempted: where lines count them, by these counts.
struct Preempted {
    std::uint64_t requests = 0;
    std::uint64_t swapped = 0;
    bool least = false; ///< some lines tell no count
};

Preempted preemptedOf(const ServerLog& log) {
    Preempted all;
    for (const LogEvent& event : log.events) {
        if (event.kind == LogEventKind::Preemption) {
            const auto count = isTold(event.count) ? static_cast<std::uint64_t>(event.count) : 1;
            all.requests += count;
            all.swapped += event.swapped ? count : 0;
            all.least = all.least || !isTold(event.count);
        }
    }
    return all;
}

} // namespace

Finding queueing(const LogEvidence& evidence, Verdict concurrency) {
    Finding finding{.key = "queueing", .claim = "Requests wait in a queue"};
    finding.weight = 3;
    const Queue queue = queueOf(evidence.log);
    if (const auto serial =
            queue.recorded == 0 && concurrency == Verdict::Excluded ? serialEndsOf(evidence) : std::nullopt) {
        finding.verdict = Verdict::Supported;
        finding.headline = fmt::format(
            "{} waited for the one before: served one at a time, {} each on average, with up to {} at the "
            "server.",
            shareWords(serial->ends, keptRequests(evidence.log), "request"), formatSeconds(serial->meanS),
            formatReal(serial->most, 1));
        finding.reason = finding.headline + " Their times hold the wait.";
        finding.evidence = serial->waited;
        finding.evidence.resize(std::min(finding.evidence.size(), mostEvidence));
        return finding;
    }
    if (queue.recorded == 0) {
        finding.reason = "The log does not tell of waiting requests.";
        finding.decide = waitingDecides;
        return finding;
    }
    const bool alone = queue.most == 0 && concurrency == Verdict::Excluded;
    finding.verdict = queue.most > 0 ? Verdict::Supported : alone ? Verdict::Excluded : Verdict::NotExcluded;
    if (queue.most > 0) {
        const std::string run =
            queue.run < 2
                ? std::string()
                : fmt::format(", longest without a break in lines {} to {}{}", lineText(queue.first),
                              lineText(queue.last),
                              isTold(queue.seconds) ? " (" + formatSeconds(queue.seconds) + ")" : "");
        finding.reason =
            fmt::format("Up to {} waited, on {}{}: their time to first token holds that, "
                        "the rate of those that ran does not.{}",
                        counted(static_cast<std::uint64_t>(queue.most), "request"),
                        shareWords(queue.lines, queue.recorded, "line"), run, queueHolderWords(evidence));
        finding.headline = blockedQueueWords(evidence);
    } else {
        finding.reason =
            alone ? "No line has a request waiting, and one ran at a time."
                  : "No line has a request waiting, but lines tell an instant each: what waited in "
                    "between is not told.";
    }
    finding.decide = finding.verdict == Verdict::NotExcluded ? waitingDecides : "";
    finding.evidence = linesWhere<LogInterval>(evidence.log.intervals, [&](const LogInterval& interval) {
        return isTold(interval.waiting) && (queue.most == 0 || interval.waiting > 0);
    });
    return finding;
}

Finding preemption(const LogEvidence& evidence, Verdict concurrency) {
    Finding finding{.key = "preemption", .claim = "Requests are preempted for lack of room"};
    finding.weight = 4;
    finding.evidence = linesWhere<LogEvent>(
        evidence.log.events, [](const LogEvent& event) { return event.kind == LogEventKind::Preemption; });
    if (!finding.evidence.empty()) {
        const Preempted preempted = preemptedOf(evidence.log);
        const bool all = preempted.swapped == preempted.requests;
        finding.verdict = Verdict::Supported;
        finding.reason = fmt::format(
            "{}{} from line {} on: {}.", counted(preempted.requests, "preemption"),
            preempted.least ? " or more" : "", lineText(finding.evidence.front()),
            all ? "each request's blocks go to the CPU's memory and back, and are not computed again"
            : preempted.swapped > 0
                ? fmt::format("{} went to the CPU's memory and back, the others are computed again",
                              formatExact(static_cast<std::int64_t>(preempted.swapped)))
                : std::string("each is computed again"));
        return finding;
    }
    const std::vector<LogInterval>& intervals = evidence.log.intervals;
    double most = notTold;
    for (const LogInterval& interval : intervals) {
        most = std::fmax(most, interval.kvUse);
    }
    const bool none = !intervals.empty() && std::ranges::all_of(intervals, [](const LogInterval& interval) {
        return interval.preemptions == 0;
    });
    if (concurrency == Verdict::Excluded || none) {
        finding.verdict = Verdict::Excluded;
        finding.reason = none ? "Each line counts the preemptions since the one before: none."
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
