// Whether a profile was measured on this machine, or came from another one.
#pragma once

#include "core/cost/profile/profile.h"

#include <array>
#include <string>
#include <string_view>

namespace loadline {

/// Identifies this machine among others.
struct MachineIdentity {
    std::string machine;   ///< 8 hex digits of a salted hash; useless to others
    std::string processor; ///< name of the CPU
    bool operator==(const MachineIdentity&) const = default;
};

/// The device fact under which measuring leaves the machine's hash.
inline constexpr const char* machineFact = "machine";
/// Returns the value of machineFact, as facts hold it.
std::string machineFactOf(const MachineIdentity& identity);

/// True if the device of a profile that this program measured is a CPU.
bool isOfCpu(const Profile& profile);

/// This program measured it, and on this machine: its hash is the machine's, and where the device is a CPU it
/// is this machine's. A profile without a hash counts as this machine's only where its device is this CPU.
bool isMeasuredHere(const Profile& profile, const MachineIdentity& here);

/// True if points that others timed were added to those measured here.
bool hasAddedPoints(const Profile& profile);

/// The profile as it is to be shown here: one that this program measured elsewhere gets a source that says
/// so, and its points are no longer Measured. Others are left as they are.
Profile seenFrom(Profile profile, const MachineIdentity& here);

/// Words for the origin of a point.
inline constexpr std::array<std::string_view, 4> allOriginWords = {"measured", "measured elsewhere",
                                                                   "published", "modelled"};
/// Returns one of allOriginWords.
std::string_view originWords(const Profile& profile, const ProfilePoint& point);

} // namespace loadline
