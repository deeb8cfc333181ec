// The drawing of one chart of a simulation, computed on the spot: for exports.
#pragma once

#include "app/chart_request.h"
#include "app/figures.h"

namespace loadline::app {

/// `scoped`: of the workload "open"; else null.
Result<std::shared_ptr<const ui::Drawing>> simulationDrawing(const ChartRequest& request,
                                                             const Scoped& scoped);
/// "reference workload, vLLM V1, RTX 4090, published; k = 4"
std::string simulationCaption(const SimulationRequest& request);

} // namespace loadline::app
