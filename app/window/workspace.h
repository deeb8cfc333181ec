// Everything that is shown once something is loaded: rail, filter bar, pages and docks, wired to the
// workbench.
#pragma once

#include "app/page/actions.h"
#include "app/pages/frame/page_view.h"
#include "app/window/evidence_flow.h"
#include "app/window/settings/settings.h"
#include "app/workbench/workbench.h"

#include <QObject>

#include <map>
#include <optional>
#include <vector>

class QDockWidget;
class QMainWindow;
class QStackedWidget;
class QToolBar;

namespace loadline::ui {
class DiagnosticsPanel;
class FilterBar;
class RoomTabs;
class SessionPanel;
} // namespace loadline::ui

namespace loadline::app {

/// Built once, at the first load, so that the empty window paints at once; pages are built when they are
/// first shown.
class Workspace : public QObject {
    Q_OBJECT

public:
    /// Adds tool bars and docks to the window; `stack` is its central place, where the pages go, `tabs` those
    /// of the room over it.
    Workspace(QMainWindow& window, QStackedWidget& stack, ui::RoomTabs& tabs, Workbench& workbench,
              Actions& actions);

    /// Shows or hides tool bars and docks; hidden ones come back as they were.
    void setShown(bool shown);
    void setTheme(ui::ThemeKind kind);
    void restore(const Settings& settings);
    /// `closing`: docks that the page hides may be shown, so that they come back.
    void save(Settings& settings, bool closing) const;
    /// For what is opened next; none: as is usual.
    void setOpenRows(const QStringList& keys);

    /// Built on demand.
    PageView& page(Page page);

    PageView& currentPage() { return page(workbench_.state().page); }

    [[nodiscard]] ui::SessionPanel& sessions() const { return *sessions_; }

    [[nodiscard]] ui::EvidencePanel& evidence() const { return *evidence_; }

    [[nodiscard]] ui::DiagnosticsPanel& diagnostics() const { return *diagnostics_; }

    [[nodiscard]] QDockWidget& diagnosticsDock() const { return *diagnosticsDock_; }

    [[nodiscard]] QDockWidget& evidenceDock() const { return *evidenceDock_; }

    /// The page of the room that was shown last, else the first that there is something to show on.
    [[nodiscard]] std::optional<Page> pageOf(Room room) const;

    /// The table twins of all pages.
    void showTables(bool shown);

    /// Opens the Diagnostics dock, on one file unless `path` is empty.
    void showDiagnostics(const QString& path = {});

signals:
    void exportRequested(const loadline::app::ChartRequest& request, const QString& format);
    void pageExportRequested(const QString& format);
    void copyRequested(const loadline::app::ChartRequest& request);
    void hovered(const QString& words);
    void said(const QString& words);

private:
    [[nodiscard]] QWidget* railButton(Page page) const;
    void stepPage(const std::vector<Page>& among, int by);
    void followTabs(Page page);
    void showPage(PageView& view);
    void buildDocks();
    void buildBars();
    void connectSessions();
    void connectScope();
    void connectDiagnostics();
    void openDiagnosticsDock();
    void hideUnasked();
    void showMore(bool shown);
    void openEvidenceDock();
    void floatEvidence();
    void followState(const WorkbenchState& state);
    void followPage(const WorkbenchState& state);
    void followCorpus(const std::shared_ptr<const Corpus>& corpus);
    QDockWidget* dock(const QString& title, const char* name, QWidget* panel, Qt::DockWidgetArea area,
                      ActionId command);

    QMainWindow& window_;
    QStackedWidget& stack_;
    ui::RoomTabs& tabs_;
    Workbench& workbench_;
    Actions& actions_;
    ui::ThemeKind theme_ = ui::ThemeKind::Light;
    Settings restored_;            ///< for pages that are not built yet
    std::map<Room, Page> left_;    ///< the page of a room that was shown last
    std::vector<PageView*> pages_; ///< null: not built yet
    ui::SessionPanel* sessions_ = nullptr;
    ui::EvidencePanel* evidence_ = nullptr;
    ui::DiagnosticsPanel* diagnostics_ = nullptr;
    ui::FilterBar* filters_ = nullptr;
    EvidenceFlow* evidenceFlow_ = nullptr;
    QDockWidget* sessionsDock_ = nullptr;
    QDockWidget* evidenceDock_ = nullptr;
    QDockWidget* diagnosticsDock_ = nullptr;
    QToolBar* rail_ = nullptr;
    QToolBar* top_ = nullptr;
    QByteArray stateBefore_; ///< of tool bars and docks, before a page hid the list of sessions
    QByteArray hiddenState_; ///< of tool bars and docks, while they are hidden
    bool shown_ = false;
    bool sessionsWanted_ = true;    ///< the page speaks of them
    bool sessionsWereShown_ = true; ///< when it did last
    bool evidenceWasShown_ = false; ///< the same
    bool diagnosticsFresh_ = true;  ///< the dock has never been shown
    bool diagnosticsByHand_ = true; ///< it was not opened by an odd file
    bool evidenceByHand_ = false;   ///< its dock was opened as such, not by a click in a chart
    bool moreShown_ = false;        ///< of the parameters, on every page
};

/// The first page of the room that there is something to show on; nothing: there is none.
std::optional<Page> firstPageOf(Room room, const Actions& actions);

} // namespace loadline::app
