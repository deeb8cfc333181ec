// GPUs that compute prompts and GPUs that answer: before reuse, with it, and at the limit that nothing
// reaches.
#include "core/text/number_format.h"
#include "ui/chart/cache/cache_paint.h"
#include "ui/chart/legend.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/xy_axes.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace loadline::ui {
namespace {

/// GPUs in a row of the picture.
struct FleetRow {
    QString name;
    double prefill = 0, decode = 0, freed = 0;
    QString words; ///< behind it
};

QString timesText(double speedUp) {
    return std::isfinite(speedUp) ? QString::number(speedUp, 'f', 2) + QStringLiteral("\u00D7")
                                  : QStringLiteral("\u221E");
}

class SplitDrawing : public CacheDrawing {
public:
    using CacheDrawing::CacheDrawing;

    [[nodiscard]] QString title() const override { return titleOf(CacheChart::Split); }

    [[nodiscard]] QString sentence() const override {
        return QString::fromStdString(splitSentence(figure(), settings()));
    }

    [[nodiscard]] Table table() const override { return splitTable(figure(), settings()); }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        if (!figure().tellsReuse()) {
            paintNothing(painter, area, theme, QStringLiteral("the trace tells no reuse"));
            return;
        }
        paintHead(painter, area, theme);
        const std::vector<FleetRow> rows = rowsOf();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            paintRow(painter, barOf(area, i), rows[i], i + 1 == rows.size(), area, theme);
        }
        const QRectF bar = barOf(area, 0);
        const double x = bar.left() + bar.width() * settings().fleet.prefillShare;
        painter.setPen(QPen(theme.accent, 1.4));
        painter.drawLine(QPointF(x, bar.top() - 3), QPointF(x, bar.bottom() + 3));
        painter.setBrush(theme.plotGround);
        painter.drawEllipse(QPointF(x, bar.top() - 3), 4.5, 4.5);
        if (curveArea(area).height() > 0) {
            paintCurveOf(painter, curveArea(area), theme);
        }
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        if (!figure().tellsReuse()) {
            return {};
        }
        const std::vector<FleetRow> rows = rowsOf();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (barOf(area, i).contains(at)) {
                return {rows[i].name,
                        QStringLiteral("%1 GPUs for prompts, %2 for answers")
                            .arg(rows[i].prefill, 0, 'f', 1)
                            .arg(rows[i].decode, 0, 'f', 1),
                        rows[i].words};
            }
        }
        const QRectF below = curveArea(area);
        if (below.height() > 0 && below.contains(at)) {
            const double hit = curveAxes(below).valueAtX(at.x());
            return {
                QStringLiteral("hit rate %1").arg(shareText(hit)),
                QStringLiteral("%1 the work").arg(timesText(splitWith(settings().fleet, 1 - hit).speedUp)),
                QStringLiteral("%1 with attention").arg(timesText(attending(hit).speedUp))};
        }
        return {};
    }

    [[nodiscard]] std::optional<PlotChange> change(const QPointF& from, const QPointF& to,
                                                   const QRectF& area) const override {
        const QRectF bar = barOf(area, 0);
        if (!figure().tellsReuse() || !bar.adjusted(-6, -8, 6, 4).contains(from)) {
            return std::nullopt;
        }
        PlotChange change;
        if (from == to) { // a click moves nothing
            change.prefillShare = settings().fleet.prefillShare;
            return change;
        }
        const double share = std::clamp((to.x() - bar.left()) / bar.width(), 0.0, 1.0);
        change.prefillShare = std::round(share * 100) / 100;
        return change;
    }

    [[nodiscard]] std::vector<QPointF> marks(const QRectF& area) const override {
        const QRectF bar = barOf(area, 0);
        const double x = bar.left() + settings().fleet.prefillShare * bar.width();
        return figure().tellsReuse() ? std::vector{QPointF(x, bar.center().y())} : std::vector<QPointF>();
    }

    [[nodiscard]] std::optional<PlotChange> stepped(std::size_t /*mark*/, int way) const override {
        PlotChange change;
        change.prefillShare =
            std::clamp(std::round(settings().fleet.prefillShare * 100 + way) / 100, 0.0, 1.0);
        return change;
    }

