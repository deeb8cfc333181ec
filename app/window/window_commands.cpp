// The window's menus and what its commands do.
#include "app/asked/asked.h"
#include "app/page/page_picture.h"
#include "app/window/export/export_flow.h"
#include "app/window/main_window.h"
#include "core/simulate/policy/policy_spec.h"
#include "ui/panel/manual/manual_window.h"
#include "ui/panel/palette/command_palette.h"
#include "ui/panel/palette/shortcut_sheet.h"
#include "ui/panel/part/banner.h"
#include "ui/panel/part/status_line.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QStandardPaths>

namespace loadline::app {

using C = ActionId;

void MainWindow::buildMenus() {
    const auto fill = [this](QMenu* menu, std::initializer_list<ActionId> commands) {
        for (const ActionId command : commands) {
            menu->addAction(actions_[command]);
        }
    };
    QMenu* file = menuBar()->addMenu(tr("&File"));
    fill(file, {C::OpenFolder, C::OpenFiles, C::AddFolder});
    recentMenu_ = file->addMenu(tr("Open &recent"));
    fill(file, {C::OpenLog, C::OpenSample});
    file->addSeparator();
    fill(file, {C::ImportKernels, C::OpenProfile, C::SaveProfile});
    file->addSeparator();
    fill(file, {C::Reload, C::StopLoading, C::CloseFiles, C::ReopenLast});
    file->addSeparator();
    fill(file, {C::ExportPng, C::ExportSvg, C::ExportPdf, C::ExportCsv, C::ExportPage, C::ExportAs,
                C::ExportVerdict});
    file->addSeparator();
    fill(file, {C::Quit});
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    fill(edit, {C::Undo, C::Redo});
    edit->addSeparator();
    fill(edit, {C::CopyChart, C::CopyVerdict, C::ClearScope});
    edit->addSeparator();
    fill(edit, {C::MeasureKernels, C::UseProfile});
    edit->addSeparator();
    fill(edit,
         {C::EditKernels, C::EditShapes, C::PasteVllm, C::CopyVllm, C::PinSimulation, C::UnpinSimulation});
    edit->addSeparator();
    fill(edit, {C::FindSession, C::FindAnything});
    QMenu* view = menuBar()->addMenu(tr("&View"));
    for (const Page page : pages()) {
        view->addAction(actions_[page]);
    }
    fill(view, {C::NextPage, C::PreviousPage, C::NextTab, C::PreviousTab});
    view->addSeparator();
    fill(view, {C::DockSessions, C::DockEvidence, C::DockDiagnostics, C::ShowTable});
    view->addSeparator();
    fill(view, {C::ZoomIn, C::ZoomOut, C::ZoomFit});
    view->addSeparator();
    fill(view, {C::ThemeSystem, C::ThemeLight, C::ThemeDark});
    view->addSeparator();
    fill(view, {C::LocalTime});
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    fill(help, {C::Manual, C::Shortcuts, C::About});
    fillOpenRecent();
}

void MainWindow::fillOpenRecent() {
    recentMenu_->clear();
    recentMenu_->setEnabled(!settings_.recentFolders.isEmpty());
    for (const QString& folder : settings_.recentFolders) {
        QAction* again = recentMenu_->addAction(ui::buttonText(QDir::toNativeSeparators(folder)));
        ui::setTip(again, folder);
        connect(again, &QAction::triggered, this, [this, folder] { openPaths({folder}); });
    }
}

void MainWindow::connectFileCommands() {
    const auto lastFolder = [this] {
        return settings_.recentFolders.isEmpty() ? QDir::homePath() : settings_.recentFolders.front();
    };
    connect(actions_[C::OpenFolder], &QAction::triggered, this, [this, lastFolder] {
        if (const QString path =
                QFileDialog::getExistingDirectory(this, tr("Open a folder of sessions"), lastFolder());
            !path.isEmpty()) {
            openPaths({path});
        }
    });
    connect(actions_[C::OpenFiles], &QAction::triggered, this, [this, lastFolder] {
        openPaths(QFileDialog::getOpenFileNames(
            this, tr("Open session files or a trace"), lastFolder(),
            tr("Sessions, traces and logs (*.jsonl *.json *.csv *.tar.xz *.tar.gz *.log);;All files (*)")));
    });
    connect(actions_[C::AddFolder], &QAction::triggered, this, [this, lastFolder] {
        if (const QString path =
                QFileDialog::getExistingDirectory(this, tr("Add a folder of sessions"), lastFolder());
            !path.isEmpty()) {
            addPaths({path});
        }
    });
    connect(actions_[C::OpenLog], &QAction::triggered, this, [this, lastFolder] {
        const std::vector<std::string> last = workbench_.state().asked.log.files;
        const QString folder =
            last.empty() ? lastFolder() : QFileInfo(QString::fromStdString(last.front())).absolutePath();
        openLog(QFileDialog::getOpenFileNames(
            this, tr("Open a server's log, or all files of one that was rotated"), folder,
            tr("Logs (*.log *.log.* *.txt *.out *.gz *.zst *.xz);;All files (*)")));
    });
    for (const ActionId command : {C::ExportVerdict, C::CopyVerdict}) {
        actions_[command]->setEnabled(false); // until the page has one
    }
    connect(actions_[C::OpenSample], &QAction::triggered, this, &MainWindow::openSample);
    connect(actions_[C::CloseFiles], &QAction::triggered, this, &MainWindow::closeFiles);
    connect(actions_[C::Quit], &QAction::triggered, this, &QWidget::close);
    actions_[C::ReopenLast]->setChecked(settings_.reopenLast);
    connect(actions_[C::ReopenLast], &QAction::toggled, this, [this](bool on) { settings_.reopenLast = on; });
}

void MainWindow::connectViewCommands() {
    QUndoStack& undo = workbench_.undoStack();
    const auto offer = [](QAction* action, const QString& verb) {
        return [action, verb](const QString& what) {
            action->setText(what.isEmpty() ? verb : verb + ": " + ui::buttonText(what));
            // Otherwise Qt makes one of the text, and takes it for markup where it looks so.
            ui::setTip(action, QString(verb).remove('&') + (what.isEmpty() ? QString() : ": " + what));
        };
    };
    connect(&undo, &QUndoStack::undoTextChanged, this, offer(actions_[C::Undo], tr("&Undo")));
    connect(&undo, &QUndoStack::redoTextChanged, this, offer(actions_[C::Redo], tr("&Redo")));
    connect(&undo, &QUndoStack::canUndoChanged, actions_[C::Undo], &QAction::setEnabled);
    connect(&undo, &QUndoStack::canRedoChanged, actions_[C::Redo], &QAction::setEnabled);
    actions_[C::Undo]->setEnabled(false);
    actions_[C::Redo]->setEnabled(false);
    connect(actions_[C::Undo], &QAction::triggered, &undo, &QUndoStack::undo);
    connect(actions_[C::Redo], &QAction::triggered, &undo, &QUndoStack::redo);

    const auto onPage = [this](void (PageView::*what)()) {
        return [this, what] {
            if (workspace_) {
                (workspace_->currentPage().*what)();
            }
        };
    };
    connect(actions_[C::ZoomIn], &QAction::triggered, this, onPage(&PageView::zoomIn));
    connect(actions_[C::ZoomOut], &QAction::triggered, this, onPage(&PageView::zoomOut));
    connect(actions_[C::ZoomFit], &QAction::triggered, this, onPage(&PageView::fit));
    connect(actions_[C::ShowTable], &QAction::triggered, this, [this](bool on) {
        if (workspace_) {
            workspace_->showTables(on);
        }
    });
    connect(actions_[C::FindAnything], &QAction::triggered, this, &MainWindow::popUpPalette);
    connect(actions_[C::Manual], &QAction::triggered, this, [this] {
        auto* manual = findChild<ui::ManualWindow*>();
        if (manual == nullptr) {
            manual = new ui::ManualWindow(this);
            manual->setAttribute(Qt::WA_DeleteOnClose);
        }
        manual->show();
        manual->raise();
        manual->activateWindow();
    });
    connect(actions_[C::Shortcuts], &QAction::triggered, this, [this] {
        auto* sheet = new ui::ShortcutSheet(actions_.shortcutGroups(), this);
        sheet->setAttribute(Qt::WA_DeleteOnClose);
        sheet->show();
    });
    connect(actions_[C::About], &QAction::triggered, this, &MainWindow::showAbout);
    connect(actions_[C::LocalTime], &QAction::triggered, this, [this](bool on) {
        Asked next = workbench_.state().asked;
        next.sessions.clock = on ? Zone::Local : Zone::Utc;
        workbench_.setAsked(next, on ? tr("Show local times") : tr("Show times in UTC"));
    });
    connect(&workbench_, &Workbench::stateChanged, this, [this](const WorkbenchState& state) {
        actions_[C::LocalTime]->setChecked(state.asked.sessions.clock == Zone::Local);
    });
    const std::pair<ActionId, ThemeChoice> themes[] = {{C::ThemeSystem, ThemeChoice::System},
                                                       {C::ThemeLight, ThemeChoice::Light},
                                                       {C::ThemeDark, ThemeChoice::Dark}};
    for (const auto& [command, choice] : themes) {
        actions_[command]->setChecked(settings_.theme == choice);
        connect(actions_[command], &QAction::triggered, this,
                [this, choice = choice] { appearance_.setChoice(choice); });
    }
}

void MainWindow::connectExportCommands() {
    const std::pair<ActionId, const char*> formats[] = {
        {C::ExportPng, "png"}, {C::ExportSvg, "svg"}, {C::ExportPdf, "pdf"}, {C::ExportCsv, "csv"}};
    for (const auto& [command, format] : formats) {
        connect(actions_[command], &QAction::triggered, this, [this, format = QString(format)] {
            if (workspace_) {
                askAndSave(workspace_->currentPage().request(), format);
            }
        });
    }
    connect(actions_[C::ExportPage], &QAction::triggered, this, [this] { askAndSavePage("png"); });
    connect(actions_[C::ExportAs], &QAction::triggered, this, &MainWindow::askExport);
    connect(actions_[C::CopyChart], &QAction::triggered, this, [this] {
        if (canExport()) {
            exports_.copy(workspace_->currentPage().request(), workbench_.corpus(),
                          optionsOf(settings_.exports));
        }
    });
    connect(&exports_, &ExportFlow::saved, this, [this](const QString& path) {
        settings_.exports.folder = QFileInfo(path).absolutePath();
        status_->flash(tr("Saved %1").arg(QDir::toNativeSeparators(path)));
    });
    connect(&exports_, &ExportFlow::copied, this,
            [this] { status_->flash(tr("Copied the picture and its numbers")); });
    connect(&exports_, &ExportFlow::failed, this, &MainWindow::showError);
}

QString MainWindow::exportFolder() const {
    if (QFileInfo(settings_.exports.folder).isDir()) {
        return settings_.exports.folder;
    }
    return QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
}

void MainWindow::askAndSave(const ChartRequest& request, const QString& format) {
    if (needsCorpus(request) && !workbench_.corpus()) {
        return;
    }
    const QString path = askWhere(suggestedName(request, workbench_.corpus().get(), format), format);
    if (!path.isEmpty()) {
        exports_.save(request, workbench_.corpus(), path, optionsOf(settings_.exports));
    }
}

void MainWindow::askAndSavePage(const QString& format) {
    if (!canExport()) {
        return;
    }
    const Page page = workbench_.state().page;
    const QString path = askWhere(suggestedName(titleOf(page), format), format);
    if (!path.isEmpty()) {
        exports_.savePage(page, workspace_->currentPage().requests(), workbench_.corpus(), path,
                          optionsOf(settings_.exports));
    }
}

/// Empty: nowhere.
QString MainWindow::askWhere(const QString& suggested, const QString& format) {
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Save the chart"), exportFolder() + '/' + suggested,
                                     QString("%1 (*.%2)").arg(format.toUpper(), format));
    return path.isEmpty() || path.contains('.') ? path : path + '.' + format;
}

