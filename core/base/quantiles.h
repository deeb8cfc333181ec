// Mean and quantiles of a sample of real numbers, one definition for latencies everywhere.
#pragma once

#include "core/base/thinned_sample.h"

#include <cstdint>
#include <vector>

namespace loadline {

/// Of a sample; all zero when n is 0.
struct Quantiles {
    std::uint64_t n = 0;
    double mean = 0;
    double p50 = 0;
    double p90 = 0;
    double p99 = 0;
    bool operator==(const Quantiles&) const = default;
};

/// By linear interpolation between closest ranks, as in core/base/statistics.h. Values in any order; the
/// argument is consumed. Precondition: all finite.
Quantiles quantilesOf(std::vector<double> values);
/// Of the values kept; n counts all that were added.
Quantiles thinnedQuantilesOf(ThinnedSample sample);

} // namespace loadline
