// Commands about the simulation: by name from the palette, and in vLLM's own words.
#include "app/window/cost_editor.h"
#include "app/window/main_window.h"
#include "core/simulate/setup/parameters.h"
#include "ui/panel/part/status_line.h"
#include "ui/panel/simulation/engine_dialog.h"
#include "ui/panel/start/start_page.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QStackedWidget>

namespace loadline::app {

using C = ActionId;

void MainWindow::connectSimulationCommands() {
    connect(actions_[C::SpeakVllm], &QAction::triggered, this, &MainWindow::showEngine);
    editor_ = new CostEditor(workbench_, *this);
    connect(editor_, &CostEditor::failed, this, &MainWindow::showError);
    connect(actions_[C::EditKernels], &QAction::triggered, this, [this] {
        showSimulationPage();
        editor_->editRule();
    });
    connect(actions_[C::EditShapes], &QAction::triggered, this, [this] {
        showSimulationPage();
        editor_->editShapes();
    });
    connect(actions_[C::PinSimulation], &QAction::triggered, this, [this] {
        showSimulationPage();
        workbench_.setAgainst(workbench_.state().simulation);
    });
    connect(actions_[C::UnpinSimulation], &QAction::triggered, this,
            [this] { workbench_.setAgainst(std::nullopt); });
    connect(actions_[C::CopyVllm], &QAction::triggered, this, &MainWindow::copyEngine);
}

/// The charts that follow should be seen.
void MainWindow::showSimulationPage() {
    if (!simulates(workbench_.state().page) || !workspace_ || stack_->currentWidget() == start_) {
        actions_[Page::Simulator]->trigger();
    }
}

/// `id`: "simulate:", a parameter and its value.
void MainWindow::chooseSimulation(const QString& id) {
    SimulationRequest next = workbench_.state().simulation;
    readText(parameterOf(id.section(':', 1, 1).toStdString()), id.section(':', 2).toStdString(), next);
    workbench_.setSimulation(next, tr("Change the simulation"));
    showSimulationPage();
}

void MainWindow::showEngine() {
    showSimulationPage();
    if (engine_) {
        engine_->raise();
        engine_->activateWindow();
        return;
    }
    engine_ = new ui::EngineDialog(workbench_.state().simulation, this);
    engine_->setAttribute(Qt::WA_DeleteOnClose);
    connect(engine_, &ui::EngineDialog::followed, this, [this](const SimulationRequest& request) {
        workbench_.setSimulation(request, tr("Follow vLLM options"), false); // typing is one step, too
    });
    connect(engine_, &ui::EngineDialog::copied, this, [this] { status_->flash(tr("Copied the options")); });
    connect(&workbench_, &Workbench::stateChanged, engine_,
            [this](const WorkbenchState& state) { engine_->setRequest(state.simulation); });
    engine_->show();
}

void MainWindow::copyEngine() {
    const Result<std::string> command = vllmServeCommand(workbench_.state().simulation.policy);
    if (!command) {
        showError(command.error());
        return;
    }
    QGuiApplication::clipboard()->setText(QString::fromStdString(*command));
    status_->flash(tr("Copied the present policy as vllm serve options"));
}

} // namespace loadline::app
