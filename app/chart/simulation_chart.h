// The drawing of one chart of a simulation, computed on the spot: for exports.
#pragma once

#include "app/chart/chart_request.h"
#include "app/figures.h"
#include "app/simulation/simulation_bench.h"
#include "core/simulate/study/comparison.h"
#include "ui/chart/simulation/simulation_drawings.h"

namespace loadline::app {

/// `scoped`: of the workload "open"; else null. `memory`: answers of charts of the same scope, or null.
Result<std::shared_ptr<const ui::Drawing>>
simulationDrawing(const ChartRequest& request, const Scoped& scoped, SimulationMemory* memory = nullptr);
/// "workload reference; vLLM V1; 14 users; ...; against 8 users"
std::string simulationCaption(const ChartRequest& request);

/// What a figure is drawn against, with the names that a legend gives both; empty without an answer.
ui::PinnedFigure pinnedFigure(const SimulationShown& now, const Simulated& pinned);
ui::CrossoverCurves pinnedCurves(const SimulationShown& now, const Simulated& pinned);
/// Of the requests, and of the sessions that they speak of.
std::vector<ChoiceDifference> differencesOf(const SimulationShown& now, const SimulationShown& pinned);
/// What the Crossover page draws.
ui::CrossoverCurves curvesOf(const SimulationShown& shown);

} // namespace loadline::app
