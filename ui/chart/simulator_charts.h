// What the Simulator page's drawings are made of: the figure, and axes that do not shrink under the hand.
#pragma once

#include "ui/chart/simulation_paint.h"

#include <memory>
#include <utility>

namespace loadline::ui {

class SimulatorDrawing : public PlotDrawing {
public:
    SimulatorDrawing(std::shared_ptr<const SimulatorFigure> figure, PlotExtents held)
        : figure_(std::move(figure)), held_(std::move(held)) {}

    [[nodiscard]] QString sentence() const override { return QString::fromStdString(figure_->sentence); }

protected:
    [[nodiscard]] const SimulatorFigure& figure() const { return *figure_; }

    [[nodiscard]] const PlotExtents& held() const { return held_; }

private:
    std::shared_ptr<const SimulatorFigure> figure_;
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

std::unique_ptr<PlotDrawing> usersDrawing(SimulationChart chart,
                                          std::shared_ptr<const SimulatorFigure> figure, PlotExtents held);
std::unique_ptr<PlotDrawing> rowsDrawing(std::shared_ptr<const SimulatorFigure> figure, PlotExtents held);
std::unique_ptr<PlotDrawing> kernelsDrawing(std::shared_ptr<const SimulatorFigure> figure, PlotExtents held);
std::unique_ptr<PlotDrawing> mapDrawing(std::shared_ptr<const SimulatorFigure> figure, PlotExtents held);

} // namespace loadline::ui
