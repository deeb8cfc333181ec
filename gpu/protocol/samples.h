// Decides when enough samples of a point have been taken, and sums them up.
#pragma once

#include "gpu/backend.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace loadline::gpu {

/// How long a point is sampled.
struct SamplingRule {
    int leastSamples = 9;
    int mostSamples = 25;
    double mostMs = 40;             ///< of device time; leastSamples are taken all the same
    double relativeInterval = 0.01; ///< stop when the 95 % interval of the median is within +- this
    int leastLongSamples = 5;       ///< instead of leastSamples, where a sample takes longSampleMs or more
    bool operator==(const SamplingRule&) const = default;
};

inline constexpr double longSampleMs = 5;
/// The samples that are taken at least, each of `sampleMs`.
int leastOf(const SamplingRule& rule, double sampleMs);

/// Distribution-free 95 % interval of the median: the order statistics between which it lies with that
/// probability (binomial, p = 1/2). With fewer than six values there is none: from the least to the largest.
struct MedianInterval {
    double low = 0;
    double median = 0;
    double high = 0;
    bool operator==(const MedianInterval&) const = default;
};
/// Precondition: not empty. In any order.
MedianInterval medianInterval(std::span<const double> values);

/// True if sampling may end.
bool enough(const SamplingRule& rule, std::span<const double> us, double spentMs);

/// Samples whose clock is below 95 % of the session's running median are throttled and do not count.
inline constexpr double throttledShare = 0.95;
inline constexpr double noisyShare = 0.05;   ///< quartile range over median
inline constexpr double bimodalShare = 0.10; ///< gap between two clusters over median
/// Share of throttled samples above which a point pauses, samples once more, then keeps what there is,
/// flagged.
inline constexpr double manyThrottled = 0.30;
/// Samples below it do not count, as other programs had a processor meanwhile.
inline constexpr double leastSampleRanShare = 0.98;
/// Least number of uninterrupted samples; with fewer, all count and the point is flagged "interrupted".
inline constexpr int leastUninterrupted = 3;
bool isInterrupted(const Sample& sample);
/// A point may take so many times its samples and its time where samples are interrupted.
inline constexpr int patienceForInterrupted = 2;

/// True if two timings of one call contradict each other: apart by more than half of the time in a row and by
/// more than 10 us, which launching and waking take.
bool isImplausible(double inRowUs, double isolatedUs);

/// The clock of the session so far.
class ClockTrack {
public:
    void add(double mhz);
    [[nodiscard]] double median() const; ///< 0 before the first
    [[nodiscard]] bool throttled(double mhz) const;

private:
    std::vector<double> sorted_;
};

struct PointSummary {
    int samples = 0;     ///< kept
    int dropped = 0;     ///< throttled or interrupted
    int interrupted = 0; ///< of those dropped
    double minUs = 0, p25Us = 0, medianUs = 0, p75Us = 0;
    double medianError = 0;         ///< half of medianInterval as a share of the median
    double clockMhz = 0;            ///< median; 0 unknown
    std::vector<std::string> flags; ///< "noisy", "bimodal", "throttled", "interrupted"
};

/// Keeps throttled samples only where they are more than manyThrottled, interrupted ones only where fewer
/// than leastUninterrupted others are left. Precondition: not empty.
PointSummary summarise(std::span<const Sample> samples, const ClockTrack& clock);

} // namespace loadline::gpu
