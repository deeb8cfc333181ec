// Plots of what changed between two kernel profiles.
#pragma once

#include "core/ask/report.h"
#include "core/cost/compare/profile_comparison.h"

namespace loadline {

/// Adds the plots "profile-ratio" and "profile-times" of the points that name their M and are not flagged.
void addComparisonPlots(ask::Report& report, const ProfileComparison& comparison);

} // namespace loadline
