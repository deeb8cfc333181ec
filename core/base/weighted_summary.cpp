// Quantiles over counts.
#include "core/base/weighted_summary.h"

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

using Parts = std::vector<WeightedSample::Part>;

/// `below[i]`: how many come before part i.
double quantileOf(const Parts& sorted, const std::vector<std::uint64_t>& below, std::uint64_t n, double q) {
    const double rank = q * static_cast<double>(n - 1);
    const auto low = static_cast<std::uint64_t>(std::floor(rank));
    const auto at = [&](std::uint64_t index) {
        const auto part = std::ranges::upper_bound(below, index) - below.begin() - 1;
        return sorted[static_cast<std::size_t>(part)].value;
    };
    const double value = at(low);
    return value + (rank - static_cast<double>(low)) * (at(std::min(low + 1, n - 1)) - value);
}

} // namespace

void WeightedSample::add(double value, std::uint64_t count) {
    if (count == 0) {
        return;
    }
    if (!parts_.empty() && parts_.back().value == value) {
        parts_.back().count += count;
    } else {
        parts_.push_back({value, count});
    }
}

void WeightedSample::add(const WeightedSample& other) {
    parts_.insert(parts_.end(), other.parts_.begin(), other.parts_.end());
}

Parts WeightedSample::sorted() const {
    Parts sorted = parts_;
    std::ranges::sort(sorted, {}, &Part::value);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (kept > 0 && sorted[kept - 1].value == sorted[i].value) {
            sorted[kept - 1].count += sorted[i].count;
        } else {
            sorted[kept++] = sorted[i];
        }
    }
    sorted.resize(kept);
    return sorted;
}

RealSummary summaryOf(const Parts& sorted) {
    RealSummary summary;
    std::vector<std::uint64_t> below;
    for (const WeightedSample::Part& part : sorted) {
        below.push_back(summary.n);
        summary.n += part.count;
        summary.sum += part.value * static_cast<double>(part.count);
    }
    if (summary.n == 0) {
        return summary;
    }
    const auto quantile = [&](double q) { return quantileOf(sorted, below, summary.n, q); };
    summary.mean = summary.sum / static_cast<double>(summary.n);
    summary.min = sorted.front().value;
    summary.max = sorted.back().value;
    summary.p10 = quantile(0.10);
    summary.p25 = quantile(0.25);
    summary.p50 = quantile(0.50);
    summary.p75 = quantile(0.75);
    summary.p90 = quantile(0.90);
    summary.p95 = quantile(0.95);
    summary.p99 = quantile(0.99);
    return summary;
}

double shareUpTo(const Parts& sorted, double value) {
    std::uint64_t all = 0;
    std::uint64_t within = 0;
    for (const WeightedSample::Part& part : sorted) {
        all += part.count;
        within += part.value <= value ? part.count : 0;
    }
    return all == 0 ? 0 : static_cast<double>(within) / static_cast<double>(all);
}

} // namespace loadline
