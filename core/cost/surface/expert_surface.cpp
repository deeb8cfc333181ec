// Look-up of measured expert layers.
#include "core/cost/surface/expert_surface.h"

#include "core/cost/surface/table_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

namespace loadline {
namespace {

double logRatio(std::int64_t one, std::int64_t other) {
    return std::abs(std::log(static_cast<double>(one) / static_cast<double>(other)));
}

double shapeDistance(const ExpertShape& one, const ExpertShape& other) {
    return logRatio(one.hidden, other.hidden) + logRatio(one.inter, other.inter) +
           logRatio(one.topK, other.topK) + logRatio(one.experts, other.experts);
}

constexpr std::array<double, 3> distanceEnds{0.5, 1, 2};

std::size_t distanceRegion(const ExpertShape& one, const ExpertShape& other) {
    const auto end = std::ranges::upper_bound(distanceEnds, shapeDistance(one, other));
    return static_cast<std::size_t>(end - distanceEnds.begin());
}

/// The nearest but `shape` itself; null without one.
template <typename Entry>
const Entry* nearestOf(const std::vector<const Entry*>& entries, const ExpertShape& shape) {
    const Entry* nearest = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (const Entry* entry : entries) {
        const double away = shapeDistance(shape, entry->first);
        if (away < least && entry->first != shape) {
            nearest = entry;
            least = away;
        }
    }
    return nearest;
}

bool isSameSetting(const ExpertShape& one, const ExpertShape& other) {
    return std::tie(one.dtype, one.tp, one.ep, one.distribution) ==
           std::tie(other.dtype, other.tp, other.ep, other.distribution);
}

/// Share of the experts that a token visits.
double visited(const ExpertShape& shape) {
    return static_cast<double>(shape.topK) / static_cast<double>(shape.experts);
}

/// Returns in which sizes the wanted shape differs from the source.
std::string wantedText(const ExpertShape& wanted, const ExpertShape& source) {
    return wanted.hidden == source.hidden && wanted.inter == source.inter
               ? fmt::format("top {} of {}", wanted.topK, wanted.experts)
               : wanted.name();
}

} // namespace

std::string ExpertShape::name() const {
    return fmt::format("{} x {}, top {} of {}", hidden, inter, topK, experts);
}

double ExpertShape::weights() const {
    return static_cast<double>(experts * hidden * inter * 3) / static_cast<double>(tp * ep);
}

ExpertCurve::ExpertCurve(MeasuredCurve measured, ExpertShape source, const ExpertShape& wanted,
                         double launchUs, double proxyError)
    : measured_(std::move(measured)), source_(std::move(source)), name_(source_.name()),
      isProxy_(source_ != wanted), launchUs_(launchUs) {
    if (isProxy_) {
        name_ += ", for " + wantedText(wanted, source_);
        tokenScale_ = visited(wanted) / visited(source_);
        weightScale_ = wanted.weights() / source_.weights();
        proxyError_ = proxyError;
    }
}

SurfaceValue ExpertCurve::at(double tokens) const {
    SurfaceValue value = measured_.at(tokens * tokenScale_);
    if (isProxy_) {
        const double launchUs = std::min(launchUs_, value.us);
        value.us = launchUs + (value.us - launchUs) * weightScale_;
        value.relativeError = std::max(value.relativeError, proxyError_);
        value.reach = SurfaceReach::Extrapolated;
    }
    return value;
}

Result<ExpertSurface> ExpertSurface::make(const AtlasTable& table) {
    const Result<TableColumns> columns =
        tableColumnsOf(table, {.numbers = {"hidden", "inter", "topk", "experts", "tp", "ep", "tokens"},
                               .words = {"dtype", "distribution"}});
    if (!columns) {
        return columns.error();
    }
    const auto& numbers = columns->numbers;
    std::map<ExpertShape, CellsByAxis> cells;
    for (std::size_t row = 0; row < table.rows; ++row) {
        const double us = (*columns->us)[row];
        if (us > 0) {
            const ExpertShape shape{.dtype = (*columns->words[0])[row],
                                    .hidden = (*numbers[0])[row],
                                    .inter = (*numbers[1])[row],
                                    .topK = (*numbers[2])[row],
                                    .experts = (*numbers[3])[row],
                                    .tp = (*numbers[4])[row],
                                    .ep = (*numbers[5])[row],
                                    .distribution = (*columns->words[1])[row]};
            cells[shape][static_cast<double>((*numbers[6])[row])].push_back(us);
        }
    }
    ExpertSurface surface;
    std::map<ExpertShape, std::vector<MeasuredPoint>> points;
    std::vector<std::vector<MeasuredPoint>*> all;
    all.reserve(cells.size());
    for (const auto& [shape, ofShape] : cells) {
        all.push_back(&points.emplace(shape, tokenPointsOf(ofShape, Repeats::Fastest)).first->second);
        double& launchUs =
            surface.launchUs_.try_emplace(shape.dtype, std::numeric_limits<double>::infinity()).first->second;
        launchUs = std::min(launchUs, std::ranges::min(*all.back(), {}, &MeasuredPoint::us).us);
    }
    surface.errors_ = setTokenErrors(all);
    for (auto& [shape, ofShape] : points) {
        surface.curves_.emplace(shape, MeasuredCurve(std::move(ofShape), Beyond::Proportional));
    }
    surface.setProxyErrors();
    return surface;
}

void ExpertSurface::setProxyErrors() {
    using Setting = std::tuple<std::string, std::int64_t, std::int64_t, std::string>;
    std::map<Setting, std::vector<const Entry*>> alike;
    for (const Entry& entry : curves_) {
        const ExpertShape& shape = entry.first;
        alike[{shape.dtype, shape.tp, shape.ep, shape.distribution}].push_back(&entry);
    }
    proxyErrors_.assign(distanceEnds.size() + 1, {});
    RegionErrors errors(proxyErrors_.size());
    for (const auto& [setting, entries] : alike) {
        for (const Entry* target : entries) {
            const Entry* nearest = nearestOf(entries, target->first);
            if (nearest == nullptr) {
                continue;
            }
            const ExpertCurve proxy = curveFrom(*nearest, target->first);
            for (const MeasuredPoint& point : target->second.points()) {
                errors.add(distanceRegion(nearest->first, target->first), proxy.at(point.x).us, point.us);
            }
        }
    }
    proxyErrors_ = errors.summaries();
    overallProxyError_ = errors.overall();
}

ExpertCurve ExpertSurface::curveFrom(const Entry& source, const ExpertShape& wanted) const {
    return {source.second, source.first, wanted, launchUs_.at(wanted.dtype),
            proxyErrors_[distanceRegion(source.first, wanted)].p90};
}

std::optional<ExpertCurve> ExpertSurface::nearestExperts(const ExpertShape& shape) const {
    if (const auto exact = curves_.find(shape); exact != curves_.end()) {
        return curveFrom(*exact, shape);
    }
    std::vector<const Entry*> alike;
    for (const Entry& entry : curves_) {
        if (isSameSetting(entry.first, shape)) {
            alike.push_back(&entry);
        }
    }
    const Entry* nearest = nearestOf(alike, shape);
    return nearest == nullptr ? std::nullopt : std::optional(curveFrom(*nearest, shape));
}

} // namespace loadline
