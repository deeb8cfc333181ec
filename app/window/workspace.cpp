// Composition of the loaded window.
#include "app/window/workspace.h"

#include "app/page/page_spec.h"
#include "app/pages/simulation/simulation_page.h"
#include "ui/panel/evidence/diagnostics_panel.h"
#include "ui/panel/frame/rail.h"
#include "ui/panel/frame/room_tabs.h"
#include "ui/panel/part/themed.h"
#include "ui/panel/scope/filter_bar.h"
#include "ui/panel/sessions/session_panel.h"
#include "ui/theme/format.h"

#include <QApplication>
#include <QCursor>
#include <QDesktopServices>
#include <QDockWidget>
#include <QFileInfo>
#include <QMainWindow>
#include <QStackedWidget>
#include <QStyle>
#include <QToolBar>
#include <QUrl>

#include <algorithm>
#include <utility>

namespace loadline::app {
namespace {

void openFolderOf(const QString& path) {
    QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(path).absolutePath()));
}

/// Files that could not be read, or lines that were lost: worth showing without being asked.
bool losesSomething(const Corpus& corpus) {
    const auto loses = [](const Diagnostic& d) {
        return leavesOut(d.kind) && d.kind != DiagnosticKind::BadLastLine; // a session still being written
    };
    return std::any_of(corpus.diagnostics.begin(), corpus.diagnostics.end(),
                       [&](const PathDiagnostic& d) { return loses(d.diagnostic); }) ||
           std::any_of(corpus.files.begin(), corpus.files.end(), [&](const FileInCorpus& file) {
               return std::any_of(file.file->diagnostics.begin(), file.file->diagnostics.end(), loses);
           });
}

} // namespace

Workspace::Workspace(QMainWindow& window, QStackedWidget& stack, ui::RoomTabs& tabs, Workbench& workbench,
                     Actions& actions)
    : QObject(&window), window_(window), stack_(stack), tabs_(tabs), workbench_(workbench), actions_(actions),
      pages_(pageCount()) {
    buildBars();
    buildDocks();
    connectSessions();
    connectScope();
    connectDiagnostics();
    connect(&workbench_, &Workbench::stateChanged, this, &Workspace::followState);
    connect(&workbench_, &Workbench::corpusChanged, this, &Workspace::followCorpus);
    connect(evidenceFlow_, &EvidenceFlow::shown, this, &Workspace::openEvidenceDock);
}

void Workspace::buildBars() {
    rail_ = new ui::Rail(tr("Rooms"), &window_);
    rail_->setObjectName("rail");
    for (const RoomSpec& spec : roomSpecs()) {
        if (numberOf(spec.room)) {
            rail_->addAction(actions_[spec.room]);
        }
    }
    for (const Page page : pages()) {
        connect(actions_[page], &QAction::triggered, this, [this, page] { workbench_.showPage(page); });
        connect(actions_[page], &QAction::enabledChanged, this,
                [this] { followTabs(workbench_.state().page); });
    }
    connect(&tabs_, &ui::RoomTabs::chosen, this, [this](int tab) {
        actions_[pagesOf(roomOf(workbench_.state().page))[static_cast<std::size_t>(tab)]]->trigger();
    });
    for (const auto& [command, by] :
         {std::pair(ActionId::NextPage, 1), std::pair(ActionId::PreviousPage, -1)}) {
        connect(actions_[command], &QAction::triggered, this, [this, by = by] { stepPage(pages(), by); });
    }
    for (const auto& [command, by] :
         {std::pair(ActionId::NextTab, 1), std::pair(ActionId::PreviousTab, -1)}) {
        connect(actions_[command], &QAction::triggered, this,
                [this, by = by] { stepPage(pagesOf(roomOf(workbench_.state().page)), by); });
    }
    filters_ = new ui::FilterBar;
    filters_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    top_ = new QToolBar(tr("Scope"), &window_);
    top_->setObjectName("scope");
    top_->setMovable(false);
    top_->setIconSize({18, 18});
    top_->addAction(actions_[ActionId::OpenFolder]);
    top_->addWidget(filters_);
    top_->addAction(actions_[ActionId::Undo]);
    top_->addAction(actions_[ActionId::Redo]);
    top_->addAction(actions_[ActionId::FindAnything]);
    top_->addAction(actions_[ActionId::Shortcuts]);
    ui::inkExtension(*top_);
    window_.addToolBar(Qt::TopToolBarArea, top_);
    window_.addToolBar(Qt::LeftToolBarArea, rail_);
    for (QToolBar* bar : {rail_, top_}) {
        bar->toggleViewAction()->setVisible(false); // always there
    }
}

