// Look-up over batch and tokens.
#include "core/cost/surface/batch_curves.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>

namespace loadline {
namespace {

using BatchPoints = std::vector<MeasuredPoint>;

/// Independent errors together; std::hypot guards against overflow at three times the price.
double independentSum(double one, double other) {
    return std::sqrt(one * one + other * other);
}

const MeasuredPoint* pointAt(const BatchPoints& points, double tokens) {
    const auto found = std::ranges::lower_bound(points, tokens, {}, &MeasuredPoint::x);
    return found != points.end() && found->x == tokens ? &*found : nullptr;
}

/// Left out: a cell between its neighbours, and the last from the line through the two before.
void addTokenErrors(const BatchPoints& points, RegionErrors& inside, RegionErrors& end) {
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
        if (!points[i].isRaised) {
            inside.add(
                0, lineAt(points[i - 1].x, points[i - 1].us, points[i + 1].x, points[i + 1].us, points[i].x),
                points[i].us);
        }
    }
    if (points.size() > 2 && !points.back().isRaised) {
        const MeasuredPoint* last = &points.back();
        const double rise = std::max(0.0, (last[-1].us - last[-2].us) / (last[-1].x - last[-2].x));
        end.add(0, last[-1].us + rise * (last->x - last[-1].x), last->us);
    }
}

void addBatchErrors(const std::vector<double>& batches, const std::vector<BatchPoints>& lines,
                    RegionErrors& inside, RegionErrors& end) {
    for (std::size_t i = 1; i < lines.size(); ++i) {
        for (const MeasuredPoint& target : lines[i]) {
            const MeasuredPoint* below = pointAt(lines[i - 1], target.x);
            if (below == nullptr || target.isRaised) {
                continue;
            }
            if (i + 1 == lines.size()) {
                end.add(0, below->us * batches[i] / batches[i - 1], target.us);
            } else if (const MeasuredPoint* above = pointAt(lines[i + 1], target.x)) {
                inside.add(0, lineAt(batches[i - 1], below->us, batches[i + 1], above->us, batches[i]),
                           target.us);
            }
        }
    }
}

} // namespace

BatchCurves::BatchCurves(std::vector<BatchCell> cells, Beyond beyond) {
    std::ranges::sort(cells, {},
                      [](const BatchCell& cell) { return std::tuple(cell.batch, cell.tokens, cell.us); });
    std::vector<BatchPoints> lines;
    for (const BatchCell& cell : cells) {
        if (batches_.empty() || batches_.back() != cell.batch) {
            batches_.push_back(cell.batch);
            lines.emplace_back();
        }
        if (lines.back().empty() || lines.back().back().x != cell.tokens) {
            lines.back().push_back({.x = cell.tokens, .us = cell.us, .isRaised = cell.isRaised});
        }
    }
    RegionErrors tokens(1);
    RegionErrors beyondTokens(1);
    RegionErrors batch(1);
    RegionErrors beyondBatch(1);
    for (const BatchPoints& line : lines) {
        addTokenErrors(line, tokens, beyondTokens);
    }
    addBatchErrors(batches_, lines, batch, beyondBatch);
    errors_ = {.tokens = tokens.overall(),
               .batch = batch.overall(),
               .beyondTokens = beyondTokens.overall(),
               .beyondBatch = beyondBatch.overall()};
    for (BatchPoints& line : lines) {
        for (MeasuredPoint& point : line) {
            point.errorAfter = std::max(repeatError, errors_.tokens.p90);
        }
        line.back().errorAfter = std::max(repeatError, errors_.beyondTokens.p90);
        curves_.emplace_back(std::move(line), beyond);
    }
}

SurfaceValue BatchCurves::at(double batch, double tokens) const {
    const auto above = firstAtLeast(batches_, batch);
    if (above == batches_.size()) {
        SurfaceValue value = curves_.back().at(tokens);
        value.us *= batch / batches_.back();
        value.relativeError = independentSum(value.relativeError, errors_.beyondBatch.p90);
        value.reach = SurfaceReach::Extrapolated;
        return value;
    }
    SurfaceValue high = curves_[above].at(tokens);
    if (batches_[above] == batch) {
        return high;
    }
    if (above == 0) {
        high.reach = SurfaceReach::Extrapolated;
        return high;
    }
    const SurfaceValue low = curves_[above - 1].at(tokens);
    return {.us = lineAt(batches_[above - 1], low.us, batches_[above], high.us, batch),
            .relativeError =
                independentSum(std::max(low.relativeError, high.relativeError), errors_.batch.p90),
            .reach = std::max({low.reach, high.reach, SurfaceReach::Interpolated}),
            .isRaised = low.isRaised || high.isRaised,
            .isAnomalous = false};
}

} // namespace loadline
