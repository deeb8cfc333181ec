// Look-up of measured attention.
#include "core/cost/surface/attention_surface.h"

#include "core/base/statistics.h"
#include "core/cost/surface/table_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace loadline {
namespace {

double logLineAt(const MeasuredPoint& left, const MeasuredPoint& right, double x) {
    const double share = std::log(x / left.x) / std::log(right.x / left.x);
    return left.us * std::exp(share * std::log(right.us / left.us));
}

constexpr double longEnoughForRate = 8192;

/// The slope of t(n) / n over n / 2 at the end of a curve that is too short to show its rate; 0 if it rises
/// not or has no point at half its last tokens or below.
double slopeUsPerPair(const std::vector<MeasuredPoint>& points) {
    const MeasuredPoint& last = points.back();
    const auto above = std::ranges::upper_bound(points, last.x / 2, {}, &MeasuredPoint::x);
    if (above == points.begin()) {
        return 0;
    }
    const MeasuredPoint& half = *(above - 1);
    return std::max(0.0, 2 * (last.us / last.x - half.us / half.x) / (last.x - half.x));
}

AttentionShape shapeOfRow(const TableColumns& columns, std::size_t row) {
    return {.kv = (*columns.words[0])[row],
            .heads = (*columns.numbers[0])[row],
            .kvHeads = (*columns.numbers[1])[row],
            .headDim = (*columns.numbers[2])[row],
            .window = (*columns.numbers[3])[row]};
}

double windowOf(const AttentionShape& shape) {
    return shape.window > 0 ? static_cast<double>(shape.window) : std::numeric_limits<double>::infinity();
}

} // namespace

double AttentionShape::kvBytesPerToken() const {
    return 2.0 * static_cast<double>(kvHeads * headDim) * (kv == "fp8" ? 1 : 2);
}

double AttentionShape::seen(double context) const {
    return std::min(context, windowOf(*this));
}

double AttentionShape::pairs(double tokens) const {
    const double inside = seen(tokens);
    return inside * inside / 2 + (tokens - inside) * inside;
}

double AttentionShape::flopPerPair() const {
    return 4.0 * static_cast<double>(heads * headDim);
}

DecodeCurves::DecodeCurves(BatchCurves curves, const AttentionShape& shape, const DeviceLimits& limits)
    : curves_(std::move(curves)), usPerToken_(timeAtRateUs(shape.kvBytesPerToken(), limits.bytesPerUs)),
      window_(windowOf(shape)) {}

SurfaceValue DecodeCurves::at(double batch, double context) const {
    SurfaceValue value = curves_.at(batch, context);
    const double least = usPerToken_ * batch * std::min(context, window_);
    if (value.us < least) {
        value.us = least;
        value.isRaised = true;
    }
    return value;
}

PrefillCurve::PrefillCurve(std::vector<MeasuredPoint> points, AttentionShape shape,
                           const DeviceLimits& limits)
    : points_(std::move(points)), shape_(std::move(shape)), limits_(limits),
      bestUsPerPair_(std::numeric_limits<double>::infinity()) {
    const double usPerPair = timeAtRateUs(shape_.flopPerPair(), limits_.flopPerUs);
    for (MeasuredPoint& point : points_) {
        const double pairs = shape_.pairs(point.x);
        if (point.us < usPerPair * pairs) {
            point.us = usPerPair * pairs;
            point.isRaised = true;
        }
        bestUsPerPair_ = std::min(bestUsPerPair_, point.us / pairs);
    }
    if (!points_.empty() && points_.back().x < longEnoughForRate && shape_.window == 0) {
        const double slope = std::max(slopeUsPerPair(points_), usPerPair);
        bestUsPerPair_ = slope > 0 ? std::min(bestUsPerPair_, slope) : bestUsPerPair_;
    }
    RegionErrors errors(1);
    for (std::size_t i = 1; i + 1 < points_.size(); ++i) {
        if (!points_[i].isRaised) {
            errors.add(0, logLineAt(points_[i - 1], points_[i + 1], points_[i].x), points_[i].us);
        }
    }
    error_ = errors.overall();
}

