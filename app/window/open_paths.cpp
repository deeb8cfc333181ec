// Opens paths by their content: sessions, traces, workloads, kernel times.
#include "app/asked/asked.h"
#include "app/serverlog/log_shown.h"
#include "app/window/kernel_importer.h"
#include "app/window/main_window.h"
#include "core/base/file/archive.h"
#include "core/base/file/read_file.h"
#include "core/replay/engine_run.h"
#include "core/session/files/content_of_file.h"
#include "core/trace/trace.h"

#include <QFileInfo>

#include <algorithm>
#include <string_view>
#include <utility>

namespace loadline::app {
namespace {

std::vector<std::string> pathsOf(const QStringList& list) {
    std::vector<std::string> paths;
    for (const QString& path : list) {
        paths.push_back(QFileInfo(path).absoluteFilePath().toStdString());
    }
    return paths;
}

bool isProfile(std::string_view head) {
    return head.find("\"loadline.profile/") != std::string_view::npos;
}

bool isLog(const QString& path) {
    return contentOfFile(path.toStdString()) == FileContent::ServerLog;
}

/// The files of one that was rotated: a part may hold no line of a server.
bool areLog(const QStringList& paths) {
    const auto mayBePart = [](const QString& path) {
        const FileContent content = contentOfFile(path.toStdString());
        return QFileInfo(path).isFile() &&
               (content == FileContent::ServerLog || content == FileContent::Unknown);
    };
    return std::ranges::any_of(paths, isLog) && std::ranges::all_of(paths, mayBePart);
}

} // namespace

void MainWindow::openPaths(const QStringList& paths) {
    if (paths.isEmpty() || (paths.size() == 1 && openOther(paths.front()))) {
        return;
    }
    if (paths.size() > 1 && areLog(paths)) {
        openLog(paths);
        return;
    }
    keepLast(settings_);
    WorkbenchState state = workbench_.state();
    const bool asLast = restoreScope(pathsOf(paths), state);
    if (!asLast) {
        forgetScopes(state);
    }
    if (!state.asked.cache.trace.empty()) {
        state.asked.cache.traceShown = false; // the sessions, which were asked for
    }
    workbench_.restore(state);
    workbench_.loader().open(pathsOf(paths));
    if (workspace_) {
        workspace_->setOpenRows(asLast ? settings_.openRows : QStringList());
    }
}

/// Opens a path that holds no sessions on the page that reads it; returns false for any other.
bool MainWindow::openOther(const QString& path) {
    const std::string name = QFileInfo(path).absoluteFilePath().toStdString();
    if (isEngineRun(name)) {
        Asked next = workbench_.state().asked;
        next.selfCheck = {.run = name, .prompts = "", .kvBlocks = std::nullopt};
        workbench_.setAsked(next, tr("Open a recorded run"));
        showPage(Page::SelfCheck);
        return true;
    }
    const std::string head = readHead(name);
    if (isLog(path)) {
        openLog({path});
        return true;
    }
    if (isArchive(head)) {
        openTrace(name, false);
        return true;
    }
    switch (contentOf(head)) {
    case FileContent::Trace:
        openTrace(name, true);
        return true;
    case FileContent::Distribution: {
        SimulationRequest next = workbench_.state().simulation;
        next.workload = name;
        workbench_.setSimulation(next, tr("Open a workload"));
        showPage(Page::Simulator);
        return true;
    }
    case FileContent::KernelTimes: {
        if (!isProfile(head)) { // its kernels are named and placed first
            showPage(Page::Kernels);
            importer_->read(path);
            return true;
        }
        KernelsQuestion next = workbench_.state().asked.kernels;
        next.shown = name;
        workbench_.kernels().forget(name);
        workbench_.setKernels(next, tr("Open a profile"));
        showPage(Page::Kernels);
        return true;
    }
    default: // sessions, or nothing that is known: reading tells
        return false;
    }
}

void MainWindow::openLog(const QStringList& paths) {
    if (!paths.isEmpty()) {
        workbench_.openLog(asRotated(pathsOf(paths)));
        showPage(Page::ServerLog);
    }
}

/// One with blocks tells of caches; lengths and times alone are simulated.
void MainWindow::openTrace(const std::string& name, bool isFile) {
    const TraceFormat* format = isFile ? traceFormatOf(readHead(name)) : nullptr;
    const bool tellsBlocks = format == nullptr || format->tellsBlocks;
    WorkbenchState next = workbench_.state();
    next.simulation.workload = name;
    if (tellsBlocks) {
        workbench_.openTrace(name, std::move(next));
    } else {
        workbench_.change(tr("Open a workload"), std::move(next));
    }
    showPage(tellsBlocks ? Page::Cache : Page::Simulator);
}

void MainWindow::addPaths(const QStringList& paths) {
    if (!paths.isEmpty()) {
        keepLast(settings_);
        workbench_.loader().add(pathsOf(paths));
    }
}

} // namespace loadline::app
