// "Hits by time to live": what is found again by how long it is kept, over how long gaps are.
#pragma once

#include "core/ask/report.h"
#include "core/cache/figure/cache_figure.h"
#include "core/cache/figure/cache_settings.h"

namespace loadline {

/// Adds the plot "cache-ttl" and its tables "ttl" and "ttl_gaps". Figure and settings outlive the report.
void addTtlPlot(ask::Report& report, const CacheFigure& figure, const CacheSettings& settings);

} // namespace loadline
