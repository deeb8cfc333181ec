// The Server log page: its parts, and what they show.
#include "app/pages/serverlog/server_log_page.h"

#include "app/asked/asked.h"
#include "app/chart/log_chart.h"
#include "app/page/page_picture.h"
#include "app/pages/serverlog/log_tiles.h"
#include "core/serverlog/server_log.h"
#include "ui/form/field_form.h"
#include "ui/panel/frame/side_fold.h"
#include "ui/panel/part/figure_tiles.h"
#include "ui/panel/part/progress_strip.h"
#include "ui/panel/part/themed.h"
#include "ui/panel/serverlog/finding_list.h"
#include "ui/panel/serverlog/raw_log_view.h"
#include "ui/theme/boxes.h"

#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace loadline::app {
namespace {

constexpr int servedPanelWidth = 30 * ui::spacing;
constexpr int progressShownMs = 200; ///< and from then on: what is shorter does not blink
constexpr int pollEveryMs = 1000;

QStringList logTitles() {
    QStringList titles;
    for (const ChartSpec* chart : charts::logCharts) {
        titles << chart->title();
    }
    return titles;
}

ui::FieldForm* formOfLog() {
    using ask::FormPart;
    return new ui::FieldForm(
        logFields(), ask::Question::of(ServerLogQuestion()),
        {{{FormPart::Asks, QObject::tr("Which model")}, {FormPart::Holds, QObject::tr("On what")}}, {}});
}

} // namespace

ServerLogPage::ServerLogPage(Workbench& bench, const Commands& commands)
    : PageView(bench), commands_(commands), grid_(new ui::ChartGrid(logTitles())), panel_(formOfLog()),
      tiles_(new ui::FigureTiles), findings_(new ui::FindingList), raw_(new ui::RawLogView),
      progress_(new ui::ProgressStrip(tr("Reading"))) {
    install(grid_, Page::ServerLog);
    static_cast<QVBoxLayout*>(frame_->layout())->insertWidget(1, tiles_); // under the sentence
    buildControls();
    buildParts();
    connect(frame_, &ui::ChartFrame::emptyActionRequested, this, &ServerLogPage::mendEmpty);
    connect(grid_, &ui::ChartGrid::hovered, this, &PageView::hovered);
    connect(grid_, &ui::ChartGrid::chosenChanged, this, &ServerLogPage::showChosen);
    connect(grid_, &ui::ChartGrid::changed, this, [this](int, const ui::PlotChange& change, bool) {
        if (change.stretch) {
            setStretch(*change.stretch, tr("Zoom the log"));
        }
    });
    for (int i = 0; i < grid_->count(); ++i) {
        connect(grid_->view(i), &ui::PlotView::itemPicked, this,
                [this, i](int item) { chooseItem(i, item); });
    }
    connectDrags(panel_);
    connect(panel_, &ui::FieldForm::changed, this,
            [this](const ask::Question& question, bool finished, const ask::Field& field) {
                Asked next = workbench().state().asked;
                next.log = question.as<ServerLogQuestion>();
                workbench().setAsked(next, QString::fromStdString(ask::nameOfChange(field)),
                                     finished ? Merge::Parameter : Merge::Drag);
            });
    connect(findings_, &ui::FindingList::findingChosen, this, &ServerLogPage::chooseFinding);
    connect(raw_, &ui::RawLogView::linesWanted, this, &ServerLogPage::readLines);
    connect(raw_, &ui::RawLogView::lineChosen, this, &ServerLogPage::lookAt);
    connect(&bench, &Workbench::figureBegan, this, [this](Page page) {
        if (page == Page::ServerLog) {
            followProgress();
        }
    });
    connect(&bench, &Workbench::stateChanged, this, &ServerLogPage::showState);
    connect(&bench, &Workbench::failed, this, [this] {
        unfollow();
        if (!shown_) {
            showEmpty();
        }
    });
    follow<LogRead>(Page::ServerLog, [this](const auto& read) { show(read); });
    if (bench.progressOf(Page::ServerLog)) {
        followProgress();
    }
    showState(bench.state());
}

ServerLogPage::~ServerLogPage() = default;

