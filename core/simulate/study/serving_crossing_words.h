// The crossovers of turns per second in words.
#pragma once

#include "core/simulate/study/crossover.h"

#include <string>

namespace loadline {

/// Crossover::sentence of turns per second: who serves more, where; by how much, with the latencies there.
std::string servingCrossingSentenceOf(const Crossover& crossover);

} // namespace loadline
