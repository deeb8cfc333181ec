// Checks if the KV cache that runs hold fits beside the weights, where the memory itself does not bound it.
#pragma once

#include "core/simulate/fit/kv_need.h"
#include "core/simulate/fit/memory_fit.h"

#include <optional>
#include <stop_token>

namespace loadline {

/// Returns what the first steps hold under a policy that counts no KV blocks, whose cache grows with its
/// requests; nothing where blocks are counted, and where the device's memory is not known.
Result<std::optional<KvNeed>> unboundKvNeedOf(const SimulationInputs& inputs,
                                              const std::stop_token& stop = {});

/// Returns the bytes of KV cache with which the weights outgrow the device, of runs whose number of KV blocks
/// was given rather than taken from what weights leave; 0 where all fits.
double outgrownKvBytes(const SimulationInputs& inputs, std::int64_t peakKvBlocks);

} // namespace loadline
