// Straight lines between measured points.
#include "core/replay/tables/linear_curve.h"

#include <algorithm>

namespace loadline {

AxisPlace placeOn(std::span<const double> axis, double x) {
    if (axis.size() == 1 || x <= axis.front()) {
        return {};
    }
    const auto above = std::ranges::upper_bound(axis, x);
    const std::size_t high = std::min<std::size_t>(above - axis.begin(), axis.size() - 1);
    const double left = axis[high - 1];
    return {.low = high - 1, .high = high, .share = (x - left) / (axis[high] - left)};
}

LinearCurve::LinearCurve(std::vector<std::pair<double, double>> points) {
    std::ranges::stable_sort(points, {}, &std::pair<double, double>::first);
    for (const auto& [x, y] : points) {
        if (x_.empty() || x != x_.back()) {
            x_.push_back(x);
            y_.push_back(y);
        }
    }
}

double LinearCurve::at(double x) const {
    const AxisPlace place = placeOn(x_, x);
    return std::max(0.0, y_[place.low] + place.share * (y_[place.high] - y_[place.low]));
}

} // namespace loadline
