#include "core/base/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace loadline {
namespace {

template <typename Value>
double between(std::span<const Value> sorted, double q) {
    const double rank = q * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(rank));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double part = rank - static_cast<double>(below);
    const auto low = static_cast<double>(sorted[below]);
    return low + part * (static_cast<double>(sorted[above]) - low);
}

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

double quantileOfSorted(std::span<const std::int64_t> sorted, double q) {
    return between(sorted, q);
}

double quantileOfSorted(std::span<const double> sorted, double q) {
    return between(sorted, q);
}

// Partial sorts suffice: each quantile asks for two neighbouring ranks.
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

double medianRatioOf(std::vector<double> ratios) {
    std::ranges::sort(ratios);
    const std::size_t middle = ratios.size() / 2;
    return ratios.size() % 2 == 1 ? ratios[middle] : std::sqrt(ratios[middle - 1] * ratios[middle]);
}

double nearestRankOfSorted(std::span<const double> sorted, double q) {
    return sorted[static_cast<std::size_t>(std::lround(q * static_cast<double>(sorted.size() - 1)))];
}

double medianOf(std::vector<double> values) {
    if (values.empty()) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    std::sort(values.begin(), values.end());
    return quantileOfSorted(std::span<const double>(values), 0.5);
}

Summary summarize(std::vector<std::int64_t> values) {
    Summary s;
    if (values.empty()) {
        return s;
    }
    std::sort(values.begin(), values.end());
    s.n = values.size();
    for (const std::int64_t v : values) {
        s.sum += v;
    }
    s.mean = static_cast<double>(s.sum) / static_cast<double>(s.n);
    s.min = values.front();
    s.max = values.back();
    s.p10 = quantileOfSorted(values, 0.10);
    s.p25 = quantileOfSorted(values, 0.25);
    s.p50 = quantileOfSorted(values, 0.50);
    s.p75 = quantileOfSorted(values, 0.75);
    s.p90 = quantileOfSorted(values, 0.90);
    s.p95 = quantileOfSorted(values, 0.95);
    s.p99 = quantileOfSorted(values, 0.99);
    return s;
}

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

Spread spreadOf(std::span<const double> sample) {
    if (sample.empty()) {
        return {};
    }
    const auto n = static_cast<double>(sample.size());
    Spread spread;
    for (const double value : sample) {
        spread.mean += value / n;
    }
    double squares = 0;
    for (const double value : sample) {
        squares += (value - spread.mean) * (value - spread.mean);
    }
    spread.sd = sample.size() > 1 ? std::sqrt(squares / (n - 1)) : 0;
    return spread;
}

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

double weightedQuantileOf(std::vector<WeightedValue> sample, double q) {
    std::ranges::sort(sample, {}, &WeightedValue::value);
    double all = 0;
    for (const WeightedValue& one : sample) {
        all += one.weight;
    }
    double sum = 0;
    for (const WeightedValue& one : sample) {
        sum += one.weight;
        if (sum >= q * all) {
            return one.value;
        }
    }
    return sample.empty() ? 0 : sample.back().value;
}

} // namespace loadline