SurfaceValue PrefillCurve::at(double tokens) const {
    const auto above = static_cast<std::size_t>(
        std::ranges::lower_bound(points_, tokens, {}, &MeasuredPoint::x) - points_.begin());
    SurfaceValue value{.relativeError = std::max(repeatError, error_.p90),
                       .reach = SurfaceReach::Extrapolated};
    if (above == points_.size()) {
        const MeasuredPoint& last = points_.back();
        value.us = last.us * shape_.pairs(tokens) / shape_.pairs(last.x);
        value.isRaised = last.isRaised;
    } else if (points_[above].x == tokens || above == 0) {
        const MeasuredPoint& point = points_[above];
        const bool isCell = point.x == tokens;
        value = {.us = point.us,
                 .relativeError = isCell ? repeatError : value.relativeError,
                 .reach = isCell ? SurfaceReach::Measured : SurfaceReach::Extrapolated,
                 .isRaised = point.isRaised};
    } else {
        value.us = logLineAt(points_[above - 1], points_[above], tokens);
        value.reach = SurfaceReach::Interpolated;
        value.isRaised = points_[above - 1].isRaised || points_[above].isRaised;
    }
    const double least = timeAtRateUs(shape_.flopPerPair() * shape_.pairs(tokens), limits_.flopPerUs);
    if (value.us < least) {
        value.us = least;
        value.isRaised = true;
    }
    return value;
}

Result<DecodeSurface> DecodeSurface::make(const AtlasTable& table, const DeviceLimits& limits) {
    const Result<TableColumns> columns =
        tableColumnsOf(table, {.numbers = {"heads", "kv_heads", "head_dim", "window", "batch", "kv_tokens"},
                               .words = {"kv"}});
    if (!columns) {
        return columns.error();
    }
    DecodeSurface surface;
    std::map<AttentionShape, std::vector<BatchCell>> cells;
    for (std::size_t row = 0; row < table.rows; ++row) {
        const double us = (*columns->us)[row];
        if (!(us > 0)) {
            continue;
        }
        const AttentionShape shape = shapeOfRow(*columns, row);
        const auto batch = static_cast<double>((*columns->numbers[4])[row]);
        const auto tokens = static_cast<double>((*columns->numbers[5])[row]);
        const double least =
            timeAtRateUs(batch * shape.seen(tokens) * shape.kvBytesPerToken(), limits.bytesPerUs);
        surface.raised_ += us < least ? 1U : 0U;
        cells[shape].push_back(
            {.batch = batch, .tokens = tokens, .us = std::max(us, least), .isRaised = us < least});
    }
    for (auto& [shape, ofShape] : cells) {
        surface.curves_.emplace(shape, DecodeCurves(BatchCurves(std::move(ofShape)), shape, limits));
    }
    return surface;
}

const DecodeCurves* DecodeSurface::find(const AttentionShape& shape) const {
    const auto found = curves_.find(shape);
    return found == curves_.end() ? nullptr : &found->second;
}

Result<PrefillSurface> PrefillSurface::make(const AtlasTable& table, const DeviceLimits& limits) {
    const Result<TableColumns> columns = tableColumnsOf(
        table,
        {.numbers = {"heads", "kv_heads", "head_dim", "window", "batch", "cached_tokens", "new_tokens"},
         .words = {"kv"}});
    if (!columns) {
        return columns.error();
    }
    std::map<AttentionShape, std::map<std::int64_t, std::vector<double>>> cells;
    for (std::size_t row = 0; row < table.rows; ++row) {
        const bool isAlone = (*columns->numbers[4])[row] == 1 && (*columns->numbers[5])[row] == 0;
        const double us = (*columns->us)[row];
        if (isAlone && us > 0) {
            cells[shapeOfRow(*columns, row)][(*columns->numbers[6])[row]].push_back(us);
        }
    }
    PrefillSurface surface;
    for (auto& [shape, byTokens] : cells) {
        std::vector<MeasuredPoint> points;
        for (auto& [tokens, times] : byTokens) {
            points.push_back({.x = static_cast<double>(tokens), .us = medianOf(std::move(times))});
        }
        surface.curves_.emplace(shape, PrefillCurve(std::move(points), shape, limits));
    }
    return surface;
}

double PrefillSurface::kernelUsPerPair(const AttentionShape& shape) const {
    double best = std::numeric_limits<double>::infinity();
    for (const auto& [other, curve] : curves_) {
        if (other.kv == shape.kv && other.headDim == shape.headDim && other.window == shape.window) {
            best = std::min(best, curve.bestUsPerPair() / static_cast<double>(other.heads));
        }
    }
    return std::isinf(best) ? 0 : best * static_cast<double>(shape.heads);
}

const PrefillCurve* PrefillSurface::find(const AttentionShape& shape) const {
    const auto found = curves_.find(shape);
    return found == curves_.end() ? nullptr : &found->second;
}

} // namespace loadline
