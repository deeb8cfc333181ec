// The heat map over users and chunk sizes, with the line where quantised and fp16 take the same time.
#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/study/even_lines.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/simulation/simulation_paint.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <cmath>

namespace loadline::ui {
namespace {

/// Blue: faster than fp16; orange: slower.
QColor heat(double ratio, const Theme& theme) {
    const double depth = std::clamp(std::log2(std::max(ratio, 1e-3)), -1.0, 1.0);
    const QColor pole = depth < 0 ? theme.cacheWrite : theme.output;
    return tinted(pole, theme.plotGround, std::min(1.0, 0.12 + 0.88 * std::abs(depth)));
}

/// Which colour is which ratio: half of fp16's time, as long, twice as long. Returns the room it took.
double paintScale(QPainter& painter, const QRectF& place, const Theme& theme) {
    const auto colourAt = [&](double share) { return heat(std::exp2(2 * share - 1), theme); };
    return paintColours(painter, place, QStringLiteral("0.5"), QStringLiteral("2 times fp16's"), colourAt,
                        theme);
}

class MapDrawing : public SimulatorDrawing {
public:
    using SimulatorDrawing::SimulatorDrawing;

    [[nodiscard]] QString title() const override { return titleOf(SimulationChart::Map); }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        const SweepResult& map = figure().map;
        if (map.points.empty() || map.users.size() < 2 || map.chunks.size() < 2) {
            paintNothing(painter, area, theme,
                         figure().inputs.arrivals.kind == ArrivalKind::Trace
                             ? QStringLiteral("a trace has one course: neither users nor a rate to vary")
                             : QStringLiteral("follows when refined"));
            return;
        }
        const XyAxes axes = axesOf(area);
        axes.paint(painter, theme);
        painter.setRenderHint(QPainter::Antialiasing, false);
        for (std::size_t c = 0; c < map.chunks.size(); ++c) {
            for (std::size_t u = 0; u < map.users.size(); ++u) {
                const SweepPoint& point = map.at(0, c, u);
                const QRectF cell = cellOf(axes, u, c);
                painter.fillRect(cell, point.isEven() ? theme.plotGround : heat(point.pace().value, theme));
                if (point.isEvenAtMost()) {
                    hatch(painter, cell, theme.grid, 6, 1);
                }
            }
        }
        painter.setRenderHint(QPainter::Antialiasing);
        if (hasPinned() && !atRate()) {
            paintLines(painter, axes, pinned().map, QPen(pinnedColour(theme), 2, Qt::DashLine), theme);
        }
        if (!atRate()) {
            paintLines(painter, axes, map, QPen(theme.text, 2), theme);
        }
        const ArrivalSetup& arrivals = figure().inputs.arrivals;
        const double load = atRate() ? arrivals.ratePerS : static_cast<double>(arrivals.users);
        paintMarker(painter, axes, hand().load.value_or(load), theme, preview() || hand().load);
        const Tokens chunk = hand().chunkTokens.value_or(chunkOf(figure().inputs.policy));
        if (chunk > 0) {
            const double y = axes.y(static_cast<double>(chunk));
            painter.setPen(QPen(theme.accent, 1.2));
            painter.drawLine(QPointF(axes.plot().left(), y), QPointF(axes.plot().right(), y));
        }
        QRectF place(area.left(), inner(area).top(), area.width(), legendLine);
        place.setLeft(axes.plot().left() + widthOf(fontOf(0.82), axisTitle()) + 16);
        place.setLeft(place.left() + paintScale(painter, place, theme));
        if (inner(area) != area) {
            place = QRectF(area.left(), area.top(), area.width(), legendLine);
        }
        paintLegend(painter, place, entriesOf(theme), theme);
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        const SweepResult& map = figure().map;
        if (map.points.empty() || map.users.size() < 2 || map.chunks.size() < 2) {
            return {};
        }
        const XyAxes axes = axesOf(area);
        for (std::size_t c = 0; c < map.chunks.size(); ++c) {
            for (std::size_t u = 0; u < map.users.size(); ++u) {
                if (cellOf(axes, u, c).contains(at)) {
                    const SweepPoint& point = map.at(0, c, u);
                    QStringList lines{
                        QStringLiteral("%1, chunk %2").arg(loadText(point), exactText(point.chunkTokens))};
                    lines += measureWords(point, preview());
                    if (!atRate()) {
                        lines << (point.against
                                      ? QStringLiteral(
                                            "on the thick line both serve as many turns per second")
                                      : QStringLiteral("on the thick line k-bit takes as long as fp16"));
                    }
                    if (preview()) {
                        lines << previewWords();
                    }
                    return lines;
                }
            }
        }
        return {};
    }

