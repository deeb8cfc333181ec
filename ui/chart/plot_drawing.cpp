// Functions that all drawings with mouse and keyboard input share.
#include "ui/chart/plot_drawing.h"

#include <QLineF>

#include <algorithm>

namespace loadline::ui {

int PlotDrawing::itemAt(const QPointF& at, const QRectF& area) const {
    constexpr double reach = 9;
    return nearestOf(items(area), at, reach);
}

PlotExtents atLeast(PlotExtents extents, const PlotExtents& held) {
    for (std::size_t i = 0; i < extents.size() && i < held.size(); ++i) {
        extents[i] = std::max(extents[i], held[i]);
    }
    return extents;
}

int nearestOf(const std::vector<QPointF>& places, const QPointF& at, double reach) {
    int best = -1;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (const double distance = QLineF(places[i], at).length(); distance < reach) {
            reach = distance;
            best = static_cast<int>(i);
        }
    }
    return best;
}

} // namespace loadline::ui
