// Caveats without which an answer of a simulation must not be read.
#pragma once

#include "core/simulate/fit/memory_fit.h"

#include <string>
#include <vector>

namespace loadline {

/// A sentence on turns that are longer than the positions the model was made for, where requests may come
/// that far: how many, and what a server does by default. Empty where there are none, or nobody knows.
std::string beyondPositionsOf(const SimulationInputs& inputs);

/// Times that were multiplied by hand: "MMA x 0.5, fp16 cuBLAS free"; "" where none was.
std::string draggedText(const SimulationInputs& inputs);
/// "With dragged times (MMA x 0.5): ", to stand before a headline; "" where none was dragged.
std::string draggedPrefix(const SimulationInputs& inputs);

/// Sentences, each with its full stop: outputs that are mostly lower bounds, kernels that serve less than the
/// rule says, an fp16 baseline that does not fit. Empty where there is nothing to say.
std::vector<std::string> remarksOf(const SimulationInputs& inputs);
/// The same about this model's memory.
std::vector<std::string> remarksOf(const SimulationInputs& inputs, const MemoryFit& fit);

/// Those of them that are not about the workload's outputs.
std::vector<std::string> kernelRemarksOf(const SimulationInputs& inputs, const MemoryFit& fit);

/// `text`, behind the sentence of what does not fit and that of dragged times.
std::string withFit(const std::string& text, const SimulationInputs& inputs, const MemoryFit& fit);

/// The same, before the remarks.
std::string withRemarks(const std::string& text, const SimulationInputs& inputs, const MemoryFit& fit);

} // namespace loadline