private:
    static constexpr std::size_t rowCount = 4;
    static constexpr double curveFrom = 200; ///< height from which on there is room for it

    [[nodiscard]] PrefillDecodeSplit attending(double hitRate) const {
        const double mean = figure().input().mean;
        return splitWith(settings().fleet,
                         mean > 0 ? prefillWorkLeft(modelOf(settings()), mean, hitRate * mean) : 1 - hitRate);
    }

    [[nodiscard]] std::vector<FleetRow> rowsOf() const {
        const SplitFleet& fleet = settings().fleet;
        const double prefill = fleet.gpus * fleet.prefillShare;
        const double decode = fleet.gpus - prefill;
        const SplitHit hit = splitHitOf(figure(), settings());
        const PrefillDecodeSplit real = splitWith(fleet, 1 - hit.rate);
        const PrefillDecodeSplit limit = splitWith(fleet, 0);
        const QString attention = timesText(splitWithAttention(figure(), settings()).speedUp);
        const QString least = hit.least ? QStringLiteral("\u2265\u202F") : QString();
        return {{QStringLiteral("without reuse"), prefill, decode, 0, timesText(1)},
                {QStringLiteral("same load"), prefill - real.gpusFreed, decode, real.gpusFreed,
                 least + QStringLiteral("%1 freed").arg(real.gpusFreed, 0, 'f', 1)},
                {QStringLiteral("all at work"), real.prefillGpus, real.decodeGpus, 0,
                 least + QStringLiteral("%1 (%2)").arg(timesText(real.speedUp), attention)},
                {QStringLiteral("limit: 100\u202F% hit"), 0, decode, limit.gpusFreed,
                 QStringLiteral("%1 freed, %2").arg(realText(limit.gpusFreed), timesText(limit.speedUp))}};
    }

    [[nodiscard]] static double rowHeight(const QRectF& area) {
        const double rows = area.height() - 2 * spacing - curveShare(area);
        return std::clamp(rows / rowCount, 14.0, 34.0);
    }

    static double curveShare(const QRectF& area) {
        return area.height() >= curveFrom ? std::max(area.height() - 4 * 34.0 - 2 * spacing, 90.0) : 0;
    }

    static double nameWidth() { return widthOf(fontOf(0.82), QStringLiteral("limit: 100 % hit  ")); }

    static double wordsWidth() { return widthOf(fontOf(0.82), QStringLiteral("  1 024 freed, 2.00\u00D7 ")); }

    [[nodiscard]] static QRectF barOf(const QRectF& area, std::size_t row) {
        const double height = rowHeight(area);
        const double left = area.left() + nameWidth();
        const double top = area.top() + 2.5 * spacing + static_cast<double>(row) * height;
        return {left, top + 2, std::max(20.0, area.right() - wordsWidth() - left), height - 6};
    }

    static QRectF curveArea(const QRectF& area) {
        const double top = area.top() + 3 * spacing + rowCount * rowHeight(area);
        return area.height() < curveFrom ? QRectF()
                                         : QRectF(area.left(), top, area.width(), area.bottom() - top);
    }

    [[nodiscard]] XyAxes curveAxes(const QRectF& area) const {
        const double bound = splitWith(settings().fleet, 0).speedUp;
        return {{QStringLiteral("hit rate"), 0, 1, false, true},
                {QStringLiteral("times as much"), 1,
                 std::isfinite(bound) ? std::max(niceAbove(bound * 1.01), 1.1) : 10},
                area};
    }

    void paintHead(QPainter& painter, const QRectF& area, const Theme& theme) const {
        const std::vector<LegendEntry> entries = {
            {theme.newInput, false, Qt::NoPen, QStringLiteral("prefill")},
            {theme.output, false, Qt::NoPen, QStringLiteral("decode")},
            {theme.textMuted, true, Qt::NoPen, QStringLiteral("freed")}};
        paintLegend(painter, QRectF(area.left(), area.top() - 2, area.width(), 2 * spacing), entries, theme);
        const SplitHit hit = splitHitOf(figure(), settings());
        paintKind(painter, area, area.left() + legendWidth(entries),
                  QStringLiteral("%1 hit, %2")
                      .arg(QString::fromStdString(cellOfEnds(hit.ends())), QString::fromStdString(hit.of)),
                  theme);
    }

    void paintRow(QPainter& painter, const QRectF& bar, const FleetRow& row, bool limit, const QRectF& area,
                  const Theme& theme) const {
        const QFont font = fontOf(0.82);
        const QColor ink = limit ? theme.textMuted : theme.text;
        drawText(painter, QRectF(area.left(), bar.top(), nameWidth() - 4, bar.height()), leftMiddle, font,
                 ink, row.name);
        double x = bar.left();
        const double perGpu = bar.width() / std::max(settings().fleet.gpus, 1.0);
        for (const auto& [gpus, color] :
             {std::pair(row.prefill, theme.newInput), std::pair(row.decode, theme.output)}) {
            const QRectF part(x, bar.top(), gpus * perGpu, bar.height());
            painter.fillRect(part, faded(color, limit ? 0.35 : 1));
            x = part.right();
        }
        const QRectF freed(x, bar.top(), row.freed * perGpu, bar.height());
        hatch(painter, freed, theme.textMuted, 6, 1);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.border, 1, limit ? Qt::DashLine : Qt::SolidLine));
        painter.drawRect(bar);
        drawText(painter,
                 QRectF(bar.right() + spacing, bar.top(), area.right() - bar.right() - spacing, bar.height()),
                 leftMiddle, font, ink, row.words);
    }

    /// Speed-up over the hit rate, with Amdahl's bound.
    void paintCurveOf(QPainter& painter, const QRectF& area, const Theme& theme) const {
        const XyAxes axes = curveAxes(area);
        axes.paint(painter, theme);
        constexpr int points = 100;
        QPolygonF linear;
        QPolygonF attends;
        for (int i = 0; i <= points; ++i) {
            const double hit = static_cast<double>(i) / points;
            linear << QPointF(axes.x(hit), axes.y(splitWith(settings().fleet, 1 - hit).speedUp));
            attends << QPointF(axes.x(hit), axes.y(attending(hit).speedUp));
        }
        const double bound = splitWith(settings().fleet, 0).speedUp;
        painter.setBrush(Qt::NoBrush);
        if (std::isfinite(bound)) {
            painter.setPen(QPen(theme.textMuted, 1, Qt::DashLine));
            painter.drawLine(QPointF(axes.plot().left(), axes.y(bound)),
                             QPointF(axes.plot().right(), axes.y(bound)));
        }
        painter.setPen(QPen(theme.cacheWrite, 2));
        painter.drawPolyline(linear);
        painter.setPen(QPen(theme.mma, 2, Qt::DotLine));
        painter.drawPolyline(attends);
        const double hit = splitHitOf(figure(), settings()).rate;
        painter.setPen(QPen(theme.text, 1));
        painter.setBrush(theme.text);
        painter.drawEllipse(QPointF(axes.x(hit), axes.y(splitWith(settings().fleet, 1 - hit).speedUp)), 3.5,
                            3.5);
        const double left =
            axes.plot().left() + widthOf(fontOf(0.82), QStringLiteral("times as much")) + spacing;
        paintLegend(painter, QRectF(left, area.top(), area.right() - left, 2 * spacing),
                    {{theme.cacheWrite, false, Qt::SolidLine, QStringLiteral("linear")},
                     {theme.mma, false, Qt::DotLine, QStringLiteral("with attention")},
                     {theme.textMuted, false, Qt::DashLine, QStringLiteral("bound")}},
                    theme);
    }
};

} // namespace

std::unique_ptr<PlotDrawing> splitDrawing(CacheShown figure, const CacheSettings& settings) {
    return std::make_unique<SplitDrawing>(std::move(figure), settings);
}

} // namespace loadline::ui
