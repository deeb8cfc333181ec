// What the window keeps of itself, and what of it comes back.
#include "app/page/page_spec.h"
#include "app/window/main_window.h"

#include <algorithm>
#include <utility>

namespace loadline::app {
namespace {

QStringList listOfPaths(const std::vector<std::string>& paths) {
    QStringList list;
    for (const std::string& path : paths) {
        list << QString::fromStdString(path);
    }
    return list;
}

} // namespace

Settings MainWindow::settingsNow(bool closing) const {
    Settings now = settings_;
    now.geometry = saveGeometry();
    if (workspace_) {
        workspace_->save(now, closing);
    }
    const WorkbenchState& state = workbench_.state();
    now.page = state.page;
    now.choices = state.choices.only(everyChoice());
    if (workbench_.corpus() && !workbench_.showsSample()) {
        now.scope = state.scope;
    }
    now.simulation = state.simulation;
    const bool part = state.against && state.against->workload.isPart(); // of what was open then
    now.against = part ? std::nullopt : state.against;
    now.theme = appearance_.choice();
    return now;
}

void MainWindow::saveSettings() {
    settings_ = settingsNow(true);
    keeper_->writeNow(settings_);
}

/// At a start, what was selected when these very paths were open last. False: it speaks of others.
bool MainWindow::restoreScope(const std::vector<std::string>& paths, WorkbenchState& state) {
    const bool same = std::exchange(lastNotOpenedYet_, false) && listOfPaths(paths) == settings_.lastPaths;
    if (same) {
        state.scope = settings_.scope;
    }
    return same;
}

} // namespace loadline::app
