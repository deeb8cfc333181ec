// What is found again by how long it is kept, over how long the gaps between requests are.
#include "ui/chart/cache/cache_paint.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/simulation/simulation_paint.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline::ui {
namespace {

constexpr double fiveMinutes = 300, hour = 3600;
constexpr int gapBins = 48;

class TtlDrawing : public CacheDrawing {
public:
    using CacheDrawing::CacheDrawing;

    [[nodiscard]] QString title() const override { return titleOf(CacheChart::Ttl); }

    [[nodiscard]] QString sentence() const override {
        return QString::fromStdString(ttlSentence(figure(), settings()));
    }

    [[nodiscard]] Table table() const override { return ttlTable(figure()); }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        if (!hasBlocks()) {
            paintNothing(painter, area, theme, QStringLiteral("the trace tells no blocks"));
            return;
        }
        const XyAxes axes = axesOf(area);
        axes.paint(painter, theme);
        paintGaps(painter, axes, theme);
        paintMarks(painter, axes, theme);
        QPolygonF line;
        for (const double ttl : ttlsOf(figure().ages)) {
            line << QPointF(axes.x(ttl), axes.y(figure().ages.at(ttl)));
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.cacheRead, 2));
        painter.drawPolyline(line);
        const double x = axes.x(settings().ttlS);
        paintGrip(painter, axes, x, theme.accent, theme);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accent);
        painter.drawEllipse(QPointF(x, axes.y(figure().ages.at(settings().ttlS))), 4, 4);
        const double left = axes.plot().left() + widthOf(fontOf(0.82), yTitle());
        if (figure().gapS().n > 0) {
            paintLegend(painter, QRectF(left + spacing, area.top(), area.width() / 2, 2 * spacing),
                        {{faded(theme.textMuted, 0.45), false, Qt::NoPen, QStringLiteral("gaps")}}, theme);
        }
        paintKind(painter, area, left + 9 * spacing, kindOf(QStringLiteral("unlimited cache")), theme);
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        if (!hasBlocks()) {
            return {};
        }
        const XyAxes axes = axesOf(area);
        if (!axes.plot().contains(at)) {
            return {};
        }
        const double ttl = axes.valueAtX(at.x());
        QStringList lines{
            QStringLiteral("kept for %1").arg(secondsText(ttl)),
            QStringLiteral("%1 of the blocks are found again").arg(hitText(figure().ages.at(ttl)))};
        if (figure().gapS().n > 0) {
            lines << QStringLiteral("%1 of the gaps end by then").arg(shareText(figure().gaps.at(ttl)));
        }
        return lines;
    }

    [[nodiscard]] std::optional<PlotChange> change(const QPointF& from, const QPointF& to,
                                                   const QRectF& area) const override {
        if (!hasBlocks()) {
            return std::nullopt;
        }
        const XyAxes axes = axesOf(area);
        if (!axes.plot().adjusted(-8, -8, 8, 0).contains(from)) {
            return std::nullopt;
        }
        PlotChange change;
        const double value = axes.valueAtX(to.x());
        const double grain = grainOf(value);
        change.ttlS = std::max(1.0, std::round(value / grain) * grain);
        return change;
    }

    [[nodiscard]] std::vector<QPointF> marks(const QRectF& area) const override {
        if (!hasBlocks()) {
            return {};
        }
        const XyAxes axes = axesOf(area);
        return {QPointF(axes.x(settings().ttlS), axes.plot().top())};
    }

    [[nodiscard]] std::optional<PlotChange> stepped(std::size_t /*mark*/, int way) const override {
        constexpr double longest = 1e9;
        const double now = settings().ttlS;
        // downwards from 100 by 1, as upwards from 99
        const double grain = grainOf(way < 0 ? now * (1 - 1e-9) : now);
        PlotChange change;
        change.ttlS = std::clamp(std::round(now / grain) * grain + way * grain, 1.0, longest);
        return change;
    }

private:
    /// A step of two digits.
    static double grainOf(double seconds) {
        return std::max(1.0, std::pow(10.0, std::floor(std::log10(seconds)) - 1));
    }

    [[nodiscard]] QString yTitle() const {
        return figure().caches.leastHits ? QStringLiteral("hits, at least") : QStringLiteral("hits");
    }

    [[nodiscard]] XyAxes axesOf(const QRectF& area) const {
        return {{.title = QStringLiteral("time to live"),
                 .low = 1,
                 .high = std::max({figure().ages.longestS() * 1.2, settings().ttlS, 2 * hour}),
                 .log = true,
                 .times = true},
                {yTitle(), 0, 1, false, true},
                area};
    }

    /// As shares of all gaps, in bins of equal width; the highest is as high as the lower third.
    void paintGaps(QPainter& painter, const XyAxes& axes, const Theme& theme) const {
        std::array<double, gapBins> shares{};
        const QRectF plot = axes.plot();
        double most = 0;
        for (int i = 0; i < gapBins; ++i) {
            const double low = i == 0 ? -1 : axes.valueAtX(plot.left() + i * plot.width() / gapBins);
            const double high = axes.valueAtX(plot.left() + (i + 1) * plot.width() / gapBins);
            shares.at(static_cast<std::size_t>(i)) =
                figure().gaps.at(high) - (low < 0 ? 0 : figure().gaps.at(low));
            most = std::max(most, shares.at(static_cast<std::size_t>(i)));
        }
        for (int i = 0; i < gapBins && most > 0; ++i) {
            const double height = shares.at(static_cast<std::size_t>(i)) / most * plot.height() / 3;
            painter.fillRect(QRectF(plot.left() + i * plot.width() / gapBins, plot.bottom() - height,
                                    plot.width() / gapBins - 1, height),
                             faded(theme.textMuted, 0.45));
        }
    }

    /// What providers sell.
    static void paintMarks(QPainter& painter, const XyAxes& axes, const Theme& theme) {
        const QFont font = fontOf(0.82);
        for (const auto& [seconds, name] : {std::pair(fiveMinutes, "5 min"), std::pair(hour, "1 h")}) {
            const double x = axes.x(seconds);
            painter.setPen(QPen(theme.textMuted, 1, Qt::DashLine));
            painter.drawLine(QPointF(x, axes.plot().top()), QPointF(x, axes.plot().bottom()));
            drawText(painter, QRectF(x + 4, axes.plot().bottom() - heightOf(font) - 2, 60, heightOf(font)),
                     leftMiddle, font, theme.text, QString::fromUtf8(name));
        }
    }
};

} // namespace

std::unique_ptr<PlotDrawing> ttlDrawing(CacheShown figure, const CacheSettings& settings) {
    return std::make_unique<TtlDrawing>(std::move(figure), settings);
}

} // namespace loadline::ui
