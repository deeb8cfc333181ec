// Facts of an answer that concern its kernel times.
#pragma once

#include "core/simulate/answer/what_counts.h"

#include <optional>

namespace loadline {

/// The share of the time that was not timed at its shapes and rows; none where nothing was simulated and the
/// profile is no model. `present`: as whatCounts().
std::optional<CountedFact> modelledFactOf(const SimulationInputs& inputs, const SimulationResult* present);
/// Timings that measuring itself found odd; none without any.
std::optional<CountedFact> flaggedFactOf(const SimulationInputs& inputs);
/// Published times of calls whose weights came from a cache; none without any.
std::optional<CountedFact> warmFactOf(const SimulationInputs& inputs);
/// Experts that an engine's kernels serve more slowly in their format than in bf16; none where they do not.
std::optional<CountedFact> slowExpertsFactOf(const SimulationInputs& inputs);
/// Times that were multiplied by hand; none where none was.
std::optional<CountedFact> draggedFactOf(const SimulationInputs& inputs);

} // namespace loadline
