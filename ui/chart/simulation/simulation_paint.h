// What the drawings of the simulation pages share: curves over users, legends, the marker.
#pragma once

#include "core/simulate/study/sweep.h"
#include "ui/chart/simulation/simulation_drawings.h"
#include "ui/chart/xy_axes.h"

#include <functional>
#include <span>

namespace loadline::ui {

using PointValue = std::function<Banded(const SweepPoint&)>;

XyAxis usersAxis(std::span<const SweepPoint> points);

/// The band, then the line; dashed where `dashed`.
void paintCurve(QPainter& painter, const XyAxes& axes, std::span<const SweepPoint> points,
                const PointValue& value, const QColor& color, Qt::PenStyle style = Qt::SolidLine,
                bool band = true);
/// How the parts of a curve are drawn whose times are mostly modelled, and what a legend says of it.
enum class ModelledInk { Dotted, Pale };
struct LegendEntry;
/// As paintCurve, the line from and to such points in the ink of models.
void paintRatioCurve(QPainter& painter, const XyAxes& axes, std::span<const SweepPoint> points,
                     const QColor& color, ModelledInk ink, Qt::PenStyle style = Qt::SolidLine,
                     bool band = true);
bool anyMostlyModelled(std::span<const SweepPoint> points);
LegendEntry modelledEntry(const QColor& color, ModelledInk ink);
/// "57.1 % of the k-bit time and 40.0 % of fp16's are modelled"; empty where none is.
QStringList modelledWords(const SweepPoint& point);
/// A vertical line at the present users, with a grip on top. `hollow`: a preview.
void paintMarker(QPainter& painter, const XyAxes& axes, double users, const Theme& theme, bool hollow);
/// The point nearest to a place along x; null without points.
const SweepPoint* nearest(std::span<const SweepPoint> points, const XyAxes& axes, double x);
/// A drag along the users.
std::optional<PlotChange> usersAt(const XyAxes& axes, const QPointF& from, const QPointF& to);
void paintNothing(QPainter& painter, const QRectF& area, const Theme& theme, const QString& why);

/// Colour, hatching and name, one after the other; returns what does not fit as no entry.
struct LegendEntry {
    QColor color;
    bool hatched = false;
    Qt::PenStyle line = Qt::NoPen; ///< a line instead of a box
    QString text;
};
void paintLegend(QPainter& painter, const QRectF& place, const std::vector<LegendEntry>& entries,
                 const Theme& theme);
/// What all entries together take.
double legendWidth(const std::vector<LegendEntry>& entries);
/// Fills a rectangle in a kernel's colour.
void paintKernel(QPainter& painter, const QRectF& rect, Kernel kernel, const Theme& theme);
/// Time that is in no GEMM: attention, and the host's share.
QColor restColour(const Theme& theme);
QString restText();
/// "0.84"
QString shareOfFp16Text(double ratio);

} // namespace loadline::ui
