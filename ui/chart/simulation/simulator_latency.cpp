// Throughput and latencies over users, of both formats.
#include "core/cost/format/format.h"
#include "core/simulate/answer/what_counts.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/simulation/latency_panels.h"
#include "ui/chart/simulation/over_users.h"

namespace loadline::ui {
namespace {

constexpr double legendRow = 16;

class LatencyDrawing : public OverUsers {
public:
    LatencyDrawing(FigureShown figure, PlotExtents held, PinnedFigure pinned, const SetByHand& hand)
        : OverUsers(std::move(figure), std::move(held), std::move(pinned), hand),
          panels_(latencyPanelsOf(points(), pinnedPoints(), this->held())) {}

    [[nodiscard]] QString title() const override { return titleOf(SimulationChart::Latency); }

    [[nodiscard]] PlotExtents extents() const override {
        return latencyExtentsOf(points(), pinnedPoints(), held());
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
        paintLegend(painter, QRectF(area.left(), area.top(), area.width(), legendRow), legendOf(theme),
                    theme);
        for (std::size_t i = 0; i < panels_.size(); ++i) {
            const XyAxes axes = axesOf(i, area);
            axes.paint(painter, theme);
            const std::vector<LatencyCurve>& curves = panels_[i].curves;
            paintCurve(painter, axes, pinnedPoints(), curves.front().value, pinnedColour(theme), Qt::DashLine,
                       false);
            for (auto curve = curves.rbegin(); curve != curves.rend(); ++curve) { // own ones on top
                const QColor color = curve->other ? otherColour(theme) : theme.text;
                const bool tail = curve->ink == LatencyInk::Tail;
                paintCurve(painter, axes, points(), curve->value, color, tail ? Qt::DashLine : Qt::SolidLine,
                           !tail && !curve->other);
                if (!tail && !curve->other) {
                    paintPoints(painter, axes, points(), curve->value, color, preview(), theme);
                }
            }
            paintUsers(painter, axes, theme);
        }
    }

    [[nodiscard]] std::optional<PlotChange> change(const QPointF& from, const QPointF& to,
                                                   const QRectF& area) const override {
        for (std::size_t i = 0; i < panels_.size() && tellsLatencies(figure().inputs); ++i) {
            if (partOf(i, area).contains(from)) {
                return closed() ? usersAt(axesOf(i, area), from, to) : std::nullopt;
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        for (std::size_t i = 0; i < panels_.size() && tellsLatencies(figure().inputs); ++i) {
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
        QStringList lines = latencyWords(ownName(), point);
        if (point.against) {
            lines += latencyWords(otherName(), point.against->figures);
        }
        return lines;
    }

private:
    [[nodiscard]] QString ownName() const {
        return QString::fromStdString(nameOf(figure().inputs.cost.format));
    }

    [[nodiscard]] QString otherName() const {
        return QString::fromStdString(nameOf(figure().inputs.against));
    }

    /// That of fp16 in every chart.
    static QColor otherColour(const Theme& theme) { return theme.cublas; }

    [[nodiscard]] std::vector<LegendEntry> legendOf(const Theme& theme) const {
        std::vector<LegendEntry> entries = {{theme.text, false, Qt::SolidLine, ownName()}};
        const bool compares = std::ranges::any_of(panels_.front().curves, &LatencyCurve::other);
        if (compares) {
            entries.push_back({otherColour(theme), false, Qt::SolidLine, otherName()});
        }
        entries.push_back({theme.text, false, Qt::DashLine, QStringLiteral("p99")});
        if (preview()) {
            entries.push_back(previewEntry(theme.text));
        }
        if (hasPinned()) {
            entries.push_back({pinnedColour(theme), false, Qt::DashLine, QStringLiteral("pinned, p50")});
        }
        return entries;
    }

    /// In a row, in two, or one above the other.
    [[nodiscard]] QRectF partOf(std::size_t i, const QRectF& whole) const {
        constexpr double wide = 3.6;
        constexpr double square = 0.9;
        const QRectF area = whole.adjusted(0, legendRow + 2, 0, 0);
        if (area.width() > wide * area.height() || area.width() < square * area.height()) {
            return panelOf(i, panels_.size(), area, wide);
        }
        const QRectF row = panelOf(i / 2, 2, area, wide); // above each other
        return panelOf(i % 2, 2, row, 0);
    }

    /// Only the lowest panels have a title of x: all of them where they are in a row.
    [[nodiscard]] XyAxes axesOf(std::size_t i, const QRectF& area) const {
        XyAxis across = usersAxis(points(), figure().overUsers.mostLeftOut);
        if (partOf(i, area).bottom() + 1 < area.bottom()) {
            across.title.clear();
        }
        return {across, panels_[i].axis, partOf(i, area)};
    }

    std::vector<LatencyPanel> panels_;
};

} // namespace

std::unique_ptr<PlotDrawing> latencyDrawing(FigureShown figure, PlotExtents held, PinnedFigure pinned,
                                            const SetByHand& hand) {
    return std::make_unique<LatencyDrawing>(std::move(figure), std::move(held), std::move(pinned), hand);
}

} // namespace loadline::ui
