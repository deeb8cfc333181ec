// The small print of a simulated chart: what its answer depends on.
#pragma once

#include "app/chart/chart_request.h"

#include <memory>
#include <string>

namespace loadline::app {

/// "workload reference; 14 users; vLLM V1; shapes study, k = 4; kernel times ...; no chunk limit; ...": what
/// decides most comes first, for where there is no room for all; what few change only where it was changed.
/// `request`: as writtenDown gives it, so that the picture's command says the same. `corpus`: of the workload
/// "open".
std::string simulationCaption(const ChartRequest& request, const std::shared_ptr<const Corpus>& corpus);

} // namespace loadline::app
