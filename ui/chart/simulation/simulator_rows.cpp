// Drawings of one setting: how often a step has M rows, and where the time goes.
#include "ui/chart/paint_help.h"
#include "ui/chart/simulation/simulation_paint.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

namespace loadline::ui {
namespace {

/// Of what bars there are.
std::vector<LegendEntry> legendOf(const SimulatorFigure& figure, const Theme& theme) {
    std::vector<LegendEntry> entries;
    for (const Kernel kernel : figure.kernels) {
        if (std::ranges::any_of(figure.rows, [kernel](const RowsBin& bin) {
                return bin.stepShareBy[static_cast<std::size_t>(kernel)] > 0;
            })) {
            entries.push_back(
                {colourOf(kernel, theme), isHatched(kernel), Qt::NoPen, servingText(kernel, figure.inputs)});
        }
    }
    return entries;
}

class RowsDrawing : public SimulatorDrawing {
public:
    using SimulatorDrawing::SimulatorDrawing;

    [[nodiscard]] QString title() const override { return titleOf(SimulationChart::Rows); }

    [[nodiscard]] PlotExtents extents() const override {
        double share = 0;
        double last = 16;
        const auto reach = [&](const SimulatorFigure& figure) {
            for (const RowsBin& bin : figure.rows) {
                share = std::max({share, bin.stepShare, bin.timeShare});
                last = std::max(last, static_cast<double>(bin.high) + 1);
            }
        };
        reach(figure());
        if (hasPinned()) {
            reach(pinned());
        }
        return atLeast({std::min(1.0, niceAbove(share)), last}, held());
    }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        const std::vector<LegendEntry> entries = entriesOf(theme);
        const QSizeF size(area.width(), legendHeight(entries, area.width()));
        paintLegend(painter, QRectF(area.topLeft(), size), entries, theme);
        const XyAxes axes = axesOf(area);
        axes.paint(painter, theme);
        QPolygonF time;
        QPolygonF middles;
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
            middles << QPointF((left + right) / 2, axes.y(bin.timeShare));
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.text, 1.4));
        painter.drawPolyline(time);
        if (preview()) {
            paintHollow(painter, middles, theme.text, theme);
        }
        if (hasPinned()) {
            QPolygonF steps;
            for (const RowsBin& bin : pinned().rows) {
                const double y = axes.y(bin.stepShare);
                steps << QPointF(axes.x(static_cast<double>(bin.low)), y)
                      << QPointF(axes.x(static_cast<double>(bin.high) + 1), y);
            }
            painter.setPen(QPen(pinnedColour(theme), 1.6, Qt::DashLine));
            painter.drawPolyline(steps);
        }
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
                QStringList lines{QStringLiteral("M = %1 rows").arg(range),
                                  percentText(bin.stepShare) + QStringLiteral(" of the steps"),
                                  percentText(bin.decodeOnlyShare) + QStringLiteral(" only decode"),
                                  percentText(bin.timeShare) + QStringLiteral(" of the time")};
                return preview() ? lines << previewWords() : lines;
            }
        }
        return {};
    }

protected:
    [[nodiscard]] Table tableOf(const SimulatorFigure& figure) const override { return rowsTable(figure); }

private:
    [[nodiscard]] std::vector<LegendEntry> entriesOf(const Theme& theme) const {
        std::vector<LegendEntry> entries = legendOf(figure(), theme);
        entries.push_back({theme.text, false, Qt::SolidLine, QStringLiteral("share of time")});
        if (preview()) {
            entries.push_back(previewEntry(theme.text));
        }
        if (hasPinned()) {
            entries.push_back({pinnedColour(theme), false, Qt::DashLine, QStringLiteral("steps, pinned")});
        }
        return entries;
    }

    [[nodiscard]] XyAxes axesOf(const QRectF& area) const {
        const PlotExtents reach = extents();
        const double legend = legendHeight(entriesOf(Theme::light()), area.width()); // colours take no room
        return {{QStringLiteral("rows M of a step"), 1, reach[1], true},
                {QStringLiteral("share of steps"), 0, reach[0], false, true},
                area.adjusted(0, legend, 0, 0)};
    }
};

