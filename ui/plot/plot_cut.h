// Lines and outlines cut off at a rectangle, as numbers: SVG and PDF then hold what is seen.
#pragma once

#include "ui/plot/plot_shapes.h"

namespace loadline::ui {

/// The parts of the lines within the rectangle.
std::vector<PlotLine> cutOff(std::vector<PlotLine> lines, const QRectF& rect);
/// The part of a polygon within the rectangle; empty: there is none.
QPolygonF cutPolygon(QPolygonF polygon, const QRectF& rect);

} // namespace loadline::ui
