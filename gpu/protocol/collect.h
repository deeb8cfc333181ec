// Visits of points put together: passes, repeats and anchors become a profile's points and facts.
#pragma once

#include "gpu/backend.h"
#include "gpu/protocol/point_timer.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace loadline::gpu {

/// Above this drift the points between two anchors are flagged "drift" and timed again.
inline constexpr double mostDrift = 0.03;

/// Spread of the anchor over the run: (largest - least) / median of its medians; 0 with fewer than two.
double anchorDrift(const std::vector<double>& anchorUs);

/// True if the anchor moved by more than mostDrift.
bool hasMoved(double beforeUs, double afterUs);

class Collector {
public:
    /// Points get this origin.
    explicit Collector(PointOrigin origin) : origin_(origin) {}

    /// A point as it stands after this visit: new, or with the median of its passes, or with its repeat
    /// beside it. The role is not Anchor.
    const ProfilePoint& take(const Visit& visit);
    /// The anchor moved around this visit: its point is flagged until clearDrift().
    const ProfilePoint& flagDrift(const PlannedPoint& planned);
    /// The visit once more, in place of the first, whose time is kept beside it; still flagged.
    const ProfilePoint& takeAgain(const Visit& visit);
    /// The anchor stood still around the visit that was made again.
    const ProfilePoint& clearDrift(const PlannedPoint& planned);

    void takeAnchor(const Visit& visit);

    /// Gives each point its ProfilePoint::betweenRuns, from what repeats and anchors say of this run: the
    /// distance within which 95 of 100 pairs of timings lie, over the square root of two, and no less than
    /// the interval of the point's own median. Nothing with fewer than leastPairs pairs.
    void stateBetweenRuns();
    static constexpr std::size_t leastPairs = 4;

    [[nodiscard]] const std::vector<ProfilePoint>& points() const { return points_; }

    /// Returns facts gathered while measuring: drift, spread of repeats, isolated times, clocks, throttled
    /// samples, weight copies; the pairs whose parts were timed as well, and the median of pair / (first +
    /// second).
    [[nodiscard]] Facts facts() const;

private:
    /// Timings of a point.
    struct Known {
        std::map<int, PointSummary> passes;
        std::set<int> drifting; ///< passes
        std::optional<double> repeatUs, isolatedUs, driftedUs;
    };

    void count(const Visit& visit);
    /// |ln| of the ratio of two timings of one call at different times, ascending.
    [[nodiscard]] std::vector<double> pairDistances() const;
    /// Returns the ratio of time for each pair whose parts were timed as well: its own / that of its parts
    /// together.
    [[nodiscard]] std::vector<double> pairRatios() const;
    std::size_t placeOf(const PointSpec& spec);
    /// Makes the point anew of what is known.
    const ProfilePoint& refresh(std::size_t place);

    PointOrigin origin_;
    std::vector<ProfilePoint> points_;
    std::vector<Known> known_; ///< as many
    std::map<PointSpec, std::size_t> index_;
    std::map<std::pair<GemmSize, int>, int> copies_; ///< by size and k
    std::vector<double> anchorUs_;
    std::vector<double> clocks_;
    std::int64_t dropped_ = 0;
    std::int64_t interrupted_ = 0;
};

} // namespace loadline::gpu
