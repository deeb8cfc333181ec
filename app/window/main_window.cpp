// Opening, loading, closing: what the window itself decides.
#include "app/window/main_window.h"

#include "app/asked/asked.h"
#include "app/files/sample.h"
#include "app/window/cost_editor.h"
#include "app/window/kernel_importer.h"
#include "app/window/settings/window_place.h"
#include "core/base/file/read_file.h"
#include "core/session/files/session_formats.h"
#include "ui/panel/frame/room_tabs.h"
#include "ui/panel/frame/scroll_stack.h"
#include "ui/panel/palette/command_palette.h"
#include "ui/panel/part/banner.h"
#include "ui/panel/part/status_line.h"
#include "ui/panel/scope/selection_strip.h"
#include "ui/panel/start/start_page.h"
#include "ui/theme/boxes.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QCloseEvent>
#include <QDir>
#include <QFileInfo>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStatusTipEvent>

#include <algorithm>
#include <string_view>
#include <utility>

namespace loadline::app {
namespace {

struct Oddities {
    std::uint64_t all = 0;
    std::uint64_t lost = 0;  ///< of them, those that leave something out
    std::uint64_t files = 0; ///< of them, those that are no lines

    void add(const Diagnostic& diagnostic, std::uint64_t count) {
        all += count;
        lost += leavesOut(diagnostic.kind) ? count : 0;
        files += diagnostic.line == 0 ? count : 0;
    }
};

Oddities oddities(const Corpus& corpus) {
    Oddities sum;
    for (const PathDiagnostic& diagnostic : corpus.diagnostics) {
        sum.add(diagnostic.diagnostic, 1);
    }
    for (const FileInCorpus& file : corpus.files) {
        for (const Diagnostic& diagnostic : file.file->diagnostics) {
            sum.add(diagnostic, diagnostic.count);
        }
    }
    return sum;
}

/// Returns sentences on the files found that are no sessions, "" if there are none.
QString sentences(const std::vector<NotRead>& files) {
    return ui::listFromUtf8(sentencesOf(files)).join(' ');
}

} // namespace

MainWindow::MainWindow(Appearance& appearance, QString settingsFile, std::span<const ask::Study> list)
    : installed_(list), settingsFile_(std::move(settingsFile)), appearance_(appearance), actions_(*this),
      drops_(*this) {
    SettingsRead read = readSettings(settingsFile_);
    settings_ = std::move(read.settings);
    setWindowTitle("Loadline");
    buildCentre();
    buildMenus();
    connectFileCommands();
    connectViewCommands();
    connectExportCommands();
    connectSimulationCommands();
    connectKernelCommands();
    connectLoading();
    connectStartPage();
    appearance_.setChoice(settings_.theme);
    applyTheme();
    connect(&appearance_, &Appearance::kindChanged, this, &MainWindow::applyTheme);
    place(*this, settings_.geometry);
    WorkbenchState state;
    state.page = settings_.page;
    state.asked = settings_.asked;
    state.questions = settings_.questions;
    state.simulation = settings_.simulation;
    state.against = settings_.against;
    if (state.against) {
        state.against->workload.pin({});
    }
    workbench_.restore(state);
    showStart();
    sayDamaged(read.damaged);
    keeper_ = new SettingsKeeper(
        *this, [this] { return settingsNow(false); }, settingsFile_);
    connect(&workbench_, &Workbench::stateChanged, keeper_, &SettingsKeeper::soon);
    connect(&workbench_.loader(), &Loader::finished, keeper_, &SettingsKeeper::soon);
    for (const ActionId command :
         {ActionId::ThemeSystem, ActionId::ThemeLight, ActionId::ThemeDark, ActionId::ReopenLast}) {
        connect(actions_[command], &QAction::triggered, keeper_, &SettingsKeeper::soon);
    }
}

MainWindow::~MainWindow() = default;

void MainWindow::buildCentre() {
    stack_ = new QStackedWidget;
    start_ = new ui::StartPage;
    banner_ = new ui::Banner;
    status_ = new ui::StatusLine;
    selection_ = new ui::SelectionStrip;
    selection_->hide();
    stack_->addWidget(start_);
    // Only the page that is shown says when to scroll.
    connect(stack_, &QStackedWidget::currentChanged, this, [this](int current) {
        for (int i = 0; i < stack_->count(); ++i) {
            const auto policy = i == current ? QSizePolicy::Preferred : QSizePolicy::Ignored;
            stack_->widget(i)->setSizePolicy(policy, policy);
        }
    });
    auto* centre = new QWidget;
    tabs_ = new ui::RoomTabs;
    ui::columnOf({banner_, tabs_, {new ui::ScrollStack(stack_), 1}, selection_}, 0, centre);
    setCentralWidget(centre);
    setDockNestingEnabled(true);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(0, 0, 0, 0);
    statusBar()->addWidget(status_, 1);
    connect(&drops_, &DropArea::activeChanged, start_, &ui::StartPage::setDropActive);
    connect(&drops_, &DropArea::dropped, this, [this](const QStringList& paths, bool add) {
        if (add) {
            addPaths(paths);
        } else {
            openPaths(paths);
        }
    });
}

void MainWindow::openSample() {
    unpacking_.start(
        this, [](std::stop_token) { return sampleFolder(); },
        [this](const Result<std::string>& folder) {
            if (!folder) {
                showError(folder.error());
                return;
            }
            workbench_.setSampleFolder(*folder);
            openPaths({QString::fromStdString(*folder)});
        });
}

void MainWindow::closeFiles() {
    keepLast(settings_);
    workbench_.close();
    status_->clear();
    showStart();
}

void MainWindow::openLastIfWanted() {
    if (settings_.reopenLast) {
        const bool traceShown = workbench_.state().asked.cache.traceShown;
        openPaths(settings_.lastPaths);
        WorkbenchState state = workbench_.state(); // nobody asked for sessions: all is as it was
        state.asked.cache.traceShown = traceShown;
        workbench_.restore(state);
    }
}

void MainWindow::connectLoading() {
    Loader& loader = workbench_.loader();
    connect(&loader, &Loader::started, this, [this] {
        banner_->hide();
        status_->setLoading({});
        showWorkspace();
        updateTitle();
        updateCommands();
    });
    connect(&loader, &Loader::progressed, status_,
            [this](const LoadProgress& now) { status_->setLoading(stateOf(now)); });
    connect(&loader, &Loader::finished, this, &MainWindow::loadFinished);
    connect(&workbench_, &Workbench::failed, this, &MainWindow::showError);
    connect(&workbench_, &Workbench::stateChanged, this, &MainWindow::updateCommands);
    connect(&workbench_, &Workbench::scopeApplied, this, &MainWindow::updateNote);
    connect(&workbench_, &Workbench::said, status_, &ui::StatusLine::flash);
    connect(&workbench_, &Workbench::selectedChanged, selection_,
            [this](const std::shared_ptr<const SelectionShown>& selected) {
                selection_->setSum(QString::fromStdString(selected->what), selected->sum);
            });
    connect(&workbench_, &Workbench::corpusChanged, selection_,
            [this, &loader](const std::shared_ptr<const Corpus>& corpus) {
                if (!corpus || loader.isLoading()) { // sums of what was open before
                    selection_->clear();
                }
            });
    connect(&workbench_, &Workbench::stateChanged, this, &MainWindow::updateNote);
    connect(&workbench_.simulation(), &SimulationBench::sourcesChanged, this, &MainWindow::updateNote);
    connect(status_, &ui::StatusLine::cancelRequested, &loader, &Loader::cancel);
    connect(status_, &ui::StatusLine::diagnosticsRequested, this, [this] {
        if (workspace_) {
            workspace_->showDiagnostics();
        }
    });
    connect(actions_[ActionId::StopLoading], &QAction::triggered, &loader, &Loader::cancel);
    connect(actions_[ActionId::Reload], &QAction::triggered, this, [this, &loader] {
        if (workbench_.state().page == Page::ServerLog) {
            workbench_.computeAgain(Page::ServerLog);
        } else {
            loader.reload();
        }
    });
    connect(banner_, &ui::Banner::actionRequested, this, [this] {
        banner_->hide();
        actions_[ActionId::Reload]->trigger();
    });
}

void MainWindow::loadFinished(const LoadOutcome& outcome) {
    const Corpus& corpus = *workbench_.corpus();
    updateCommands();
    const bool traces = std::ranges::any_of(
        corpus.notRead, [](const NotRead& file) { return file.looksLike->content == FileContent::Trace; });
    if (!outcome.cancelled && corpus.sessions.empty() && traces && workbench_.loader().paths().size() == 1) {
        const std::string folder = workbench_.loader().paths().front();
        workbench_.close();
        status_->clear();
        openTrace(folder, false);
        return;
    }
    if (corpus.sessions.empty() && !outcome.cancelled) {
        const QStringList places = ui::listFromUtf8(workbench_.loader().paths());
        const QString found = sentences(corpus.notRead);
        QString why;
        if (!corpus.diagnostics.empty()) {
            const PathDiagnostic& first = corpus.diagnostics.front();
            const QString path = QString::fromStdString(first.path);
            const bool itself = places == QStringList(path);
            why = (itself ? QString() : tr(" (%1").arg(QFileInfo(path).fileName())) + QStringLiteral(": ") +
                  QString::fromStdString(diagnosticSentence(first.diagnostic)) +
                  (itself ? QString() : tr(")"));
        }
        workbench_.close();
        status_->clear();
        showStart(found.isEmpty()
                      ? tr("No sessions were found in %1%2. A session is a .jsonl file; %3.")
                            .arg(places.join(", "), why,
                                 QString::fromStdString(sessionPrograms(" and ", " keeps them in ")))
                      : tr("%1: %2 Loadline reads the sessions of %3.")
                            .arg(places.join(", "), found,
                                 QString::fromStdString(sessionPrograms(" and ", ", in "))));
        return;
    }
    const Oddities odd = oddities(corpus);
    status_->setLoaded({outcome.files, corpus.sessions.size(), outcome.bytes, outcome.elapsedMs, odd.all,
                        outcome.cancelled, sentences(corpus.notRead), odd.lost, odd.files});
    if (outcome.cancelled) {
        banner_->show(tr("Loading was stopped: these are the %n file(s) read until then.", nullptr,
                         static_cast<int>(outcome.files)),
                      tr("Read everything"));
    }
    const QStringList paths = ui::listFromUtf8(workbench_.loader().paths());
    if (!workbench_.showsSample()) {
        rememberLast(paths);
    }
    fillOpenRecent();
}

bool MainWindow::event(QEvent* event) {
    if (event->type() == QEvent::StatusTip) { // a status bar's own message would hide the buttons beside it
        status_->setHovered(static_cast<QStatusTipEvent*>(event)->tip());
        return true;
    }
    return QMainWindow::event(event);
}

void MainWindow::showWorkspace() {
    if (!workspace_) {
        workspace_ = new Workspace(*this, *stack_, *tabs_, workbench_, actions_);
        workspace_->setTheme(appearance_.kind());
        workspace_->restore(settings_);
        connect(workspace_, &Workspace::exportRequested, this, &MainWindow::askAndSave);
        connect(workspace_, &Workspace::pageExportRequested, this, &MainWindow::askAndSavePage);
        connect(workspace_, &Workspace::copyRequested, this, [this](const ChartRequest& request) {
            exports_.copy(request, workbench_.corpus(), optionsOf(settings_.exports));
        });
        connect(workspace_, &Workspace::hovered, status_, &ui::StatusLine::setHovered);
        connect(workspace_, &Workspace::said, status_, &ui::StatusLine::flash);
    }
    workspace_->setShown(true);
    updateCommands();
}

void MainWindow::showPage(Page page) {
    workbench_.showPage(page);
    showWorkspace();
}

void MainWindow::showError(const Error& error) {
    banner_->show(ui::capitalised(error.sentence()));
}

/// Shows the source of the page's content: the scope, or kernel times.
void MainWindow::updateNote() {
    status_->setSessionsShown(scopeApplies(workbench_.state()));
    const bool simulating = simulates(workbench_.state().page);
    const Sources& sources = workbench_.simulation().sources();
    if (simulating && sources && !sources->error) {
        status_->setNote(QString::fromStdString(timesOf(sources->sources)),
                         tr("Where kernel times come from"));
    } else if (speaksOfSessions(workbench_.state()) && workbench_.scoped()) {
        status_->setNote(QString::fromStdString(workbench_.scoped()->description),
                         tr("What every view speaks of"));
    } else {
        status_->setNote({});
    }
}

void MainWindow::updateTitle() {
    QStringList names;
    for (const std::string& path : workbench_.loader().paths()) {
        names << (workbench_.showsSample() ? tr("sample") : QDir(QString::fromStdString(path)).dirName());
    }
    const WorkbenchState& state = workbench_.state();
    const std::string trace = state.asked.cache.shownTrace();
    const bool loaded = workspace_ && stack_->currentWidget() != start_;
    const bool tracePage = state.page == Page::Cache && !trace.empty();
    if (loaded && (tracePage || names.isEmpty())) { // what the page speaks of
        const QFileInfo workload(QString::fromStdString(state.simulation.workload.name));
        const QString file = workload.isAbsolute() && !tracePage
                                 ? workload.fileName()
                                 : QFileInfo(QString::fromStdString(trace)).fileName();
        names = file.isEmpty() ? QStringList() : QStringList(file);
    }
    if (const std::vector<std::string> log = state.asked.log.files;
        loaded && state.page == Page::ServerLog && !log.empty()) {
        names = QStringList(QFileInfo(QString::fromStdString(log.back())).fileName());
    }
    setWindowTitle(names.isEmpty() ? QStringLiteral("Loadline")
                                   : tr("%1 \u2014 Loadline").arg(ui::lineText(names.join(", "), 200)));
}

void MainWindow::updateCommands() {
    updateTitle();
    const bool loaded = workspace_ && stack_->currentWidget() != start_;
    for (const ActionId command :
         {ActionId::CloseFiles, ActionId::ExportPng, ActionId::ExportSvg, ActionId::ExportPdf,
          ActionId::ExportCsv, ActionId::ExportPage, ActionId::ExportAs, ActionId::CopyChart,
          ActionId::ShowTable, ActionId::NextPage, ActionId::PreviousPage, ActionId::NextTab,
          ActionId::PreviousTab}) {
        actions_[command]->setEnabled(loaded);
    }
    const bool files = loaded && workbench_.corpus();
    for (const ActionId command : {ActionId::AddFolder, ActionId::FindSession, ActionId::DockSessions,
                                   ActionId::DockEvidence, ActionId::DockDiagnostics}) {
        actions_[command]->setEnabled(files);
    }
    for (const Page page : pages()) {
        actions_[page]->setEnabled(!needsSessions(page) || files);
    }
    for (const RoomSpec& spec : roomSpecs()) {
        const std::vector<Page> inRoom = pagesOf(spec.room);
        actions_[spec.room]->setEnabled(
            std::ranges::any_of(inRoom, [this](Page page) { return actions_[page]->isEnabled(); }));
    }
    actions_[ActionId::Reload]->setEnabled(workbench_.state().page == Page::ServerLog
                                               ? loaded && !workbench_.state().asked.log.files.empty()
                                               : files);
    selection_->setVisible(files && speaksOfSessions(workbench_.state()));
    for (const ActionId command : {ActionId::ZoomIn, ActionId::ZoomOut, ActionId::ZoomFit}) {
        const Page page = workbench_.state().page;
        actions_[command]->setEnabled(loaded && (page == Page::Timeline || page == Page::ServerLog));
    }
    actions_[ActionId::UnpinSimulation]->setEnabled(workbench_.state().against.has_value());
    actions_[ActionId::StopLoading]->setEnabled(workbench_.loader().isLoading());
    actions_[ActionId::ClearScope]->setEnabled(loaded && speaksOfPart(workbench_.state()));
}

void MainWindow::closeEvent(QCloseEvent* event) {
    editor_->cancel();
    saveSettings();
    QMainWindow::closeEvent(event);
}

} // namespace loadline::app
