// Timed points over M: microseconds with floors, ceilings and crossings.
#include "core/cost/figure/kernel_figure_tables.h"
#include "core/cost/profile/time_bar.h"
#include "core/text/number_format.h"
#include "ui/chart/kernels/crossing_labels.h"
#include "ui/chart/kernels/kernel_paint.h"
#include "ui/chart/legend.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/xy_axes.h"
#include "ui/theme/format.h"

#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <limits>

namespace loadline::ui {

namespace {

class TimesDrawing : public KernelsDrawing {
public:
    TimesDrawing(std::shared_ptr<const KernelFigure> shown, const std::optional<KernelPick>& picked,
                 PlotExtents held)
        : KernelsDrawing(std::move(shown), std::move(held)) {
        setMarks(marksOf(KernelChart::Times, figure()), picked);
    }

    [[nodiscard]] QString title() const override {
        return QStringLiteral("Kernels: ") + whatText(figure()) + cutText(figure());
    }

    [[nodiscard]] Table table() const override { return timesTable(figure()); }

    /// The largest M, the inverse of the shortest time, the longest time.
    [[nodiscard]] PlotExtents extents() const override {
        double low = 1e300;
        double high = 0;
        for (const KernelCurve& curve : figure().curves) {
            for (const KernelSample& sample : curve.line) {
                low = std::min(low, sample.time.us);
                high = std::max(high, sample.time.us);
            }
            for (const KernelMark& mark : curve.marks) {
                const TimeBar bar = barOnAxis(mark.us, {.low = mark.low, .high = mark.high});
                low = std::min(low, bar.low);
                high = std::max(high, bar.high);
            }
        }
        for (const BoundLine& bound : figure().bounds) {
            if (!bound.line.empty() && bound.line.front().second > 0) {
                low = std::min(low, bound.line.front().second);
            }
        }
        if (!(high > 0)) {
            low = 1;
            high = 100;
        }
        return atLeast({figure().mostRows * 1.15, niceAbove(1 / low), niceAbove(std::max(high, 2 * low))},
                       held());
    }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        if (figure().curves.empty()) {
            paintNothing(painter, area, theme, QStringLiteral("no times of %1").arg(whatText(figure())));
            return;
        }
        paintKernelLegend(painter, area, figure(), theme);
        const XyAxes axes = axesOf(area);
        axes.paint(painter, theme);
        paintCrossings(painter, axes, theme);
        paintBounds(painter, axes, theme);
        for (const KernelCurve& curve : figure().curves) {
            paintLine(painter, axes, curve, theme);
        }
        for (const MarkedPoint& marked : marks()) {
            const double x = axes.x(marked.mark->rowsM);
            painter.setPen(QPen(colourOf(*marked.curve, theme), 1.2));
            painter.drawLine(QPointF(x, axes.y(marked.mark->low)), QPointF(x, axes.y(marked.mark->high)));
        }
        paintMarks(painter, axes, theme);
        nameBounds(painter, axes, theme);
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        if (const MarkedPoint* marked = markAt(at, area)) {
            return wordsOf(*marked);
        }
        const XyAxes axes = axesOf(area);
        if (!axes.plot().contains(at)) {
            return {};
        }
        const double m = std::max(1.0, std::round(axes.valueAtX(at.x())));
        QStringList lines{QStringLiteral("M = %1 rows").arg(exactText(std::llround(m)))};
        for (const KernelCurve& curve : figure().curves) {
            if (const KernelSample* sample = sampleAt(curve, m)) {
                const double us = sample->time.us;
                const double off = 1 + sample->time.relativeError;
                const QString range =
                    off > 1 ? QStringLiteral(" (%1 to %2)").arg(usText(us / off), usText(us * off))
                            : QString(); // of a model there is none
                lines << nameText(curve.kernel, namingOf(figure(), curve.profile)) + QStringLiteral(": ") +
                             usText(us) + range + kindText(*sample);
            }
        }
        for (const BoundLine& bound : figure().bounds) {
            const auto next = std::ranges::lower_bound(bound.line, m, {}, &std::pair<double, double>::first);
            if (next != bound.line.end()) {
                lines << nameOf(bound) + QStringLiteral(": ") + usText(next->second);
            }
        }
        return lines;
    }

protected:
    [[nodiscard]] XyAxes axesOf(const QRectF& area) const override {
        const PlotExtents reach = extents();
        return {{QStringLiteral("rows M of a call"), 0.9, reach[0], true},
                timeAxis(QStringLiteral("%1 a call"), 1 / reach[1], reach[2]),
                area.adjusted(0, 2 * kernelLegendHeight + 2 + crossingLabelsHeight(), 0, 0)};
    }

