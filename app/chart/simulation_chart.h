// The charts of simulations: as rows, and computed on the spot for exports.
#pragma once

#include "app/asked/figures.h"
#include "app/chart/chart_request.h"
#include "app/simulation/simulation_bench.h"
#include "core/simulate/answer/comparison.h"

namespace loadline::app {

namespace charts {

extern const ChartSpec simulatorUsers, simulatorRows, kernelShare, decodeShare, latency, simulatorMap,
    crossover, whatPays, kernelTimes, batch, batchStep, studyUsers, studyTurn;

} // namespace charts

/// `scoped`: of the workload "open"; else null. `memory`: answers of charts of the same scope, or null.
ChartDrawing simulationDrawing(const ChartRequest& request, const Scoped& scoped,
                               ChartMemory* memory = nullptr);

/// Returns the differences of the requests, and of the sessions behind them.
std::vector<ChoiceDifference> differencesOf(const SimulationShown& now, const SimulationShown& pinned);

} // namespace loadline::app
