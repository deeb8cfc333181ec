// Summaries of samples: mean and quantiles, one definition for the whole program.
#pragma once

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

/// Summary of values in any order (sorted in place: the argument is consumed).
Summary summarize(std::vector<std::int64_t> values);

} // namespace loadline
