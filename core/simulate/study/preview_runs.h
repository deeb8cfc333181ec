// Runs that a preview simulates: the same for every page, so that all previews of a setting agree.
#pragma once

#include "core/simulate/study/sweep.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace loadline {

/// The setting itself. In closed form eight runs, step by step four, which begin amid their turns and end,
/// settled or not, after 16,384 or 4,096 steps each. Of a given length, step by step: the first of the runs
/// that the refined answer is made of, of 10,000 steps at most.
SimulationInputs previewOf(SimulationInputs inputs);

/// The curve over users. Step by step: where a refined curve begins (firstUsers), of two runs of at most
/// 2,048 steps and the way to the last answer; of a given length, of previewOf's runs. In closed form, where
/// a point costs next to nothing: all of `users` and the present ones, in short runs that begin warm.
SweepInputs previewCurveOf(const SimulationInputs& inputs, const std::vector<std::int64_t>& users);

/// In closed form: all of `users` and `chunks`, in still shorter runs. Step by step a map waits to be
/// refined.
std::optional<SweepInputs> previewMapOf(const SimulationInputs& inputs,
                                        const std::vector<std::int64_t>& users,
                                        const std::vector<Tokens>& chunks);

/// True if a preview's point is of so few answers that its error is large (fewAnswersError).
bool isRough(const SweepPoint& point);

/// Marks the points of a preview's curve, and puts what such short runs err by into their bands: two or so
/// runs that chance to agree do not tell it. Runs in closed form begin amid their turns, and keep theirs.
void markPreview(SweepResult& curve, const SimulationInputs& inputs);

} // namespace loadline
