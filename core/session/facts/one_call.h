// Tells two usage records of one API call from those of two.
#pragma once

#include "core/session/usage.h"

namespace loadline {

/// False if the prompts differ: the input and cache counts are equal on all lines and copies of a call (spec
/// section 1.4, no exception in 27 883 calls). A record without prompt tokens says nothing.
inline bool canBeOneCall(const Usage& a, const Usage& b) {
    return a.context() == 0 || b.context() == 0 ||
           (a.input == b.input && a.cacheWrite == b.cacheWrite && a.cacheRead == b.cacheRead);
}

} // namespace loadline
