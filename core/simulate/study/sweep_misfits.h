// Settings of a sweep that have no answer: the device does not hold their KV cache beside the weights, or
// turns come faster than they are answered.
#pragma once

#include "core/simulate/study/settled_setting.h"

#include <stop_token>
#include <vector>

namespace loadline {

/// Finds the least load at which each format outgrows the device, for each chunk size, by bisection: more
/// users hold more. Only for a policy that counts no KV blocks; with others the runs themselves tell.
Status findUnboundMisfits(std::vector<SweptSetting>& settings, const SimulationInputs& base,
                          const SweepInputs& sweep, const std::vector<Storage>& weights,
                          const std::stop_token& stop);

/// Sets the outgrown KV bytes of a setting's points, from findUnboundMisfits() or the blocks that its runs
/// held, and resets `against` where one of the two formats does not fit.
void putMisfits(SweptSetting& setting, const SimulationInputs& base, const std::vector<Storage>& weights);

/// The sweep without the users, or rates, at which one of its formats outgrows the device, and without rates
/// that one of them does not keep up with, unless it keeps up with none. A format that outgrows the device at
/// all of them does not fit (SweptPair, MemoryFit::kvBytes), and leaves nothing out.
SweepResult withoutMisfits(SweepResult sweep);

} // namespace loadline
