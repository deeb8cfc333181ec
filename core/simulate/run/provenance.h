// The sources of a simulation's times and turns.
#pragma once

#include "core/simulate/setup/inputs.h"

#include <string>
#include <vector>

namespace loadline {

/// True if any of the weights, or of those compared with, are served by our own k-bit kernels, or all by a
/// profile.
bool servesOurs(const SimulationInputs& inputs);

/// Returns the sources of times and turns, a line each.
std::vector<std::string> provenanceOf(const SimulationInputs& inputs);

} // namespace loadline
