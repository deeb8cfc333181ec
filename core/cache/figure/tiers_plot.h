// "Tiers": what each tier of a node holds, serves and costs.
#pragma once

#include "core/ask/report.h"
#include "core/cache/figure/cache_figure.h"
#include "core/cache/figure/cache_settings.h"

namespace loadline {

/// Adds the plot "cache-tiers", which is a table, and its tables. Figure and settings outlive the report.
void addTiersPlot(ask::Report& report, const CacheFigure& figure, const CacheSettings& settings);

} // namespace loadline
