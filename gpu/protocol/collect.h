// Visits of points put together: passes, repeats and anchors become a profile's points and facts.
#pragma once

#include "gpu/backend.h"
#include "gpu/protocol/plan.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace loadline::gpu {

/// Above this drift the points between two anchors are flagged "drift".
inline constexpr double mostDrift = 0.03;

/// Spread of the anchor over the run: (largest - least) / median of its medians; 0 with fewer than two.
double anchorDrift(const std::vector<double>& anchorUs);

class Collector {
public:
    /// Points get this origin.
    explicit Collector(PointOrigin origin) : origin_(origin) {}

    /// A point as it stands after this visit: new, or with the median of its passes, or with its repeat
    /// beside it. The role is not Anchor.
    const ProfilePoint& take(const PlannedPoint& planned, const Rotation& rotation,
                             const PointSummary& summary);
    /// Whether the anchor moved since its last visit; if so the points between are flagged.
    bool takeAnchor(const PointSummary& summary);

    [[nodiscard]] const std::vector<ProfilePoint>& points() const { return points_; }

    /// What was seen on the way: drift, spread of repeats, clocks, throttled samples, weight copies.
    [[nodiscard]] Facts facts() const;

private:
    void count(const PointSummary& summary);
    void merge(ProfilePoint& point, const PlannedPoint& planned, const PointSummary& summary);

    PointOrigin origin_;
    std::vector<ProfilePoint> points_;
    std::map<PointSpec, std::size_t> index_;
    std::map<PointSpec, std::vector<double>> passes_;
    std::map<std::pair<GemmSize, int>, int> copies_; ///< by size and k
    std::vector<double> anchorUs_;
    std::size_t sinceAnchor_ = 0;
    std::vector<double> repeatSpread_;
    std::vector<double> clocks_;
    std::int64_t dropped_ = 0;
};

} // namespace loadline::gpu
