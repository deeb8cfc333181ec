// Bilinear look-up of linear layers.
#include "core/cost/surface/gemm_surface.h"

#include "core/cost/surface/lone_spikes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace loadline {
namespace {

/// The place of a value on an axis: weight `share` at `high`, the rest at `low`, all times `scale`.
struct ShapePlace {
    std::size_t low = 0;
    std::size_t high = 0;
    double share = 0;
    double scale = 1;
    SurfaceReach reach = SurfaceReach::Measured;
};

ShapePlace shapePlaceOf(const std::vector<double>& axis, double value) {
    const auto above = static_cast<std::size_t>(std::ranges::lower_bound(axis, value) - axis.begin());
    if (above == axis.size()) {
        return {.low = above - 1,
                .high = above - 1,
                .scale = value / axis.back(),
                .reach = SurfaceReach::Extrapolated};
    }
    if (axis[above] == value || above == 0) {
        return {.low = above,
                .high = above,
                .reach = axis[above] == value ? SurfaceReach::Measured : SurfaceReach::Extrapolated};
    }
    const double share = (value - axis[above - 1]) / (axis[above] - axis[above - 1]);
    return {.low = above - 1, .high = above, .share = share, .reach = SurfaceReach::Interpolated};
}

double axisError(SurfaceReach reach, const LeftOutError& between, const LeftOutError& end) {
    return reach == SurfaceReach::Measured ? 0 : reach == SurfaceReach::Interpolated ? between.p90 : end.p90;
}

/// Cells between two measured m of a shape take the time of the line between them.
void fillGaps(std::span<GemmCell> line, const std::vector<double>& m) {
    std::size_t last = line.size();
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (!line[i].isMeasured) {
            continue;
        }
        for (std::size_t gap = last + 1; last < line.size() && gap < i; ++gap) {
            line[gap].us = lineAt(m[last], line[last].us, m[i], line[i].us, m[gap]);
        }
        last = i;
    }
}

} // namespace

SurfaceValue GemmCurve::at(double m) const {
    SurfaceValue value = curve_.at(m);
    const double least = floors_.at(m);
    if (value.us < least) {
        value.us = least;
        value.isRaised = true;
    }
    value.reach = std::max(value.reach, shapeReach_);
    return value;
}

GemmSurface::GemmSurface(GemmCells cells, const GemmFormat& format)
    : cells_(std::move(cells)), format_(format), clean_(cells_.us.size()) {
    const std::size_t rows = cells_.m.size();
    for (std::size_t n = 0; n < cells_.n.size(); ++n) {
        for (std::size_t k = 0; k < cells_.k.size(); ++k) {
            const double weights = cells_.n[n] * cells_.k[k];
            const LayerFloors floors{
                .bytesUs = timeAtRateUs(weights * format.bytesPerWeight, format.limits.bytesPerUs),
                .usPerRow = timeAtRateUs(2 * weights, format.limits.flopPerUs)};
            const std::span<const double> us(&cells_.us[cells_.at(n, k)], rows);
            const std::span<GemmCell> line(&clean_[cells_.at(n, k)], rows);
            for (GemmCell& cell : line) {
                cell.us = std::numeric_limits<double>::quiet_NaN();
            }
            std::size_t at = 0;
            for (const MeasuredPoint& point : cleanedPoints(cells_.m, us, floors, counts_)) {
                while (cells_.m[at] < point.x) {
                    ++at;
                }
                line[at] = {.us = point.us,
                            .isMeasured = true,
                            .isRaised = point.isRaised,
                            .isAnomalous = point.isAnomalous};
            }
            fillGaps(line, cells_.m);
        }
    }
    fillShapes();
    counts_.smoothed = smoothLoneSpikes(cells_, clean_);
    errors_ = gemmErrorsOf(cells_, clean_);
}

