// Whether imported times can be true: no device reads a weight, or multiplies with it, so fast.
#pragma once

#include "core/base/result.h"
#include "core/cost/profile/profile.h"

#include <string>
#include <string_view>

namespace loadline {

/// The Error where times are so short that another unit was meant: a tenth of what the fastest device of the
/// hardware table (the profile's own, where it is known) needs to read the bytes and to do the arithmetic, or
/// less, or below the shortest call there is; or so long: on a known device a hundred times what it needs
/// (typically, at few rows), or hundreds of times as long as the same kernel takes with more rows. It names
/// the unit that would fit.
std::optional<Error> unitMistakeIn(const Profile& profile, const std::string& path);

/// Flags each point that is faster than its device's datasheet allows "implausible" (the fastest device's,
/// where the profile names none), and takes that flag from the others; the number of flagged points.
std::size_t flagFasterThanDevice(Profile& profile);

/// "3 of 12 points are faster than 3,350 GB/s or 989 TFLOP/s allow: from a cache, or another unit."; "" where
/// none is.
std::string fasterThanDeviceText(const Profile& profile);

/// Sentences that times may be nanoseconds, each with the row that is farthest off: rows that take hundreds
/// of times as long as another kernel at the same shape and M; of a known device, rows that take a hundred
/// times what it needs; of an unknown one, a typical call at few rows that reads its weights more slowly than
/// a computer does. "" where none does.
std::string tooLongText(const Profile& profile);

} // namespace loadline
