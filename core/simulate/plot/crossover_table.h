// The numbers behind the Crossover's chart.
#pragma once

#include "core/simulate/plot/simulation_plots.h"
#include "core/text/table.h"

namespace loadline {

/// A row for each k and scope, and one for each further crossing. Column "k" is empty where no k names the
/// weights; `namesWeights`: a last column "weights" holds their keys then.
Table crossoverTable(const CrossoverCurves& curves, bool namesWeights);

} // namespace loadline
