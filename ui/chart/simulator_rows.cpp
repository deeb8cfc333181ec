// Drawings of one setting: how often a step has M rows, and where the time goes.
#include "ui/chart/paint_help.h"
#include "ui/chart/simulator_charts.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <cmath>

namespace loadline::ui {
namespace {

constexpr double legendHeight = 18;

QString nameText(Kernel kernel) {
    const auto name = nameOf(kernel);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

std::vector<LegendEntry> legendOf(const SimulatorFigure& figure, const Theme& theme) {
    std::vector<LegendEntry> entries;
    for (const Kernel kernel : figure.kernels) {
        if (figure.present.gemm.kernelUs[static_cast<std::size_t>(kernel)] > 0) {
            entries.push_back({colourOf(kernel, theme), isHatched(kernel), Qt::NoPen, nameText(kernel)});
        }
    }
    return entries;
}

class RowsDrawing : public SimulatorDrawing {
public:
    using SimulatorDrawing::SimulatorDrawing;

    [[nodiscard]] QString title() const override { return titleOf(SimulationChart::Rows); }

    [[nodiscard]] Table table() const override { return rowsTable(figure()); }

    [[nodiscard]] PlotExtents extents() const override {
        double share = 0;
        double last = 16;
        for (const RowsBin& bin : figure().rows) {
            share = std::max({share, bin.stepShare, bin.timeShare});
            last = std::max(last, static_cast<double>(bin.high) + 1);
        }
        return atLeast({std::min(1.0, niceAbove(share)), last}, held());
    }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        std::vector<LegendEntry> entries = legendOf(figure(), theme);
        entries.push_back({theme.text, false, Qt::SolidLine, QStringLiteral("share of time")});
        paintLegend(painter, QRectF(area.left(), area.top(), area.width(), legendHeight), entries, theme);
        const XyAxes axes = axesOf(area);
        axes.paint(painter, theme);
        QPolygonF time;
        for (const RowsBin& bin : figure().rows) {
            const double left = axes.x(static_cast<double>(bin.low));
            const double right = axes.x(static_cast<double>(bin.high) + 1);
            double sum = 0;
            for (const Kernel kernel : allKernels) {
                const double share = bin.stepShareBy[static_cast<std::size_t>(kernel)];
                if (share > 0) {
                    const QRectF part(QPointF(left, axes.y(sum + share)), QPointF(right, axes.y(sum)));
                    paintKernel(painter, part.adjusted(0.5, 0, -0.5, 0), kernel, theme);
                    sum += share;
                }
            }
            time << QPointF(left, axes.y(bin.timeShare)) << QPointF(right, axes.y(bin.timeShare));
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.text, 1.4));
        painter.drawPolyline(time);
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        const XyAxes axes = axesOf(area);
        if (!axes.plot().contains(at)) {
            return {};
        }
        const double m = axes.valueAtX(at.x());
        for (const RowsBin& bin : figure().rows) {
            if (m >= static_cast<double>(bin.low) && m < static_cast<double>(bin.high) + 1) {
                const QString range = bin.low == bin.high
                                          ? exactText(bin.low)
                                          : exactText(bin.low) + QStringLiteral(" to ") + exactText(bin.high);
                return {QStringLiteral("M = ") + range,
                        shareText(bin.stepShare) + QStringLiteral(" of the steps"),
                        shareText(bin.decodeOnlyShare) + QStringLiteral(" only decode"),
                        shareText(bin.timeShare) + QStringLiteral(" of the time")};
            }
        }
        return {};
    }

private:
    [[nodiscard]] XyAxes axesOf(const QRectF& area) const {
        const PlotExtents reach = extents();
        return {{QStringLiteral("rows M of a step"), 1, reach[1], true},
                {QStringLiteral("share of steps"), 0, reach[0], false, true},
                area.adjusted(0, legendHeight, 0, 0)};
    }
};

class KernelsDrawing : public SimulatorDrawing {
public:
    using SimulatorDrawing::SimulatorDrawing;

    [[nodiscard]] QString title() const override { return titleOf(SimulationChart::Kernels); }

    [[nodiscard]] Table table() const override { return kernelTable(figure()); }

    [[nodiscard]] PlotExtents extents() const override {
        return atLeast({niceAbove(std::max(1.0, figure().timeVsFp16.value))}, held());
    }

    /// Two bars: the k-bit time by kernel, as long as it is against fp16's, and fp16's.
    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        const GemmTime& gemm = figure().present.gemm;
        if (!(gemm.us > 0)) {
            paintNothing(painter, area, theme, QStringLiteral("no step"));
            return;
        }
        const QFont font = fontOf(0.9);
        const double head = widthOf(font, QStringLiteral("k = 5 ")) + spacing;
        const double line = heightOf(font);
        const double bar = std::clamp(area.height() * 0.14, 12.0, 30.0);
        const double full = (area.width() - head - spacing) / extents()[0];
        const QRectF first(area.left() + head, area.top() + spacing, full * gemm.ratio(), bar);
        const QRectF second(area.left() + head, first.bottom() + spacing, full, bar);
        label(painter, first, head, theme, QStringLiteral("k = %1").arg(figure().inputs.cost.kBits));
        label(painter, second, head, theme, QStringLiteral("fp16"));
        painter.fillRect(second, theme.cublas);
        double x = first.left();
        double y = second.bottom() + spacing;
        for (const Kernel kernel : figure().kernels) {
            const double share = gemm.kernelUs[static_cast<std::size_t>(kernel)] / gemm.us;
            if (!(share > 0)) {
                continue;
            }
            const QRectF part(x, first.top(), first.width() * share, bar);
            paintKernel(painter, part, kernel, theme);
            x = part.right();
            if (y + line <= area.bottom()) {
                const QRectF box(area.left() + head, y + line / 2 - 4, 10, 8);
                paintKernel(painter, box, kernel, theme);
                const QRectF text(box.right() + 6, y, area.right() - box.right() - 6, line);
                drawText(painter, text, Qt::AlignLeft | Qt::AlignVCenter, font, theme.text,
                         nameText(kernel) + QStringLiteral("  ") + shareText(share));
                y += line + 2;
            }
        }
    }

private:
    static void label(QPainter& painter, const QRectF& bar, double head, const Theme& theme,
                      const QString& text) {
        drawText(painter, QRectF(bar.left() - head, bar.top(), head - spacing / 2.0, bar.height()),
                 Qt::AlignRight | Qt::AlignVCenter, fontOf(0.9), theme.text, text);
    }
};

} // namespace

std::unique_ptr<PlotDrawing> rowsDrawing(std::shared_ptr<const SimulatorFigure> figure, PlotExtents held) {
    return std::make_unique<RowsDrawing>(std::move(figure), std::move(held));
}

std::unique_ptr<PlotDrawing> kernelsDrawing(std::shared_ptr<const SimulatorFigure> figure, PlotExtents held) {
    return std::make_unique<KernelsDrawing>(std::move(figure), std::move(held));
}

std::unique_ptr<PlotDrawing> drawingOf(SimulationChart chart, std::shared_ptr<const SimulatorFigure> figure,
                                       const PlotExtents& held) {
    switch (chart) {
    case SimulationChart::Rows:
        return rowsDrawing(std::move(figure), held);
    case SimulationChart::Kernels:
        return kernelsDrawing(std::move(figure), held);
    case SimulationChart::Map:
        return mapDrawing(std::move(figure), held);
    default:
        return usersDrawing(chart, std::move(figure), held);
    }
}

} // namespace loadline::ui
