// Runs step by step, with cost tables of their own.
#pragma once

#include "core/simulate/run/exact.h"

#include <cstdint>
#include <memory>

namespace loadline {

inline std::shared_ptr<const CostTables> tablesOf(const SimulationInputs& inputs) {
    return *CostTables::make(inputs, {inputs.cost.format}, 16'384);
}

inline Result<SimulationResult> exact(const SimulationInputs& inputs, std::uint64_t seed = 1) {
    return runExact(inputs, tablesOf(inputs)->at(inputs.cost.format), seed);
}

} // namespace loadline
