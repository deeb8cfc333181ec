// The window: what is open, which commands there are, what is said at the foot; everything else is composed.
#pragma once

#include "app/page/actions.h"
#include "app/study/studies.h"
#include "app/window/drop_area.h"
#include "app/window/export/export_flow.h"
#include "app/window/settings/appearance.h"
#include "app/window/settings/settings.h"
#include "app/window/settings/settings_keeper.h"
#include "app/window/workspace.h"
#include "app/workbench/workbench.h"

#include <QMainWindow>
#include <QPointer>

#include <memory>

class QMenu;
class QStackedWidget;

namespace loadline::ui {
class Banner;
class CommandPalette;
class EngineDialog;
class RoomTabs;
class SelectionStrip;
class StartPage;
class StatusLine;
} // namespace loadline::ui

namespace loadline::app {

/// Returns the palette's entries of the Cache page; id: "cache:", a field's key and a text.
std::vector<ui::PaletteEntry> cacheEntries();

class CostEditor;
class KernelImporter;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// `settingsFile` is read now and written shortly after a change and when the window closes. `list`: see
    /// setStudies().
    MainWindow(Appearance& appearance, QString settingsFile,
               std::span<const ask::Study> list = programStudies());
    ~MainWindow() override;

    /// Opens these files and folders instead of those loaded: for menu, drop, start page and command line.
    void openPaths(const QStringList& paths);
    /// The same, beside what is loaded.
    void addPaths(const QStringList& paths);
    void openSample();
    /// Back to the start page.
    void closeFiles();
    /// Opens the last folders if the user wants that: the first step of a program without arguments.
    void openLastIfWanted();

    /// Writes the chart of the page shown; the format follows from the ending.
    void exportTo(const QString& path);

    [[nodiscard]] Workbench& workbench() { return workbench_; }

    [[nodiscard]] ExportFlow& exportFlow() { return exports_; }

    [[nodiscard]] const Actions& actions() const { return actions_; }

    /// Null before something was opened.
    [[nodiscard]] Workspace* workspace() const { return workspace_; }

    [[nodiscard]] ui::StartPage& startPage() const { return *start_; }

    [[nodiscard]] ui::Banner& banner() const { return *banner_; }

    [[nodiscard]] ui::SelectionStrip& selectionStrip() const { return *selection_; }

    [[nodiscard]] const Settings& settings() const { return settings_; }

    /// Empty when nothing went wrong.
    void showError(const Error& error);
    void saveSettings(); ///< as when the window closes

protected:
    void closeEvent(QCloseEvent* event) override;
    bool event(QEvent* event) override; ///< words of what the cursor is over

private:
    void buildCentre();
    void buildMenus();
    void fillOpenRecent();
    void connectFileCommands();
    void connectViewCommands();
    void connectExportCommands();
    void connectLoading();
    void connectStartPage();
    void showWorkspace();
    void showPage(Page page);
    bool openOther(const QString& path);
    void openTrace(const std::string& name, bool isFile);
    void openLog(const QStringList& paths);
    void showStart(const QString& error = {});
    void lookForOwnSessions();
    void loadFinished(const LoadOutcome& outcome);
    void askAndSave(const ChartRequest& request, const QString& format);
    void askAndSavePage(const QString& format);
    [[nodiscard]] QString askWhere(const QString& suggested, const QString& format);
    void askExport();
    [[nodiscard]] bool canExport();
    void popUpPalette();
    void connectSimulationCommands();
    void connectKernelCommands();
    void chooseSimulation(const QString& id);
    void chooseCache(const QString& id);
    void showEngine();
    void copyEngine();
    void showSimulationPage();
    [[nodiscard]] Settings settingsNow(bool closing);
    void keepLast(Settings& settings);
    void rememberLast(const QStringList& paths);
    bool restoreScope(const std::vector<std::string>& paths, WorkbenchState& state);
    void sayDamaged(const QStringList& damaged); ///< keys of settings that could not be used
    void showAbout();
    void applyTheme();
    void updateTitle();
    void updateNote();
    void updateCommands();
    [[nodiscard]] QString exportFolder() const;

    /// Before all members that are made of the studies.
    struct Installed {
        explicit Installed(std::span<const ask::Study> list) { setStudies(list); }
    } installed_;
    Settings settings_;
    QString settingsFile_;
    SettingsKeeper* keeper_ = nullptr;
    bool lastNotOpenedYet_ = true; ///< its scope may come back
    Appearance& appearance_;
    Actions actions_;
    Workbench workbench_;
    ExportFlow exports_;
    DropArea drops_;
    LatestJob looking_;   ///< for the user's own sessions
    LatestJob unpacking_; ///< the sample
    Workspace* workspace_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    ui::RoomTabs* tabs_ = nullptr;
    QMenu* recentMenu_ = nullptr;
    ui::StartPage* start_ = nullptr;
    ui::Banner* banner_ = nullptr;
    ui::StatusLine* status_ = nullptr;
    ui::SelectionStrip* selection_ = nullptr;
    ui::CommandPalette* palette_ = nullptr;
    QPointer<ui::EngineDialog> engine_; ///< while it is open
    CostEditor* editor_ = nullptr;
    KernelImporter* importer_ = nullptr;
};

} // namespace loadline::app
