// Base of the drawings over the number of users: the curve's points, the marker, the pinned curve.
#pragma once

#include "ui/chart/simulation/simulation_paint.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace loadline::ui {

/// The curve's points and the marker of the present users, which is dragged along.
class OverUsers : public SimulatorDrawing {
public:
    using SimulatorDrawing::SimulatorDrawing;

    [[nodiscard]] std::optional<PlotChange> change(const QPointF& from, const QPointF& to,
                                                   const QRectF& area) const override {
        return closed() ? usersAt(firstAxes(area), from, to) : std::nullopt;
    }

    [[nodiscard]] std::vector<QPointF> marks(const QRectF& area) const override {
        const XyAxes axes = firstAxes(area);
        return closed() ? std::vector{QPointF(axes.x(users()), axes.plot().top())} : std::vector<QPointF>();
    }

    [[nodiscard]] std::optional<PlotChange> stepped(std::size_t /*mark*/, int way) const override {
        return usersStepped(users(), way);
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        const XyAxes axes = firstAxes(area);
        const SweepPoint* point = nearest(points(), axes, at.x());
        if (point == nullptr || !area.contains(at)) {
            return {};
        }
        return readOutOf(*point);
    }

protected:
    [[nodiscard]] bool closed() const { return figure().inputs.arrivals.kind == ArrivalKind::Closed; }

    [[nodiscard]] std::span<const SweepPoint> points() const { return figure().overUsers.points; }

    /// The present users, or the present rate.
    [[nodiscard]] double users() const {
        const ArrivalSetup& arrivals = figure().inputs.arrivals;
        return hand().load.value_or(
            arrivals.kind == ArrivalKind::Poisson ? arrivals.ratePerS : static_cast<double>(arrivals.users));
    }

    void paintUsers(QPainter& painter, const XyAxes& axes, const Theme& theme) const {
        paintMarker(painter, axes, users(), theme, preview() || hand().load);
    }

    [[nodiscard]] Table tableOf(const SimulatorFigure& figure) const override { return usersTable(figure); }

    [[nodiscard]] std::span<const SweepPoint> pinnedPoints() const {
        return hasPinned() ? std::span<const SweepPoint>(pinned().overUsers.points)
                           : std::span<const SweepPoint>();
    }

    /// Beside the title of the y axis.
    void paintPinnedLegend(QPainter& painter, const XyAxes& axes, const QString& title, const QRectF& area,
                           const QColor& now, const Theme& theme,
                           const std::vector<LegendEntry>& more = {}) const {
        const double left = axes.plot().left() + widthOf(fontOf(0.82), title) + 2.0 * spacing;
        const double width = area.right() - left;
        std::vector<LegendEntry> entries = pinnedLegend(now, width - legendWidth(more), theme);
        entries.insert(entries.end(), more.begin(), more.end());
        paintLegend(painter, QRectF(left, area.top(), width, 16), entries, theme);
    }

    [[nodiscard]] QStringList readOutOf(const SweepPoint& point) const {
        QStringList lines{loadText(point)};
        if (preview()) {
            lines << previewWords();
        }
        lines += words(point);
        for (const SweepPoint& other : pinnedPoints()) {
            if (other.load() == point.load()) {
                lines << QStringLiteral("pinned:");
                lines += words(other);
            }
        }
        return lines;
    }

    /// The axes whose x is dragged along.
    [[nodiscard]] virtual XyAxes firstAxes(const QRectF& area) const = 0;
    [[nodiscard]] virtual QStringList words(const SweepPoint& point) const = 0;

    [[nodiscard]] double largest(const PointValue& value) const {
        double most = 0;
        for (const SweepPoint& point : pinnedPoints()) {
            most = std::max(most, value(point).value);
        }
        for (const SweepPoint& point : points()) {
            const Banded v = value(point);
            most = std::max({most, v.value, std::isfinite(v.high) ? v.high : 0.0});
        }
        return most;
    }

    /// The smallest positive value; infinite if there is none.
    [[nodiscard]] double smallest(const PointValue& value) const {
        double least = std::numeric_limits<double>::infinity();
        for (const std::span<const SweepPoint> curve : {points(), pinnedPoints()}) {
            for (const SweepPoint& point : curve) {
                const double at = value(point).value;
                least = at > 0 ? std::min(least, at) : least;
            }
        }
        return least;
    }

    bool paintIfNone(QPainter& painter, const QRectF& area, const Theme& theme) const {
        if (points().size() >= 2) {
            return false;
        }
        paintNothing(painter, area, theme,
                     figure().inputs.arrivals.kind == ArrivalKind::Trace
                         ? QStringLiteral("a trace has one course: neither users nor a rate to vary")
                         : QStringLiteral("follows when refined"));
        return true;
    }
};

} // namespace loadline::ui
