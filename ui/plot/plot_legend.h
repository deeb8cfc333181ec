// Names of lines: at their ends, in the legend, beside the lines that can be dragged.
#pragma once

#include "ui/chart/legend.h"
#include "ui/plot/plot_axes.h"

#include <QPainter>
#include <QRectF>
#include <QSizeF>

#include <vector>

namespace loadline::ui {

/// The names of a few lines at their ends, where the legend leaves them out.
void paintDirectNames(QPainter& painter, const PlotAxes& axes, const Theme& theme);
/// One entry for each mark that has a legend, or for each of its series.
std::vector<LegendEntry> legendOf(const PlotScene& scene, const Theme& theme);
/// The legend and the corner's words, in the line of the titles.
void paintHead(QPainter& painter, const PlotAxes& axes, const Theme& theme);

/// Returns places for names beside their lines, none over another and over few lines; null: there is no room.
std::vector<QRectF> placesOfNames(const QRectF& plot, const std::vector<double>& lines,
                                  const std::vector<QSizeF>& sizes);

} // namespace loadline::ui
