// The start page: what it offers, and what it asks for.
#include "app/window/main_window.h"
#include "core/session/read_sessions.h"
#include "ui/panel/part/banner.h"
#include "ui/panel/start/start_page.h"

#include <QStackedWidget>

namespace loadline::app {

void MainWindow::showStart(const QString& error) {
    if (workspace_) {
        workspace_->setShown(false);
    }
    stack_->setCurrentWidget(start_);
    start_->setError(error);
    start_->setRecentFolders(settings_.recentFolders);
    banner_->hide();
    updateTitle();
    updateCommands();
    lookForOwnSessions();
}

void MainWindow::lookForOwnSessions() {
    struct Own {
        std::vector<std::string> folders;
        FoundFiles found;
    };

    looking_.start(
        this,
        [](std::stop_token stop) {
            Own own{defaultSessionFolders(), {}};
            own.found = findSessionFiles(own.folders, stop);
            return own;
        },
        [this](const Own& own) {
            QStringList folders;
            for (const std::string& folder : own.folders) {
                folders << QString::fromStdString(folder);
            }
            start_->setDefaultSessions(own.found.files.size(), own.found.bytes(), folders);
        });
}

void MainWindow::connectStartPage() {
    connect(start_, &ui::StartPage::openFolderRequested, actions_[ActionId::OpenFolder], &QAction::trigger);
    connect(start_, &ui::StartPage::openFilesRequested, actions_[ActionId::OpenFiles], &QAction::trigger);
    connect(start_, &ui::StartPage::pathsRequested, this, &MainWindow::openPaths);
    connect(start_, &ui::StartPage::sampleRequested, this, &MainWindow::openSample);
    connect(start_, &ui::StartPage::simulationRequested, this, [this] { showSimulation(Page::Simulator); });
    connect(start_, &ui::StartPage::kernelsRequested, this, [this] { showSimulation(Page::Kernels); });
    for (const Page page : pages) {
        if (!needsSessions(page)) {
            connect(actions_[page], &QAction::triggered, this, [this, page] {
                if (stack_->currentWidget() == start_) {
                    showSimulation(page);
                }
            });
        }
    }
    connect(start_, &ui::StartPage::recentFolderRemoved, this, [this](const QString& folder) {
        settings_.recentFolders.removeAll(folder);
        start_->setRecentFolders(settings_.recentFolders);
        fillOpenRecent();
    });
}

} // namespace loadline::app
