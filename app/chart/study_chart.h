// The plots of studies as charts: exported by name, like every other chart.
#pragma once

#include "app/chart/chart_spec.h"
#include "core/ask/study.h"

#include <string>
#include <vector>

namespace loadline::app {

/// A chart for each plot of the study, in their order; the same objects each time.
const ChartSpecs& chartsOf(const ask::Study& study);
/// Those of all studies.
ChartSpecs studyCharts();

/// The options that ask the same question of the study.
std::vector<std::string> wordsOf(const ask::Study& study, const ask::Question& question);

} // namespace loadline::app
