// The Cache page: its parts, and what they show.
#include "app/pages/cache/cache_page.h"

#include "app/asked/asked.h"
#include "app/chart/cache_chart.h"
#include "app/page/page_picture.h"
#include "app/page/page_spec.h"
#include "core/cache/figure/cache_words.h"
#include "core/cache/provider/call_before.h"
#include "ui/chart/cache/cache_drawings.h"
#include "ui/form/field_form.h"
#include "ui/panel/cache/break_list.h"
#include "ui/panel/cache/tier_editor.h"
#include "ui/panel/frame/side_fold.h"
#include "ui/panel/part/figure_tiles.h"
#include "ui/panel/part/progress_strip.h"
#include "ui/panel/part/quiet_box.h"
#include "ui/panel/part/segments.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/boxes.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <span>

namespace loadline::app {
namespace {

constexpr int cachePanelWidth = 32 * ui::spacing;
constexpr int progressEveryMs = 200; ///< and from then on: what is shorter does not blink
constexpr std::size_t worstBreaks = 5;

QStringList cacheTitles() {
    QStringList titles;
    for (const ChartSpec* chart : charts::cacheCharts) {
        titles << chart->title();
    }
    return titles;
}

ui::FieldForm* formOfCaches() {
    using ask::FormPart;
    const ui::FormWords words{{{FormPart::Asks, QObject::tr("What a token takes")},
                               {FormPart::Holds, QObject::tr("Where it is kept, and for how long")},
                               {FormPart::Costs, QObject::tr("What it frees")},
                               {FormPart::View, QObject::tr("What counts")}},
                              {}};
    return new ui::FieldForm(cacheFields(), ask::Question::of(CacheQuestion()), words,
                             {{"tiers", ui::tierRowOf}});
}

/// "68 prefix breaks paid for ...; beside them 6 compactions ...; the five worst for ..."
QString wordsOfBreaks(const std::vector<PrefixBreak>& breaks) {
    const std::span<const PrefixBreak> all(breaks);
    const Tokens worst = totalsOf(all.first(std::min(all.size(), worstBreaks))).paidAgain; // most first
    const QString text = QString::fromStdString(wordsOf(totalsOf(all)));
    return breaks.size() <= worstBreaks ? text
                                        : QObject::tr("%1; the five worst for %2")
                                              .arg(text, ui::countText(static_cast<double>(worst)));
}

} // namespace

CachePage::CachePage(Workbench& bench)
    : PageView(bench), grid_(new ui::ChartGrid(cacheTitles())), panel_(formOfCaches()),
      tiles_(new ui::FigureTiles), breaks_(new ui::BreakList), breaksTitle_(new QLabel),
      progress_(new ui::ProgressStrip(tr("Counting"))) {
    install(grid_, Page::Cache);
    grid_->setLead(2, 3);                                                 // a table
    static_cast<QVBoxLayout*>(frame_->layout())->insertWidget(1, tiles_); // under the sentence
    buildControls();
    buildParts();
    connect(frame_, &ui::ChartFrame::emptyActionRequested, this, &CachePage::mendEmpty);
    connect(grid_, &ui::ChartGrid::hovered, this, &PageView::hovered);
    connect(grid_, &ui::ChartGrid::chosenChanged, this, &CachePage::showChosen);
    connect(grid_, &ui::ChartGrid::dragBegan, this, [this] { began_ = settings(); });
    connect(grid_, &ui::ChartGrid::changed, this,
            [this](int, const ui::PlotChange& change, bool finished) { takeDrag(change, finished); });
    connectDrags(panel_);
    connect(panel_, &ui::FieldForm::changed, this,
            [this](const ask::Question& question, bool finished, const ask::Field& field) {
                Asked next = workbench().state().asked;
                next.cache = settled(next.cache, question.as<CacheQuestion>(), settings().longestTurn);
                workbench().setAsked(next, QString::fromStdString(ask::nameOfChange(field)),
                                     finished ? Merge::Parameter : Merge::Drag);
            });
    followBreaks();
    connect(&bench, &Workbench::figureBegan, this, [this](Page page) {
        if (page == Page::Cache) {
            followProgress();
        }
    });
    connect(&bench, &Workbench::failed, this, [this] {
        unfollow();
        if (!shown_) {
            showEmpty();
        }
    });
    connect(&bench, &Workbench::stateChanged, this, &CachePage::showState);
    connect(&bench, &Workbench::corpusChanged, this, [this] { showState(workbench().state()); });
    follow<CacheShown>(Page::Cache, [this](const auto& shown) { show(shown); });
    if (const auto last = bench.shown<CacheShown>(Page::Cache)) {
        show(last);
    }
    if (bench.progressOf(Page::Cache)) {
        followProgress();
    }
    showState(bench.state());
}

void CachePage::buildControls() {
    requestsOf_ = new ui::QuietBox;
    requestsOf_->setAccessibleName(tr("Requests of"));
    requestsOf_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    requestsOf_->setMinimumContentsLength(12);
    ui::setTip(requestsOf_, tr("The session or conversation whose requests are shown"));
    auto* whose = new QLabel(tr("Whose requests are shown"));
    whose->setFont(ui::fontOf(1, true));
    whose->setBuddy(requestsOf_);
    requestsBox_ = new QWidget;
    ui::columnOf({whose, requestsOf_}, ui::spacing / 2, requestsBox_,
                 {ui::spacing, 0, ui::spacing + ui::spacing / 2, ui::spacing});
    using Choice = ui::Segments::Choice;
    source_ = new ui::Segments(
        tr("Of"), {Choice{tr("sessions"), tr("Those in scope: the provider's cache from their usage, an "
                                             "engine's from blocks rebuilt from it")},
                   Choice{tr("trace"), tr("The request trace that was opened, with blocks of its own")}});
    auto* open = ui::toolButton(
        tr("Open\u2026"), tr("A request trace with blocks (Mooncake, kv-cache-tester, Qwen-Bailian), or "
                             "an archive of them; folders are dropped on the window"));
    simulate_ = ui::toolButton(tr("Simulate with this cache"), {});
    addControls({source_, open, simulate_, progress_});
    progressTimer_.setInterval(progressEveryMs);

    connect(source_, &ui::Segments::chosen, this, [this](int i) {
        if (i == 1 && workbench().state().asked.cache.trace.empty()) {
            askForTrace();
            showState(workbench().state());
            return;
        }
        choose(i == 0 ? tr("Show the sessions' caches") : tr("Show the trace's caches"),
               [i](Asked& next) { next.cache.traceShown = i == 1; });
    });
    connect(open, &QToolButton::clicked, this, &CachePage::askForTrace);
    connect(requestsOf_, &QComboBox::activated, this, &CachePage::chooseRequests);
    connect(simulate_, &QToolButton::clicked, this, &CachePage::simulate);
    connect(progress_, &ui::ProgressStrip::stopRequested, this, [this] {
        following_.reset();
        progressTimer_.stop();
        progress_->setStopped();
        workbench().stopFigure(Page::Cache);
        if (frame_->isEmpty()) { // else what is shown stays
            shown_.reset();
            showEmpty();
        }
    });
    connect(progress_, &ui::ProgressStrip::resumeRequested, this,
            [this] { workbench().computeAgain(Page::Cache); });
    connect(&progressTimer_, &QTimer::timeout, this, [this] {
        const Progress& reading = following_->reading;
        const double total = static_cast<double>(reading.bytesTotal.load());
        const double read = total > 0 ? static_cast<double>(reading.bytesDone.load()) / total : 0;
        const double counted = following_->counting.share();
        progress_->setShare(total > 0 ? (std::min(read, 1.0) + counted) / 2 : counted);
    });
}

void CachePage::buildParts() {
    lower_ = new QWidget;
    breaksTitle_->setFont(ui::fontOf(1.0, true));
    breaksTitle_->setBuddy(breaks_);
    breaksTitle_->setWordWrap(true); // of one line it would widen the page
    ui::setTip(breaksTitle_, tr("Calls that read little of what the call before had left in the provider's "
                                "cache; a double click or Enter shows one in its timeline"));
    ui::columnOf({breaksTitle_, {breaks_, 1}}, ui::spacing / 2, lower_,
                 QMargins(2 * ui::spacing, ui::spacing / 2, 2 * ui::spacing, ui::spacing));
    split_ = new QSplitter(Qt::Vertical);
    split_->addWidget(frame_);
    split_->addWidget(lower_);
    split_->setStretchFactor(0, 1);
    split_->setCollapsible(0, false);
    split_->setSizes({560, 130});
    connect(split_, &QSplitter::splitterMoved, this, [this] { sizes_ = split_->sizes(); });
    auto* scroll = new QScrollArea;
    auto* parameters = new QWidget;
    ui::columnOf({panel_, requestsBox_, ui::Stretch{}}, 0, parameters);
    scroll->setWidget(parameters);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedWidth(std::max(cachePanelWidth, panel_->minimumSizeHint().width() + 2 * ui::spacing));
    side_ = new ui::SideFold(scroll, tr("parameters"), this);
    static_cast<QVBoxLayout*>(layout())->addLayout(ui::rowOf({{split_, 1}, side_}, 0));
}

void CachePage::followProgress() {
    following_ = workbench().progressOf(Page::Cache);
    progressTimer_.start();
    if (frame_->isEmpty()) {
        frame_->setEmpty(tr("Counting\u2026"));
    }
}

void CachePage::unfollow() {
    following_.reset();
    progressTimer_.stop();
    progress_->clear();
}

CacheSettings CachePage::settings() const {
    return settingsOf(workbench().state().asked.cache,
                      shown_ && shown_->figure ? shown_->figure->longestTurn() : 0);
}

void CachePage::showState(const WorkbenchState& state) {
    if (following_ && !workbench().progressOf(Page::Cache)) { // closed meanwhile
        unfollow();
    }
    const bool ofTrace = !state.asked.cache.shownTrace().empty();
    source_->setCurrent(ofTrace ? 1 : 0);
    showForm();
    if (shown_ && (!isAskedFor(*shown_) || (!ofTrace && !workbench().corpus()))) {
        shown_.reset(); // of something else: nothing of it is shown under another name
    }
    if (!shown_ && !following_) { // counted before, for what is shown again
        const auto last = workbench().shown<CacheShown>(Page::Cache);
        if (last && isAskedFor(*last) && (ofTrace || last->scoped == workbench().scoped())) {
            show(last);
            return;
        }
    }
    if (!shown_) {
        showEmpty();
    } else if (state.page == Page::Cache) {
        redraw();
    }
}

/// True if it is of the trace and the agents that are chosen.
bool CachePage::isAskedFor(const CacheShown& shown) const {
    const Asked& now = workbench().state().asked;
    return shown.trace == now.cache.shownTrace() && shown.agents == now.cache.agents();
}

void CachePage::show(const std::shared_ptr<const CacheShown>& shown) {
    unfollow();
    if (!isAskedFor(*shown)) { // too late: something else is asked for
        shown_.reset();
        showEmpty();
        return;
    }
    shown_ = shown;
    requests_.reset();
    break_ = nullptr;
    const bool nothing = shown->error || shown->figure->input().n == 0;
    breaks_->setFigure(nothing ? nullptr : shown->figure);
    if (nothing) {
        showEmpty();
        return;
    }
    fillRequests();
    redraw();
}

/// Everything that follows from what is set, at once: nothing of it is counted again.
void CachePage::redraw() {
    if (shown_->error || shown_->figure->input().n == 0) {
        return;
    }
    const WorkbenchState& state = workbench().state();
    const CacheSettings settings = this->settings();
    showForm(); // the usual replica follows from the longest turn
    const std::pair key(state.asked.sessions.session, settings.chain);
    if (!requests_ || key != requestsKey_) {
        requestsKey_ = key;
        requests_ = requestsShown(*shown_, key.first, key.second);
        requestsOf_->setCurrentIndex(
            std::max(0, requestsOf_->findData(QString::fromStdString(requests_->key))));
    }
    for (int i = 0; i < grid_->count(); ++i) {
        grid_->view(i)->setDrawing(ui::drawingOf(ui::cacheCharts.at(static_cast<std::size_t>(i)),
                                                 shown_->figure, settings, requests_, break_));
    }
    const CacheFigure& figure = *shown_->figure;
    lower_->setVisible(figure.ofSessions());
    if (figure.ofSessions()) {
        const ProviderFigures& provider = *figure.requests.provider;
        const std::string missing = wordsOfMissingParents(provider.callsWithoutParent);
        breaksTitle_->setText(
            !provider.recordsCache()
                ? tr("Prefix breaks: not recorded, as the logs record no cache")
                : wordsOfBreaks(provider.breaks) +
                      (missing.empty() ? QString() : QStringLiteral(". ") + QString::fromStdString(missing)));
    }
    offerToSimulate();
    showTiles(settings);
    showChosen();
}

void CachePage::showForm() {
    static const ui::FieldLists lists = {{"cache-model", ui::cacheModelEntries()}};
    ask::Sources sources;
    sources.put<CacheFigure>(shown_ ? shown_->figure : nullptr);
    panel_->setSources(sources, lists);
    panel_->setQuestion(ask::Question::of(workbench().state().asked.cache));
}

void CachePage::showTiles(const CacheSettings& settings) {
    const CacheFigure& figure = *shown_->figure;
    tiles_->setVisible(figure.tellsReuse());
    std::vector<ui::FigureTile> tiles;
    for (const CacheFact& fact : cacheFactsOf(figure, settings)) {
        tiles.push_back({QString::fromStdString(fact.value),
                         QString::fromStdString(fact.label),
                         QString::fromStdString(fact.meaning),
                         {}});
    }
    tiles_->setTiles(std::move(tiles));
}

/// The page's answer first, then the chosen chart's.
void CachePage::showChosen() {
    const auto& drawing = grid_->view(grid_->chosen())->drawing();
    if (!drawing || !shown_ || !shown_->figure) {
        return;
    }
    const QString answer = cachePageSentence(*shown_->figure, settings());
    const bool more = !answer.startsWith(drawing->sentence());
    frame_->setDrawing(drawing, more ? answer + u' ' + drawing->sentence() : answer);
}

void CachePage::setTheme(ui::ThemeKind kind) {
    grid_->setTheme(kind);
    PageView::setTheme(kind);
}

ChartRequest CachePage::request() const {
    ChartRequest request =
        requestOf(workbench(), *charts::cacheCharts.at(static_cast<std::size_t>(grid_->chosen())));
    request.asked.cache.trace = request.asked.cache.shownTrace();
    if (!requests_ || requests_->key != request.asked.cache.chain) {
        request.asked.cache.chain = ""; // of another trace
    }
    return request;
}

std::vector<ChartRequest> CachePage::requests() const {
    return chartsOf(Page::Cache, request());
}

QList<int> CachePage::parts() const {
    QList<int> fold = side_->chosen();
    fold.resize(2, 0); // the second is 0 where the hand has not decided
    return fold + sizes_;
}

void CachePage::setParts(const QList<int>& parts) {
    if (parts.size() >= 2 && parts[1] == 1) {
        side_->setChosen(parts.mid(0, 2));
    }
    if (parts.size() == 4) {
        sizes_ = parts.mid(2);
        split_->setSizes(sizes_);
    }
}

} // namespace loadline::app
