// Interpolation and its error bar.
#include "core/cost/estimate/log_curve.h"

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

constexpr double baseError = 0.02;
constexpr double leaveOneOutFactor = 1.5;

double between(const CurvePoint& left, const CurvePoint& right, double x) {
    const double share = std::log(x / left.x) / std::log(right.x / left.x);
    return left.y * std::exp(share * std::log(right.y / left.y));
}

} // namespace

LogCurve::LogCurve(std::vector<CurvePoint> points) {
    std::ranges::stable_sort(points, {}, &CurvePoint::x);
    for (const CurvePoint& point : points) {
        if (!points_.empty() && points_.back().x == point.x) {
            points_.back() = point;
        } else {
            points_.push_back(point);
        }
    }
    const std::size_t n = points_.size();
    if (n < 2) {
        return;
    }
    std::vector<double> leaveOneOut(n, 0.0);
    for (std::size_t i = 1; i + 1 < n; ++i) {
        leaveOneOut[i] =
            std::abs(std::log(points_[i].y / between(points_[i - 1], points_[i + 1], points_[i].x)));
    }
    for (std::size_t i = 0; i + 1 < n; ++i) {
        const double error = n == 2 ? std::abs(std::log(points_[1].y / points_[0].y)) / 2 / leaveOneOutFactor
                                    : std::max(leaveOneOut[i], leaveOneOut[i + 1]);
        intervalErrors_.push_back(
            std::max({baseError + leaveOneOutFactor * error, points_[i].error, points_[i + 1].error}));
    }
}

std::size_t LogCurve::indexAt(double x) const {
    const auto above = std::ranges::upper_bound(points_, x, {}, &CurvePoint::x);
    return above == points_.begin() ? 0 : static_cast<std::size_t>(above - points_.begin()) - 1;
}

CurveValue LogCurve::at(double x) const {
    const std::size_t i = indexAt(x);
    if (points_[i].x == x || i + 1 == points_.size() || x < points_[i].x) {
        return {.y = points_[i].y, .error = points_[i].error, .exact = points_[i].x == x};
    }
    return {.y = between(points_[i], points_[i + 1], x), .error = intervalErrors_[i], .exact = false};
}

} // namespace loadline
