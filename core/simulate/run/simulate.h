// One setting, simulated: workload x policy x cost.
#pragma once

#include "core/simulate/run/result.h"

#include <stop_token>

namespace loadline {

/// Runs the replicas: as long as inputs.length or inputs.plan says, else until they are settled. Closed loop
/// without think time, GEMMs only and without a bound on KV goes the fast way (core/simulate/run/rows.h);
/// everything else drives the exact scheduler with a clock. Both give the same statistics where both apply.
/// The Error says what cannot be simulated and what to try: a request longer than the cache, an empty
/// workload, a profile without a needed kernel, think times the data do not hold.
Result<SimulationReplicas> simulate(const SimulationInputs& inputs, unsigned threads = 0,
                                    const std::stop_token& stop = {});

} // namespace loadline
