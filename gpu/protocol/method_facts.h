// How a plan will be measured, in words and as a profile's facts: what is known before.
#pragma once

#include "core/cost/kernel/kernel_naming.h"
#include "gpu/protocol/measure.h"

#include <map>
#include <string>
#include <vector>

namespace loadline::gpu {

/// "MMA, 2048x5120, k = 4, M = 8".
std::string wordsFor(const PointSpec& spec, const KernelNaming& naming);
/// Returns the points that the plan has no time or room for, in words.
std::vector<std::string> leftOutWords(const Plan& plan, const KernelNaming& naming);
/// The context's facts, and those of plan, preset and kernels.
Facts methodFactsOf(const Backend& backend, const Plan& plan, const KernelNaming& naming,
                    const MeasureContext& context);
/// Returns Profile::rowTiles of the plan's kernels.
std::map<std::string, int> rowTilesOf(const Backend& backend, const Plan& plan);

} // namespace loadline::gpu
