// Error bars from quartiles and repeats.
#include "core/cost/profile/time_bar.h"

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

constexpr double mostOnAxis = 2;

template <typename Point>
TimeBar quartilesOf(const Point& point) {
    return {.low = std::min(point.timeUs * std::exp(-leastBarShare), point.p25Us.value_or(point.timeUs)),
            .high = std::max(point.timeUs * std::exp(leastBarShare), point.p75Us.value_or(point.timeUs))};
}

} // namespace

TimeBar barOf(const AttentionTiming& point) {
    return quartilesOf(point);
}

TimeBar barOf(const ProfilePoint& point) {
    if (relativeErrorOf(point) == 0) {
        return {.low = point.timeUs, .high = point.timeUs};
    }
    const TimeBar bar = quartilesOf(point);
    const double repeat = point.repeatUs.value_or(point.timeUs);
    const double between = point.betweenRuns.value_or(0);
    return {.low = std::min({bar.low, repeat, point.timeUs * std::exp(-between)}),
            .high = std::max({bar.high, repeat, point.timeUs * std::exp(between)})};
}

bool isErrorAssumed(const ProfilePoint& point) {
    return point.origin != PointOrigin::Modelled && !isUnvalidated(point) && relativeErrorOf(point, 0) == 0;
}

std::size_t assumedErrorsIn(const Profile& profile) {
    return static_cast<std::size_t>(std::ranges::count_if(profile.points, isErrorAssumed));
}

TimeBar barOnAxis(double us, TimeBar bar) {
    return {.low = std::max(bar.low, us / mostOnAxis), .high = std::min(bar.high, us * mostOnAxis)};
}

} // namespace loadline
