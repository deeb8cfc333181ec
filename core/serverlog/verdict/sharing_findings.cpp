// Whether requests wait for one another: the queue, and what limits the batch; the KV cache.
#include "core/serverlog/verdict/log_evidence.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "core/text/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
    std::size_t told = 0;
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
        ++queue.told;
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

/// What holds requests back while others wait, by the lines on which they do.
std::string holderOf(const LogEvidence& evidence) {
    constexpr double mostly = 0.8;
    constexpr double roomy = 0.9;
    const double told = parseNumber<double>(factOf(evidence.log, "max_batch_size")).value_or(notTold);
    std::vector<double> running;
    std::vector<double> kvUse;
    double most = 0;
    for (const LogInterval& interval : evidence.log.intervals) {
        const double each = interval.running / interval.engines;
        most = std::fmax(most, each);
        if (interval.waiting > 0 && isTold(each)) {
            running.push_back(each);
            kvUse.push_back(interval.kvUse);
        }
    }
    const double limit = isTold(told) ? told : most;
    const auto at = std::ranges::count_if(running, [limit](double each) { return each >= limit; });
    const bool pinned = !running.empty() && limit > 0 &&
                        static_cast<double>(at) >= mostly * static_cast<double>(running.size());
    std::erase_if(kvUse, [](double use) { return !isTold(use); });
    const double use = medianOf(kvUse);
    const std::string full = isTold(use) ? fmt::format("the KV cache is {} full", formatShare(use)) : "";
    if (use >= roomy) {
        return fmt::format(" The KV cache holds them back: it is {} full (median) with {} running{}.",
                           formatShare(use), formatReal(medianOf(running), 3),
                           isTold(told) ? fmt::format(" of {} allowed", formatReal(told, 3)) : std::string());
    }
    if (pinned && (isTold(told) || running.size() > 2)) {
        return fmt::format(" The limit of requests at once holds them back: {} run{}{}.",
                           formatReal(limit, 3),
                           isTold(told) ? ", as many as are allowed" : " on nearly each of these lines",
                           full.empty() ? "" : ", while " + full);
    }
    return isTold(told) && !full.empty()
               ? fmt::format(
                     " Neither the limit of {} requests nor the KV cache holds them back ({}): prompts "
                     "take their turns.",
                     formatReal(told, 3), full)
               : "";
}

/// Preemptions as lines count them: since the line before, or since the start where the count never falls.
double countedPreemptions(const ServerLog& log) {
    struct Count {
        double sum = 0;
        double last = 0;
        std::size_t told = 0;
        bool falls = false;
    };
    std::map<int, Count> engines;
    for (const LogInterval& interval : log.intervals) {
        Count& count = engines[interval.engine];
        const double now = isTold(interval.preemptions) ? interval.preemptions : 0;
        count.told += isTold(interval.preemptions) ? 1 : 0;
        count.falls = count.falls || now < count.last;
        count.sum += now;
        count.last = now;
    }
    double all = 0;
    for (const auto& [engine, count] : engines) {
        all += count.falls || count.told < 3 ? count.sum : count.last;
    }
    return all;
}

} // namespace

Finding queueing(const LogEvidence& evidence, Verdict concurrency) {
    Finding finding{.key = "queueing", .claim = "Requests wait in a queue"};
    finding.weight = 3;
    const Queue queue = queueOf(evidence.log);
    if (queue.told == 0) {
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
        finding.reason = fmt::format(
            "Up to {} requests waited, on {}{}: their time to first token holds that, "
            "the rate of those that ran does not.{}",
            formatReal(queue.most, 1), shareWords(queue.lines, queue.told, "line"), run, holderOf(evidence));
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
    Finding finding{.key = "preemption", .claim = "Requests are preempted and computed again"};
    finding.weight = 4;
    finding.evidence = linesWhere<LogEvent>(
        evidence.log.events, [](const LogEvent& event) { return event.kind == LogEventKind::Preemption; });
    if (!finding.evidence.empty()) {
        const auto events = static_cast<std::uint64_t>(
            std::ranges::count(evidence.log.events, LogEventKind::Preemption, &LogEvent::kind));
        const double told = countedPreemptions(evidence.log);
        const std::string count = told > 0 ? counted(static_cast<std::uint64_t>(told), "preemption")
                                           : counted(events, "line") + " of preempted requests";
        finding.verdict = Verdict::Supported;
        finding.reason = fmt::format("The log tells {}, from line {} on: each is computed again.", count,
                                     lineText(finding.evidence.front()));
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
