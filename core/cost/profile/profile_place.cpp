// Compares the marks that measuring leaves in a profile with this machine.
#include "core/cost/profile/profile_place.h"

#include "core/text/json/compact_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace loadline {
namespace {

constexpr std::string_view elsewhere = "measured with Loadline on another machine";
constexpr std::size_t dayLength = 10;

} // namespace

std::string machineFactOf(const MachineIdentity& identity) {
    return compactJson(identity.machine);
}

bool isOfCpu(const Profile& profile) {
    return profile.deviceFacts.contains("instruction_set"); // GPUs have none
}

bool isMeasuredHere(const Profile& profile, const MachineIdentity& here) {
    if (!profile.source.empty()) {
        return false;
    }
    const bool isThisCpu = !profile.device.empty() && profile.device == here.processor;
    const auto fact = profile.deviceFacts.find(machineFact);
    if (fact == profile.deviceFacts.end()) {
        return isThisCpu;
    }
    const bool sameMachine = !here.machine.empty() && fact->second == machineFactOf(here);
    return sameMachine && (isThisCpu || !isOfCpu(profile));
}

bool hasAddedPoints(const Profile& profile) {
    const auto has = [&](PointOrigin origin) {
        return std::ranges::find(profile.points, origin, &ProfilePoint::origin) != profile.points.end();
    };
    return profile.source.empty() && has(PointOrigin::Measured) && has(PointOrigin::Published);
}

Profile seenFrom(Profile profile, const MachineIdentity& here) {
    if (!profile.source.empty() || isMeasuredHere(profile, here)) {
        return profile;
    }
    profile.source = std::string(elsewhere);
    if (!profile.date.empty()) {
        profile.source += ", " + profile.date.substr(0, dayLength);
    }
    for (ProfilePoint& point : profile.points) {
        if (point.origin == PointOrigin::Measured) {
            point.origin = PointOrigin::Published;
        }
    }
    for (AttentionTiming& point : profile.attention) {
        if (point.origin == PointOrigin::Measured) {
            point.origin = PointOrigin::Published;
        }
    }
    return profile;
}

std::string_view originWords(const Profile& profile, const ProfilePoint& point) {
    const std::string& source = point.source.empty() ? profile.source : point.source;
    return point.origin == PointOrigin::Published && source.starts_with(elsewhere) ? "measured elsewhere"
                                                                                   : keyOf(point.origin);
}

} // namespace loadline
