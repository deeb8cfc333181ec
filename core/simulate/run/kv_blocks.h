// The number of KV blocks, and the memory that they are taken from.
#pragma once

#include "core/simulate/run/result.h"

#include <cstdint>
#include <optional>

namespace loadline {

/// Memory of the device in bytes, as its driver shows it; where that is not known, what is sold as GB is
/// visible as GiB.
double memoryBytesOf(const Hardware& hardware);

/// Returns the share of the memory that weights and KV cache have: PolicySetup::memoryShare, of an engine of
/// the atlas without what else it keeps there. Precondition: takesWhatIsLeft.
double memoryShareInForce(const SimulationInputs& inputs);

/// The blocks in force: PolicySetup::kvBlocks, or as many as memoryShare holds beside the weights. None:
/// nothing bounds them, or nobody can count them (the shapes say nothing of attention, the device is not
/// known, its weights leave no room: memoryFitOf).
std::optional<std::int64_t> kvBlocksOf(const SimulationInputs& inputs);

/// True if the KV cache takes the memory that weights leave of PolicySetup::memoryShare.
bool takesWhatIsLeft(const SimulationInputs& inputs);

/// Returns the blocks that sequences hold beside those of their tokens, if the KV cache takes the memory that
/// weights leave: in blocks of as many bytes as a block of tokens takes in the layers that keep the whole
/// context. Returns none if blocks are given: those count tokens alone. A prompt's chunk, which vLLM holds in
/// the windows' layers until its step is over, is not counted; nor does a prefix have to be found in the
/// windows as well.
BlocksBeside blocksBesideOf(const SimulationInputs& inputs);

/// Returns the bytes of a KV cache of so many blocks, if a policy counts them
/// (SimulationResult::peakKvBlocks); 0 if the model's attention is not known.
double kvBytesOfBlocks(const SimulationInputs& inputs, std::int64_t blocks);

/// Returns the bytes without which no sequence can run, if the KV cache takes what weights leave; else 0.
double leastKvBytesOf(const SimulationInputs& inputs);

/// True if weights that fit into the device's memory leave less than leastKvBytesOf in
/// PolicySetup::memoryShare of it.
bool leavesNoRoom(const SimulationInputs& inputs);

/// Tokens at which requests end: PolicySetup::maxModelLen, and no more than the blocks of a memoryShare hold,
/// as vLLM's max_model_len "auto".
Tokens longestRequestOf(const SimulationInputs& inputs);

} // namespace loadline
