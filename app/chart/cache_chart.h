// The charts of caches.
#pragma once

#include "app/chart/chart_spec.h"

#include <array>

namespace loadline::app::charts {

extern const ChartSpec cacheCapacity, cacheTtl, cacheUsers, cacheRequests, cacheSplit;
/// In the order of ui::cacheCharts.
inline constexpr std::array cacheCharts = {&cacheCapacity, &cacheTtl, &cacheUsers, &cacheRequests,
                                           &cacheSplit};

} // namespace loadline::app::charts
