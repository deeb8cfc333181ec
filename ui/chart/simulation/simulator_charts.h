// What the Simulator page's drawings are made of: the figure, and axes that do not shrink under the hand.
#pragma once

#include "core/simulate/study/comparison.h"
#include "ui/chart/simulation/simulation_paint.h"

#include <memory>
#include <utility>

namespace loadline::ui {

class SimulatorDrawing : public PlotDrawing {
public:
    SimulatorDrawing(std::shared_ptr<const SimulatorFigure> figure, PlotExtents held, PinnedFigure pinned)
        : figure_(std::move(figure)), pinned_(std::move(pinned)), held_(std::move(held)) {}

    [[nodiscard]] QString sentence() const override { return QString::fromStdString(figure_->sentence); }

    [[nodiscard]] Table table() const final {
        return hasPinned() ? joined(tableOf(*figure_), tableOf(*pinned_.figure)) : tableOf(*figure_);
    }

protected:
    [[nodiscard]] const SimulatorFigure& figure() const { return *figure_; }

    [[nodiscard]] const PlotExtents& held() const { return held_; }

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
};

/// The painter with smooth lines, given back as it was.
class Painting {
public:
    explicit Painting(QPainter& painter) : painter_(painter) {
        painter.save();
        painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    }

    ~Painting() { painter_.restore(); }

    Painting(const Painting&) = delete; // gives back once
    Painting& operator=(const Painting&) = delete;

private:
    QPainter& painter_;
};

using FigureShown = std::shared_ptr<const SimulatorFigure>;
std::unique_ptr<PlotDrawing> usersDrawing(SimulationChart chart, FigureShown figure, PlotExtents held,
                                          PinnedFigure pinned);
std::unique_ptr<PlotDrawing> rowsDrawing(FigureShown figure, PlotExtents held, PinnedFigure pinned);
std::unique_ptr<PlotDrawing> kernelsDrawing(FigureShown figure, PlotExtents held, PinnedFigure pinned);
std::unique_ptr<PlotDrawing> mapDrawing(FigureShown figure, PlotExtents held, PinnedFigure pinned);

} // namespace loadline::ui
