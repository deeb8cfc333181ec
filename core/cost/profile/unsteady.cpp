// Judges timings by the spread of their samples.
#include "core/cost/profile/unsteady.h"

#include <algorithm>

namespace loadline {

bool isUnsteady(const ProfilePoint& point) {
    return relativeErrorOf(point, 0) >= unsteadyError ||
           std::ranges::find(point.flags, "drift") != point.flags.end();
}

} // namespace loadline
