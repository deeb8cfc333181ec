// What the drawings of the simulation pages share: the figure, curves over users, legends, the marker.
#pragma once

#include "core/cost/kernel/kernel_naming.h"
#include "core/simulate/answer/comparison.h"
#include "core/simulate/fit/memory_fit.h"
#include "core/simulate/study/preview_words.h"
#include "core/simulate/study/sweep.h"
#include "core/text/number_format.h"
#include "ui/chart/legend.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/plot_drawing.h"
#include "ui/chart/simulation/simulation_drawings.h"
#include "ui/chart/xy_axes.h"

#include <functional>
#include <memory>
#include <span>
#include <utility>

namespace loadline::ui {

using PointValue = std::function<Banded(const SweepPoint&)>;

/// "cuBLAS", as the profile that names kernels has it.
QString nameText(Kernel kernel, const KernelNaming& naming);

/// Returns the axis of users, or of turns a second, up to `most` where that is more than these reach.
XyAxis usersAxis(std::span<const SweepPoint> points, double most = 0);
/// Axis of a ratio around 1; `extents`: the most, and 1 / the least. Logarithmic where they span more than a
/// decade.
XyAxis ratioAxis(const QString& title, const PlotExtents& extents);
/// "17 users", "0.5 turns a second".
QString loadText(const SweepPoint& point);

/// The band, then the line; dashed where `dashed`.
void paintCurve(QPainter& painter, const XyAxes& axes, std::span<const SweepPoint> points,
                const PointValue& value, const QColor& color, Qt::PenStyle style = Qt::SolidLine,
                bool band = true);
/// A mark at each point that was simulated: hollow in a preview, and where a point is one.
void paintPoints(QPainter& painter, const XyAxes& axes, std::span<const SweepPoint> points,
                 const PointValue& value, const QColor& color, bool preview, const Theme& theme);
/// The marks of a preview where there is no curve over users.
void paintHollow(QPainter& painter, const QPolygonF& points, const QColor& color, const Theme& theme);
/// How the parts of a curve are drawn whose times are mostly modelled, and what a legend says of it.
enum class ModelledInk { Dotted, Pale };
/// What a legend, and what a read-out, says of a preview's points.
LegendEntry previewEntry(const QColor& color);
QString previewWords();
/// As paintCurve, the line from and to such points in the ink of models; thin from and to a preview's.
void paintRatioCurve(QPainter& painter, const XyAxes& axes, std::span<const SweepPoint> points,
                     const QColor& color, ModelledInk ink, Qt::PenStyle style = Qt::SolidLine,
                     bool band = true);
bool anyMostlyModelled(std::span<const SweepPoint> points);
LegendEntry modelledEntry(const QColor& color, ModelledInk ink);
/// "57.1 % of the k-bit time and 40.0 % of fp16's are modelled"; empty where none is.
QStringList modelledWords(const SweepPoint& point);
/// A vertical line at the present users (or rate), with a grip on top. `hollow`: a preview.
void paintMarker(QPainter& painter, const XyAxes& axes, double users, const Theme& theme, bool hollow);
/// The point nearest to a place along x; null without points.
const SweepPoint* nearest(std::span<const SweepPoint> points, const XyAxes& axes, double x);
/// A drag along the users.
std::optional<PlotChange> usersAt(const XyAxes& axes, const QPointF& from, const QPointF& to);
/// One user less or more.
std::optional<PlotChange> usersStepped(double users, int way);
/// One hue from k = 2 to the text's own at k = 5.
QColor colourOfK(int kBits, const Theme& theme);

/// Fills a rectangle in a kernel's colour.
void paintKernel(QPainter& painter, const QRectF& rect, Kernel kernel, const Theme& theme);
/// Of a kernel's name beside its curve: its colour, near enough to the text's to be read.
QColor nameColour(Kernel kernel, const Theme& theme);
/// A serving kernel by name; an fp16 one with the GEMMs that it serves: "fp16 cuBLAS (lm_head)".
QString servingText(Kernel kernel, const SimulationInputs& inputs);
/// Time that is in no GEMM: attention, and the host's share.
QColor restColour(const Theme& theme);
QString restText();
/// "0.84"; of a preview "about 0.8".
QString shareOfFp16Text(double ratio, bool preview = false);

class SimulatorDrawing : public PlotDrawing {
public:
    SimulatorDrawing(std::shared_ptr<const SimulatorFigure> figure, PlotExtents held, PinnedFigure pinned,
                     SetByHand hand = {})
        : figure_(std::move(figure)), pinned_(std::move(pinned)), held_(std::move(held)), hand_(hand) {}

