// "Sessions that share a cache": hits of an engine's cache by the sessions that share it and its capacity.
#pragma once

#include "core/ask/report.h"
#include "core/cache/figure/cache_figure.h"
#include "core/cache/figure/cache_settings.h"

namespace loadline {

/// Adds the plot "cache-users" and its tables. Figure and settings outlive the report.
void addSharedPlot(ask::Report& report, const CacheFigure& figure, const CacheSettings& settings);

} // namespace loadline