void Workspace::connectSessions() {
    connect(&workbench_, &Workbench::treeChanged, sessions_, &ui::SessionPanel::setTree);
    connect(sessions_, &ui::SessionPanel::sessionsSelected, this, [this](const QStringList& keys) {
        Scope scope = workbench_.state().scope;
        scope.sessions.clear();
        for (const QString& key : keys) {
            scope.sessions.push_back(key.toStdString());
        }
        workbench_.setScope(scope, tr("Select sessions"));
    });
    const auto markShown = [this] {
        const auto shown = workbench_.shown<TimelineShown>(Page::Timeline);
        const bool here = shown && workbench_.state().page == Page::Timeline;
        sessions_->setShown(here ? QString::fromStdString(shown->session) : QString());
    };
    connect(&workbench_, &Workbench::stateChanged, sessions_, markShown);
    connect(&workbench_, &Workbench::figureChanged, sessions_, markShown);
    connect(&workbench_, &Workbench::treeChanged, sessions_, markShown);
    connect(sessions_, &ui::SessionPanel::textChanged, this, [this](const QString& text) {
        Scope scope = workbench_.state().scope;
        scope.text = text.toStdString();
        workbench_.setScope(scope, tr("Search sessions"), Merge::Text);
    });
    connect(sessions_, &ui::SessionPanel::timelineRequested, this,
            [this](const QString& key) { workbench_.openTimeline(key.toStdString()); });
    connect(sessions_, &ui::SessionPanel::diagnosticsRequested, this, &Workspace::showDiagnostics);
    connect(sessions_, &ui::SessionPanel::openFolderRequested, this, openFolderOf);
    const Loader& loader = workbench_.loader();
    connect(&loader, &Loader::started, sessions_, [this] { sessions_->setReading(true); });
    connect(&loader, &Loader::finished, sessions_, [this] { sessions_->setReading(false); });
    sessions_->setReading(loader.isLoading());
    connect(actions_[ActionId::FindSession], &QAction::triggered, this, [this] {
        sessionsDock_->show();
        sessionsDock_->raise();
        sessions_->focusSearch();
    });
}

void Workspace::connectScope() {
    connect(filters_, &ui::FilterBar::scopeChanged, this,
            [this](const Scope& scope) { workbench_.setScope(scope, tr("Change the filter")); });
    connect(actions_[ActionId::ClearScope], &QAction::triggered, &workbench_, &Workbench::clearScope);
    connect(&workbench_, &Workbench::scopeApplied, filters_, [this](const Scoped& scoped) {
        filters_->setOutputIsABound(scoped && outputIsABound(*scoped->corpus, scoped->selection));
    });
}

void Workspace::connectDiagnostics() {
    connect(diagnostics_, &ui::DiagnosticsPanel::placeActivated, this,
            [this](const QString& path, qulonglong line) {
                if (line == 0) {
                    openFolderOf(path);
                } else {
                    evidenceFlow_->showLine(path, line);
                }
            });
    connect(diagnostics_, &ui::DiagnosticsPanel::openFolderRequested, this, openFolderOf);
    connect(evidence_, &ui::EvidencePanel::openFolderRequested, this, openFolderOf);
}

