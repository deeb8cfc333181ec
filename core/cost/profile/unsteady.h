// Timings that vary so much that other work may have run beside them.
#pragma once

#include "core/cost/profile/profile.h"

#include <string>

namespace loadline {

/// Half the width of an error bar, as a share of the time, from which on a timing is unsteady.
inline constexpr double unsteadyError = 0.1;

/// Its samples or its repeat vary by unsteadyError or more either way (relativeErrorOf without a floor), or
/// the device drifted while it was taken, or other programs interrupted all of it.
bool isUnsteady(const ProfilePoint& point);

/// Whether measuring found something odd about it: interrupted, noisy, throttled, drifting. A model's flag is
/// none.
bool isFlagged(const ProfilePoint& point);

/// Other programs ran during each of its samples: its time is an upper bound at best.
inline constexpr const char* interruptedFlag = "interrupted";
bool isInterrupted(const ProfilePoint& point);

/// "34 of 108 points flagged (24 interrupted)" of the points that were not modelled; "" where none is.
std::string flaggedText(const Profile& profile);

} // namespace loadline
