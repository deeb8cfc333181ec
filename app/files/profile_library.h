// Profiles in the user's data folder: those measured here, and what was put there from other machines.
#pragma once

#include "core/base/result.h"
#include "core/cost/profile/profile.h"

#include <memory>
#include <string>
#include <vector>

namespace loadline::app {

/// `loadline/profiles` in the user's data folder ($XDG_DATA_HOME).
std::string profileFolder();

struct SavedProfile {
    std::string path;
    std::shared_ptr<const Profile> profile;
    bool operator==(const SavedProfile&) const = default;
};

/// All that can be read, newest first by their date, then by path, as seen from this machine (seenFrom).
/// Other files are passed over.
std::vector<SavedProfile> savedProfiles();

/// The files that may be profiles, by name; reads none of them.
std::vector<std::string> savedProfilePaths();

/// Writes it into the folder under a name made of device and date, never over another; the path.
Result<std::string> saveProfile(const Profile& profile);
/// Only of the folder above.
Status removeProfile(const std::string& path);

/// Whether there may be any; reads nothing but names.
bool hasSavedProfiles();

/// Whether it may stand for this machine unasked: measured here, complete, with points that nobody
/// added, and of a real device.
bool standsForThisMachine(const Profile& profile);
/// Those of savedProfiles() that may stand for this machine. Reads the folder.
std::vector<SavedProfile> profilesOfThisMachine();

} // namespace loadline::app