    [[nodiscard]] QString sentence() const override { return QString::fromStdString(figure_->sentence); }

    [[nodiscard]] Table table() const final {
        return hasPinned() ? joined(tableOf(*figure_), tableOf(*pinned_.figure)) : tableOf(*figure_);
    }

protected:
    [[nodiscard]] const SimulatorFigure& figure() const { return *figure_; }

    [[nodiscard]] const PlotExtents& held() const { return held_; }

    [[nodiscard]] const SetByHand& hand() const { return hand_; }

    [[nodiscard]] bool preview() const { return figure().stage == FigureStage::Preview; }

    /// A share; of a preview in whole per cent.
    [[nodiscard]] QString percentText(double share) const {
        return QString::fromStdString(formatShare(share, preview() ? previewError : 0));
    }

    [[nodiscard]] virtual Table tableOf(const SimulatorFigure& figure) const = 0;

    [[nodiscard]] bool hasPinned() const { return pinned_.figure != nullptr; }

    /// Precondition: hasPinned().
    [[nodiscard]] const SimulatorFigure& pinned() const { return *pinned_.figure; }

    /// Solid now, dashed pinned; nothing where nothing is pinned. Names that do not fit give way to short
    /// ones.
    [[nodiscard]] std::vector<LegendEntry> pinnedLegend(const QColor& now, double width,
                                                        const Theme& theme) const {
        if (!hasPinned()) {
            return {};
        }
        std::vector<LegendEntry> entries = {{now, false, Qt::SolidLine, pinned_.now},
                                            {pinnedColour(theme), false, Qt::DashLine, pinned_.name}};
        if (legendWidth(entries) > width) {
            entries[0].text = QStringLiteral("now");
            entries[1].text = QStringLiteral("pinned");
        }
        return entries;
    }

private:
    std::shared_ptr<const SimulatorFigure> figure_;
    PinnedFigure pinned_;
    PlotExtents held_;
    SetByHand hand_;
};

/// A row for each kernel and factor, and for each choice with what it does to latencies.
Table whatPaysTable(const WhatPays& pays);
/// A row for each k and scope.
Table crossoverTable(const CrossoverCurves& curves);

using FigureShown = std::shared_ptr<const SimulatorFigure>;
std::unique_ptr<PlotDrawing> usersDrawing(SimulationChart chart, FigureShown figure, PlotExtents held,
                                          PinnedFigure pinned, const SetByHand& hand);
std::unique_ptr<PlotDrawing> mapDrawing(FigureShown figure, PlotExtents held, PinnedFigure pinned,
                                        const SetByHand& hand);

/// Weights by k and of fp16 as bars against the device's memory; where there is no room for bars, or
/// `inShort`, only what does not fit. `sentence`: the answer's. Precondition: fit.isTooLarge().
std::unique_ptr<PlotDrawing> memoryDrawing(const QString& title, const std::string& sentence,
                                           const MemoryFit& fit, bool inShort = false);

/// What a curve of SweepPoint::measure is of: "turns per second / fp16's", "time / fp16 time".
QString measureTitle(std::span<const SweepPoint> points);
/// One point in words, a line each: turns per second against the other format and both TTFT, or the time.
QStringList measureWords(const SweepPoint& point, bool preview);

/// "does not fit into 24 GiB"
QString doesNotFitText(const MemoryFit& fit);
/// "fp16", or "fp16: does not fit" where that is known.
QString fp16Text(const MemoryFit& fit);
/// Of everything that is fp16's: dotted where it does not fit.
Qt::PenStyle fp16Line(const MemoryFit& fit);

} // namespace loadline::ui
