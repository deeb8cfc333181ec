// The Self-check page.
#include "app/pages/simulation/self_check_page.h"

#include "app/chart/self_check_chart.h"
#include "app/page/page_picture.h"
#include "app/page/page_spec.h"
#include "ui/chart/self_check/self_check_drawings.h"
#include "ui/panel/frame/side_fold.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/plain_text.h"

#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace loadline::app {
namespace {

constexpr int detailsWidth = 34 * ui::spacing;
QStringList titles() {
    QStringList titles;
    for (const ChartSpec* chart : specOf(Page::SelfCheck).charts) {
        titles << chart->title();
    }
    return titles;
}

} // namespace

SelfCheckPage::SelfCheckPage(Workbench& bench)
    : PageView(bench), grid_(new ui::ChartGrid(titles())), run_(new QLabel), details_(new QLabel) {
    install(grid_, Page::SelfCheck);
    connect(frame_, &ui::ChartFrame::emptyActionRequested, this, &SelfCheckPage::askForRun);
    buildControls();
    details_->setWordWrap(true);
    details_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    details_->setMargin(ui::spacing);
    details_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    details_->setProperty("role", "muted");
    auto* scroll = new QScrollArea;
    scroll->setWidget(details_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFixedWidth(detailsWidth);
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(frame_, 1);
    side_ = new ui::SideFold(scroll, tr("details"), this);
    row->addWidget(side_);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);

    connect(grid_, &ui::ChartGrid::hovered, this, &PageView::hovered);
    connect(grid_, &ui::ChartGrid::chosenChanged, this, &SelfCheckPage::showDrawing);
    follow<SelfCheckShown>(Page::SelfCheck, [this](const auto& shown) { show(shown); });
    connect(&bench, &Workbench::stateChanged, this, &SelfCheckPage::showState);
    showState(bench.state());
    if (const auto last = bench.shown<SelfCheckShown>(Page::SelfCheck)) {
        show(last);
    }
}

void SelfCheckPage::buildControls() {
    auto* open =
        ui::toolButton(tr("Open a recorded run\u2026"),
                       tr("A folder with meta.json, requests.jsonl and profile/: served again and compared"));
    prompts_ =
        ui::toolButton(tr("Prompts\u2026"), tr("The dataset that was served tells what requests share in the "
                                               "prefix cache; runs do not record it"));
    withoutPrompts_ = ui::toolButton(tr("Without prompts"), tr("As the run alone is recorded"));
    addControls({open, prompts_, withoutPrompts_, run_});
    run_->setProperty("role", "muted");
    connect(open, &QToolButton::clicked, this, &SelfCheckPage::askForRun);
    connect(prompts_, &QToolButton::clicked, this, &SelfCheckPage::askForPrompts);
    connect(withoutPrompts_, &QToolButton::clicked, this, [this] {
        ReplayQuestion choice = workbench().state().asked.selfCheck;
        choice.prompts.clear();
        choose(choice, tr("Forget the prompts"));
    });
}

void SelfCheckPage::askForRun() {
    const QString folder = QFileDialog::getExistingDirectory(
        this, tr("Open a recorded run"), QString::fromStdString(workbench().state().asked.selfCheck.run));
    if (!folder.isEmpty()) {
        choose({.run = folder.toStdString(), .prompts = "", .kvBlocks = std::nullopt},
               tr("Open a recorded run"));
    }
}

void SelfCheckPage::askForPrompts() {
    const QString file =
        QFileDialog::getOpenFileName(this, tr("The dataset that was served"),
                                     QString::fromStdString(workbench().state().asked.selfCheck.run),
                                     tr("Datasets (*.jsonl);;All files (*)"));
    if (!file.isEmpty()) {
        ReplayQuestion choice = workbench().state().asked.selfCheck;
        choice.prompts = file.toStdString();
        choose(choice, tr("Choose the prompts"));
    }
}

void SelfCheckPage::choose(const ReplayQuestion& choice, const QString& what) {
    Asked next = workbench().state().asked;
    next.selfCheck = choice;
    workbench().setAsked(next, what);
}

void SelfCheckPage::showState(const WorkbenchState& state) {
    const ReplayQuestion choice = state.asked.selfCheck;
    prompts_->setEnabled(!choice.run.empty());
    withoutPrompts_->setEnabled(!choice.prompts.empty());
    run_->setText(choice.run.empty() ? QString()
                                     : ui::lineText(QDir(QString::fromStdString(choice.run)).dirName()) +
                                           (choice.prompts.empty() ? QString() : tr(", prompts known")));
    ui::setTip(run_, QString::fromStdString(choice.run));
    if (choice.run.empty()) {
        shown_.reset();
        details_->clear();
        frame_->setEmpty(
            tr("No run is open. A recorded run of a real engine, with the kernel tables of its GPU, "
               "shows how close the simulation comes: by request, with nothing fitted to it."),
            tr("Open a recorded run\u2026"));
    }
    showSide();
}

/// Beside a run that was read, or is being read.
void SelfCheckPage::showSide() {
    const bool isRun = !workbench().state().asked.selfCheck.run.empty();
    side_->setVisible(isRun && !(shown_ && shown_->error));
}

void SelfCheckPage::show(const std::shared_ptr<const SelfCheckShown>& shown) {
    if (workbench().state().asked.selfCheck.run.empty()) {
        return;
    }
    shown_ = shown;
    details_->setText(ui::linesText(QString::fromStdString(detailsOf(*shown))));
    showSide();
    if (shown->error) {
        QString sentence = QString::fromStdString(shown->error->sentence());
        sentence[0] = sentence[0].toUpper();
        frame_->setEmpty(sentence, tr("Open another run\u2026"));
        return;
    }
    for (int i = 0; i < grid_->count(); ++i) {
        grid_->view(i)->setDrawing(
            ui::drawingOf(ui::selfCheckCharts[static_cast<std::size_t>(i)], shown->figure));
    }
    showDrawing();
}

void SelfCheckPage::showDrawing() {
    if (shown_ && shown_->figure) {
        frame_->setDrawing(grid_->view(grid_->chosen())->drawing());
    }
}

QString SelfCheckPage::details() const {
    return details_->text();
}

void SelfCheckPage::setTheme(ui::ThemeKind kind) {
    grid_->setTheme(kind);
    PageView::setTheme(kind);
}

std::vector<ChartRequest> SelfCheckPage::requests() const {
    return chartsOf(Page::SelfCheck, request());
}

ChartRequest SelfCheckPage::request() const {
    return requestOf(workbench(), *specOf(Page::SelfCheck).charts[static_cast<std::size_t>(grid_->chosen())]);
}

QList<int> SelfCheckPage::parts() const {
    return side_->chosen();
}

void SelfCheckPage::setParts(const QList<int>& fold) {
    side_->setChosen(fold);
}

} // namespace loadline::app
