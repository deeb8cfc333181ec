#include "core/base/statistics.h"

#include <algorithm>
#include <cmath>

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

} // namespace

double quantileOfSorted(std::span<const std::int64_t> sorted, double q) {
    return between(sorted, q);
}

double quantileOfSorted(std::span<const double> sorted, double q) {
    return between(sorted, q);
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

} // namespace loadline