GemmCurve GemmSurface::curveOf(double n, double k) const {
    const ShapePlace nPlace = shapePlaceOf(cells_.n, n);
    const ShapePlace kPlace = shapePlaceOf(cells_.k, k);
    std::vector<Corner> corners;
    for (const auto& [nAt, nWeight] :
         {std::pair(nPlace.low, 1 - nPlace.share), {nPlace.high, nPlace.share}}) {
        for (const auto& [kAt, kWeight] :
             {std::pair(kPlace.low, 1 - kPlace.share), {kPlace.high, kPlace.share}}) {
            if (nWeight * kWeight > 0) {
                corners.push_back({.n = nAt, .k = kAt, .weight = nWeight * kWeight});
            }
        }
    }
    const double scale = nPlace.scale * kPlace.scale;
    const bool isFilled = std::ranges::any_of(
        corners, [this](const Corner& corner) { return filled_[corner.n * cells_.k.size() + corner.k]; });
    bool isBorrowed = false;
    std::vector<MeasuredPoint> points;
    for (std::size_t m = 0; m < cells_.m.size(); ++m) {
        MeasuredPoint point{.x = cells_.m[m], .us = 0};
        bool isMeasured = corners.size() > 1 || isFilled;
        for (const Corner& corner : corners) {
            const GemmCell& cell = clean_[cells_.at(corner.n, corner.k, m)];
            point.us += corner.weight * cell.us * scale;
            point.isRaised |= cell.isRaised;
            point.isAnomalous |= cell.isAnomalous;
            isMeasured |= cell.isMeasured;
            isBorrowed |= !cells_.isBorrowed.empty() && cells_.isBorrowed[cells_.at(corner.n, corner.k, m)];
        }
        if (!isMeasured || std::isnan(point.us)) {
            continue;
        }
        const std::size_t region = gemmRegionOf(n, k, point.x);
        double shapeError = std::hypot(axisError(nPlace.reach, errors_.n[region], errors_.endN[region]),
                                       axisError(kPlace.reach, errors_.k[region], errors_.endK[region]));
        if (isFilled) {
            shapeError = std::max({shapeError, errors_.endN[region].p90, errors_.endK[region].p90});
        }
        point.errorAt = std::max(repeatError, shapeError);
        point.errorAfter = std::hypot(shapeError, std::max(repeatError, errors_.endM[region].p90));
        if (!points.empty()) {
            points.back().errorAfter = std::hypot(shapeError, errors_.m[region].p90);
        }
        points.push_back(point);
    }
    const LayerFloors floors{.bytesUs =
                                 timeAtRateUs(n * k * format_.bytesPerWeight, format_.limits.bytesPerUs),
                             .usPerRow = std::max(timeAtRateUs(2 * n * k, format_.limits.flopPerUs),
                                                  timeAtRateUs(2 * n * k, format_.sustainedFlopPerUs))};
    return {MeasuredCurve(std::move(points), Beyond::Proportional), floors,
            isBorrowed ? SurfaceReach::Modelled
            : isFilled ? SurfaceReach::Extrapolated
                       : std::max(nPlace.reach, kPlace.reach)};
}

void GemmSurface::fillShapes() {
    const auto isEmpty = [this](std::size_t n, std::size_t k) {
        const std::span<const GemmCell> line(&clean_[cells_.at(n, k)], cells_.m.size());
        return std::ranges::none_of(line, &GemmCell::isMeasured);
    };
    filled_.assign(cells_.n.size() * cells_.k.size(), false);
    for (std::size_t n = 0; n < cells_.n.size(); ++n) {
        for (std::size_t k = 0; k < cells_.k.size(); ++k) {
            if (!isEmpty(n, k)) {
                continue;
            }
            const bool fromN = n > 0 && !isEmpty(n - 1, k);
            if (!fromN && (k == 0 || isEmpty(n, k - 1))) {
                continue;
            }
            const std::size_t from = fromN ? cells_.at(n - 1, k) : cells_.at(n, k - 1);
            const double scale = fromN ? cells_.n[n] / cells_.n[n - 1] : cells_.k[k] / cells_.k[k - 1];
            for (std::size_t m = 0; m < cells_.m.size(); ++m) {
                GemmCell& cell = clean_[cells_.at(n, k, m)];
                cell = clean_[from + m];
                cell.us *= scale;
                cell.isMeasured = false;
            }
            filled_[n * cells_.k.size() + k] = true;
        }
    }
}

} // namespace loadline
