// One run through the exact scheduler with a clock: for everything the fast way cannot do.
#pragma once

#include "core/simulate/cost_tables.h"

#include <cstdint>
#include <stop_token>

namespace loadline {

/// One replica. `rates`: of inputs.cost's k. When stopped, what there is so far. The Error: a request that
/// can never be admitted, think times the data do not hold, a scope the shapes do not allow.
Result<SimulationResult> runExact(const SimulationInputs& inputs, const GemmRates& rates, std::uint64_t seed,
                                  const std::stop_token& stop = {});

} // namespace loadline
