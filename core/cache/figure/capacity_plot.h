// "Misses by capacity": the miss-ratio curve of an engine's cache, with the tiers of a node across it.
#pragma once

#include "core/ask/report.h"
#include "core/cache/figure/cache_figure.h"
#include "core/cache/figure/cache_settings.h"

#include <cstddef>
#include <vector>

namespace loadline {

/// Adds the plot "cache-capacity" and its tables "capacity" and "capacity_misses". Figure and settings
/// outlive the report.
void addCapacityPlot(ask::Report& report, const CacheFigure& figure, const CacheSettings& settings);

/// A line with a grip for each tier that lies between these capacities in blocks.
std::vector<ask::Rule> tierGrips(const CacheFigure& figure, const CacheSettings& settings,
                                 ask::Rule::Across across, double least, double most);
/// A round number that is not below `most`.
double roundEnd(double most);

/// Blocks of the figure that one replica has room for in the tiers up to this one.
double blocksUpTo(const CacheFigure& figure, const CacheSettings& settings, std::size_t tier);
/// A tier's capacity, over all replicas, when all up to it hold so many blocks of one; 0 at least.
double capacityGBOf(const CacheFigure& figure, const CacheSettings& settings, std::size_t tier,
                    double blocks);

} // namespace loadline
