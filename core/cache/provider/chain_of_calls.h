// Which call's prompt each call of a lane goes on from, and what its provider had kept all the same.
#pragma once

#include "core/cache/provider/lane_calls.h"

#include <vector>

namespace loadline {

/// Sets LaneCall::before. Precondition: the calls are in order of time.
void tellBefore(std::vector<LaneCall>& calls);

/// How many calls before the one before tellKept() looks back: one a second, for the hour that a cache lives
/// at most. A log may state any number of calls at one time.
inline constexpr std::size_t mostCallsBack = 3600;

/// Sets LaneCall::keptAllTheSame. A call that read exactly what an older one than the call before had left,
/// and not what the call before had, found the old prefix: text that changes does not change back, so all
/// calls between the two had that prefix too, whatever they read of it.
void tellKept(LaneCalls& lane);

} // namespace loadline
