// Leave-one-out errors by region.
#include "core/cost/surface/left_out_error.h"

#include "core/base/statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace loadline {
namespace {

constexpr std::size_t fewestCellsOfRegion = 20;

} // namespace

LeftOutError leftOutErrorOf(std::vector<double> errors) {
    if (errors.empty()) {
        return {};
    }
    const std::size_t cells = errors.size();
    std::ranges::sort(errors);
    return {.median = quantileOfSorted(errors, 0.5), .p90 = quantileOfSorted(errors, 0.9), .cells = cells};
}

void RegionErrors::add(std::size_t region, double predictedUs, double measuredUs) {
    errors_[region].push_back(std::abs(measuredUs / predictedUs - 1));
}

LeftOutError RegionErrors::overall() const {
    std::vector<double> all;
    for (const std::vector<double>& region : errors_) {
        all.insert(all.end(), region.begin(), region.end());
    }
    return leftOutErrorOf(std::move(all));
}

std::vector<LeftOutError> RegionErrors::summaries() const {
    const LeftOutError all = overall();
    std::vector<LeftOutError> summaries;
    summaries.reserve(errors_.size());
    for (const std::vector<double>& region : errors_) {
        summaries.push_back(region.size() < fewestCellsOfRegion ? all : leftOutErrorOf(region));
    }
    return summaries;
}

std::vector<AxisGroup> axisGroups(std::span<const double> axis) {
    std::vector<AxisGroup> groups;
    for (std::size_t i = 0; i < axis.size(); ++i) {
        if (!groups.empty() && axis[i] <= axis[i - 1] + 1) {
            groups.back().last = i;
        } else {
            groups.push_back({.first = i, .last = i});
        }
    }
    return groups;
}

} // namespace loadline