    [[nodiscard]] std::optional<PlotChange> change(const QPointF& from, const QPointF& to,
                                                   const QRectF& area) const override {
        if (figure().map.points.empty()) {
            return std::nullopt;
        }
        const XyAxes axes = axesOf(area);
        auto change = usersAt(axes, from, to);
        if (change) {
            change->users = atRate() ? std::nullopt : change->users;
            const double value = axes.valueAtY(to.y());
            const double grain = std::max(1.0, std::exp2(std::floor(std::log2(value)) - 3));
            change->chunkTokens = std::llround(value / grain) * static_cast<Tokens>(grain);
        }
        return change;
    }

protected:
    [[nodiscard]] Table tableOf(const SimulatorFigure& figure) const override { return mapTable(figure); }

private:
    [[nodiscard]] bool atRate() const { return figure().inputs.arrivals.kind == ArrivalKind::Poisson; }

    static constexpr double legendLine = 16;

    [[nodiscard]] std::vector<LegendEntry> entriesOf(const Theme& theme) const {
        std::vector<LegendEntry> entries;
        if (!atRate()) {
            entries.push_back({theme.text, false, Qt::SolidLine, QStringLiteral("as long as fp16")});
        }
        if (std::ranges::any_of(figure().map.points, &SweepPoint::isEvenAtMost)) {
            entries.push_back({theme.grid, true, Qt::NoPen, QStringLiteral("either may be ahead")});
        }
        if (hasPinned() && !atRate()) {
            entries.push_back({pinnedColour(theme), false, Qt::DashLine, QStringLiteral("the same, pinned")});
        }
        return entries;
    }

    /// Without a line for the legend, where it has no room beside the scale of colours.
    [[nodiscard]] QRectF inner(const QRectF& area) const {
        const QFont font = fontOf(0.82);
        const double wanted = 12.0 * spacing + widthOf(font, axisTitle()) +
                              widthOf(font, QStringLiteral("100 k0.52 times fp16's")) + 64 +
                              legendWidth(entriesOf(Theme()));
        return wanted > area.width() ? area.adjusted(0, legendLine, 0, 0) : area;
    }

    static QString axisTitle() { return QStringLiteral("chunk, tokens"); }

    [[nodiscard]] XyAxes axesOf(const QRectF& area) const {
        const SweepResult& map = figure().map;
        const double low = static_cast<double>(std::max<Tokens>(map.chunks.front(), 1));
        const double high = std::max(static_cast<double>(map.chunks.back()), low * 2);
        return {usersAxis(map.curve(0, 0)),
                {axisTitle(), low / std::sqrt(2.0), high * std::sqrt(2.0), true},
                inner(area)};
    }

    /// From half way to the neighbour before to half way to the one after.
    [[nodiscard]] QRectF cellOf(const XyAxes& axes, std::size_t u, std::size_t c) const {
        const SweepResult& map = figure().map;
        const auto edges = [](auto place, std::size_t i, std::size_t count, double first, double last) {
            const double before = i == 0 ? first : (place(i - 1) + place(i)) / 2;
            const double after = i + 1 == count ? last : (place(i) + place(i + 1)) / 2;
            return std::pair(before, after);
        };
        const auto [left, right] = edges([&](std::size_t i) { return axes.x(map.at(0, 0, i).load()); }, u,
                                         map.users.size(), axes.plot().left(), axes.plot().right());
        const auto [bottom, top] =
            edges([&](std::size_t i) { return axes.y(static_cast<double>(map.chunks[i])); }, c,
                  map.chunks.size(), axes.plot().bottom(), axes.plot().top());
        return {QPointF(std::floor(left), std::floor(top)), QPointF(std::floor(right), std::floor(bottom))};
    }

    /// Where the ratio is 1.
    static void paintLines(QPainter& painter, const XyAxes& axes, const SweepResult& map, const QPen& pen,
                           const Theme& theme) {
        for (const std::vector<EvenPoint>& points : evenLinesOf(map)) {
            QPolygonF line;
            for (const EvenPoint& point : points) {
                line << QPointF(axes.x(point.users), axes.y(point.chunkTokens));
            }
            painter.setPen(QPen(theme.plotGround, 4));
            painter.drawPolyline(line);
            painter.setPen(pen);
            painter.drawPolyline(line);
        }
    }
};

} // namespace

std::unique_ptr<PlotDrawing> mapDrawing(FigureShown figure, PlotExtents held, PinnedFigure pinned,
                                        const SetByHand& hand) {
    return std::make_unique<MapDrawing>(std::move(figure), std::move(held), std::move(pinned), hand);
}

} // namespace loadline::ui
