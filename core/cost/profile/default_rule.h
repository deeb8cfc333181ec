// The dispatch rule of a profile if none was chosen.
#pragma once

#include "core/cost/kernel/kernel.h"
#include "core/cost/profile/profile.h"
#include "core/cost/shapes/shapes.h"

#include <string_view>

namespace loadline {

/// Stands in a request for defaultRule() of its profile, k and shapes.
inline constexpr std::string_view autoRuleKey = "auto";

/// The rule of that key, until a profile decides: the ranges are those of "code".
DispatchRule autoRule();

/// True if the profile has times at this k for every kernel that the rule, cut to what kernels reach, may
/// choose for these shapes.
bool serves(const Profile& profile, const DispatchRule& rule, int kBits, const ModelShapes& shapes);

/// "code", the dispatch of the k-bit branch, where the profile serves it and holds no kernel of another
/// design (KernelSpec::variant); else "fastest". Null: rooflines, "code".
const DispatchRule& defaultRule(const Profile* profile, int kBits, const ModelShapes& shapes);

} // namespace loadline
