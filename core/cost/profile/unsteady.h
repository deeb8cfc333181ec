// Timings that vary so much that other work may have run beside them.
#pragma once

#include "core/cost/profile/profile.h"

#include <string>

namespace loadline {

/// Half the width of an error bar, as a share of the time, from which on a timing is unsteady.
inline constexpr double unsteadyError = 0.1;

/// True if its samples or its repeat vary by unsteadyError or more either way (relativeErrorOf without a
/// floor), or the device drifted while it was taken, or other programs interrupted all of it.
bool isUnsteady(const ProfilePoint& point);

/// True if measuring or import flagged the point: interrupted, noisy, bimodal, throttled, drifting,
/// implausible. A model's flag (unvalidatedFlag) does not count, nor does warmFlag: such a time repeats.
bool isFlagged(const ProfilePoint& point);

/// Flag of a point during each of whose samples other programs ran: its time is an upper bound at best.
inline constexpr const char* interruptedFlag = "interrupted";
bool isInterrupted(const ProfilePoint& point);

/// Flag of a point that is faster than its device's datasheet allows: its weights came from a cache.
inline constexpr const char* implausibleFlag = "implausible";
bool isImplausible(const ProfilePoint& point);

/// Flag of a point that is faster than memory is read since, as its source says, its calls followed each
/// other on the same operands: true of a cache, and not the time of a serving step.
inline constexpr const char* warmFlag = "warm";
bool isWarm(const ProfilePoint& point);

/// "34 of 108 points flagged (24 interrupted)" of the points that were not modelled; "" if none is flagged.
std::string flaggedText(const Profile& profile);

/// "32 of 61 times of fp16 are warm" of the points that read fp16 weights; of all where others are warm too;
/// "" if none is.
std::string warmText(const Profile& profile);

} // namespace loadline
