// The drawings of the Cache page: plots that core describes.
#include "ui/chart/cache/cache_drawings.h"

#include "core/ask/picked.h"
#include "core/cache/figure/cache_grips.h"
#include "core/cache/figure/capacity_plot.h"
#include "core/cache/figure/requests_plot.h"
#include "core/cache/figure/shared_plot.h"
#include "core/cache/figure/split_plot.h"
#include "core/cache/figure/tiers_plot.h"
#include "core/cache/figure/ttl_plot.h"
#include "ui/plot/report_drawing.h"

#include <string>
#include <utility>

namespace loadline::ui {
namespace {

using CacheShown = std::shared_ptr<const CacheFigure>;

template <auto add>
std::unique_ptr<PlotDrawing> plotOf(CacheShown figure, const CacheSettings& settings) {
    ask::Report report;
    const auto kept = std::make_shared<const CacheSettings>(settings);
    add(report, *figure, *kept);
    report.keeps.insert(report.keeps.end(), {std::move(figure), kept});
    return drawingOf(std::move(report), cacheGrips());
}

std::unique_ptr<PlotDrawing> requestsPlot(CacheShown figure, std::shared_ptr<const NamedRequests> requests,
                                          const PrefixBreak* chosen) {
    ask::Picked picked;
    for (std::size_t i = 0; i < requests->requests.size(); ++i) {
        if (chosen != nullptr && requests->requests[i].lost == chosen) {
            picked.key = std::to_string(i + 1);
        }
    }
    ask::Report report;
    addRequestsPlot(report, *figure, *requests);
    report.keeps.insert(report.keeps.end(), {std::move(figure), std::move(requests)});
    return drawingOf(std::move(report), ask::pickedFields(), ask::Question::of(std::move(picked)));
}

} // namespace

QString titleOf(CacheChart chart) {
    static constexpr std::array titles = {"Tiers",
                                          "Misses by capacity",
                                          "Hits by time to live",
                                          "Sessions that share a cache",
                                          "Requests, one by one",
                                          "Prefill and decode GPUs"};
    return QString::fromUtf8(titles.at(static_cast<std::size_t>(chart)));
}

std::unique_ptr<PlotDrawing> drawingOf(CacheChart chart, std::shared_ptr<const CacheFigure> figure,
                                       const CacheSettings& settings,
                                       std::shared_ptr<const NamedRequests> requests,
                                       const PrefixBreak* chosen) {
    switch (chart) {
    case CacheChart::Tiers:
        return plotOf<addTiersPlot>(std::move(figure), settings);
    case CacheChart::Capacity:
        return plotOf<addCapacityPlot>(std::move(figure), settings);
    case CacheChart::Ttl:
        return plotOf<addTtlPlot>(std::move(figure), settings);
    case CacheChart::Shared:
        return plotOf<addSharedPlot>(std::move(figure), settings);
    case CacheChart::Requests:
        return requestsPlot(std::move(figure), std::move(requests), chosen);
    default:
        return plotOf<addSplitPlot>(std::move(figure), settings);
    }
}

} // namespace loadline::ui
