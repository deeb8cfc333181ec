// The charts of a server's log.
#pragma once

#include "app/chart/chart_spec.h"

#include <array>

namespace loadline::app::charts {

extern const ChartSpec logTime, logRate;
/// In the order of ui::logCharts.
inline constexpr std::array logCharts = {&logTime, &logRate};

} // namespace loadline::app::charts