PageView& Workspace::page(Page page) {
    PageView*& view = pages_[indexOf(page)];
    if (view) {
        return *view;
    }
    view = specOf(page).make(workbench_, actions_, specOf(page));
    view->setAccessibleName(actions_[page]->objectName());
    if (const auto parts = restored_.parts.find(page); parts != restored_.parts.end()) {
        view->setParts(parts->second);
    }
    if (auto* simulation = qobject_cast<SimulationPage*>(view)) {
        if (compares(page)) {
            simulation->addCommand(actions_[ActionId::PinSimulation]);
        }
        if (page != Page::Published) {
            simulation->addCommand(actions_[ActionId::PasteVllm]);
        }
        simulation->panel()->setMoreShown(moreShown_);
        connect(simulation->panel(), &ui::FieldForm::moreShown, this, &Workspace::showMore);
        simulation->panel()->setEditAction("shapes", actions_[ActionId::EditShapes]);
        simulation->panel()->setEditAction("rule", actions_[ActionId::EditKernels]);
    }
    view->setTheme(theme_);
    connect(view, &PageView::exportRequested, this, &Workspace::exportRequested);
    connect(view, &PageView::pageExportRequested, this, &Workspace::pageExportRequested);
    connect(view, &PageView::copyRequested, this, &Workspace::copyRequested);
    connect(view, &PageView::hovered, this, &Workspace::hovered);
    connect(view, &PageView::said, this, &Workspace::said);
    stack_.addWidget(view);
    return *view;
}

/// Shows or hides the further fields on all simulation pages alike.
void Workspace::showMore(bool shown) {
    moreShown_ = shown;
    for (PageView* view : pages_) {
        if (auto* simulation = qobject_cast<SimulationPage*>(view)) {
            simulation->panel()->setMoreShown(shown);
        }
    }
}

QWidget* Workspace::railButton(Page page) const {
    return rail_->widgetForAction(actions_[roomOf(page)]);
}

void Workspace::showPage(PageView& view) {
    if (stack_.currentWidget() == &view) {
        return;
    }
    // The keys go to the chart, not to the first of its buttons; a dock keeps them.
    const QWidget* focus = QApplication::focusWidget();
    const bool otherButton = rail_->isAncestorOf(focus) && focus != railButton(workbench_.state().page);
    const bool inside = !focus || focus == rail_ || otherButton || stack_.isAncestorOf(focus);
    stack_.setCurrentWidget(&view);
    QWidget* chart = view.frame()->chart();
    if (inside) {
        (chart->isVisible() ? chart : &view)->setFocus(); // an empty frame hands the keys on
    }
}

void Workspace::setShown(bool shown) {
    if (shown == shown_) {
        return;
    }
    shown_ = shown;
    if (!shown) {
        hiddenState_ = window_.saveState();
        for (QWidget* part :
             {static_cast<QWidget*>(rail_), static_cast<QWidget*>(top_), static_cast<QWidget*>(sessionsDock_),
              static_cast<QWidget*>(evidenceDock_), static_cast<QWidget*>(diagnosticsDock_)}) {
            part->hide();
        }
        evidence_->clear();
        followTabs(workbench_.state().page);
        return;
    }
    rail_->show();
    top_->show();
    if (!hiddenState_.isEmpty()) {
        window_.restoreState(hiddenState_);
        hideUnasked();
    }
    followState(workbench_.state());
}

void Workspace::followState(const WorkbenchState& state) {
    actions_[state.page]->setChecked(true);
    actions_[roomOf(state.page)]->setChecked(true);
    followTabs(state.page);
    if (shown_) {
        showPage(page(state.page));
    }
    followPage(state);
    filters_->setScope(state.scope);
    filters_->setApplies(scopeApplies(state));
    sessions_->setText(QString::fromStdString(state.scope.text));
    sessions_->setSelected(ui::listFromUtf8(state.scope.sessions));
    actions_[ActionId::ClearScope]->setEnabled(speaksOfPart(state));
}