    [[nodiscard]] double valueOf(const MarkedPoint& marked) const override { return marked.mark->us; }

private:
    [[nodiscard]] static QString kindText(const KernelSample& sample) {
        if (sample.time.origin == PointOrigin::Modelled) {
            return QStringLiteral(", modelled");
        }
        switch (sample.time.kind) {
        case EstimateKind::AtPoint:
            return {};
        case EstimateKind::Interpolated:
            return QStringLiteral(", interpolated");
        case EstimateKind::Modelled:
            break;
        }
        return QStringLiteral(", modelled");
    }

    /// The sample nearest to M where the curve reaches that far.
    [[nodiscard]] static const KernelSample* sampleAt(const KernelCurve& curve, double m) {
        if (curve.line.empty() || m > curve.line.back().rowsM) {
            return nullptr;
        }
        const auto next = std::ranges::lower_bound(curve.line, m, {}, &KernelSample::rowsM);
        return &*next;
    }

    [[nodiscard]] QString nameOf(const BoundLine& bound) const {
        const QString weights =
            bound.fp16 ? QStringLiteral("fp16") : QStringLiteral("k = %1").arg(figure().inputs.kBits);
        return (bound.measured ? QStringLiteral("measured ceiling, ") : QStringLiteral("byte floor, ")) +
               weights;
    }

    void paintLine(QPainter& painter, const XyAxes& axes, const KernelCurve& curve,
                   const Theme& theme) const {
        const QColor color = colourOf(curve, theme);
        QPolygonF line;
        std::vector<Qt::PenStyle> styles;
        for (const KernelSample& sample : curve.line) {
            line << QPointF(axes.x(sample.rowsM), axes.y(sample.time.us));
            styles.push_back(styleOf(sample.time.origin, elsewhere(curve.profile)));
        }
        paintRuns(painter, line, [&](qsizetype i) {
            const auto from = static_cast<std::size_t>(i); // the way from a modelled value is modelled
            return QPen(color, curve.profile == 0 ? 1.8 : 1.3,
                        styles[from] == Qt::DotLine ? Qt::DotLine : styles[from + 1], Qt::FlatCap,
                        Qt::RoundJoin);
        });
    }

    /// Returns the line up to the top of the axis: a rising line ends there instead of running along it.
    [[nodiscard]] QPolygonF lineOf(const BoundLine& bound, const XyAxes& axes) const {
        const double most = extents()[2];
        QPolygonF line;
        std::pair<double, double> before;
        for (const auto& [m, us] : bound.line) {
            if (us > most) {
                if (!line.isEmpty() && before.second < most) {
                    const double part = std::log(most / before.second) / std::log(us / before.second);
                    line << QPointF(axes.x(before.first * std::pow(m / before.first, part)), axes.y(most));
                }
                break;
            }
            line << QPointF(axes.x(m), axes.y(us));
            before = {m, us};
        }
        return line;
    }

    void paintBounds(QPainter& painter, const XyAxes& axes, const Theme& theme) const {
        for (const BoundLine& bound : figure().bounds) {
            const QColor color = bound.fp16 ? tinted(theme.cublas, theme.plotGround, 0.75) : theme.textMuted;
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(color, 1.2, bound.measured ? Qt::SolidLine : Qt::DashDotLine));
            painter.drawPolyline(lineOf(bound, axes));
        }
    }

