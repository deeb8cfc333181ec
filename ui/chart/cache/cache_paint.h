// What the drawings of the Cache page share.
#pragma once

#include "core/cache/figure/cache_words.h"
#include "core/cache/figure/capacity_plot.h"
#include "ui/chart/cache/cache_drawings.h"
#include "ui/chart/xy_axes.h"

#include <QPolygonF>

#include <string>
#include <utility>

namespace loadline::ui {

class CacheDrawing : public PlotDrawing {
public:
    CacheDrawing(std::shared_ptr<const CacheFigure> figure, CacheSettings settings)
        : figure_(std::move(figure)), settings_(std::move(settings)) {}

protected:
    [[nodiscard]] const CacheFigure& figure() const { return *figure_; }

    [[nodiscard]] const CacheSettings& settings() const { return settings_; }

private:
    std::shared_ptr<const CacheFigure> figure_;
    CacheSettings settings_;
};

using CacheShown = std::shared_ptr<const CacheFigure>;
std::unique_ptr<PlotDrawing> tiersDrawing(CacheShown figure, const CacheSettings& settings);
std::unique_ptr<PlotDrawing> splitDrawing(CacheShown figure, const CacheSettings& settings);

/// "provider's cache", in small ink at the top right of an area: which cache this is of.
void paintKind(QPainter& painter, const QRectF& area, double left, const QString& kind, const Theme& theme);

} // namespace loadline::ui