bool MainWindow::canExport() {
    return workspace_ && (workbench_.corpus() || !needsCorpus(workspace_->currentPage().request()));
}

void MainWindow::exportTo(const QString& path) {
    if (canExport()) {
        exports_.save(workspace_->currentPage().request(), workbench_.corpus(), path,
                      optionsOf(settings_.exports));
    }
}

void MainWindow::askExport() {
    if (!canExport()) {
        return;
    }
    const ChartRequest request = workspace_->currentPage().request();
    auto* dialog = new ExportDialog(request, workbench_.corpus(), settings_.exports, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, request] {
        settings_.exports = dialog->choices();
        askAndSave(request, settings_.exports.format);
    });
    dialog->open();
}

void MainWindow::popUpPalette() {
    if (!palette_) {
        palette_ = new ui::CommandPalette(this);
        connect(palette_, &ui::CommandPalette::activated, this, [this](const QString& id) {
            if (id.startsWith("simulate:")) {
                chooseSimulation(id);
            } else if (id.startsWith("cache:")) {
                chooseCache(id);
            } else if (!actions_.trigger(id) && id.startsWith("session:")) {
                workbench_.openTimeline(id.mid(8).toStdString());
            }
        });
    }
    std::vector<ui::PaletteEntry> entries = actions_.paletteEntries();
    for (const PolicySpec& policy : policySpecs()) {
        entries.push_back({"simulate:policy:" + ui::fromUtf8(policy.key),
                           tr("Policy: %1").arg(ui::fromUtf8(policy.name)),
                           tr("simulation: %1").arg(ui::fromUtf8(policy.words)),
                           {}});
    }
    for (int k = minKBits; k <= maxKBits; ++k) {
        entries.push_back({QString("simulate:k:%1").arg(k),
                           tr("k = %1").arg(k),
                           tr("simulation: weights of %1 bits").arg(k),
                           {}});
    }
    if (workbench_.state().simulation.workload.isOpen()) {
        for (const OutputCounts outputs : {OutputCounts::Recorded, OutputCounts::Visible}) {
            const QString key = QString::fromStdString(std::string(keyOf(outputs)));
            entries.push_back({"simulate:outputs:" + key,
                               tr("Outputs: %1").arg(key),
                               tr("simulation: what stands for outputs of which the logs hold a lower bound"),
                               {}});
        }
    }
    for (ui::PaletteEntry& entry : cacheEntries()) {
        entries.push_back(std::move(entry));
    }
    if (const auto& corpus = workbench_.corpus()) {
        for (const Session& session : corpus->sessions) {
            entries.push_back(
                {"session:" + QString::fromStdString(session.key),
                 QString::fromStdString(session.title),
                 tr("session of %1, %2")
                     .arg(QString::fromStdString(session.project), QString::fromStdString(session.sessionId)),
                 {}});
        }
    }
    palette_->setEntries(std::move(entries));
    palette_->popUp();
}

void MainWindow::showAbout() {
    auto* box = new QMessageBox(
        QMessageBox::NoIcon, tr("About Loadline"),
        tr("<h3>Loadline %1</h3>"
           "<p>A workload explorer for agentic LLM inference.</p>"
           "<p>Free software under the GNU General Public License, version 3 or later, with the additional "
           "permission to run with NVIDIA's CUDA libraries. It comes without any warranty.</p>"
           "<p>Session files are only read, and nothing is sent anywhere.</p>"
           "<p>Built with Qt %2, Qt Charts, simdjson, fmt, nlohmann-json and xxHash.</p>")
            .arg(QString(LOADLINE_VERSION), QString(qVersion())),
        QMessageBox::Close, this);
    box->setTextFormat(Qt::RichText);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

void MainWindow::sayDamaged(const QStringList& damaged) {
    if (!damaged.isEmpty()) {
        banner_->show(
            tr("Some settings were damaged and are as at the first start: %1").arg(damaged.join(", ")));
    }
}

void MainWindow::applyTheme() {
    actions_.setIcons(ui::Theme::of(appearance_.kind()));
    if (workspace_) {
        workspace_->setTheme(appearance_.kind());
    }
}

} // namespace loadline::app
