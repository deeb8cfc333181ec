// Timings that vary so much that other work may have run beside them.
#pragma once

#include "core/cost/profile/profile.h"

namespace loadline {

/// Half the width of an error bar, as a share of the time, from which on a timing is unsteady.
inline constexpr double unsteadyError = 0.1;

/// Its samples or its repeat vary by unsteadyError or more either way (relativeErrorOf without a floor), or
/// the device drifted while it was taken.
bool isUnsteady(const ProfilePoint& point);

} // namespace loadline
