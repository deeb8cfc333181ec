// Whether runs have told enough: intervals of their figures, whether they still drift, whether a queue grows.
#pragma once

#include "core/simulate/run/course.h"

#include <cstdint>
#include <span>
#include <vector>

namespace loadline {

/// The measured span of one run.
struct MeasuredSpan {
    std::vector<CourseMark> marks; ///< from its begin to its end, by equal numbers of steps; two or more
    std::vector<TurnRecord> turns; ///< that arrived in it and are answered, by arrival
    std::uint64_t inFlight = 0;    ///< that arrived in it and are not
    double us = 0;                 ///< k-bit time of its steps
    double fp16Us = 0;
};

/// Judges spans of several runs of one setting with seeds of their own. With fewer than eight runs each is
/// cut into batches, so that there are about sixteen values to tell the chance from; else a run is one value.
///
/// Ratios (throughput, means): sums over all values, with the linearised error of a ratio and Student's t.
/// Quantiles: order statistics of all turns together; the interval is that of the share of turns below
/// (Woodruff 1952), so that it holds for heavy tails and for sizes that occur in steps.
/// The report's steps, bound and plan are the caller's to set.
RunReport judged(std::span<const MeasuredSpan> runs, ArrivalKind arrivals, const Precision& precision);

/// True if tokens a second are as sure as asked: known without looking at every turn.
bool isThroughputKnown(std::span<const MeasuredSpan> runs, const Precision& precision);

/// Intervals of one latency from results that keep theirs (SimulationResult::latencies), a run each.
LatencyIntervals intervalsOf(std::span<const SimulationResult> runs,
                             std::vector<double> LatencySample::*sample);

/// 0.975 quantile of Student's t. Precondition: freedom >= 1.
double studentT(std::size_t freedom);

} // namespace loadline
