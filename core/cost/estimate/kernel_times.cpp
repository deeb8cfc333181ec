// Estimates the time of a kernel anywhere from its points.
#include "core/cost/estimate/kernel_times.h"

#include "core/cost/estimate/kernel_bounds.h"
#include "core/cost/profile/profile_reach.h"
#include "core/cost/profile/unsteady.h"
#include "core/text/enum_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

constexpr double bridgeFactor = 4;       // from the last point to the roofline
constexpr double beyondLeastError = 0.1; // constant FLOP/s is not a measurement
constexpr double scaleError = 0.05;      // per factor e in the number of experts
constexpr double unknownError = 0.3;

std::size_t indexOf(Kernel kernel) {
    return static_cast<std::size_t>(kernel);
}

double weightsOf(GemmSize size, int experts) {
    return size.elements() * experts;
}

CurvePoint curvePointOf(const ProfilePoint& point) {
    return {.x = static_cast<double>(std::max<std::int64_t>(point.rowsM, 1)),
            .y = point.timeUs,
            .error = relativeErrorOf(point)};
}

/// Removes the points that KernelSeries::passedBy counts; returns their number.
std::size_t passByWorthless(std::vector<const ProfilePoint*>& points) {
    std::vector<CurvePoint> steady;
    for (const ProfilePoint* point : points) {
        if (!isFlagged(*point)) {
            steady.push_back(curvePointOf(*point));
        }
    }
    if (steady.size() < 2 || partsOf(points.front()->kernel).second) {
        return 0; // pairs are judged by their factors instead
    }
    const LogCurve line(std::move(steady));
    return std::erase_if(points, [&](const ProfilePoint* point) {
        const CurvePoint at = curvePointOf(*point);
        const bool between = at.x > line.points().front().x && at.x < line.points().back().x;
        return between && (isImplausible(*point) || (isInterrupted(*point) && at.y > line.at(at.x).y));
    });
}

} // namespace

std::string_view keyOf(EstimateKind kind) {
    return wordOf(kind, {"at_point", "interpolated", "modelled"});
}

KernelTimes::KernelTimes(const Profile& profile, const Hardware* hardware, const KernelTimesOptions& options)
    : profileName_(profile.name.empty() ? "the profile" : "the profile \"" + profile.name + "\""),
      unvalidated_(isUnvalidated(profile)), options_(options), reaches_(reachesOf(&profile)) {
    using Key = std::tuple<Kernel, int, GemmSize, int>;
    std::map<Key, std::vector<const ProfilePoint*>> bySeries;
    for (const ProfilePoint& point : profile.points) {
        bySeries[{point.kernel, point.kBits, point.size, point.experts}].push_back(&point);
    }
    for (auto& [key, points] : bySeries) {
        std::ranges::sort(points, {}, &ProfilePoint::rowsM);
        const std::size_t passedBy = passByWorthless(points);
        Series series{.size = std::get<2>(key),
                      .experts = std::get<3>(key),
                      .curve = {},
                      .origins = {},
                      .flagged = {},
                      .passedBy = passedBy,
                      .overParts = {},
                      .factor = {},
                      .factorBar = {}};
        std::vector<CurvePoint> curve;
        for (const ProfilePoint* point : points) {
            curve.push_back(curvePointOf(*point));
            if (curve.size() > 1 && curve[curve.size() - 2].x == curve.back().x) {
                series.origins.pop_back(); // as LogCurve: the last of equal x stands
                series.flagged.pop_back();
            }
            series.origins.push_back(point->origin);
            series.flagged.push_back(isFlagged(*point));
        }
        series.curve = LogCurve(std::move(curve));
        series_[{std::get<0>(key), std::get<1>(key)}].push_back(std::move(series));
    }
    for (auto& [key, all] : series_) {
        std::ranges::stable_sort(all, {},
                                 [](const Series& series) { return weightsOf(series.size, series.experts); });
    }
    const std::optional<Hardware> known =
        hardware != nullptr ? std::optional(*hardware) : rooflineHardware(profile);
    for (const Kernel kernel : profiledKernels) {
        if (known) {
            rooflines_.at(indexOf(kernel)) = fitRoofline(*known, profile, kernel, options.absmax);
        }
        const auto tile = profile.rowTiles.find(std::string(keyOf(kernel)));
        rowTiles_.at(indexOf(kernel)) = tile == profile.rowTiles.end() ? 1 : tile->second;
    }
    comparePairs();
}

KernelTimes KernelTimes::rooflineOnly(const Hardware& hardware, AbsmaxFormat absmax) {
    Profile nothing;
    nothing.name = "roofline of " + hardware.key;
    return {nothing, &hardware, {.absmax = absmax, .modelMissingKernels = true}};
}

const Roofline* KernelTimes::roofline(Kernel kernel) const {
    const auto& roofline = rooflines_.at(indexOf(kernel));
    return roofline ? &*roofline : nullptr;
}

const std::vector<KernelTimes::Series>* KernelTimes::seriesOf(Kernel kernel, int kBits) const {
    const auto found = series_.find({kernel, readsKBits(kernel) ? kBits : fp16Bits});
    return found == series_.end() ? nullptr : &found->second;
}

