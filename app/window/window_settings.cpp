// Settings that the window saves of itself, and those that it restores.
#include "app/page/page_spec.h"
#include "app/window/main_window.h"
#include "ui/panel/sessions/session_panel.h"
#include "ui/theme/format.h"

#include <utility>

namespace loadline::app {
Settings MainWindow::settingsNow(bool closing) {
    Settings now = settings_;
    now.geometry = saveGeometry();
    if (workspace_) {
        workspace_->save(now, closing);
    }
    const WorkbenchState& state = workbench_.state();
    now.page = state.page;
    now.asked = state.asked;
    now.questions = state.questions;
    keepLast(now);
    now.simulation = state.simulation;
    const bool part = state.against && state.against->workload.isPart(); // of what was open then
    now.against = part ? std::nullopt : state.against;
    now.theme = appearance_.choice();
    return now;
}

/// Keeps the selection and the open rows, if they belong to the last paths.
void MainWindow::keepLast(Settings& settings) {
    const Loader& loader = workbench_.loader();
    const bool ofLast = workbench_.corpus() && !loader.isLoading() && !workbench_.showsSample() &&
                        ui::listFromUtf8(loader.paths()) == settings_.lastPaths;
    if (!ofLast) {
        return;
    }
    settings.scope = workbench_.state().scope;
    settings.rows = workbench_.state().rows;
    if (workspace_ && workspace_->sessions().hasSessions()) {
        settings.openRows = workspace_->sessions().openRows();
    }
}

/// Scope and rows of other paths are not those of these; more paths beside the last ones keep them.
void MainWindow::rememberLast(const QStringList& paths) {
    remember(settings_, paths);
    if (paths.mid(0, settings_.lastPaths.size()) != settings_.lastPaths) {
        settings_.scope = {};
        settings_.rows.reset();
        settings_.openRows.clear();
    }
    settings_.lastPaths = paths;
}

void MainWindow::saveSettings() {
    settings_ = settingsNow(true);
    keeper_->writeNow(settings_);
}

/// At a start, what was selected when these very paths were open last. False: it speaks of others.
bool MainWindow::restoreScope(const std::vector<std::string>& paths, WorkbenchState& state) {
    const bool same =
        std::exchange(lastNotOpenedYet_, false) && ui::listFromUtf8(paths) == settings_.lastPaths;
    if (same) {
        state.scope = settings_.scope;
        state.rows = settings_.rows;
    }
    return same;
}

} // namespace loadline::app
