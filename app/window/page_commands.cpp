// Commands of the start page, the simulation (by name from the palette, in vLLM's words) and kernel times.
#include "app/asked/asked.h"
#include "app/page/page_spec.h"
#include "app/pages/kernels/kernels_page.h"
#include "app/window/cost_editor.h"
#include "app/window/kernel_importer.h"
#include "app/window/main_window.h"
#include "core/session/files/find_session_files.h"
#include "core/session/files/session_formats.h"
#include "core/simulate/request/simulation_fields.h"
#include "core/text/number_format.h"
#include "ui/panel/part/banner.h"
#include "ui/panel/part/status_line.h"
#include "ui/panel/simulation/engine_dialog.h"
#include "ui/panel/start/start_page.h"
#include "ui/theme/format.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QStackedWidget>

namespace loadline::app {

using C = ActionId;

void MainWindow::connectSimulationCommands() {
    connect(actions_[C::PasteVllm], &QAction::triggered, this, &MainWindow::showEngine);
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
    readText(simulationField(id.section(':', 1, 1).toStdString()), id.section(':', 2).toStdString(), &next);
    workbench_.setSimulation(next, tr("Change the simulation"));
    showSimulationPage();
}

/// `id`: "cache:", a field and its text.
void MainWindow::chooseCache(const QString& id) {
    const AskedField& one = askedField(id.section(':', 1, 1).toStdString());
    const Asked& before = workbench_.state().asked;
    Asked next = before;
    if (one.read(next, id.section(':', 2).toStdString())) {
        next.cache = settled(before.cache, next.cache);
        workbench_.setAsked(next, tr("Change the cache"));
        showPage(Page::Cache);
    }
}

std::vector<ui::PaletteEntry> cacheEntries() {
    std::vector<ui::PaletteEntry> entries;
    const auto add = [&](std::string_view field, const std::string& text, const QString& title,
                         const QString& words) {
        entries.push_back({QString::fromStdString(fmt::format("cache:{}:{}", field, text)),
                           title,
                           QObject::tr("cache: %1").arg(words),
                           {}});
    };
    for (const double seconds : {60., 300., 3600., 86'400.}) {
        add("ttl-s", std::to_string(static_cast<int>(seconds)),
            QObject::tr("Cache TTL: %1").arg(QString::fromStdString(formatSeconds(seconds))),
            QObject::tr("time to live of a block that nobody holds"));
    }
    for (const CacheModel& model : cacheModels()) {
        const std::string key(model.key);
        add("cache-model", key, QObject::tr("Cache model: %1").arg(QString::fromStdString(key)),
            QObject::tr("model that bytes of KV cache stand for"));
    }
    return entries;
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
    const auto tellSessions = [this] {
        const Sources& now = workbench_.simulation().sources();
        const auto workload = now ? now->sources.workload : nullptr;
        engine_->setKnowsSessions(workload && workload->kind == WorkloadKind::Sessions);
    };
    tellSessions();
    connect(&workbench_.simulation(), &SimulationBench::sourcesChanged, engine_, tellSessions);
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

void MainWindow::connectKernelCommands() {
    const auto onPage = [this](ActionId command, void (KernelsPage::*what)()) {
        connect(actions_[command], &QAction::triggered, this, [this, what] {
            showPage(Page::Kernels);
            (static_cast<KernelsPage&>(workspace_->page(Page::Kernels)).*what)();
        });
    };
    onPage(C::MeasureKernels, &KernelsPage::measureOrCancel);
    onPage(C::OpenProfile, &KernelsPage::askToOpen);
    onPage(C::SaveProfile, &KernelsPage::askToSave);
    onPage(C::UseProfile, &KernelsPage::useForSimulation);
    importer_ = new KernelImporter(workbench_, *this);
    connect(importer_, &KernelImporter::failed, this, &MainWindow::showError);
    connect(importer_, &KernelImporter::said, this, [this](const QString& words) { status_->flash(words); });
    connect(actions_[C::ImportKernels], &QAction::triggered, this, [this] {
        showPage(Page::Kernels);
        importer_->askForFile();
    });
    for (const ActionId command : {C::SaveProfile, C::UseProfile}) {
        actions_[command]->setEnabled(false); // until the page has something
    }
}

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
            start_->setDefaultSessions(own.found.files.size(), own.found.bytes(),
                                       ui::listFromUtf8(own.folders));
        });
}

void MainWindow::connectStartPage() {
    connect(start_, &ui::StartPage::openFolderRequested, actions_[ActionId::OpenFolder], &QAction::trigger);
    connect(start_, &ui::StartPage::openFilesRequested, actions_[ActionId::OpenFiles], &QAction::trigger);
    connect(start_, &ui::StartPage::pathsRequested, this, &MainWindow::openPaths);
    connect(start_, &ui::StartPage::sampleRequested, this, &MainWindow::openSample);
    connect(start_, &ui::StartPage::simulationRequested, this, [this] { showPage(Page::Simulator); });
    connect(start_, &ui::StartPage::kernelsRequested, this, [this] { showPage(Page::Kernels); });
    for (const Page page : pages()) {
        if (!needsSessions(page)) {
            connect(actions_[page], &QAction::triggered, this, [this, page] {
                if (stack_->currentWidget() == start_) {
                    showPage(page);
                }
            });
        }
    }
    for (const RoomSpec& spec : roomSpecs()) {
        connect(actions_[spec.room], &QAction::triggered, this, [this, room = spec.room] {
            if (const auto page = workspace_ ? workspace_->pageOf(room) : firstPageOf(room, actions_)) {
                showPage(*page);
            }
        });
    }
    connect(start_, &ui::StartPage::recentFolderRemoved, this, [this](const QString& folder) {
        settings_.recentFolders.removeAll(folder);
        start_->setRecentFolders(settings_.recentFolders);
        fillOpenRecent();
    });
}

} // namespace loadline::app
