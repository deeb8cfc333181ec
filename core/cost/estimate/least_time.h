// The shortest that a timed call can take: its bytes and its arithmetic at the datasheet's rates.
#pragma once

#include "core/cost/profile/profile.h"

namespace loadline {

/// The most that a device does.
struct DeviceRates {
    double gbS = 0;
    double tflops = 0;
};

/// Returns the rates of the profile's device; of an unknown one the best of the hardware table.
DeviceRates ratesOf(const Profile& profile);

/// Returns the shortest that the point can take; of a pair, that of its longer part.
double leastUsOf(const ProfilePoint& point, const DeviceRates& rates);

/// True if the point takes less than that, by more than datasheets are rounded.
bool isFasterThan(const DeviceRates& rates, const ProfilePoint& point);

/// Flags each point that is faster than its device's datasheet allows (the fastest device's, where the
/// profile names none) with `flag`, and takes that flag from the others, but for a model's points; returns
/// the number of flagged points.
std::size_t flagFasterThanDevice(Profile& profile, const char* flag);

/// Returns the profile with its warm points as slow as the datasheet makes a call that reads its weights from
/// memory.
Profile heldToFloor(Profile profile);

} // namespace loadline
