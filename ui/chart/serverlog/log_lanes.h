// The time line of a log: where its lanes lie, and how each is painted.
#pragma once

#include "ui/chart/serverlog/log_axis.h"

#include <QPainter>
#include <QRectF>

#include <vector>

namespace loadline::ui {

/// One lane's place.
struct LogBox {
    enum class Kind : std::uint8_t { Events, Lane, Concurrency, Bars };

    Kind kind = Kind::Lane;
    const LogLane* lane = nullptr; ///< of Kind::Lane
    QRectF title;                  ///< empty: no room for one
    QRectF plot;
    double most = 1; ///< at the plot's top

    [[nodiscard]] double y(double value) const { return plot.bottom() - value / most * plot.height(); }
};

struct LogLayout {
    LogAxis axis;
    std::vector<LogBox> boxes;
    QRectF plots;    ///< around those of all boxes
    QRectF axisLine; ///< for ticks and title
    QRectF legend;   ///< of the engines, above the plots; empty: there is one, or no room
};

LogLayout layoutOf(const LogScene& scene, const PlotChange::Stretch& stretch, const QRectF& area);

/// Returns the rectangle of a row of bars.
QRectF rowOf(const LogBox& box, std::size_t row, std::size_t rows);
/// The bar's own rectangle, at least so wide that it is seen.
QRectF rectOf(const LogBar& bar, const LogAxis& axis, const QRectF& row);

/// The colour of each engine that is drawn apart, in all lanes.
void paintEngines(QPainter& painter, const LogScene& scene, const LogLayout& layout, const Theme& theme);
void paintLane(QPainter& painter, const LogBox& box, const LogAxis& axis, const Theme& theme);
void paintConcurrency(QPainter& painter, const LogScene& scene, const LogBox& box, const LogAxis& axis,
                      const Theme& theme);
void paintBars(QPainter& painter, const LogScene& scene, const LogBox& box, const LogAxis& axis,
               const Theme& theme);
void paintEvents(QPainter& painter, const LogScene& scene, const LogBox& box, const LogAxis& axis,
                 const Theme& theme);

} // namespace loadline::ui
