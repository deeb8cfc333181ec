// Legends, names beside each other, and the words of an empty chart.
#pragma once

#include "ui/theme/theme.h"

#include <QColor>
#include <QPainter>
#include <QRectF>
#include <QString>

#include <vector>

namespace loadline::ui {

/// Radius of a small point on a curve, in pixels.
inline constexpr double pointRadius = 2.2;

/// Height of a line of a legend, in pixels.
inline constexpr double legendLine = 16;

/// Colour, hatching and name.
struct LegendEntry {
    QColor color;
    bool hatched = false;
    Qt::PenStyle line = Qt::NoPen; ///< a line instead of a box
    QString text;
    bool ring = false; ///< a hollow point instead
};
/// Paints as many entries as the place has room for, and the number of the others.
void paintLegend(QPainter& painter, const QRectF& place, const std::vector<LegendEntry>& entries,
                 const Theme& theme);
/// Returns the size of all entries in lines of this width.
double legendHeight(const std::vector<LegendEntry>& entries, double width);
/// Returns the width of all entries together, in one line.
double legendWidth(const std::vector<LegendEntry>& entries);

/// Returns the middles of texts of this height: each as near as possible to its wanted middle, without
/// overlap, and between `top` and `bottom` if there is room for all.
std::vector<double> spreadMiddles(const std::vector<double>& wanted, double height, double top,
                                  double bottom);

/// Says in the middle of the area why there is nothing to draw.
void paintNothing(QPainter& painter, const QRectF& area, const Theme& theme, const QString& why);

} // namespace loadline::ui
