// Merges what repeated visits of a point say.
#include "gpu/protocol/collect.h"

#include "core/base/statistics.h"
#include "core/cost/profile/unsteady.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace loadline::gpu {
namespace {

void addFlag(ProfilePoint& point, const std::string& flag) {
    if (std::find(point.flags.begin(), point.flags.end(), flag) == point.flags.end()) {
        point.flags.push_back(flag);
    }
}

bool isFlagged(const ProfilePoint& point, const char* flag) {
    return std::find(point.flags.begin(), point.flags.end(), flag) != point.flags.end();
}

} // namespace

double anchorDrift(const std::vector<double>& anchorUs) {
    if (anchorUs.size() < 2) {
        return 0;
    }
    const auto [least, most] = std::minmax_element(anchorUs.begin(), anchorUs.end());
    return (*most - *least) / medianOf(anchorUs);
}

bool hasMoved(double beforeUs, double afterUs) {
    return std::abs(afterUs / beforeUs - 1) > mostDrift;
}

void Collector::count(const Visit& visit) {
    dropped_ += visit.summary.dropped - visit.summary.interrupted;
    interrupted_ += visit.summary.interrupted;
    for (const Sample& sample : visit.samples) {
        if (sample.clockMhz > 0) {
            clocks_.push_back(sample.clockMhz);
        }
    }
}

void Collector::takeAnchor(const Visit& visit) {
    count(visit);
    anchorUs_.push_back(visit.summary.medianUs);
}

std::size_t Collector::placeOf(const PointSpec& spec) {
    const auto [place, isNew] = index_.try_emplace(spec, points_.size());
    if (isNew) {
        ProfilePoint point;
        point.kernel = spec.kernel;
        point.size = spec.size;
        point.experts = spec.experts;
        point.rowsM = spec.rowsM;
        point.kBits = spec.kBits;
        point.origin = origin_;
        points_.push_back(std::move(point));
        known_.emplace_back();
    }
    return place->second;
}

const ProfilePoint& Collector::take(const Visit& visit) {
    count(visit);
    const PlannedPoint& planned = visit.planned;
    const std::size_t place = placeOf(planned.spec);
    Known& known = known_[place];
    if (planned.role == PointRole::Repeat && !known.passes.empty()) {
        known.repeatUs = visit.summary.medianUs;
    } else {
        known.passes[planned.pass] = visit.summary;
    }
    if (visit.isolatedUs) {
        known.isolatedUs = visit.isolatedUs;
    }
    copies_[{planned.spec.size, planned.spec.kBits}] = visit.rotation.copies;
    return refresh(place);
}

const ProfilePoint& Collector::flagDrift(const PlannedPoint& planned) {
    const std::size_t place = placeOf(planned.spec);
    known_[place].drifting.insert(planned.pass);
    return refresh(place);
}

const ProfilePoint& Collector::takeAgain(const Visit& visit) {
    const std::size_t place = placeOf(visit.planned.spec);
    const auto before = known_[place].passes.find(visit.planned.pass);
    if (before != known_[place].passes.end()) {
        known_[place].driftedUs = before->second.medianUs;
    }
    return take(visit);
}

const ProfilePoint& Collector::clearDrift(const PlannedPoint& planned) {
    const std::size_t place = placeOf(planned.spec);
    known_[place].drifting.erase(planned.pass);
    return refresh(place);
}

const ProfilePoint& Collector::refresh(std::size_t place) {
    ProfilePoint& point = points_[place];
    const Known& known = known_[place];
    point.flags.clear();
    point.samples = 0;
    std::vector<double> medians;
    std::vector<double> clocks;
    for (const auto& [pass, summary] : known.passes) {
        const bool first = medians.empty();
        medians.push_back(summary.medianUs);
        clocks.push_back(summary.clockMhz);
        point.samples += summary.samples;
        point.minUs = first ? summary.minUs : std::min(*point.minUs, summary.minUs);
        point.p25Us = first ? summary.p25Us : std::min(*point.p25Us, summary.p25Us);
        point.p75Us = first ? summary.p75Us : std::max(*point.p75Us, summary.p75Us);
        for (const std::string& flag : summary.flags) {
            addFlag(point, flag);
        }
    }
    point.timeUs = medianOf(medians);
    point.clockMhz = medianOf(clocks);
    point.repeatUs = known.repeatUs;
    point.isolatedUs = known.isolatedUs;
    point.driftedUs = known.driftedUs;
    if (!known.drifting.empty()) {
        addFlag(point, "drift");
    }
    if (known.isolatedUs && isImplausible(point.timeUs, *known.isolatedUs)) {
        addFlag(point, "implausible");
    }
    return point;
}

