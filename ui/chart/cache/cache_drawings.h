// The drawings of the Cache page: each is of one cache, and says which.
#pragma once

#include "core/cache/figure/cache_figure.h"
#include "core/cache/figure/cache_settings.h"
#include "core/cache/figure/request_parts.h"
#include "ui/chart/plot_drawing.h"

#include <array>
#include <memory>

namespace loadline::ui {

enum class CacheChart {
    Tiers,    ///< what each tier holds, serves and costs: a table
    Capacity, ///< what an engine's cache misses by its capacity
    Ttl,      ///< what an unlimited one hits by its time to live, and how long gaps are
    Shared,   ///< sessions that share an engine's cache, by its capacity
    Requests, ///< cached, new and answered tokens, request by request
    Split,    ///< GPUs of prompts and of answers before and after reuse
};
inline constexpr std::array cacheCharts = {CacheChart::Tiers,  CacheChart::Capacity, CacheChart::Ttl,
                                           CacheChart::Shared, CacheChart::Requests, CacheChart::Split};
QString titleOf(CacheChart chart);

/// Precondition: figure and requests are not null. `requests` matter for CacheChart::Requests alone, and
/// which of their prefix breaks is `chosen`; null: none.
std::unique_ptr<PlotDrawing> drawingOf(CacheChart chart, std::shared_ptr<const CacheFigure> figure,
                                       const CacheSettings& settings,
                                       std::shared_ptr<const NamedRequests> requests,
                                       const PrefixBreak* chosen = nullptr);

} // namespace loadline::ui
