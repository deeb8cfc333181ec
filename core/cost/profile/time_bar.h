// The error bar of a timing as it is drawn and exported: what was measured, nothing extrapolated.
#pragma once

#include "core/cost/profile/profile.h"

namespace loadline {

/// An error bar in microseconds; low <= the time <= high.
struct TimeBar {
    double low = 0;
    double high = 0;
    bool operator==(const TimeBar&) const = default;
};

/// Least half of a bar, as a share of the time: the floor of relativeErrorOf.
inline constexpr double leastBarShare = 0.02;

/// True if the point tells nothing of how far off its time is: leastBarShare is assumed. Modelled ones have
/// none.
bool isErrorAssumed(const ProfilePoint& point);
/// How many points of the profile have an assumed error.
std::size_t assumedErrorsIn(const Profile& profile);

/// Return the bar of a timing: from quartile to quartile, the repeat and the interval between runs within,
/// and leastBarShare at least to either side; no width for an unvalidated point.
TimeBar barOf(const ProfilePoint& point);
TimeBar barOf(const AttentionTiming& point);

/// Returns the part of a bar that an axis makes room for: to half and to twice the time at most, so that the
/// bar of an outlier does not flatten all others. A longer bar ends at the edge.
TimeBar barOnAxis(double us, TimeBar bar);

} // namespace loadline
