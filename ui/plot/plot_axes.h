// The axes of a plot: where values lie in an area, ticks by their form, a right axis, titles.
#pragma once

#include "ui/chart/xy_axes.h"
#include "ui/plot/plot_scene.h"

#include <QPainter>
#include <QRectF>

#include <optional>

namespace loadline::ui {

/// An axis of a scene in the words of XyAxes. `room`: pixels along it.
XyAxis xyAxisOf(const SceneAxis& axis, double room);

class PlotAxes {
public:
    /// `left`: the least room for the ticks' texts of the y axis. `isPanel`: its legend is drawn elsewhere.
    PlotAxes(const PlotScene& scene, const QRectF& area, double left = 0, bool isPanel = false);

    /// Pixels that the texts at the ticks of the y axis take.
    [[nodiscard]] static double roomOf(const PlotScene& scene, const QRectF& area);

    [[nodiscard]] const PlotScene& scene() const { return *scene_; }

    [[nodiscard]] const QRectF& area() const { return area_; }

    [[nodiscard]] const QRectF& plot() const { return axes_.plot(); }

    /// May lie beyond the plot. What a logarithmic axis cannot show lies at its low end.
    [[nodiscard]] double x(double value) const;
    [[nodiscard]] double y(double value, bool onRight = false) const;
    [[nodiscard]] double valueAtX(double x) const { return axes_.valueAtX(x); } ///< held within the axis
    [[nodiscard]] double valueAtY(double y) const { return axes_.valueAtY(y); }

    /// Ground, grid, ticks and titles.
    void paint(QPainter& painter, const Theme& theme) const;
    /// Left of the titles' line that they leave free.
    [[nodiscard]] QRectF headRoom() const;
    /// The same, or above it lines of its own for a legend that is too long; null: it is drawn elsewhere.
    [[nodiscard]] QRectF legendRoom() const;

private:
    [[nodiscard]] double up(const SceneAxis& axis, double value) const;

    const PlotScene* scene_;
    QRectF whole_, area_; ///< with and without the lines of a long legend
    bool isPanel_;
    std::optional<XyAxis> right_;
    double rightRoom_ = 0; ///< of the texts of the right axis
    XyAxis x_, y_;
    XyAxes axes_;
};

} // namespace loadline::ui
