// "Prefill and decode GPUs": before reuse, with it, and at the limit that nothing reaches.
#pragma once

#include "core/ask/report.h"
#include "core/cache/figure/cache_figure.h"
#include "core/cache/figure/cache_settings.h"

namespace loadline {

/// Adds the two plots of "cache-split" and their tables. Figure and settings outlive the report.
void addSplitPlot(ask::Report& report, const CacheFigure& figure, const CacheSettings& settings);

} // namespace loadline
