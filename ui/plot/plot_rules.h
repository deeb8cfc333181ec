// Lines and bands that cannot be dragged, and their names.
#pragma once

#include "ui/plot/plot_axes.h"

#include <QPainter>

namespace loadline::ui {

void paintStillBands(QPainter& painter, const PlotAxes& axes, const Theme& theme);
/// Dashed; above boxes, below all other marks.
void paintStillLines(QPainter& painter, const PlotAxes& axes, const Theme& theme);
/// Above all marks, on pale ground.
void paintStillNames(QPainter& painter, const PlotAxes& axes, const Theme& theme);

} // namespace loadline::ui
