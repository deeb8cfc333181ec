// Devices as files and users name them.
#pragma once

#include "core/cost/profile/profile.h"

#include <string>
#include <string_view>

namespace loadline {

/// Says on which device the profile was timed: a key of the hardware table ("H100-SXM"), or a name, which
/// means a device of the table where hardwareNamed() tells one.
void setDevice(Profile& profile, std::string_view device);
/// Sets the device as setDevice() does, unless the profile's own name is of that device, which is more
/// precise and stays: then only a missing key is filled in, as the memory or bandwidth that the file states
/// may differ. Returns true if the profile has the name now.
bool takeDevice(Profile& profile, const std::string& device);
/// True if both are the same device: by name, the case of letters aside, or by a key of the hardware table.
bool isSameDevice(const std::string& one, const std::string& other);
/// A sentence that says what is missing of a device which the hardware table does not know.
std::string unknownDeviceText(const std::string& device);

} // namespace loadline