/// A simulation of anything but the open sessions needs the room that their list and records take.
void Workspace::followPage(const WorkbenchState& state) {
    const bool wanted = (speaksOfSessions(state) && (needsSessions(state.page) || workbench_.corpus())) ||
                        (simulates(state.page) && state.simulation.workload.isOpen() &&
                         (workbench_.corpus() || !state.simulation.workload.isAuto()));
    if (!shown_ || wanted == sessionsWanted_) {
        return;
    }
    sessionsWanted_ = wanted;
    if (!wanted) {
        stateBefore_ = window_.saveState();
        const bool hiddenByHand = sessionsDock_->testAttribute(Qt::WA_WState_ExplicitShowHide);
        sessionsWereShown_ =
            !sessionsDock_->isHidden() || !hiddenByHand; // none is shown before the window is
        evidenceWasShown_ = !evidenceDock_->isHidden();
    }
    sessionsDock_->setVisible(wanted && sessionsWereShown_);
    evidenceDock_->setVisible(wanted && (evidenceWasShown_ || !evidenceDock_->isHidden()));
}

void Workspace::followCorpus(const std::shared_ptr<const Corpus>& corpus) {
    filters_->setCorpus(corpus);
    diagnostics_->setCorpus(corpus);
    const WorkbenchState& state = workbench_.state();
    if (speaksOfSessions(state) || simulates(state.page)) {
        followPage(state); // the Cache page without any needs no list; a simulation is of them from now on
    }
    if (!corpus) {
        sessions_->setTree(nullptr);
        return;
    }
    if (shown_ && !workbench_.loader().isLoading() && losesSomething(*corpus)) {
        diagnosticsByHand_ = diagnosticsByHand_ && diagnosticsDock_->isVisible();
        openDiagnosticsDock();
    }
}

void Workspace::showTables(bool shown) {
    for (PageView* page : pages_) {
        if (page && !page->frame()->isEmpty()) {
            page->frame()->setTableShown(shown);
        }
    }
}

void Workspace::showDiagnostics(const QString& path) {
    diagnostics_->setFilter(path);
    diagnosticsByHand_ = true;
    openDiagnosticsDock();
    diagnosticsDock_->raise();
}

void Workspace::setTheme(ui::ThemeKind kind) {
    theme_ = kind;
    for (PageView* page : pages_) {
        if (page) {
            page->setTheme(kind);
        }
    }
}

void Workspace::restore(const Settings& settings) {
    restored_ = settings;
    if (!settings.windowState.isEmpty() && window_.restoreState(settings.windowState)) {
        diagnosticsFresh_ = false;
        diagnosticsByHand_ = settings.diagnosticsByHand;
        evidenceByHand_ = settings.evidenceByHand;
        hideUnasked();
    }
    moreShown_ = settings.moreParameters;
    if (!settings.sessionColumns.isEmpty()) {
        sessions_->restoreState(settings.sessionColumns);
    }
}

void Workspace::setOpenRows(const QStringList& keys) {
    sessions_->setOpenRows(keys);
}

void Workspace::save(Settings& settings, bool closing) const {
    if (shown_ && !sessionsWanted_ && closing) {
        sessionsDock_->setVisible(sessionsWereShown_); // as on the pages that speak of them
        evidenceDock_->setVisible(evidenceWasShown_);
    }
    settings.windowState = !shown_                      ? hiddenState_
                           : sessionsWanted_ || closing ? window_.saveState()
                                                        : stateBefore_;
    settings.diagnosticsByHand = diagnosticsByHand_;
    settings.evidenceByHand = evidenceByHand_;
    settings.moreParameters = moreShown_;
    settings.sessionColumns = sessions_->saveState();
    settings.parts = restored_.parts;
    for (const Page page : pages()) {
        if (const PageView* view = pages_[indexOf(page)]; view && !view->parts().isEmpty()) {
            settings.parts[page] = view->parts();
        }
    }
}

} // namespace loadline::app