void ServerLogPage::buildControls() {
    auto* open = ui::toolButton(tr("Open\u2026"), tr("A server's log, plain or compressed; all files of one "
                                                     "that was rotated"));
    follow_ = new QCheckBox(tr("Follow"));
    onlyView_ = new QCheckBox(tr("Judge the view"));
    replay_ = ui::toolButton(tr("Replay this workload"), {});
    verdict_ =
        ui::toolButton(tr("Verdict"), tr("Copy or save what the log says, with the lines that say so"));
    verdict_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(verdict_);
    menu->addAction(commands_.copyVerdict);
    menu->addAction(commands_.exportVerdict);
    verdict_->setMenu(menu);
    addControls({open, follow_, onlyView_, replay_, verdict_, progress_});
    progressTimer_.setInterval(progressShownMs);
    pollTimer_.setInterval(pollEveryMs);
    connect(open, &QToolButton::clicked, commands_.open, &QAction::trigger);
    connect(follow_, &QCheckBox::clicked, this, [this](bool on) {
        PageView::choose(on ? tr("Follow the log") : tr("Stop following the log"),
                         [on](Asked& next) { next.log.follow = on; });
    });
    connect(onlyView_, &QCheckBox::clicked, this, [this](bool on) {
        PageView::choose(on ? tr("Judge the view alone") : tr("Judge all of the log"),
                         [on](Asked& next) { next.log.onlyView = on; });
    });
    connect(replay_, &QToolButton::clicked, this, &ServerLogPage::replay);
    connect(commands_.exportVerdict, &QAction::triggered, this, &ServerLogPage::askToSaveVerdict);
    connect(commands_.copyVerdict, &QAction::triggered, this, &ServerLogPage::copyVerdict);
    connect(progress_, &ui::ProgressStrip::stopRequested, this, [this] {
        following_.reset();
        progressTimer_.stop();
        progress_->setStopped();
        workbench().stopFigure(Page::ServerLog);
        if (!shown_) {
            showEmpty();
        }
    });
    connect(progress_, &ui::ProgressStrip::resumeRequested, this,
            [this] { workbench().computeAgain(Page::ServerLog); });
    connect(&progressTimer_, &QTimer::timeout, this, [this] {
        const auto total = static_cast<double>(following_->reading.bytesTotal.load());
        const auto done = static_cast<double>(following_->reading.bytesDone.load());
        progress_->setShare(total > 0 ? std::min(done / total, 1.0) : 0);
    });
    connect(&pollTimer_, &QTimer::timeout, this, &ServerLogPage::poll);
}

void ServerLogPage::buildParts() {
    lower_ = new QSplitter(Qt::Horizontal);
    lower_->addWidget(findings_);
    lower_->addWidget(raw_);
    lower_->setChildrenCollapsible(false);
    lower_->setSizes({600, 400});
    lower_->setContentsMargins(2 * ui::spacing, 0, 2 * ui::spacing, ui::spacing);
    split_ = new QSplitter(Qt::Vertical);
    split_->addWidget(frame_);
    split_->addWidget(lower_);
    split_->setChildrenCollapsible(false);
    split_->setStretchFactor(0, 3);
    split_->setStretchFactor(1, 2);
    for (QSplitter* splitter : {split_, lower_}) {
        connect(splitter, &QSplitter::splitterMoved, this,
                [this] { sizes_ = split_->sizes() + lower_->sizes(); });
    }
    auto* scroll = new QScrollArea;
    ceiling_ = ui::mutedLabel({}, this);
    ceiling_->setWordWrap(true);
    ceiling_->setFont(ui::fontOf(0.9));
    ceiling_->setContentsMargins(ui::spacing, 0, ui::spacing, ui::spacing);
    auto* parameters = new QWidget;
    ui::columnOf({panel_, ceiling_, ui::Stretch{}}, 0, parameters);
    scroll->setWidget(parameters);
    showForm({}, {});
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedWidth(std::max(servedPanelWidth, panel_->minimumSizeHint().width() + 2 * ui::spacing));
    side_ = new ui::SideFold(scroll, tr("parameters"), this);
    static_cast<QVBoxLayout*>(layout())->addLayout(ui::rowOf({{split_, 1}, side_}, 0));
}

std::vector<std::string> ServerLogPage::files() const {
    return workbench().state().asked.log.files;
}

void ServerLogPage::followProgress() {
    if (files().empty()) {
        return;
    }
    following_ = workbench().progressOf(Page::ServerLog);
    progressTimer_.start();
    if (!shown_) {
        showEmpty();
    }
}

void ServerLogPage::unfollow() {
    following_.reset();
    progressTimer_.stop();
    progress_->clear();
}

