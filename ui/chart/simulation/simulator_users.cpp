// Drawings over the number of users: time against fp16 and decode-only steps.
#include "core/simulate/study/rate_crossings.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/simulation/latency_panels.h"
#include "ui/chart/simulation/over_users.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline::ui {
namespace {

class UsersDrawing : public OverUsers {
public:
    using OverUsers::OverUsers;

    [[nodiscard]] QString title() const override { return titleOf(SimulationChart::Users); }

    [[nodiscard]] PlotExtents extents() const override {
        const PointValue ratio = [](const SweepPoint& p) { return p.measure(); };
        return atLeast({niceAbove(std::max(1.2, largest(ratio))), 1 / std::min(1.0, smallest(ratio))},
                       held());
    }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        if (paintIfNone(painter, area, theme)) {
            return;
        }
        const XyAxes axes = firstAxes(area);
        axes.paint(painter, theme);
        painter.setPen(QPen(theme.cublas, 1.6, fp16Line(figure().memory)));
        painter.drawLine(QPointF(axes.plot().left(), axes.y(1)), QPointF(axes.plot().right(), axes.y(1)));
        const QString fp16 = fp16Text(figure().memory);
        const QRectF label(axes.plot().left() + 4, axes.y(1) - 16, widthOf(fontOf(0.82), fp16) + 4, 14);
        drawText(painter, label, Qt::AlignLeft | Qt::AlignBottom, fontOf(0.82), theme.textMuted, fp16);
        const PointValue ratio = [](const SweepPoint& p) { return p.measure(); };
        paintCurve(painter, axes, pinnedPoints(), ratio, pinnedColour(theme), Qt::DashLine, false);
        paintRatioCurve(painter, axes, points(), theme.text, ModelledInk::Dotted);
        paintPoints(painter, axes, points(), ratio, theme.text, preview(), theme);
        paintPinnedLegend(painter, axes, yTitle(), area, theme.text, theme, ratioLegend(theme));
        for (const Crossover& crossover : figure().crossovers) {
            if (crossover.kBits == figure().inputs.cost.format.kBits()) {
                paintCrossings(painter, axes, crossover, theme);
            }
        }
        for (const RateCrossing& crossing : rateCrossingsOf(points())) {
            paintCrossing(painter, axes, crossing.nearPerS, theme);
        }
        paintUsers(painter, axes, theme);
        if (users() > points().back().load()) { // left out: a format does not fit, or does not keep up
            return;
        }
        const double x = axes.x(users());
        const Banded here = hand().load ? nearest(points(), axes, x)->measure() : presentMeasure();
        painter.setPen(QPen(theme.accent, 1.6));
        painter.drawLine(QPointF(x, axes.y(here.low)), QPointF(x, axes.y(here.high)));
        painter.setBrush(preview() || hand().load ? theme.plotGround : theme.accent);
        painter.drawEllipse(QPointF(x, axes.y(here.value)), 4, 4);
    }

protected:
    [[nodiscard]] XyAxes firstAxes(const QRectF& area) const override {
        return {usersAxis(points(), figure().overUsers.mostLeftOut), ratioAxis(yTitle(), extents()), area};
    }

    [[nodiscard]] QStringList words(const SweepPoint& point) const override {
        return measureWords(point, preview()) +
               QStringList{QStringLiteral("M = %1 rows on average").arg(realText(point.averageM.value, 3))} +
               modelledWords(point);
    }

private:
    [[nodiscard]] std::vector<LegendEntry> ratioLegend(const Theme& theme) const {
        std::vector<LegendEntry> entries;
        if (preview()) {
            entries.push_back(previewEntry(theme.text));
        }
        if (anyMostlyModelled(points())) {
            entries.push_back(modelledEntry(theme.text, ModelledInk::Dotted));
        }
        return entries;
    }

    [[nodiscard]] QString yTitle() const { return measureTitle(points()); }

