// Evidence that findings are made from: a log, its rates, who shared the batch.
#pragma once

#include "core/serverlog/log_concurrency.h"
#include "core/serverlog/verdict/finding.h"
#include "core/serverlog/verdict/stream_rate.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace loadline {

struct LogEvidence {
    const ServerLog& log;
    const std::vector<ObservedRate>& rates;
    const std::optional<SpeedOfLight>& light;
    const ServedOn& served;
    LogConcurrency concurrency = concurrencyOf(log);
};

/// The findings, each a pure function; those that depend on others are given their verdicts.
Finding concurrentRequests(const LogEvidence& evidence);
Finding prefillInterleaving(const LogEvidence& evidence, Verdict concurrency);
Finding promptTime(const LogEvidence& evidence);
/// True if lines time the computing of prompts: the verdict then includes promptTime().
bool timesPrompts(const ServerLog& log);
Finding queueing(const LogEvidence& evidence, Verdict concurrency);
/// Returns what holds requests back while others wait, as far as the lines tell it: one or two sentences
/// that begin with a blank; "" where none waits.
std::string queueHolderWords(const LogEvidence& evidence);
/// "14 requests wait for 1 h 07 min, and none is admitted."; "" where prompts are computed while others wait,
/// and of less than five minutes.
std::string blockedQueueWords(const LogEvidence& evidence);
Finding preemption(const LogEvidence& evidence, Verdict concurrency);
Finding cacheMisses(const LogEvidence& evidence);
Finding implausibleHits(const LogEvidence& evidence);
Finding cacheReconstruction(const LogEvidence& evidence);
Finding outputCap(const LogEvidence& evidence);
Finding thermalDecay(const LogEvidence& evidence);
Finding draftAcceptance(const LogEvidence& evidence);
/// True if lines tell how many tokens a step gives: the verdict then includes draftAcceptance().
bool tellsAcceptance(const LogEvidence& evidence);
Finding rateArithmetic(const LogEvidence& evidence);
Finding modelOrQuantisation(const LogEvidence& evidence);
Finding engineSettings(const LogEvidence& evidence);
Finding partialOffload(const LogEvidence& evidence);
Finding streamingOrClient(const LogEvidence& evidence);
/// Returns the finding that no token came out for minutes while requests ran; nothing if lines tell no such
/// time.
std::optional<Finding> noProgress(const LogEvidence& evidence);
/// Returns the finding that one of several engines is slower, silent or has most of the load; nothing if they
/// are alike.
std::optional<Finding> enginesDiffer(const LogEvidence& evidence);
/// Returns the finding that single requests are far slower than the others; nothing if none is.
std::optional<Finding> slowRequests(const LogEvidence& evidence);
Finding failedRequests(const LogEvidence& evidence);
/// True if lines tell how requests ended: the verdict then includes failedRequests().
bool tellsEnds(const ServerLog& log);
Finding failures(const LogEvidence& evidence);
/// True if lines tell of memory that ran out or an engine that died: the verdict then includes failures().
bool tellsFailures(const ServerLog& log);
/// True if the server can hold a part of a model in the CPU's memory: the verdict then includes
/// partialOffload().
bool mayOffload(const ServerLog& log);

/// Beginning and end of the time in which rates were observed; nothing where no time is told.
struct ObservedTime {
    double fromS = notTold;
    double toS = notTold;

    [[nodiscard]] bool holds(double timeS) const { return timeS >= fromS && timeS <= toS; }
};
ObservedTime observedTimeOf(const LogEvidence& evidence);

/// Returns the lines of the records for which a condition holds, at most mostEvidence.
template <typename Record>
std::vector<LogLine> linesWhere(const std::vector<Record>& records,
                                const std::function<bool(const Record&)>& holds) {
    std::vector<LogLine> lines;
    for (const Record& record : records) {
        if (lines.size() < mostEvidence && holds(record)) {
            lines.push_back(record.where);
        }
    }
    return lines;
}

/// "1 request", "3 requests of 4" ...
std::string shareWords(std::size_t some, std::size_t all, std::string_view what);

/// The rate that stands for all, and the lines that tell it: one, or the two that it is the mean of.
struct TypicalRate {
    ObservedRate rate;
    std::vector<LogLine> where;
    std::vector<const ObservedRate*> of; ///< that it is the median of, by time, from the lowest
    /// 10 % and 90 % quantiles of these rates if less than a tenth of them lies near the median; not told
    /// else.
    double low = notTold;
    double high = notTold;
    std::optional<StreamRate> overTime = {}; ///< that `rate` is instead of the median
    /// The rate over all time of the streams, where the median without prompts is far above it and it is
    /// known too roughly to take its place.
    std::optional<StreamRate> betweenPrompts = {};
    bool inWaves = false; ///< of lines that begin and end with as many streams, of waves in step with lines
};
/// True if rates that are no lower bounds are enough to compare over time: a few among many that hold prompts
/// are not.
bool standsAlone(const std::vector<ObservedRate>& rates);
/// The median of those that are no lower bounds if they are half of all or more, else of all. Nothing of
/// none, and of bounds by lines that requests fill in part, which are no rate of a stream at all.
std::optional<TypicalRate> typicalRate(const std::vector<ObservedRate>& rates);
/// Returns the same, or the rate over the time of all streams where the median is far from it: lines with
/// idle parts or with the time of prompts, and those without, are no rate that users have.
std::optional<TypicalRate> typicalRate(const ServerLog& log, const std::vector<ObservedRate>& rates);
/// Number of the step in which a value lies, of steps that are each `width` times the one before; they begin
/// `shift` of a step lower. Precondition: value > 0, width > 1.
int logStepOf(double value, double width, double shift = 0);
/// Batches that differ by more times do not compare.
inline constexpr double likeStreams = 1.25;
/// Key of the batches that compare with one of so many streams.
/// Precondition: streams >= 1.
int likeBatchOf(double streams);
/// Indices of the two observations (one twice, if it holds the place itself) between which `share` of the
/// time of all lies: a server that writes a line for so many steps writes fewer while it is slow.
/// Precondition: not empty.
std::pair<std::size_t, std::size_t> placesByTime(const std::vector<const ObservedRate*>& sorted,
                                                 double share);
/// "line 80"; of several files "line 80 of vllm.log.1".
std::string lineWords(const ServerLog& log, const LogLine& where);
/// "lines 31 to 60"; of several files "lines 31 to 60 of vllm.log" or, from one to another, "line 80 of
/// vllm.log.1 to line 70 of vllm.log"; with "and" as `joint` of two lines.
std::string linesWords(const ServerLog& log, const LogLine& first, const LogLine& last,
                       std::string_view joint = "to");
/// "1 stream", "32 streams", "19.5 streams".
std::string streamsWords(double streams);

} // namespace loadline
