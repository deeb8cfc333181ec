// Linear look-up in a measured curve.
#include "core/cost/surface/measured_curve.h"

#include "core/cost/surface/left_out_error.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace loadline {
namespace {

SurfaceValue valueOfPoint(const MeasuredPoint& point, SurfaceReach reach) {
    return {.us = point.us,
            .relativeError = point.errorAt,
            .reach = reach,
            .isRaised = point.isRaised,
            .isAnomalous = point.isAnomalous};
}

} // namespace

MeasuredCurve::MeasuredCurve(std::vector<MeasuredPoint> points, Beyond beyond)
    : points_(std::move(points)), beyond_(beyond) {
    xs_.reserve(points_.size());
    for (const MeasuredPoint& point : points_) {
        xs_.push_back(point.x);
    }
}

SurfaceValue MeasuredCurve::at(double x) const {
    const auto above = firstAtLeast(xs_, x);
    if (above == xs_.size()) {
        const MeasuredPoint& last = points_.back();
        SurfaceValue value = valueOfPoint(last, SurfaceReach::Extrapolated);
        value.relativeError = std::max(last.errorAt, last.errorAfter);
        if (beyond_ == Beyond::Proportional) {
            value.us *= x / last.x;
        } else if (above > 1) {
            const MeasuredPoint& before = points_[above - 2];
            value.us += std::max(0.0, (last.us - before.us) / (last.x - before.x)) * (x - last.x);
        }
        return value;
    }
    const MeasuredPoint& right = points_[above];
    if (right.x == x || above == 0) {
        return valueOfPoint(right, right.x == x ? SurfaceReach::Measured : SurfaceReach::Extrapolated);
    }
    const MeasuredPoint& left = points_[above - 1];
    if (right.x - left.x <= 1) {
        return valueOfPoint(right, SurfaceReach::Interpolated);
    }
    return {.us = lineAt(left.x, left.us, right.x, right.us, x),
            .relativeError = std::max({left.errorAt, right.errorAt, left.errorAfter}),
            .reach = SurfaceReach::Interpolated,
            .isRaised = left.isRaised || right.isRaised,
            .isAnomalous = left.isAnomalous || right.isAnomalous};
}

} // namespace loadline
