// The fast way as a run that goes on.
#pragma once

#include "core/simulate/run/cost_tables.h"
#include "core/simulate/run/course.h"
#include "core/simulate/run/rows.h"

#include <memory>
#include <span>

namespace loadline {

/// Begins amid its turns (warmTurns). Preconditions: goesFast(inputs), turns are not empty; see RowsEngine.
std::unique_ptr<Course> beginRows(const SimulationInputs& inputs, const GemmRates& rates,
                                  std::span<const DrawnTurn> turns);

} // namespace loadline
