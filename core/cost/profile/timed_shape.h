// The shapes and ks that a profile has times of.
#pragma once

#include "core/cost/profile/profile.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// A weight that was timed, and how many active experts a call of it has.
struct TimedShape {
    GemmSize size;
    int experts = 1; ///< 1: dense
    auto operator<=>(const TimedShape&) const = default;
};

/// "2048x5120"; with experts "2048x512x8".
std::string textOf(const TimedShape& shape);
std::optional<TimedShape> timedShapeFromText(std::string_view text);
/// Each shape of the points once; dense ones first, those with times of k-bit kernels before others, the
/// largest first.
std::vector<TimedShape> timedShapes(const Profile& profile);
/// Each k of the k-bit points once, ascending.
std::vector<int> timedKBits(const Profile& profile);
/// The shape asked for where the profile has it, else its first that is timed well: with half as many points
/// as the one with most, as a short measurement leaves most of the large ones out; first among those of
/// `model`, where it has any of them. Nothing without points.
std::optional<TimedShape> shapeShown(const Profile& profile, std::string_view wanted,
                                     const ModelShapes* model = nullptr);

} // namespace loadline