const KernelSeries* KernelTimes::series(Kernel kernel, GemmSize size, double activeExperts, int kBits) const {
    const std::vector<Series>* const all = seriesOf(kernel, kBits);
    const Series* near = nullptr;
    for (std::size_t i = 0; all != nullptr && i < all->size(); ++i) {
        const Series& one = (*all)[i];
        if (one.size == size && (one.experts > 1) == (isGrouped(kernel) || activeExperts > 1) &&
            (near == nullptr ||
             std::abs(one.experts - activeExperts) < std::abs(near->experts - activeExperts))) {
            near = &one;
        }
    }
    return near;
}

bool modellingHelps(const Error& error) {
    return error.remedy.find(modelMissingOption) != std::string::npos;
}

std::optional<Error> KernelTimes::missing(Kernel kernel, int kBits) const {
    const std::string what =
        readsKBits(kernel) ? fmt::format("{} at k = {}", nameOf(kernel), kBits) : std::string(nameOf(kernel));
    if (seriesOf(kernel, kBits) != nullptr) {
        return std::nullopt;
    }
    std::string timed; // "k = 5, which was timed, "
    for (int k = minKBits; readsKBits(kernel) && k <= maxKBits; ++k) {
        timed += isTimed(kernel, k) ? fmt::format("{}{}", timed.empty() ? "k = " : " or ", k) : "";
    }
    timed += timed.empty() ? "" : ", which was timed, ";
    if (roofline(kernel) == nullptr) {
        return Error{.what = fmt::format("{} has no time of {}, and its device is not known, so there is no "
                                         "roofline either",
                                         profileName_, what),
                     .where = "",
                     .remedy = timed + "a profile with this kernel, a dispatch rule that does without it, or "
                                       "a named device, for example roofline:H100-SXM"};
    }
    if (!options_.modelMissingKernels) {
        return Error{
            .what = fmt::format("{} has no time of {}", profileName_, what),
            .where = "",
            .remedy = timed + fmt::format("a profile with this kernel, a dispatch rule that does without it, "
                                          "or {}: a roofline for what is missing",
                                          modelMissingOption)};
    }
    return std::nullopt;
}

TimeEstimate KernelTimes::modelled(Kernel kernel, GemmSize size, double experts, double rowsM,
                                   int kBits) const {
    const Roofline& roofline = *rooflines_.at(indexOf(kernel));
    const KernelWork work = workOf(kernel, size, experts, rowsM, kBits, options_.absmax);
    return {.us = roofline.timeUs(work), .relativeError = roofline.relativeError(work)};
}

TimeEstimate KernelTimes::forExperts(Kernel kernel, const Series& series, const TimeEstimate& timed,
                                     double activeExperts, double rowsM, int kBits) const {
    const Roofline* const roof = roofline(kernel);
    const double scale = activeExperts / series.experts;
    const double t0 = roof == nullptr ? 0 : std::min(roof->t0Us, timed.us / 2);
    double us = t0 + (timed.us - t0) * scale;
    double error = std::max(timed.relativeError, beyondLeastError) + scaleError * std::abs(std::log(scale));
    if (roof != nullptr && scale > 1) { // what the timed experts had in the cache, more of them have not
        const KernelWork work = workOf(kernel, series.size, activeExperts, rowsM, kBits, options_.absmax);
        const double streamed = t0 + work.bytes / (roof->bandwidthGbS * 1e3);
        if (streamed > us) {
            us = streamed;
            error = std::max(error, roof->memoryError);
        }
    }
    return {.us = us, .relativeError = error};
}

TimeEstimate KernelTimes::beyond(Kernel kernel, const Series& series, double rowsM, int kBits) const {
    const CurvePoint& last = series.curve.points().back();
    const Roofline* const roof = roofline(kernel);
    const bool constantRate =
        roof == nullptr ||
        roof->computeUs(workOf(kernel, series.size, series.experts, last.x, kBits, options_.absmax).flop) >=
            last.y / 2;
    if (constantRate) {
        const double error = std::max({beyondLeastError, last.error, roof == nullptr ? unknownError : 0.0});
        return {.us = last.y * rowsM / last.x, .relativeError = error};
    }
    const double joint = bridgeFactor * last.x;
    // A roofline below the last time is that much off: more rows take no less time. fp16 is left as the study
    // has it, whose last time of one shape is above what the other shapes give.
    const auto modelledAt = [&](double rows) {
        TimeEstimate far = modelled(kernel, series.size, series.experts, rows, kBits);
        if (readsKBits(kernel) && far.us < last.y) {
            far.relativeError = std::max({far.relativeError, std::log(last.y / far.us), last.error});
            far.us = last.y;
        }
        return far;
    };
    if (rowsM >= joint) {
        return modelledAt(rowsM);
    }
    const TimeEstimate far = modelledAt(joint);
    const LogCurve bridge(
        std::vector<CurvePoint>{last, {.x = joint, .y = far.us, .error = far.relativeError}});
    const CurveValue value = bridge.at(rowsM);
    return {.us = value.y, .relativeError = std::max(value.error, far.relativeError)};
}