    /// Along each, where the fewest curves and points are, and no other name.
    void nameBounds(QPainter& painter, const XyAxes& axes, const Theme& theme) const {
        const QFont font = fontOf(0.78);
        std::vector<QPolygonF> lines;
        for (const KernelCurve& curve : figure().curves) {
            QPolygonF& line = lines.emplace_back();
            for (const KernelSample& sample : curve.line) {
                line << QPointF(axes.x(sample.rowsM), axes.y(sample.time.us));
            }
        }
        for (const MarkedPoint& marked : marks()) {
            const QPointF at(axes.x(marked.mark->rowsM), axes.y(valueOf(marked)));
            lines.emplace_back(QRectF(at - QPointF(4, 4), QSizeF(8, 8)));
        }
        std::vector<QPolygonF> bounds;
        for (const BoundLine& bound : figure().bounds) {
            bounds.push_back(lineOf(bound, axes));
        }
        lines.insert(lines.end(), bounds.begin(), bounds.end());
        std::vector<QRectF> taken;
        for (std::size_t i = 0; i < bounds.size(); ++i) {
            const QString name = nameOf(figure().bounds[i]);
            const QRectF place = nameBeside(bounds[i], QSizeF(widthOf(font, name) + 2, heightOf(font)), lines,
                                            taken, axes.plot());
            if (!place.isEmpty()) {
                taken.push_back(place);
                drawText(painter, place, leftMiddle, font, theme.textMuted, name);
            }
        }
    }

    /// Above or below the level part of a bound, beside the names that are `taken`; empty where that has no
    /// room in the plot.
    static QRectF nameBeside(const QPolygonF& bound, const QSizeF& size, const std::vector<QPolygonF>& lines,
                             const std::vector<QRectF>& taken, const QRectF& plot) {
        QRectF best;
        int fewest = std::numeric_limits<int>::max();
        for (const QPointF& at : bound) {
            for (const double above : {size.height() + 1, -1.0}) {
                const QRectF place(at - QPointF(-6, above), size);
                const bool isFree =
                    plot.contains(place) &&
                    std::ranges::none_of(taken, [&](const QRectF& one) { return one.intersects(place); });
                const int count = isFree ? segmentsIn(place, lines) : fewest;
                if (count < fewest) {
                    fewest = count;
                    best = place;
                }
            }
        }
        return best;
    }

    static void paintCrossing(QPainter& painter, const XyAxes& axes, const CrossingLabel& label,
                              const Theme& theme) {
        const KernelCrossing& crossing = *label.crossing;
        const QColor color = colourOf(crossing.to, theme);
        const double x = axes.x(static_cast<double>(crossing.rowsM));
        if (crossing.high > crossing.low) {
            const QColor soft = faded(color, 0.12);
            painter.fillRect(
                QRectF(QPointF(axes.x(static_cast<double>(crossing.low)), axes.plot().top()),
                       QPointF(axes.x(static_cast<double>(crossing.high)), axes.plot().bottom())),
                soft);
        }
        painter.setPen(
            QPen(color, 1.2, crossing.pointsEnd || crossing.pointsBegin ? Qt::DotLine : Qt::SolidLine));
        painter.drawLine(QPointF(x, axes.plot().top()), QPointF(x, axes.plot().bottom()));
        if (label.text.isEmpty()) {
            return;
        }
        painter.setPen(QPen(color, 2.4));
        painter.drawLine(QPointF(x, label.place.top() + 1), QPointF(x, label.place.bottom() - 1));
        drawText(painter, label.place, Qt::AlignHCenter | Qt::AlignVCenter, crossingLabelFont(), theme.text,
                 label.text);
    }

    void paintCrossings(QPainter& painter, const XyAxes& axes, const Theme& theme) const {
        const auto xOf = [&](double rowsM) { return axes.x(rowsM); };
        for (const CrossingLabel& label : crossingLabelsIn(figure(), axes.plot(), xOf)) {
            paintCrossing(painter, axes, label, theme);
        }
    }
};

} // namespace

std::unique_ptr<PlotDrawing> drawingOf(KernelChart chart, std::shared_ptr<const KernelFigure> figure,
                                       const std::optional<KernelPick>& picked, const PlotExtents& held) {
    switch (chart) {
    case KernelChart::Times:
        return std::make_unique<TimesDrawing>(std::move(figure), picked, held);
    case KernelChart::Ceiling:
        return ceilingDrawing(std::move(figure), picked, held);
    case KernelChart::Attention:
        break;
    }
    return attentionDrawing(*figure, held);
}

} // namespace loadline::ui
