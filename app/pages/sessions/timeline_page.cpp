// The Timeline page.
#include "app/pages/sessions/timeline_page.h"

#include "app/chart/session_chart.h"
#include "core/base/zone.h"
#include "core/workload/timeline/timeline_columns.h"
#include "ui/chart/timeline/timeline_chart.h"
#include "ui/model/session_tree_model.h"
#include "ui/panel/palette/command_palette.h"
#include "ui/panel/part/segments.h"
#include "ui/panel/sessions/prompt_turn_list.h"
#include "ui/panel/sessions/session_heading.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>
#include <numeric>

namespace loadline::app {
namespace {

constexpr TimelineAxis axes[] = {TimelineAxis::CompressedGaps, TimelineAxis::WallClock,
                                 TimelineAxis::TurnIndex};

/// "cli · opus-4-5, haiku-4-5 · 2026-01-20"
QString aboutOf(const Session& session, const Corpus& corpus) {
    QStringList parts;
    if (!session.project.empty()) {
        parts << QFileInfo(QString::fromStdString(session.project)).fileName();
    }
    QStringList models;
    for (const ModelIndex model : session.models) {
        models << ui::shortModelName(corpus.models[model]);
    }
    if (!models.isEmpty()) {
        parts << models.join(QStringLiteral(", "));
    }
    if (isKnown(session.firstTime)) {
        parts << QString::fromStdString(utcDay(asShown(session.firstTime)));
    }
    return parts.join(QStringLiteral(" \u00b7 "));
}

QString nameOf(const Session& session) {
    return QString::fromStdString(session.title.empty() ? session.sessionId : session.title);
}

/// Sessions in scope, those that used most first.
std::vector<SessionIndex> sessionsOf(const ScopedCorpus& scoped) {
    std::vector<SessionIndex> sessions;
    for (std::size_t i = 0; i < scoped.selection.sessionIn.size(); ++i) {
        if (scoped.selection.sessionIn[i] != 0) {
            sessions.push_back(static_cast<SessionIndex>(i));
        }
    }
    std::ranges::stable_sort(sessions, std::ranges::greater{}, [&](SessionIndex i) {
        const Usage& usage = scoped.corpus->sessions[i].totals.usage;
        return usage.context() + usage.output;
    });
    return sessions;
}

} // namespace

TimelinePage::TimelinePage(Workbench& bench)
    : PageView(bench), chart_(new ui::TimelineChart), turns_(new ui::PromptTurnList),
      split_(new QSplitter(Qt::Vertical)), heading_(new ui::SessionHeading),
      switcher_(new ui::CommandPalette(this, tr("Find a session in scope"))) {
    install(chart_, Page::Timeline);
    buildControls();
    auto* lower = new QWidget;
    auto* list = new QVBoxLayout(lower);
    list->setContentsMargins(2 * ui::spacing, ui::spacing, 2 * ui::spacing, ui::spacing);
    list->setSpacing(ui::spacing / 2);
    turnsTitle_ = new QLabel;
    connect(turns_, &ui::PromptTurnList::narrowed, this, [this](bool narrow) {
        turnsNarrow_ = narrow;
        titleTurns();
    });
    titleTurns();
    turnsTitle_->setFont(ui::fontOf(1.0, true));
    turnsTitle_->setBuddy(turns_);
    ui::setTip(turnsTitle_,
               tr("Of what the chart shows. A click selects turns and sums them, a double click or "
                  "Enter shows one in the chart"));
    list->addWidget(turnsTitle_);
    list->addWidget(turns_);
    split_->addWidget(frame_);
    split_->addWidget(lower);
    split_->setStretchFactor(0, 1);
    split_->setChildrenCollapsible(true);
    split_->setCollapsible(0, false);
    split_->setSizes({470, 190});
    auto* column = static_cast<QVBoxLayout*>(layout());
    column->addWidget(heading_);
    QMargins margins = frame_->layout()->contentsMargins();
    margins.setTop(0); // the session's heading is right above
    frame_->layout()->setContentsMargins(margins);
    column->addWidget(split_, 1);

    connectChart();
    connect(turns_, &ui::PromptTurnList::turnActivated, this, &TimelinePage::jumpTo);
    connect(turns_, &ui::PromptTurnList::turnsChosen, this, &TimelinePage::chooseTurns);
    connect(frame_, &ui::ChartFrame::rowsChosen, this, &TimelinePage::chooseCalls);
    connect(&workbench(), &Workbench::stateChanged, this, &TimelinePage::showState);
    connect(&workbench(), &Workbench::selectedChanged, this, &TimelinePage::listTurns);
    follow<TimelineShown>(Page::Timeline, [this](const auto& shown) { show(shown); });
    showState(workbench().state());
}

void TimelinePage::buildControls() {
    axis_ = new ui::Segments(tr("Axis"),
                             {{tr("gaps cut"), tr("Wall-clock time; idle gaps are cut to a short stretch")},
                              {tr("clock"), tr("Wall-clock time as it was")},
                              {tr("call by call"), tr("Every API call takes the same width")}});
    QHBoxLayout* row = frame_->controls();
    row->addWidget(axis_);
    row->addStretch(1);

    connect(axis_, &ui::Segments::chosen, this, [this](int i) {
        chart_->setView({axes[i], chart_->view().start, chart_->view().end});
        ui::TimelineView view = chart_->view();
        view.axis = axes[i];
        zoomTo(tr("Change the axis"), view);
    });
    connect(heading_, &ui::SessionHeading::previousRequested, this, [this] { step(-1); });
    connect(heading_, &ui::SessionHeading::nextRequested, this, [this] { step(1); });
    connect(heading_, &ui::SessionHeading::choiceRequested, this, &TimelinePage::chooseSession);
    connect(switcher_, &ui::CommandPalette::activated, this,
            [this](const QString& key) { workbench().openTimeline(key.toStdString()); });
}

void TimelinePage::connectChart() {
    connect(chart_, &ui::TimelineChart::viewChanged, this,
            [this](const ui::TimelineView& view) { zoomTo(tr("Zoom"), view, Merge::Zoom); });
    connect(chart_, &ui::TimelineChart::itemPinned, this,
            [this](const std::optional<ui::TimelineItem>& item) {
                workbench().pin(item && shown_ ? std::optional(PinnedItem{shown_->session, *item})
                                               : std::nullopt);
            });
    connect(chart_, &ui::TimelineChart::rangeSelected, this, [this](TimeMs from, TimeMs to) {
        Scope scope = workbench().state().scope;
        scope.from = from;
        scope.to = TimeMs{to.ms + 1}; // the scope's range is half open
        workbench().setScope(scope, tr("Select a range of time"), Merge::Brush);
    });
    connect(chart_, &ui::TimelineChart::lanesSelected, this, [this](const QStringList& names) {
        Scope scope = workbench().state().scope;
        scope.agents.clear();
        for (const QString& name : names) {
            scope.agents.push_back(name.toStdString());
        }
        if (!names.isEmpty() && shown_) { // other sessions may have lanes of the same name
            scope.sessions = {shown_->session};
        }
        workbench().setScope(scope, names.isEmpty() ? tr("Select all lanes") : tr("Select a lane"));
    });
    connect(chart_, &ui::TimelineChart::rangeCleared, this, [this] {
        Scope scope = workbench().state().scope;
        scope.from.reset();
        scope.to.reset();
        workbench().setScope(scope, tr("Clear the range of time"));
    });
}

/// Sets the view of the session shown.
void TimelinePage::zoomTo(const QString& what, const ui::TimelineView& view, Merge merge) {
    Asked next = workbench().state().asked;
    next.sessions.timeline = view;
    if (shown_) {
        next.sessions.zoomed = shown_->session;
    }
    workbench().setAsked(next, what, merge);
}

void TimelinePage::showState(const WorkbenchState& state) {
    axis_->setCurrent(static_cast<int>(
        std::find(std::begin(axes), std::end(axes), state.asked.sessions.timeline.axis) - axes));
    std::optional<ui::TimeRange> range;
    if (state.scope.from && state.scope.to) {
        range = ui::TimeRange{*state.scope.from, TimeMs{state.scope.to->ms - 1}};
    }
    chart_->setHighlightedRange(range);
    if (!shown_ || !shown_->timeline) {
        return;
    }
    chart_->setView(state.asked.sessions.timelineOf(shown_->session));
    showSelected(state);
    const bool here = state.pinned && state.pinned->session == shown_->session;
    if (const auto item = here ? std::optional(state.pinned->item) : std::nullopt; item != chart_->pinned()) {
        chart_->setPinned(item);
    }
}

void TimelinePage::show(const std::shared_ptr<const TimelineShown>& shown) {
    shown_ = shown;
    rowsMarked_.reset();
    chart_->setTimeline(shown->timeline, shown->scoped->corpus);
    frame_->setDrawing(shown->drawing);
    turnsListed_.reset();
    turns_->setTurns({shown, &shown->turns}); // shares the ownership of the figure
    titleTurns();
    showHeading();
    if (!shown->timeline) {
        showNothing();
    }
    showState(workbench().state());
}

void TimelinePage::showHeading() {
    if (!shown_->timeline) {
        heading_->clear();
        return;
    }
    const Corpus& corpus = *shown_->scoped->corpus;
    const std::vector<SessionIndex> sessions = sessionsOf(*shown_->scoped);
    const auto at = std::ranges::find(sessions, shown_->timeline->session) - sessions.begin();
    const Session& session = corpus.sessions[shown_->timeline->session];
    heading_->setSession(nameOf(session), aboutOf(session, corpus), static_cast<int>(at) + 1,
                         static_cast<int>(sessions.size()));
}

void TimelinePage::chooseSession() {
    if (!shown_) {
        return;
    }
    std::vector<ui::PaletteEntry> entries;
    const Corpus& corpus = *shown_->scoped->corpus;
    for (const SessionIndex i : sessionsOf(*shown_->scoped)) {
        const Session& session = corpus.sessions[i];
        const Usage& usage = session.totals.usage;
        entries.push_back({QString::fromStdString(session.key), nameOf(session), aboutOf(session, corpus),
                           ui::countText(static_cast<double>(usage.context() + usage.output))});
    }
    switcher_->setEntries(std::move(entries));
    switcher_->popUp();
}

/// To the session in scope that used less than this one (+1), or more (-1).
void TimelinePage::step(int by) {
    if (!shown_ || !shown_->timeline) {
        return;
    }
    const std::vector<SessionIndex> sessions = sessionsOf(*shown_->scoped);
    const auto at = std::ranges::find(sessions, shown_->timeline->session) - sessions.begin();
    const auto next = static_cast<std::size_t>(at + by);
    if (next < sessions.size()) {
        workbench().openTimeline(shown_->scoped->corpus->sessions[sessions[next]].key);
    }
}

void TimelinePage::setTheme(ui::ThemeKind kind) {
    chart_->setTheme(kind);
    PageView::setTheme(kind);
}

ChartRequest TimelinePage::request() const {
    ChartRequest request = requestOf(workbench(), charts::timeline);
    if (shown_) {
        request.asked.sessions.session = shown_->session;
    }
    request.asked.sessions.timeline =
        workbench().state().asked.sessions.timelineOf(request.asked.sessions.session);
    return request;
}

void TimelinePage::zoomIn() {
    chart_->zoomIn();
}

void TimelinePage::zoomOut() {
    chart_->zoomOut();
}

void TimelinePage::fit() {
    chart_->fit();
}

QList<int> TimelinePage::parts() const {
    return split_->sizes();
}

void TimelinePage::setParts(const QList<int>& split) {
    if (split.size() == split_->count() && std::accumulate(split.begin(), split.end(), 0) > 0) {
        split_->setSizes(split);
    }
}

} // namespace loadline::app