/// What a bar is made of: the GEMMs by kernel, and the rest of a whole step; in shares of the fp16 time.
struct BarParts {
    std::array<double, kernelCount> kernels{};
    double gemms = 0;
    double rest = 0;
    double fp16Gemms = 0;
    double fp16Rest = 0;

    [[nodiscard]] double all() const { return gemms + rest; }
};

BarParts partsOf(const SimulatorFigure& figure) {
    const SimulationResult& present = figure.present;
    const double gemmUs = present.gemm.us;
    const double whole = std::max(present.wholeFp16Us, present.gemm.fp16Us);
    BarParts parts;
    if (!(whole > 0)) {
        return parts;
    }
    for (std::size_t i = 0; i < kernelCount; ++i) {
        parts.kernels[i] = present.gemm.kernelUs[i] / whole;
    }
    parts.gemms = gemmUs / whole;
    parts.rest = std::max(0.0, present.wholeUs - gemmUs) / whole;
    parts.fp16Gemms = present.gemm.fp16Us / whole;
    parts.fp16Rest = std::max(0.0, whole - present.gemm.fp16Us) / whole;
    return parts;
}

class KernelSharesDrawing : public SimulatorDrawing {
public:
    using SimulatorDrawing::SimulatorDrawing;

    [[nodiscard]] QString title() const override { return titleOf(SimulationChart::Kernels); }

    [[nodiscard]] PlotExtents extents() const override {
        double most = std::max(1.0, figure().timeVsFp16.value);
        if (hasPinned()) {
            most = std::max(most, pinned().timeVsFp16.value);
        }
        return atLeast({niceAbove(most)}, held());
    }

    /// Bars: the k-bit time by kernel, as long as it is against fp16's; fp16's; the pinned k-bit time.
    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        if (!(figure().present.gemm.us > 0)) {
            paintNothing(painter, area, theme, QStringLiteral("no step"));
            return;
        }
        const BarParts parts = partsOf(figure());
        const QFont font = fontOf(0.9);
        const double head =
            widthOf(font, hasPinned() ? QStringLiteral("pinned ") : QStringLiteral("k = 5 ")) + spacing;
        const double line = heightOf(font);
        const double bar = std::clamp(area.height() * 0.14, 12.0, 30.0);
        const double full = (area.width() - head - spacing) / extents()[0];
        const QRectF first(area.left() + head, area.top() + spacing, full, bar);
        QRectF second = first.translated(0, bar + spacing);
        label(painter, first, head, theme, QStringLiteral("k = %1").arg(figure().inputs.cost.format.kBits()));
        paintBar(painter, first, parts, theme);
        label(painter, second, head, theme, QStringLiteral("fp16"));
        if (figure().memory.fp16Fits().value_or(true)) {
            painter.fillRect(partOf(second, 0, parts.fp16Gemms), theme.cublas);
            painter.fillRect(partOf(second, parts.fp16Gemms, parts.fp16Rest), restColour(theme));
        } else {
            const QRectF outline = partOf(second, 0, parts.fp16Gemms + parts.fp16Rest);
            painter.setPen(QPen(theme.cublas, 1.6, Qt::DotLine));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(outline);
            drawText(painter, outline.adjusted(spacing / 2.0, 0, 0, 0), leftMiddle, font, theme.textMuted,
                     QStringLiteral("does not fit"));
        }
        if (hasPinned()) {
            second = second.translated(0, bar + spacing);
            label(painter, second, head, theme, QStringLiteral("pinned"));
            paintBar(painter, second, partsOf(pinned()), theme);
        }
        paintList(painter, area, QPointF(area.left() + head, second.bottom() + spacing), line, theme);
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        if (!area.contains(at) || !(figure().present.gemm.us > 0)) {
            return {};
        }
        QStringList lines;
        for (const Kernel kernel : figure().kernels) {
            const double us = figure().present.gemm.kernelUs[static_cast<std::size_t>(kernel)];
            const std::string gemms = gemmsOf(figure().inputs.cost.model, kernel);
            if (us > 0 && !gemms.empty()) {
                lines << QStringLiteral("%1 serves %2")
                             .arg(nameText(kernel, namingOf(figure().inputs)), lineText(gemms));
            }
        }
        return lines << QStringLiteral("What pays counts dequantise and the fp16 GEMM behind it apart");
    }

protected:
    [[nodiscard]] Table tableOf(const SimulatorFigure& figure) const override { return kernelTable(figure); }

