// The What pays page.
#include "app/pages/simulation/what_pays_page.h"

#include "app/chart/simulation_chart.h"
#include "ui/theme/plain_text.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace loadline::app {

WhatPaysPage::WhatPaysPage(Workbench& bench)
    : SimulationPage(bench, Page::WhatPays), reset_(new QPushButton(tr("Reset times"))) {
    grid()->setLead(2, 3); // a table
    addControl(reset_);
    connect(reset_, &QPushButton::clicked, this, [this] {
        SimulationRequest next = workbench().state().simulation;
        next.timeScale = SimulationRequest{}.timeScale;
        workbench().setSimulation(next, tr("Reset kernel times"));
    });
    const auto follow = [this](const WorkbenchState& state) {
        const bool dragged = state.simulation.timeScale != SimulationRequest{}.timeScale;
        reset_->setEnabled(dragged);
        ui::setTip(reset_,
                   dragged ? tr("Undo all dragging of kernel times") : tr("No kernel's times were dragged"));
    };
    connect(&bench, &Workbench::stateChanged, this, follow);
    follow(bench.state());
}

/// The same while a curve is dragged.
QString WhatPaysPage::sentence() const {
    const auto& pays = grid()->view(0)->drawing();
    return pays ? pays->sentence() : QString();
}

} // namespace loadline::app
