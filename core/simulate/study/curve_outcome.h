// The effect of a change of kernel times on a setting and to its curve over users.
#pragma once

#include "core/simulate/study/same_steps.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace loadline {

/// True if a curve over users says something: of those who wait for their answers.
bool hasCurve(const SimulationInputs& inputs, const std::vector<std::int64_t>& users);

/// The present setting and the curve over users, with some kernel's time scaled. A faster cuBLAS serves both
/// sides; where it is free, fp16 takes no time and there is no ratio. Empty when stopped.
Result<CurveOutcome> outcomeOf(const SimulationInputs& inputs, const std::vector<std::int64_t>& users,
                               const std::stop_token& stop);

} // namespace loadline