std::vector<double> Collector::pairDistances() const {
    std::vector<double> distances;
    for (const ProfilePoint& point : points_) {
        if (point.repeatUs && !isFlagged(point, "interrupted")) {
            distances.push_back(std::abs(std::log(*point.repeatUs / point.timeUs)));
        }
    }
    for (std::size_t i = 1; i < anchorUs_.size(); ++i) {
        distances.push_back(std::abs(std::log(anchorUs_[i] / anchorUs_[i - 1])));
    }
    std::sort(distances.begin(), distances.end());
    return distances;
}

void Collector::stateBetweenRuns() {
    constexpr double confidence = 0.95;
    const std::vector<double> distances = pairDistances();
    if (distances.size() < leastPairs) {
        return;
    }
    // The order statistic that 95 of 100 further pairs do not pass; with few pairs the largest.
    const auto rank =
        static_cast<std::size_t>(std::ceil(confidence * static_cast<double>(distances.size() + 1)));
    const double pooled = distances[std::min(rank, distances.size()) - 1] / std::numbers::sqrt2;
    for (std::size_t i = 0; i < points_.size(); ++i) {
        double own = 0;
        for (const auto& [pass, summary] : known_[i].passes) {
            own = std::max(own, summary.medianError);
        }
        points_[i].betweenRuns = std::max(pooled, own);
    }
}

std::vector<double> Collector::pairRatios() const {
    const auto timeOf = [&](const PointSpec& spec) {
        const auto found = index_.find(spec);
        return found == index_.end() ? 0 : points_[found->second].timeUs;
    };
    std::vector<double> ratios;
    for (const ProfilePoint& point : points_) {
        const KernelParts parts = partsOf(point.kernel);
        if (!parts.second) {
            continue;
        }
        const double first = timeOf({parts.first, point.size, point.experts, 0, point.kBits});
        const double second = timeOf({*parts.second, point.size, point.experts, point.rowsM, fp16Bits});
        if (first > 0 && second > 0) {
            ratios.push_back(point.timeUs / (first + second));
        }
    }
    return ratios;
}

Facts Collector::facts() const {
    Facts facts;
    const auto add = [&](const char* key, const nlohmann::json& value) { facts[key] = value.dump(); };
    std::vector<double> repeats;
    std::vector<double> isolated;
    std::size_t again = 0;
    std::size_t drifting = 0;
    std::size_t unsteady = 0;
    for (const ProfilePoint& point : points_) {
        if (point.repeatUs) {
            repeats.push_back(std::abs(std::log(*point.repeatUs / point.timeUs)));
        }
        if (point.isolatedUs) {
            isolated.push_back(*point.isolatedUs / point.timeUs);
        }
        again += point.driftedUs ? 1 : 0;
        drifting += isFlagged(point, "drift") ? 1 : 0;
        unsteady += isUnsteady(point) ? 1 : 0;
    }
    add("throttled_samples_dropped", dropped_);
    add("interrupted_samples_dropped", interrupted_);
    add("anchor_visits", anchorUs_.size());
    add("anchor_drift", anchorDrift(anchorUs_));
    add("points_timed_again", again);
    add("points_drifting", drifting);
    add("points_unsteady", unsteady);
    const std::vector<double> pairs = pairRatios();
    add("pairs_timed", pairs.size());
    if (!pairs.empty()) {
        add("pair_over_parts_median", medianOf(pairs));
    }
    add("isolated_points", isolated.size());
    if (!isolated.empty()) {
        add("isolated_over_in_row_median", medianOf(isolated));
    }
    if (!repeats.empty()) {
        add("repeat_spread_median", medianOf(repeats));
    }
    if (!clocks_.empty()) {
        std::vector<double> sorted = clocks_;
        std::sort(sorted.begin(), sorted.end());
        add("clock_mhz_p5", nearestRankOfSorted(sorted, 0.05));
        add("clock_mhz_p50", nearestRankOfSorted(sorted, 0.5));
        add("clock_mhz_p95", nearestRankOfSorted(sorted, 0.95));
    }
    nlohmann::json copies = nlohmann::json::object();
    for (const auto& [key, count] : copies_) {
        copies[fmt::format("{} at {} bits", textOf(key.first), key.second)] = count;
    }
    add("weight_copies", copies);
    return facts;
}

} // namespace loadline::gpu