    /// At the present setting, by its own runs.
    [[nodiscard]] Banded presentMeasure() const {
        const std::optional<FormatPair>& pair = figure().pair;
        if (!pair || !pair->turnsPerS || figure().inputs.arrivals.kind == ArrivalKind::Poisson) {
            const auto away = [this](const SweepPoint& point) { return std::abs(point.load() - users()); };
            const auto point = std::ranges::min_element(points(), {}, away);
            return pair && point != points().end() ? point->measure() : figure().timeVsFp16;
        }
        const PairedRatio& ratio = *pair->turnsPerS;
        return {ratio.value, ratio.low.value_or(ratio.value), ratio.high.value_or(ratio.value)};
    }

    static void paintCrossings(QPainter& painter, const XyAxes& axes, const Crossover& crossover,
                               const Theme& theme) {
        if (crossover.all.low || crossover.all.high) {
            const double left = crossover.all.low ? axes.x(*crossover.all.low) : axes.plot().left();
            const double right = crossover.all.high ? axes.x(*crossover.all.high) : axes.plot().right();
            const QColor soft = faded(theme.warning, 0.35);
            painter.fillRect(QRectF(left, axes.y(1) - 3, std::max(1.0, right - left), 6), soft);
        }
        for (const Crossing& crossing : crossover.crossings) {
            paintCrossing(painter, axes, crossing.users, theme);
        }
    }

    static void paintCrossing(QPainter& painter, const XyAxes& axes, double load, const Theme& theme) {
        painter.setPen(QPen(theme.warning, 1.6));
        painter.setBrush(theme.plotGround);
        painter.drawEllipse(QPointF(axes.x(load), axes.y(1)), 4, 4);
    }
};

class DecodeDrawing : public OverUsers {
public:
    using OverUsers::OverUsers;

    [[nodiscard]] QString title() const override { return titleOf(SimulationChart::Decode); }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        if (paintIfNone(painter, area, theme)) {
            return;
        }
        const XyAxes axes = firstAxes(area);
        axes.paint(painter, theme);
        const PointValue share = [](const SweepPoint& p) { return p.decodeOnlyFraction; };
        paintCurve(painter, axes, pinnedPoints(), share, pinnedColour(theme), Qt::DashLine, false);
        paintCurve(painter, axes, points(), share, theme.output);
        paintPoints(painter, axes, points(), share, theme.output, preview(), theme);
        paintPinnedLegend(painter, axes, yTitle(), area, theme.output, theme,
                          preview() ? std::vector{previewEntry(theme.output)} : std::vector<LegendEntry>());
        paintUsers(painter, axes, theme);
    }

protected:
    [[nodiscard]] XyAxes firstAxes(const QRectF& area) const override {
        return {usersAxis(points(), figure().overUsers.mostLeftOut), {yTitle(), 0, 1, false, true}, area};
    }

    static QString yTitle() { return QStringLiteral("share of steps"); }

    [[nodiscard]] QStringList words(const SweepPoint& point) const override {
        return {
            QStringLiteral("%1 of the steps only decode").arg(percentText(point.decodeOnlyFraction.value))};
    }
};

} // namespace

std::unique_ptr<PlotDrawing> usersDrawing(SimulationChart chart, FigureShown figure, PlotExtents held,
                                          PinnedFigure pinned, const SetByHand& hand) {
    switch (chart) {
    case SimulationChart::Decode:
        return std::make_unique<DecodeDrawing>(std::move(figure), std::move(held), std::move(pinned), hand);
    case SimulationChart::Latency:
        if (figure->inputs.arrivals.kind == ArrivalKind::Trace) {
            return replayDrawing(std::move(figure), std::move(held), std::move(pinned));
        }
        return latencyDrawing(std::move(figure), std::move(held), std::move(pinned), hand);
    default:
        return std::make_unique<UsersDrawing>(std::move(figure), std::move(held), std::move(pinned), hand);
    }
}

} // namespace loadline::ui
