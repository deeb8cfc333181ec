// Summaries of samples: mean, spread and quantiles, one definition for the whole program.
#pragma once

#include "core/base/thinned_sample.h"

#include <cstdint>
#include <span>
#include <vector>

namespace loadline {

/// Summary of a sample. All zero when n is 0.
struct Summary {
    std::uint64_t n = 0;
    std::int64_t sum = 0;
    double mean = 0;
    std::int64_t min = 0;
    std::int64_t max = 0;
    double p10 = 0, p25 = 0, p50 = 0, p75 = 0, p90 = 0, p95 = 0, p99 = 0;
    bool operator==(const Summary&) const = default;
};

/// Quantile q in [0, 1] of a sorted sample by linear interpolation between closest ranks
/// (R-7, the default of NumPy and R). Precondition: not empty.
double quantileOfSorted(std::span<const std::int64_t> sorted, double q);
double quantileOfSorted(std::span<const double> sorted, double q);
/// Returns the quantile q of values in any order; changes their order.
double quantileOf(std::vector<double>& values, double q);

/// Median of ratios: the geometric mean of the middle two for even n. Precondition: not empty.
double medianRatioOf(std::vector<double> ratios);

/// The value with this share of the others below it, without interpolation. Precondition: not empty.
double nearestRankOfSorted(std::span<const double> sorted, double q);

/// Median of values in any order; NaN if empty.
double medianOf(std::vector<double> values);

/// Summary of values in any order (sorted in place: the argument is consumed).
Summary summarize(std::vector<std::int64_t> values);

/// Mean and quantiles of a sample of real numbers; all zero when n is 0.
struct Quantiles {
    std::uint64_t n = 0;
    double mean = 0;
    double p50 = 0;
    double p90 = 0;
    double p99 = 0;
    bool operator==(const Quantiles&) const = default;
};

/// Values in any order; the argument is consumed. Precondition: all finite.
Quantiles quantilesOf(std::vector<double> values);
/// Returns the quantiles of the kept values; n counts all that were added.
Quantiles thinnedQuantilesOf(ThinnedSample sample);

/// Mean and standard deviation of a sample; both 0 without values.
struct Spread {
    double mean = 0;
    double sd = 0; ///< of the sample (n - 1); 0 with fewer than two values
    bool operator==(const Spread&) const = default;
};

Spread spreadOf(std::span<const double> sample);

/// Summary of real numbers of which many are equal. All zero when n is 0.
struct RealSummary {
    std::uint64_t n = 0;
    double sum = 0;
    double mean = 0;
    double min = 0;
    double max = 0;
    double p10 = 0, p25 = 0, p50 = 0, p75 = 0, p90 = 0, p95 = 0, p99 = 0;
    bool operator==(const RealSummary&) const = default;
};

/// Numbers with how often each came.
class WeightedSample {
public:
    struct Part {
        double value = 0;
        std::uint64_t count = 0;
    };

    /// Adds `value`, `count` times; nothing if that is 0. Precondition: a finite number.
    void add(double value, std::uint64_t count = 1);
    void add(const WeightedSample& other);

    /// Ascending, each value once.
    [[nodiscard]] std::vector<Part> sorted() const;

private:
    std::vector<Part> parts_; ///< as they came
};

RealSummary summaryOf(const std::vector<WeightedSample::Part>& sorted);
/// How many are at most `value`, as a share; 0 without any.
double shareUpTo(const std::vector<WeightedSample::Part>& sorted, double value);

/// A value, and how long or how often it held.
struct WeightedValue {
    double value = 0;
    double weight = 0;
};

/// Returns the least value such that it and all below hold for a share `q` of the weight; 0 without values.
double weightedQuantileOf(std::vector<WeightedValue> sample, double q);

} // namespace loadline
