// How wrong answers of the engine's kernels were on measured servers like the simulated one.
#pragma once

#include "core/serving/server_point.h"
#include "core/simulate/answer/what_counts.h"

#include <optional>

namespace loadline {

/// Returns where a run stands among servers: contexts are the workload's, prompts, cached shares and the
/// batch the run's. Precondition: an engine, and a run that answered.
ServerPoint serverPointOf(const SimulationInputs& inputs, const SimulationResult& run);

/// Returns "TPOT 5 % median on 12 servers like this: ...", or what no measured server had; none without an
/// engine, judged servers or answers. Warns where none was like it.
std::optional<CountedFact> nearestFactOf(const SimulationInputs& inputs, const SimulationResult* present);

} // namespace loadline
