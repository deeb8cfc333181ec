// How many KV blocks there are, and what they are taken from.
#pragma once

#include "core/simulate/run/result.h"

#include <cstdint>
#include <optional>

namespace loadline {

/// Null where neither the inputs nor the profile name a known device.
const Hardware* hardwareOf(const SimulationInputs& inputs);
/// Memory of the device in bytes: what is sold as GB is visible as GiB.
double memoryBytesOf(const Hardware& hardware);

/// The blocks in force: PolicySetup::kvBlocks, or as many as memoryShare holds beside the weights and what
/// those who run at once hold whatever their length. None: nothing bounds them, or nobody can count them (the
/// shapes say nothing of attention, the device is not known, its weights leave no room: memoryFitOf).
std::optional<std::int64_t> kvBlocksOf(const SimulationInputs& inputs);

/// Whether the KV cache takes what weights leave of PolicySetup::memoryShare.
bool takesWhatIsLeft(const SimulationInputs& inputs);

/// Whether weights that fit into the device's memory leave no room for blocks in PolicySetup::memoryShare of
/// it.
bool leavesNoRoom(const SimulationInputs& inputs);

/// Tokens at which requests end: PolicySetup::maxModelLen, and no more than the blocks of a memoryShare hold,
/// as vLLM's max_model_len "auto".
Tokens longestRequestOf(const SimulationInputs& inputs);

} // namespace loadline
