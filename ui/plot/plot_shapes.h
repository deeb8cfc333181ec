// The geometry of a plot's marks in pixels, thinned to what can be seen and cut off at the plot's edges.
#pragma once

#include "ui/plot/plot_axes.h"

#include <QPointF>
#include <QPolygonF>
#include <QRectF>

#include <cstddef>
#include <vector>

namespace loadline::ui {

/// One unbroken piece of a line. Of many rows in one column of pixels only the lowest and the highest stay.
struct PlotLine {
    std::size_t series = 0;
    QPolygonF points;
    std::vector<ask::Basis> basis; ///< of each point
};
/// Lines and steps: pieces end where a value is unknown. `pixel`: width of a column.
std::vector<PlotLine> linesOf(const SceneMark& mark, const PlotAxes& axes, double pixel = 1);

/// Thin lines to x2 or y2. Lines that overlap in one column or row of pixels are joined into one.
std::vector<PlotLine> rangesOf(const SceneMark& mark, const PlotAxes& axes, double pixel = 1);

/// Between y and y2, else between y and 0 or the foot of the plot.
struct PlotArea {
    std::size_t series = 0;
    QPolygonF outline;
};
std::vector<PlotArea> areasOf(const SceneMark& mark, const PlotAxes& axes, double pixel = 1);

/// One row of bars, spans or cells. Of several that share a column of pixels the tallest stays, with all
/// that is stacked on the same x; of cells that share a pixel the one of the most shade.
struct PlotBox {
    std::size_t row = 0;
    QRectF rect;
};
std::vector<PlotBox> boxesOf(const SceneMark& mark, const PlotAxes& axes, double pixel = 1);

/// One row of points, flags or labels. Of many in one pixel the first one stays.
struct PlotDot {
    std::size_t row = 0;
    QPointF at;
};
std::vector<PlotDot> dotsOf(const SceneMark& mark, const PlotAxes& axes, double pixel = 1);

} // namespace loadline::ui
