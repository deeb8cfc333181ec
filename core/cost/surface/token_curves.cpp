// Errors of curves over one axis.
#include "core/cost/surface/token_curves.h"

#include "core/base/statistics.h"

#include <algorithm>
#include <cstddef>

namespace loadline {

std::vector<MeasuredPoint> tokenPointsOf(const CellsByAxis& cells, Repeats repeats) {
    std::vector<MeasuredPoint> points;
    points.reserve(cells.size());
    for (const auto& [x, times] : cells) {
        points.push_back(
            {.x = x, .us = repeats == Repeats::Fastest ? std::ranges::min(times) : medianOf(times)});
    }
    return points;
}

TokenCurveErrors setTokenErrors(const std::vector<std::vector<MeasuredPoint>*>& curves) {
    RegionErrors between(1);
    RegionErrors beyond(1);
    for (const std::vector<MeasuredPoint>* curve : curves) {
        for (std::size_t i = 1; i < curve->size(); ++i) {
            const MeasuredPoint& left = (*curve)[i - 1];
            const MeasuredPoint& target = (*curve)[i];
            if (i + 1 == curve->size()) {
                beyond.add(0, left.us * target.x / left.x, target.us);
            } else if (target.x > left.x + 1) {
                const MeasuredPoint& right = (*curve)[i + 1];
                between.add(0, lineAt(left.x, left.us, right.x, right.us, target.x), target.us);
            }
        }
    }
    const TokenCurveErrors errors{.between = between.overall(), .beyond = beyond.overall()};
    for (std::vector<MeasuredPoint>* curve : curves) {
        for (MeasuredPoint& point : *curve) {
            point.errorAfter = std::max(repeatError, errors.between.p90);
        }
        if (!curve->empty()) {
            curve->back().errorAfter = std::max(repeatError, errors.beyond.p90);
        }
    }
    return errors;
}

} // namespace loadline
