// The row over the charts of a simulation page.
#include "app/pages/simulation/simulation_page.h"
#include "ui/panel/frame/flow_layout.h"
#include "ui/panel/part/progress_strip.h"
#include "ui/theme/plain_text.h"

#include <QAction>
#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace loadline::app {

/// Commands, then how far the figures are: of one width, so that no button moves while they are refined.
void SimulationPage::buildControls() {
    commands_ = new ui::FlowRow(ui::spacing);
    stage_ = new QWidget(commands_);
    auto* row = new QHBoxLayout(stage_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(ui::spacing);
    row->addWidget(note_);
    row->addWidget(progress_);
    row->addStretch(1);
    note_->setProperty("role", "muted");
    ui::setTip(note_, tr("How far the times may be off by chance: one standard error"));
    const int longest = note_->fontMetrics().horizontalAdvance(tr("preview, \u00B1%1 %").arg(0.88));
    progress_->setShare(0); // shown for its width
    stage_->setFixedSize(longest + progress_->sizeHint().width() + ui::spacing,
                         progress_->sizeHint().height());
    progress_->clear();
    commands_->add(stage_);
    frame_->controls()->addWidget(commands_, 1);
    frame_->installEventFilter(this);
}

bool SimulationPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == frame_ && event->type() == QEvent::Resize) {
        nameCommands();
    }
    return PageView::eventFilter(watched, event);
}

/// By their icons alone where their words would take a line of their own.
void SimulationPage::nameCommands() {
    constexpr int roomyFrame = 90 * ui::spacing;
    const bool roomy = frame_->width() >= roomyFrame;
    for (auto* button : commands_->findChildren<QToolButton*>(Qt::FindDirectChildrenOnly)) {
        if (const QAction* command = button->defaultAction(); command && !command->icon().isNull()) {
            button->setToolButtonStyle(roomy ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
        }
    }
}

void SimulationPage::addControl(QWidget* control) {
    commands_->add(control);
    commands_->add(stage_); // stays the last
}

void SimulationPage::addCommand(QAction* command) {
    auto* button = new QToolButton;
    button->setDefaultAction(command);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setAccessibleName(command->objectName());
    addControl(button);
    nameCommands();
}

void SimulationPage::askForFile(const ask::Field& field) {
    SimulationRequest next = workbench().state().simulation;
    const bool workload = field.key == "workload";
    const QString path = QFileDialog::getOpenFileName(
        this, workload ? tr("Choose a workload") : tr("Choose kernel times or shapes"), QString(),
        workload ? tr("Distributions, traces, sessions (*)")
                 : tr("Profiles and shapes (*.json *.csv);;All files (*)"));
    if (path.isEmpty()) {
        return;
    }
    readText(field, path.toStdString(), &next);
    choose(next, QString::fromStdString(nameOfChange(field)), true);
}

} // namespace loadline::app
