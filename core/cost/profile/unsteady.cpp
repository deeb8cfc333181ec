// Judges timings by the spread of their samples.
#include "core/cost/profile/unsteady.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {

bool isUnsteady(const ProfilePoint& point) {
    return relativeErrorOf(point, 0) >= unsteadyError || isInterrupted(point) ||
           std::ranges::find(point.flags, "drift") != point.flags.end();
}

bool isFlagged(const ProfilePoint& point) {
    return std::ranges::any_of(
        point.flags, [](const std::string& flag) { return flag != unvalidatedFlag && flag != warmFlag; });
}

bool isInterrupted(const ProfilePoint& point) {
    return std::ranges::find(point.flags, interruptedFlag) != point.flags.end();
}

bool isImplausible(const ProfilePoint& point) {
    return std::ranges::find(point.flags, implausibleFlag) != point.flags.end();
}

bool isWarm(const ProfilePoint& point) {
    return std::ranges::find(point.flags, warmFlag) != point.flags.end();
}

std::string flaggedText(const Profile& profile) {
    std::size_t all = 0;
    std::size_t flagged = 0;
    std::size_t interrupted = 0;
    for (const ProfilePoint& point : profile.points) {
        if (point.origin == PointOrigin::Modelled) {
            continue;
        }
        ++all;
        flagged += isFlagged(point) ? 1 : 0;
        interrupted += isInterrupted(point) ? 1 : 0;
    }
    return flagged == 0 ? ""
                        : fmt::format("{} of {} points flagged{}", flagged, all,
                                      interrupted > 0 ? fmt::format(" ({} interrupted)", interrupted) : "");
}

std::string warmText(const Profile& profile) {
    const bool fp16Alone = std::ranges::none_of(
        profile.points, [](const ProfilePoint& point) { return isWarm(point) && readsKBits(point.kernel); });
    std::size_t all = 0;
    std::size_t warm = 0;
    for (const ProfilePoint& point : profile.points) {
        all += fp16Alone && readsKBits(point.kernel) ? 0 : 1;
        warm += isWarm(point) ? 1 : 0;
    }
    return warm == 0 ? "" : fmt::format("{} of {} times{} are warm", warm, all, fp16Alone ? " of fp16" : "");
}

} // namespace loadline