/// Forgets the log before, so that nothing of it is shown under another log's name.
void ServerLogPage::forget() {
    judging_.clear();
    polling_.stop();
    reading_.stop();
    follower_.reset();
    read_.reset();
    log_.reset();
    shown_.reset();
    chosen_ = {};
    findings_->setVerdict(nullptr);
    raw_->setFiles({});
}

void ServerLogPage::showState(const WorkbenchState& state) {
    if (following_ && !workbench().progressOf(Page::ServerLog)) { // closed meanwhile
        unfollow();
    }
    panel_->setQuestion(ask::Question::of(state.asked.log));
    if (read_ && read_->files != files()) {
        forget();
    }
    if (!read_ && !following_) {
        const auto last = workbench().shown<LogRead>(Page::ServerLog);
        if (last && last->files == files()) { // read before
            show(last);
            return;
        }
    }
    if (!log_) {
        showEmpty();
    } else {
        judge(log_);
        if (state.page == Page::ServerLog) {
            redraw();
        }
    }
    keepFollowing();
    enableCommands();
}

void ServerLogPage::show(const std::shared_ptr<const LogRead>& read) {
    unfollow();
    if (read->files != files()) { // too late: something else is asked for
        return;
    }
    forget();
    read_ = read;
    if (read->log && read->log->known()) {
        raw_->setFiles(read->files);
        judge(read->log);
    } else {
        showEmpty();
    }
    keepFollowing();
    enableCommands();
}

/// For what is chosen to serve it; what is shown stays until then.
void ServerLogPage::judge(const std::shared_ptr<const ServerLog>& log) {
    log_ = log;
    judging_.request(
        this, {log, workbench().state().asked.log.served, workbench().state().asked.log.judged()},
        [last = shown_](const LogQuestion& question, const std::stop_token&) {
            return shownOf(question, last.get());
        },
        [this](const std::shared_ptr<const LogShown>& shown) { take(shown); });
}

void ServerLogPage::take(const std::shared_ptr<const LogShown>& shown) {
    shown_ = shown;
    findings_->setVerdict({shown_->figure, &shown_->figure->verdict});
    tiles_->setTiles(tilesOf(shown_->log()));
    showFound();
    redraw();
    enableCommands();
}

/// Everything that follows from what is in view and chosen, at once.
void ServerLogPage::redraw() {
    if (!shown_) {
        return;
    }
    const ui::LogView view{stretchOf(workbench().state().asked.log.stretch), chosen_};
    grid_->view(0)->setDrawing(ui::logTimeDrawing(shown_->scene, view));
    grid_->view(1)->setDrawing(ui::logRateDrawing(shown_->figure, chosen_));
    tiles_->show();
    lower_->show();
    showChosen();
}

/// The verdict first, then the chosen chart's sentence.
void ServerLogPage::showChosen() {
    const auto& drawing = grid_->view(grid_->chosen())->drawing();
    if (drawing && shown_) {
        const LogVerdict& verdict = shown_->figure->verdict;
        now_ = followedWords();
        frame_->setDrawing(drawing,
                           QString::fromStdString(now_ + (now_.empty() ? "" : " ") + verdict.headline) + ' ' +
                               drawing->sentence());
    }
}

void ServerLogPage::setTheme(ui::ThemeKind kind) {
    grid_->setTheme(kind);
    PageView::setTheme(kind);
}

ChartRequest ServerLogPage::request() const {
    ChartRequest request =
        requestOf(workbench(), *charts::logCharts.at(static_cast<std::size_t>(grid_->chosen())));
    if (shown_) {
        request.asked.log.served = settled(*shown_);
    }
    return request;
}

std::vector<ChartRequest> ServerLogPage::requests() const {
    return chartsOf(Page::ServerLog, request());
}

QList<int> ServerLogPage::parts() const {
    QList<int> fold = side_->chosen();
    fold.resize(2, 0); // the second is 0 where the hand has not decided
    return fold + sizes_;
}

void ServerLogPage::setParts(const QList<int>& parts) {
    constexpr qsizetype all = 6;
    if (parts.size() >= 2 && parts[1] == 1) {
        side_->setChosen(parts.mid(0, 2));
    }
    if (parts.size() == all) {
        sizes_ = parts.mid(2);
        split_->setSizes(sizes_.mid(0, 2));
        lower_->setSizes(sizes_.mid(2));
    }
}

} // namespace loadline::app