private:
    static QRectF partOf(const QRectF& whole, double from, double share) {
        return {whole.left() + whole.width() * from, whole.top(), whole.width() * share, whole.height()};
    }

    /// `whole`: as long as fp16's time.
    static void paintBar(QPainter& painter, const QRectF& whole, const BarParts& parts, const Theme& theme) {
        double from = 0;
        for (const Kernel kernel : allKernels) {
            const double share = parts.kernels[static_cast<std::size_t>(kernel)];
            if (share > 0) {
                paintKernel(painter, partOf(whole, from, share), kernel, theme);
                from += share;
            }
        }
        painter.fillRect(partOf(whole, parts.gemms, parts.rest), restColour(theme));
    }

    /// What either bar holds, with its share of each, the most first; in two columns where one is too short.
    void paintList(QPainter& painter, const QRectF& area, QPointF at, double line, const Theme& theme) const {
        const QPointF first = at;
        double column = 0; // the first one's width
        const BarParts now = partsOf(figure());
        const BarParts before = hasPinned() ? partsOf(pinned()) : BarParts();
        struct Entry {
            std::optional<Kernel> kernel; ///< none: the rest
            double share = 0, pinnedShare = 0;
        };
        std::vector<Entry> entries{{std::nullopt, now.rest, before.rest}};
        for (const Kernel kernel : allKernels) {
            const auto place = static_cast<std::size_t>(kernel);
            entries.push_back({kernel, now.kernels[place], before.kernels[place]});
        }
        std::erase_if(entries,
                      [](const Entry& entry) { return !(entry.share > 0) && !(entry.pinnedShare > 0); });
        std::ranges::stable_sort(entries, std::greater(), &Entry::share);
        for (const Entry& entry : entries) {
            if (at.y() + line > area.bottom() && at.x() == first.x()) {
                at = first + QPointF(column, 0);
            }
            if (at.y() + line > area.bottom()) {
                return;
            }
            const QRectF box(at.x(), at.y() + line / 2 - 4, 10, 8);
            if (entry.kernel) {
                paintKernel(painter, box, *entry.kernel, theme);
            } else {
                painter.fillRect(box, restColour(theme));
            }
            const SimulatorFigure& named = entry.share > 0 || !hasPinned() ? figure() : pinned();
            const QRectF text(box.right() + 6, at.y(), area.right() - box.right() - 6, line);
            QString words = (entry.kernel ? servingText(*entry.kernel, named.inputs) : restText()) +
                            QStringLiteral("  ") + percentText(entry.share / now.all());
            if (before.all() > 0) {
                words += QStringLiteral(", pinned ") + percentText(entry.pinnedShare / before.all());
            }
            drawText(painter, text, leftMiddle, fontOf(0.9), theme.text, words);
            column = std::max(column, 16 + widthOf(fontOf(0.9), words) + 2.0 * spacing);
            at.ry() += line + 2;
        }
    }

    static void label(QPainter& painter, const QRectF& bar, double head, const Theme& theme,
                      const QString& text) {
        drawText(painter, QRectF(bar.left() - head, bar.top(), head - spacing / 2.0, bar.height()),
                 rightMiddle, fontOf(0.9), theme.text, text);
    }
};

} // namespace

std::unique_ptr<PlotDrawing> drawingOf(SimulationChart chart, std::shared_ptr<const SimulatorFigure> figure,
                                       const PlotExtents& held, const PinnedFigure& pinned,
                                       const SetByHand& hand) {
    if (figure->memory.isTooLarge()) {
        return memoryDrawing(titleOf(chart), figure->sentence, figure->memory,
                             chart != SimulationChart::Users);
    }
    const bool noPinned = pinned.figure != nullptr && pinned.figure->memory.isTooLarge();
    const PinnedFigure against = noPinned ? PinnedFigure{} : pinned;
    switch (chart) {
    case SimulationChart::Rows:
        return std::make_unique<RowsDrawing>(std::move(figure), held, against);
    case SimulationChart::Kernels:
        return std::make_unique<KernelSharesDrawing>(std::move(figure), held, against);
    case SimulationChart::Map:
        return mapDrawing(std::move(figure), held, against, hand);
    default:
        return usersDrawing(chart, std::move(figure), held, against, hand);
    }
}

} // namespace loadline::ui
