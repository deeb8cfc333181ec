// Merges what repeated visits of a point say.
#include "gpu/protocol/collect.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace loadline::gpu {
namespace {

double medianOf(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void addFlag(ProfilePoint& point, const std::string& flag) {
    if (std::find(point.flags.begin(), point.flags.end(), flag) == point.flags.end()) {
        point.flags.push_back(flag);
    }
}

} // namespace

double anchorDrift(const std::vector<double>& anchorUs) {
    if (anchorUs.size() < 2) {
        return 0;
    }
    const auto [least, most] = std::minmax_element(anchorUs.begin(), anchorUs.end());
    return (*most - *least) / medianOf(anchorUs);
}

void Collector::count(const PointSummary& summary) {
    dropped_ += summary.dropped;
    if (summary.clockMhz > 0) {
        clocks_.push_back(summary.clockMhz);
    }
}

bool Collector::takeAnchor(const PointSummary& summary) {
    count(summary);
    anchorUs_.push_back(summary.medianUs);
    const std::size_t visits = anchorUs_.size();
    const bool moved = visits > 1 && std::abs(anchorUs_.back() / anchorUs_[visits - 2] - 1) > mostDrift;
    for (std::size_t i = sinceAnchor_; moved && i < points_.size(); ++i) {
        addFlag(points_[i], "drift");
    }
    sinceAnchor_ = points_.size();
    return moved;
}

const ProfilePoint& Collector::take(const PlannedPoint& planned, const Rotation& rotation,
                                    const PointSummary& summary) {
    count(summary);
    const PointSpec& spec = planned.spec;
    const auto [place, isNew] = index_.try_emplace(spec, points_.size());
    if (!isNew) {
        merge(points_[place->second], planned, summary);
        return points_[place->second];
    }
    ProfilePoint point;
    point.kernel = spec.kernel;
    point.size = spec.size;
    point.experts = spec.experts;
    point.rowsM = spec.rowsM;
    point.kBits = spec.kBits;
    point.timeUs = summary.medianUs;
    point.minUs = summary.minUs;
    point.p25Us = summary.p25Us;
    point.p75Us = summary.p75Us;
    point.samples = summary.samples;
    point.clockMhz = summary.clockMhz;
    point.flags = summary.flags;
    point.origin = origin_;
    passes_[spec] = {summary.medianUs};
    copies_[{spec.size, spec.kBits}] = rotation.copies;
    points_.push_back(std::move(point));
    return points_.back();
}

/// A later pass: the median of the passes' medians; a repeat: kept beside the time.
void Collector::merge(ProfilePoint& point, const PlannedPoint& planned, const PointSummary& summary) {
    if (planned.role == PointRole::Repeat) {
        point.repeatUs = summary.medianUs;
        repeatSpread_.push_back(std::abs(std::log(summary.medianUs / point.timeUs)));
        return;
    }
    std::vector<double>& medians = passes_[planned.spec];
    medians.push_back(summary.medianUs);
    point.timeUs = medianOf(medians);
    point.minUs = std::min(*point.minUs, summary.minUs);
    point.p25Us = std::min({*point.p25Us, summary.p25Us, point.timeUs});
    point.p75Us = std::max({*point.p75Us, summary.p75Us, point.timeUs});
    point.samples += summary.samples;
    for (const std::string& flag : summary.flags) {
        addFlag(point, flag);
    }
}

Facts Collector::facts() const {
    Facts facts;
    const auto add = [&](const char* key, const nlohmann::json& value) { facts[key] = value.dump(); };
    add("throttled_samples_dropped", dropped_);
    add("anchor_visits", anchorUs_.size());
    add("anchor_drift", anchorDrift(anchorUs_));
    if (!repeatSpread_.empty()) {
        add("repeat_spread_median", medianOf(repeatSpread_));
    }
    if (!clocks_.empty()) {
        add("clock_mhz_min", *std::min_element(clocks_.begin(), clocks_.end()));
        add("clock_mhz_median", medianOf(clocks_));
        add("clock_mhz_max", *std::max_element(clocks_.begin(), clocks_.end()));
    }
    nlohmann::json copies = nlohmann::json::object();
    for (const auto& [key, count] : copies_) {
        copies[fmt::format("{} at {} bits", textOf(key.first), key.second)] = count;
    }
    add("weight_copies", copies);
    return facts;
}

} // namespace loadline::gpu
