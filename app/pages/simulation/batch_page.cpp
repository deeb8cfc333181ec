// The Batch view.
#include "app/pages/simulation/batch_page.h"

#include "app/chart/simulation_chart.h"
#include "ui/panel/simulation/step_panel.h"

#include <QKeyEvent>
#include <QSlider>

namespace loadline::app {
namespace {

constexpr std::int64_t pageOfSteps = 100;

} // namespace

BatchPage::BatchPage(Workbench& bench) : SimulationPage(bench, Page::Batch), steps_(new ui::StepPanel) {
    addBelow(steps_);
    connect(steps_, &ui::StepPanel::stepChanged, this, [this] { redraw(); });
    connect(grid(), &ui::ChartGrid::dragBegan, this, [this] { began_ = steps_->step(); });
    connect(grid(), &ui::ChartGrid::dragCancelled, this, [this] { steps_->moveTo(began_); });
    connect(steps_, &ui::StepPanel::tableRequested, this, [this] {
        ChartRequest step = request();
        step.chart = &charts::batchStep;
        emit exportRequested(step, QStringLiteral("csv"));
    });
}

ChartRequest BatchPage::request() const {
    ChartRequest request = SimulationPage::request();
    request.asked = asked();
    return request;
}

Asked BatchPage::asked() const {
    Asked all = SimulationPage::asked();
    all.batch.step = steps_->step();
    return all;
}

bool BatchPage::take(const ui::PlotChange& change) {
    if (change.step) {
        steps_->moveTo(*change.step);
    }
    return true;
}

void BatchPage::follow(const SimulationShown& shown) {
    steps_->setRecording(shown.figure.as<BatchRecording>());
}

void BatchPage::keyPressEvent(QKeyEvent* event) {
    const std::int64_t step = steps_->step();
    switch (event->key()) {
    case Qt::Key_Left:
        steps_->moveTo(step - 1);
        break;
    case Qt::Key_Right:
        steps_->moveTo(step + 1);
        break;
    case Qt::Key_PageUp:
        steps_->moveTo(step - pageOfSteps);
        break;
    case Qt::Key_PageDown:
        steps_->moveTo(step + pageOfSteps);
        break;
    case Qt::Key_Home:
        steps_->moveTo(0);
        break;
    case Qt::Key_End:
        steps_->moveTo(steps_->slider()->maximum());
        break;
    default:
        SimulationPage::keyPressEvent(event);
    }
}

} // namespace loadline::app
