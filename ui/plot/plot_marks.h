// Paints the marks of a plot, and lines and bands that cannot be dragged.
#pragma once

#include "ui/plot/plot_axes.h"

#include <QColor>
#include <QPainter>

#include <cstddef>

namespace loadline::ui {

/// Width of a pixel of the device, in the painter's units.
double pixelOf(const QPainter& painter);

/// The colour of a meaning; of ask::Ink::Series that of this series.
QColor colourOf(ask::Ink ink, const Theme& theme, std::size_t series = 0);
QColor colourOf(const SceneMark& mark, std::size_t series, const Theme& theme);
/// How pale boxes are that are not measured or lie in the background, and areas.
inline constexpr double paleShare = 0.45, areaShare = 0.22;

/// True if dots of this basis are hollow: neither exact nor measured.
bool isHollow(ask::Basis basis);
/// Measured and exact: solid; published: dashed; modelled: dotted.
Qt::PenStyle lineOf(ask::Basis basis);

/// A rectangle in the ink of its basis: solid, hatched (published), pale with a dotted edge (modelled), pale
/// (estimated), open at the top (a lower bound).
void paintBox(QPainter& painter, const QRectF& rect, const QColor& color, ask::Basis basis,
              const Theme& theme);

/// Marks of the background first, then bands that cannot be dragged, boxes, lines that cannot be dragged,
/// all other marks, and the names of those bands and lines.
void paintMarks(QPainter& painter, const PlotAxes& axes, const Theme& theme);

} // namespace loadline::ui
