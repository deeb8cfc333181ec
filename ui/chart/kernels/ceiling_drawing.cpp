// Timed points over M: the share of the ceiling.
#include "core/cost/figure/kernel_figure_tables.h"
#include "ui/chart/kernels/kernel_paint.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/xy_axes.h"

#include <QPolygonF>

#include <algorithm>

namespace loadline::ui {
namespace {

class CeilingDrawing : public KernelsDrawing {
public:
    CeilingDrawing(std::shared_ptr<const KernelFigure> shown, const std::optional<KernelPick>& picked,
                   PlotExtents held)
        : KernelsDrawing(std::move(shown), std::move(held)) {
        setMarks(marksOf(KernelChart::Ceiling, figure()), picked);
    }

    [[nodiscard]] QString title() const override {
        return QStringLiteral("Share of the ceiling: ") + whatText(figure()) + cutText(figure());
    }

    [[nodiscard]] Table table() const override { return ceilingTable(figure()); }

    [[nodiscard]] PlotExtents extents() const override {
        double most = 1;
        for (const MarkedPoint& marked : marks()) {
            most = std::max(most, marked.mark->fraction);
        }
        return atLeast({figure().mostRows * 1.15, most > 1 ? niceAbove(most) : 1.0}, held());
    }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        if (marks().empty()) {
            paintNothing(painter, area, theme,
                         figure().boundSource.empty()
                             ? QStringLiteral("no rate of this device is known")
                             : QStringLiteral("no times of %1").arg(whatText(figure())));
            return;
        }
        const XyAxes axes = axesOf(area);
        axes.paint(painter, theme);
        painter.setPen(QPen(theme.text, 1.2));
        painter.drawLine(QPointF(axes.plot().left(), axes.y(1)), QPointF(axes.plot().right(), axes.y(1)));
        if (extents()[1] > 1.01) {
            const QFont font = fontOf(0.78);
            drawText(painter,
                     QRectF(axes.plot().left() + 6, axes.y(1) - heightOf(font) - 1, axes.plot().width() - 12,
                            heightOf(font)),
                     Qt::AlignRight | Qt::AlignBottom, font, theme.textMuted, aboveText());
        }
        for (const KernelCurve& curve : figure().curves) {
            QPolygonF line;
            bool modelled = false;
            bool published = false;
            for (const MarkedPoint& marked : marks()) {
                if (marked.curve == &curve) {
                    line << QPointF(axes.x(marked.mark->rowsM), axes.y(marked.mark->fraction));
                    modelled = modelled || marked.point->origin == PointOrigin::Modelled;
                    published = published || marked.point->origin == PointOrigin::Published;
                }
            }
            const PointOrigin origin = modelled    ? PointOrigin::Modelled
                                       : published ? PointOrigin::Published
                                                   : PointOrigin::Measured;
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(colourOf(curve, theme), 1.4, styleOf(origin, elsewhere(curve.profile))));
            painter.drawPolyline(line);
        }
        paintMarks(painter, axes, theme);
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        const MarkedPoint* marked = markAt(at, area);
        return marked != nullptr ? wordsOf(*marked) : QStringList();
    }

protected:
    [[nodiscard]] XyAxes axesOf(const QRectF& area) const override {
        const PlotExtents reach = extents();
        return {{QStringLiteral("rows M of a call"), 0.9, reach[0], true},
                {QStringLiteral("bound / time (") + QString::fromStdString(figure().boundSource) +
                     QStringLiteral(")"),
                 0, reach[1], false, true},
                area};
    }

    [[nodiscard]] double valueOf(const MarkedPoint& marked) const override { return marked.mark->fraction; }

private:
    /// Which ceiling is exceeded.
    [[nodiscard]] QString aboveText() const {
        bool memory = false;
        bool arithmetic = false;
        for (const MarkedPoint& marked : marks()) {
            if (marked.mark->fraction > 1) {
                (marked.mark->byArithmetic ? arithmetic : memory) = true;
            }
        }
        const QString cached = QStringLiteral("weights came from a cache");
        const QString faster = QStringLiteral("faster than the rate of arithmetic");
        return QStringLiteral("above: ") + (memory && arithmetic ? cached + QStringLiteral(", or ") + faster
                                            : arithmetic         ? faster
                                                                 : cached);
    }
};

} // namespace

std::unique_ptr<PlotDrawing> ceilingDrawing(std::shared_ptr<const KernelFigure> figure,
                                            const std::optional<KernelPick>& picked,
                                            const PlotExtents& held) {
    return std::make_unique<CeilingDrawing>(std::move(figure), picked, held);
}

} // namespace loadline::ui
