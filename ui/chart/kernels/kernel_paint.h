// Parts that the drawings of the Kernels page share: marks by kernel, lines by origin, the legend, walking.
#pragma once

#include "core/cost/kernel/kernel_naming.h"
#include "ui/chart/kernels/kernel_drawings.h"
#include "ui/chart/legend.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/xy_axes.h"

#include <QPainter>

#include <utility>
#include <vector>

namespace loadline::ui {

inline constexpr double kernelLegendHeight = 18;

QColor colourOf(Kernel kernel, const Theme& theme);
/// "cuBLAS", as the profile that names kernels has it.
QString nameText(Kernel kernel, const KernelNaming& naming);

/// "12.3 us", "1.24 ms"
QString usText(double us);
/// Why a share of a ceiling is above 1.
QString aboveCeilingText(bool byArithmetic);
/// "2048x5120, k = 4"
QString whatText(const KernelFigure& figure);
/// ", not complete" where the profile is cut, for titles.
QString cutText(const KernelFigure& figure);

/// "M = 129 rows: own fp16 GEMM (k-bit GEMM not timed beyond)".
QString crossingLabel(const KernelFigure& figure, const KernelCrossing& crossing);

/// Solid: measured on this machine; dashed: elsewhere; dotted: modelled.
Qt::PenStyle styleOf(PointOrigin origin, bool elsewhere);
/// Returns the curve's colour; paler for the compared profile.
QColor colourOf(const KernelCurve& curve, const Theme& theme);

/// A shape for each kernel; filled where measured here, hollow else; a ring around the picked one.
void paintMark(QPainter& painter, const QPointF& at, Kernel kernel, const QColor& color, bool filled,
               bool picked, const Theme& theme);
/// Beside a point that was odd in some way; the side panel or the read-out says in which.
void paintFlag(QPainter& painter, const QPointF& at, const Theme& theme);
/// Through a point that other programs interrupted throughout: its time is no measurement.
void paintInterrupted(QPainter& painter, const QPointF& at, const Theme& theme);
/// "crossed out: interrupted, 9 of 12"; "" where no drawn point is.
QString interruptedText(const KernelFigure& figure);
/// "ticked: warm, from a cache, 6 of 27"; "" where no drawn point is.
QString warmMarksText(const KernelFigure& figure);
/// Returns the legend entries of solid, dashed and dotted lines, as far as they occur.
std::vector<LegendEntry> originEntries(bool here, bool elsewhere, bool modelled, const Theme& theme);
/// Odd things about a point in one line; none: no line.
QStringList flagWords(const std::vector<std::string>& flags);

/// A mark and what it stands for.
struct MarkEntry {
    Kernel shape = Kernel::CublasFp16;
    QColor color;
    QString text;
};
/// Marks, then lines, in one row each; what does not fit is left out.
void paintMarkLegend(QPainter& painter, const QRectF& area, const std::vector<MarkEntry>& marks,
                     const std::vector<LegendEntry>& lines, const Theme& theme);
/// Kernels, then what solid, dashed and paler mean; in one row each.
void paintKernelLegend(QPainter& painter, const QRectF& area, const KernelFigure& figure, const Theme& theme);

/// A figure's curve, mark and point.
struct MarkedPoint {
    const KernelCurve* curve = nullptr;
    const KernelMark* mark = nullptr;
    const ProfilePoint* point = nullptr;
    bool elsewhere = false; ///< not measured on this machine
};

class KernelsDrawing : public PlotDrawing {
public:
    KernelsDrawing(std::shared_ptr<const KernelFigure> figure, PlotExtents held)
        : figure_(std::move(figure)), held_(std::move(held)) {}

    [[nodiscard]] QString sentence() const override { return QString::fromStdString(figure_->sentence); }

    [[nodiscard]] std::vector<QPointF> items(const QRectF& area) const override;
    [[nodiscard]] int pickedItem() const override { return picked_; }

protected:
    [[nodiscard]] virtual XyAxes axesOf(const QRectF& area) const = 0;
    [[nodiscard]] virtual double valueOf(const MarkedPoint& marked) const = 0;

    [[nodiscard]] const KernelFigure& figure() const { return *figure_; }

    [[nodiscard]] const PlotExtents& held() const { return held_; }

    void setMarks(std::vector<MarkedPoint> marks, const std::optional<KernelPick>& picked);

    [[nodiscard]] const std::vector<MarkedPoint>& marks() const { return marks_; }

    void paintMarks(QPainter& painter, const XyAxes& axes, const Theme& theme) const;
    /// The mark under the cursor; null where there is none.
    [[nodiscard]] const MarkedPoint* markAt(const QPointF& at, const QRectF& area) const;
    /// Its words: kernel, M, time with its bar, share of the bound, of a pair its share of both parts', where
    /// from.
    [[nodiscard]] QStringList wordsOf(const MarkedPoint& marked) const;
    [[nodiscard]] bool elsewhere(int profile) const;

private:
    std::shared_ptr<const KernelFigure> figure_;
    PlotExtents held_;
    std::vector<MarkedPoint> marks_;
    int picked_ = -1;
};

/// The marks of a chart in the order of walking.
std::vector<MarkedPoint> marksOf(KernelChart chart, const KernelFigure& figure);

std::unique_ptr<PlotDrawing> ceilingDrawing(std::shared_ptr<const KernelFigure> figure,
                                            const std::optional<KernelPick>& picked, const PlotExtents& held);
std::unique_ptr<PlotDrawing> attentionDrawing(const KernelFigure& figure, PlotExtents held);

} // namespace loadline::ui
