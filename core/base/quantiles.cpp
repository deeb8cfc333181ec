// Mean and quantiles of a sample of real numbers, one definition for latencies everywhere.
#include "core/base/quantiles.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace loadline {
namespace {

/// Partial sorts suffice: each quantile asks for two neighbouring ranks.
double quantileOf(std::vector<double>& values, double q) {
    const double place = q * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::ptrdiff_t>(place);
    const auto at = values.begin() + below;
    std::nth_element(values.begin(), at, values.end());
    if (at + 1 == values.end()) {
        return *at;
    }
    const double next = *std::min_element(at + 1, values.end());
    return *at + (place - static_cast<double>(below)) * (next - *at);
}

} // namespace

Quantiles quantilesOf(std::vector<double> values) {
    if (values.empty()) {
        return {};
    }
    Quantiles result;
    result.n = values.size();
    result.mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    result.p50 = quantileOf(values, 0.5);
    result.p90 = quantileOf(values, 0.9);
    result.p99 = quantileOf(values, 0.99);
    return result;
}

Quantiles thinnedQuantilesOf(ThinnedSample sample) {
    const std::uint64_t n = sample.count();
    Quantiles result = quantilesOf(std::move(sample).take());
    result.n = n;
    return result;
}

} // namespace loadline
