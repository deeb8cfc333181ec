// Drawings over the number of users: time against fp16, decode-only steps, throughput and latency.
#include "core/simulate/answer/what_counts.h"
#include "core/simulate/study/rate_crossings.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/simulation/simulation_paint.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline::ui {
namespace {

/// What the three have in common: the curve's points and the marker.
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
            most = std::max({most, v.value, v.high});
        }
        return most;
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

class UsersDrawing : public OverUsers {
public:
    using OverUsers::OverUsers;

    [[nodiscard]] QString title() const override { return titleOf(SimulationChart::Users); }

    [[nodiscard]] PlotExtents extents() const override {
        const double most = largest([](const SweepPoint& p) { return p.measure(); });
        return atLeast({niceAbove(std::max(1.2, most))}, held());
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
        const double x = axes.x(users());
        const Banded here = hand().load ? nearest(points(), axes, x)->measure() : presentMeasure();
        painter.setPen(QPen(theme.accent, 1.6));
        painter.drawLine(QPointF(x, axes.y(here.low)), QPointF(x, axes.y(here.high)));
        painter.setBrush(preview() || hand().load ? theme.plotGround : theme.accent);
        painter.drawEllipse(QPointF(x, axes.y(here.value)), 4, 4);
    }

protected:
    [[nodiscard]] XyAxes firstAxes(const QRectF& area) const override {
        return {usersAxis(points()), {yTitle(), 0, extents()[0]}, area};
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
        return {usersAxis(points()), {yTitle(), 0, 1, false, true}, area};
    }

    static QString yTitle() { return QStringLiteral("share of steps"); }

    [[nodiscard]] QStringList words(const SweepPoint& point) const override {
        return {
            QStringLiteral("%1 of the steps only decode").arg(percentText(point.decodeOnlyFraction.value))};
    }
};

class LatencyDrawing : public OverUsers {
public:
    using OverUsers::OverUsers;

    [[nodiscard]] QString title() const override { return titleOf(SimulationChart::Latency); }

    [[nodiscard]] PlotExtents extents() const override {
        const auto most = [this](const PointValue& value) {
            return niceAbove(std::max(1e-6, largest(value)));
        };
        return atLeast({most([](const SweepPoint& p) { return p.throughputTokensPerS; }),
                        most([](const SweepPoint& p) { return p.ttftP90S; }) * 1e3,
                        most([](const SweepPoint& p) { return p.tpotP90S; }) * 1e3},
                       held());
    }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        if (paintIfNone(painter, area, theme)) {
            return;
        }
        if (!tellsLatencies(figure().inputs)) {
            paintNothing(painter, area, theme, QString::fromStdString(whyNoLatencies(figure().inputs)));
            return;
        }
        const auto shown = [](const Banded& v, const TimeUnit& unit) {
            return Banded{v.value * unit.perS, v.low * unit.perS, v.high * unit.perS};
        };
        const TimeUnit first = unitOf(1);
        const TimeUnit more = unitOf(2);
        const std::array<PointValue, 3> middle = {
            [](const SweepPoint& p) { return p.throughputTokensPerS; },
            [=](const SweepPoint& p) { return shown(p.ttftP50S, first); },
            [=](const SweepPoint& p) { return shown(p.tpotP50S, more); }};
        const std::array<PointValue, 3> upper = {
            [](const SweepPoint& p) { return p.throughputTokensPerS; },
            [=](const SweepPoint& p) { return shown(p.ttftP90S, first); },
            [=](const SweepPoint& p) { return shown(p.tpotP90S, more); }};
        const std::array colors = {theme.cacheWrite, theme.uncachedInput, theme.output};
        for (std::size_t i = 0; i < 3; ++i) {
            const XyAxes axes = axesOf(i, area);
            axes.paint(painter, theme);
            paintCurve(painter, axes, pinnedPoints(), middle[i], pinnedColour(theme), Qt::DashLine, false);
            paintCurve(painter, axes, points(), middle[i], colors[i]);
            paintPoints(painter, axes, points(), middle[i], colors[i], preview(), theme);
            if (i > 0) {
                paintCurve(painter, axes, points(), upper[i], colors[i], Qt::DashLine, false);
            }
            paintUsers(painter, axes, theme);
        }
    }

    [[nodiscard]] std::optional<PlotChange> change(const QPointF& from, const QPointF& to,
                                                   const QRectF& area) const override {
        for (std::size_t i = 0; i < 3 && tellsLatencies(figure().inputs); ++i) {
            if (partOf(i, area).contains(from)) {
                return closed() ? usersAt(axesOf(i, area), from, to) : std::nullopt;
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        for (std::size_t i = 0; i < 3 && tellsLatencies(figure().inputs); ++i) {
            if (partOf(i, area).contains(at)) {
                const SweepPoint* point = nearest(points(), axesOf(i, area), at.x());
                return point == nullptr ? QStringList() : readOutOf(*point);
            }
        }
        return {};
    }

protected:
    [[nodiscard]] XyAxes firstAxes(const QRectF& area) const override { return axesOf(0, area); }

    [[nodiscard]] QStringList words(const SweepPoint& point) const override {
        const auto ms = [](double s) { return secondsText(s); };
        return {
            QStringLiteral("%1 tokens/s").arg(countText(point.throughputTokensPerS.value)),
            QStringLiteral("TTFT %1, 90 % below %2").arg(ms(point.ttftP50S.value), ms(point.ttftP90S.value)),
            QStringLiteral("TPOT %1, 90 % below %2").arg(ms(point.tpotP50S.value), ms(point.tpotP90S.value))};
    }

private:
    static QRectF partOf(std::size_t i, const QRectF& area) { return panelOf(i, 3, area, 1.6); }

    /// Of the second and third panel.
    [[nodiscard]] TimeUnit unitOf(std::size_t panel) const { return timeUnitOf(extents()[panel] * 1e-3); }

    [[nodiscard]] XyAxes axesOf(std::size_t i, const QRectF& area) const {
        if (i == 0) {
            return {usersAxis(points()), {QStringLiteral("tokens/s"), 0, extents()[0]}, partOf(0, area)};
        }
        const TimeUnit unit = unitOf(i);
        const QString title =
            (i == 1 ? QStringLiteral("TTFT, %1") : QStringLiteral("TPOT, %1")).arg(unit.name);
        return {usersAxis(points()), {title, 0, extents()[i] * 1e-3 * unit.perS}, partOf(i, area)};
    }
};

} // namespace

std::unique_ptr<PlotDrawing> usersDrawing(SimulationChart chart, FigureShown figure, PlotExtents held,
                                          PinnedFigure pinned, const SetByHand& hand) {
    switch (chart) {
    case SimulationChart::Decode:
        return std::make_unique<DecodeDrawing>(std::move(figure), std::move(held), std::move(pinned), hand);
    case SimulationChart::Latency:
        return std::make_unique<LatencyDrawing>(std::move(figure), std::move(held), std::move(pinned), hand);
    default:
        return std::make_unique<UsersDrawing>(std::move(figure), std::move(held), std::move(pinned), hand);
    }
}

} // namespace loadline::ui
