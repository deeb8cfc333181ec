// Paints cells in shades, or around a middle in two colours.
#pragma once

#include "ui/plot/plot_axes.h"

#include <QPainter>

namespace loadline::ui {

void paintCells(QPainter& painter, const SceneMark& cells, const PlotAxes& axes, const Theme& theme);
/// The scale of shades with its ends in words; returns the room it took: none where there is too little.
double paintShades(QPainter& painter, const QRectF& place, const SceneMark& cells, const Theme& theme);

} // namespace loadline::ui
