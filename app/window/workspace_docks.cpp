// Docks of the panels: sessions, evidence, diagnostics.
#include "app/window/workspace.h"
#include "ui/panel/evidence/diagnostics_panel.h"
#include "ui/panel/sessions/session_panel.h"

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

constexpr int diagnosticsHeight = 24 * ui::spacing;
constexpr int sessionsWidth = 38 * ui::spacing;
constexpr int lowColumn = 50 * ui::spacing; ///< one above the other, two panels would have no room in it
constexpr QSize floatingEvidence(40 * ui::spacing, 52 * ui::spacing);

} // namespace

QDockWidget* Workspace::dock(const QString& title, const char* name, QWidget* panel, Qt::DockWidgetArea area,
                             ActionId command) {
    auto* dock = new QDockWidget(title, &window_);
    dock->setObjectName(name);
    dock->setWidget(panel);
    window_.addDockWidget(area, dock);
    QAction* action = actions_[command];
    connect(action, &QAction::triggered, dock, [dock](bool on) {
        dock->setVisible(on);
        if (on) {
            dock->raise();
        }
    });
    connect(dock, &QDockWidget::visibilityChanged, action,
            [dock, action] { action->setChecked(!dock->isHidden()); });
    return dock;
}

void Workspace::buildDocks() {
    sessions_ = new ui::SessionPanel;
    evidence_ = new ui::EvidencePanel;
    diagnostics_ = new ui::DiagnosticsPanel;
    evidenceFlow_ = new EvidenceFlow(workbench_, *evidence_);
    // The side docks reach from top to bottom; what is below is as wide as the charts.
    window_.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window_.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    sessionsDock_ =
        dock(tr("Sessions"), "sessions", sessions_, Qt::LeftDockWidgetArea, ActionId::DockSessions);
    evidenceDock_ =
        dock(tr("Evidence"), "evidence", evidence_, Qt::LeftDockWidgetArea, ActionId::DockEvidence);
    evidenceDock_->setAttribute(Qt::WA_ShowWithoutActivating); // where it floats
    diagnosticsDock_ = dock(tr("Diagnostics"), "diagnostics", diagnostics_, Qt::BottomDockWidgetArea,
                            ActionId::DockDiagnostics);
    evidenceDock_->hide();
    connect(actions_[ActionId::DockEvidence], &QAction::triggered, this,
            [this](bool on) { evidenceByHand_ = on; });
    connect(actions_[ActionId::DockDiagnostics], &QAction::triggered, this,
            [this] { diagnosticsByHand_ = true; });
    diagnosticsDock_->hide();
    window_.splitDockWidget(sessionsDock_, evidenceDock_, Qt::Vertical);
    window_.resizeDocks({sessionsDock_}, {sessionsWidth}, Qt::Horizontal);
}

/// By a click in a chart, which must not move under the pointer: it opens where it takes no room from it.
void Workspace::openEvidenceDock() {
    if (evidenceDock_->isHidden()) {
        const bool beside = sessionsDock_->isVisible() && !sessionsDock_->isFloating();
        const int column = sessionsDock_->height();
        evidenceByHand_ = false;
        evidenceDock_->setFloating(!beside);
        if (!beside) {
            floatEvidence();
        } else if (column < lowColumn) {
            window_.tabifyDockWidget(sessionsDock_, evidenceDock_);
        } else {
            window_.splitDockWidget(sessionsDock_, evidenceDock_, Qt::Vertical);
        }
        evidenceDock_->show();
        if (beside && column >= lowColumn) {
            window_.resizeDocks({sessionsDock_, evidenceDock_}, {column / 2, column / 2}, Qt::Vertical);
        }
    }
    evidenceDock_->raise();
}

/// Over the half of the window where the pointer is not.
void Workspace::floatEvidence() {
    const QRect room = window_.geometry();
    const QSize size = floatingEvidence.boundedTo(room.size());
    const bool left = QCursor::pos().x() > room.center().x();
    evidenceDock_->resize(size);
    evidenceDock_->move(left ? room.left() : room.right() - size.width(), room.bottom() - size.height());
}

void Workspace::openDiagnosticsDock() {
    if (diagnosticsDock_->isVisible()) {
        return;
    }
    diagnosticsDock_->show();
    diagnosticsDock_->raise();
    if (std::exchange(diagnosticsFresh_, false)) { // sizes of hidden docks are not kept
        window_.resizeDocks({diagnosticsDock_}, {diagnosticsHeight}, Qt::Vertical);
    }
}

/// Hides the panels that an odd file or a click opened: they do not come back without their content.
void Workspace::hideUnasked() {
    if (!evidenceByHand_) {
        evidenceDock_->hide();
        evidenceWasShown_ = false;
    }
    if (!diagnosticsByHand_) {
        diagnosticsDock_->hide();
        diagnosticsByHand_ = true;
    }
}

} // namespace loadline::app