TimeEstimate KernelTimes::inSeries(Kernel kernel, const Series& series, double rowsM, int kBits) const {
    if (kernel == Kernel::Dequantise) {
        rowsM = 1;
    }
    const auto& points = series.curve.points();
    if (rowsM > points.back().x) {
        return beyond(kernel, series, rowsM, kBits);
    }
    CurveValue value = series.curve.at(rowsM);
    std::size_t left = series.curve.indexAt(rowsM);
    const double tile = rowTiles_.at(indexOf(kernel));
    if (!value.exact && tile > 1) {
        rowsM = std::min(std::ceil(rowsM / tile) * tile, points.back().x);
        value = series.curve.at(rowsM);
        value.exact = false;
        left = series.curve.indexAt(rowsM);
    }
    const std::size_t right = std::min(left + 1, points.size() - 1);
    const bool below = rowsM < points.front().x;
    const PointOrigin origin =
        value.exact ? series.origins[left] : std::max(series.origins[left], series.origins[right]);
    return {.us = value.y,
            .relativeError = below ? std::max(value.error, beyondLeastError) : value.error,
            .kind = below         ? EstimateKind::Modelled
                    : value.exact ? EstimateKind::AtPoint
                                  : EstimateKind::Interpolated,
            .origin = below ? PointOrigin::Modelled : origin};
}

std::optional<TimeEstimate> KernelTimes::betweenShapes(Kernel kernel, const std::vector<Series>& all,
                                                       double weights, double rowsM, int kBits) const {
    const double rows = kernel == Kernel::Dequantise ? 1 : rowsM;
    const Roofline* const roof = roofline(kernel);
    const double t0 = roof == nullptr ? 0 : roof->t0Us;
    std::vector<CurvePoint>
        byBytes; // the two nearest sizes on each side; equal sizes as their geometric mean
    const auto middle = std::ranges::lower_bound(
        all, weights, {}, [](const Series& series) { return weightsOf(series.size, series.experts); });
    const auto addSide = [&](auto from, auto to) {
        std::size_t sizes = 0;
        double lastWeights = 0;
        for (; from != to; ++from) {
            const double mine = weightsOf(from->size, from->experts);
            if (!from->curve.covers(rows)) {
                continue;
            }
            const TimeEstimate time = inSeries(kernel, *from, rows, kBits);
            if (time.us <= t0) {
                continue; // below what an empty call is thought to cost: no slope to take from it
            }
            if (mine == lastWeights) {
                CurvePoint& same = byBytes.back();
                const double other = time.us - t0;
                const double spread = std::abs(std::log(other / same.y)) / 2;
                same = {.x = mine,
                        .y = std::sqrt(same.y * other),
                        .error = std::max({same.error, time.relativeError, spread})};
                continue;
            }
            if (++sizes > 2) {
                break;
            }
            byBytes.push_back({.x = mine, .y = time.us - t0, .error = time.relativeError});
            lastWeights = mine;
        }
    };
    addSide(middle, all.end());
    addSide(std::make_reverse_iterator(middle), all.rend());
    const LogCurve curve(std::move(byBytes));
    if (!curve.covers(weights)) {
        return std::nullopt;
    }
    const CurveValue value = curve.at(weights);
    return TimeEstimate{.us = t0 + value.y, .relativeError = std::max(value.error, beyondLeastError)};
}

Result<TimeEstimate> KernelTimes::time(Kernel kernel, GemmSize size, double activeExperts, double rowsM,
                                       int kBits) const {
    if (auto error = missing(kernel, kBits)) {
        return *error;
    }
    activeExperts = std::max(activeExperts, 1.0);
    rowsM = std::max(rowsM, 1.0);
    const auto withoutBars = [this](TimeEstimate estimate) {
        estimate.relativeError = unvalidated_ ? 0 : estimate.relativeError;
        return estimate;
    };
    if (const std::vector<Series>* all = seriesOf(kernel, kBits)) {
        if (const Series* const near = series(kernel, size, activeExperts, kBits)) {
            TimeEstimate estimate = inSeries(kernel, *near, rowsM, kBits);
            if (std::abs(activeExperts / near->experts - 1) > 1e-6) {
                estimate = forExperts(kernel, *near, estimate, activeExperts, rowsM, kBits);
            }
            return withoutBars(estimate);
        }
        if (const auto estimate =
                betweenShapes(kernel, *all, size.elements() * activeExperts, rowsM, kBits)) {
            return withoutBars(*estimate);
        }
    }
    if (roofline(kernel) == nullptr) {
        return Error{
            .what = fmt::format("{} has no time of {} near the shape {} at M = {:.0f}, and its device is not "
                                "known, so there is no roofline either",
                                profileName_, nameOf(kernel), textOf(size), rowsM),
            .where = "",
            .remedy = "name the device, for example roofline:H100-SXM, or a profile with this shape"};
    }
    return modelled(kernel, size, activeExperts, rowsM, kBits);
}

} // namespace loadline
