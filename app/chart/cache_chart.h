// The charts of caches.
#pragma once

#include "app/chart/chart_request.h"
#include "core/cache/figure/cache_words.h"

#include <QString>

#include <array>

namespace loadline::app {

/// Returns the sentence over the Cache page's charts: the answer, and what a trace left out.
QString cachePageSentence(const CacheFigure& figure, const CacheSettings& settings);
QString cachePageSentence(const ChartRequest& base, const std::shared_ptr<const Corpus>& corpus,
                          const ChartMemory& drawn);

namespace charts {

extern const ChartSpec cacheTiers, cacheCapacity, cacheTtl, cacheUsers, cacheRequests, cacheSplit;
/// In the order of ui::cacheCharts.
inline constexpr std::array cacheCharts = {&cacheTiers, &cacheCapacity, &cacheTtl,
                                           &cacheUsers, &cacheRequests, &cacheSplit};

} // namespace charts
} // namespace loadline::app
