// The Timeline page.
#include "app/pages/timeline_page.h"

#include "app/chart/session_chart.h"
#include "core/workload/timeline/timeline_columns.h"
#include "ui/chart/timeline/timeline_chart.h"
#include "ui/panel/part/segments.h"
#include "ui/panel/sessions/prompt_turn_list.h"
#include "ui/theme/icons.h"
#include "ui/theme/plain_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace loadline::app {
namespace {

constexpr TimelineAxis axes[] = {TimelineAxis::CompressedGaps, TimelineAxis::WallClock,
                                 TimelineAxis::TurnIndex};

QToolButton* stepButton(const QString& tip) {
    auto* button = new QToolButton;
    ui::setTip(button, tip);
    button->setAccessibleName(tip);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

} // namespace

TimelinePage::TimelinePage(Workbench& bench)
    : PageView(bench), chart_(new ui::TimelineChart), turns_(new ui::PromptTurnList),
      split_(new QSplitter(Qt::Vertical)), session_(new QLabel) {
    install(chart_, Page::Timeline);
    buildControls();
    auto* lower = new QWidget;
    auto* column = new QVBoxLayout(lower);
    column->setContentsMargins(2 * ui::spacing, ui::spacing, 2 * ui::spacing, ui::spacing);
    column->setSpacing(ui::spacing / 2);
    auto* heading = new QLabel(tr("Prompt turns that used most"));
    heading->setFont(ui::fontOf(1.0, true));
    heading->setBuddy(turns_);
    column->addWidget(heading);
    column->addWidget(turns_);
    split_->addWidget(frame_);
    split_->addWidget(lower);
    split_->setStretchFactor(0, 1);
    split_->setChildrenCollapsible(true);
    split_->setCollapsible(0, false);
    split_->setSizes({470, 190});
    layout()->addWidget(split_);

    connectChart();
    connect(turns_, &ui::PromptTurnList::turnActivated, this, &TimelinePage::jumpTo);
    connect(&workbench(), &Workbench::stateChanged, this, &TimelinePage::showState);
    follow<TimelineShown>(Page::Timeline, [this](const auto& shown) { show(shown); });
    showState(workbench().state());
}

void TimelinePage::buildControls() {
    previous_ = stepButton(tr("Previous session in scope"));
    next_ = stepButton(tr("Next session in scope"));
    session_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    session_->setTextFormat(Qt::PlainText);
    axis_ = new ui::Segments(tr("Axis"),
                             {{tr("gaps cut"), tr("Wall-clock time; idle gaps are cut to a short stretch")},
                              {tr("clock"), tr("Wall-clock time as it was")},
                              {tr("call by call"), tr("Every API call takes the same width")}});
    QHBoxLayout* row = frame_->controls();
    row->addWidget(previous_);
    row->addWidget(next_);
    row->addWidget(axis_);
    row->addWidget(session_, 1);

    connect(axis_, &ui::Segments::chosen, this, [this](int i) {
        chart_->setView({axes[i], chart_->view().start, chart_->view().end});
        ui::TimelineView view = chart_->view();
        view.axis = axes[i];
        zoomTo(tr("Change the axis"), view);
    });
    connect(previous_, &QToolButton::clicked, this, [this] { step(-1); });
    connect(next_, &QToolButton::clicked, this, [this] { step(1); });
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
    connect(chart_, &ui::TimelineChart::rangeCleared, this, [this] {
        Scope scope = workbench().state().scope;
        scope.from.reset();
        scope.to.reset();
        workbench().setScope(scope, tr("Clear the range of time"));
    });
}

/// Of the session shown.
void TimelinePage::zoomTo(const QString& what, const ui::TimelineView& view, Merge merge) {
    Choices next = workbench().state().choices;
    setTimelineView(next, view);
    if (shown_) {
        next.set(choices::zoomedSession, shown_->session);
    }
    workbench().setChoices(next, what, merge);
}

void TimelinePage::showState(const WorkbenchState& state) {
    axis_->setCurrent(
        static_cast<int>(std::find(std::begin(axes), std::end(axes), state.choices[choices::axis]) - axes));
    std::optional<ui::TimeRange> range;
    if (state.scope.from && state.scope.to) {
        range = ui::TimeRange{*state.scope.from, TimeMs{state.scope.to->ms - 1}};
    }
    chart_->setHighlightedRange(range);
    if (!shown_ || !shown_->timeline) {
        return;
    }
    chart_->setView(timelineView(state.choices, shown_->session));
    const bool here = state.pinned && state.pinned->session == shown_->session;
    if (const auto item = here ? std::optional(state.pinned->item) : std::nullopt; item != chart_->pinned()) {
        chart_->setPinned(item);
    }
}

void TimelinePage::show(const std::shared_ptr<const TimelineShown>& shown) {
    shown_ = shown;
    chart_->setTimeline(shown->timeline, shown->scoped->corpus);
    frame_->setDrawing(shown->drawing);
    turns_->setTurns({shown, &shown->turns}); // shares the ownership of the figure
    session_->setText(shown->timeline ? ui::lineText(shown->timeline->title) : QString());
    ui::setTip(session_, session_->text());
    const bool several = shown->scoped->selection.sessions > 1;
    previous_->setEnabled(several);
    next_->setEnabled(several);
    if (!shown->timeline) {
        showNothing();
    }
    showState(workbench().state());
}

void TimelinePage::jumpTo(const SessionPromptTurn& turn) {
    if (!shown_ || !shown_->timeline) {
        return;
    }
    const Timeline& timeline = *shown_->timeline;
    const TimelineScale scale(timeline, workbench().state().choices[choices::axis]);
    double start = scale.extent(), end = 0;
    for (const CallSpan& call : timeline.calls) {
        if (isKnown(turn.start) && isKnown(turn.end) && call.end >= turn.start && call.start <= turn.end) {
            start = std::min(start, scale.startOf(call));
            end = std::max(end, scale.endOf(call));
        }
    }
    if (start > end) {
        return;
    }
    const double margin = std::max((end - start) * 0.05, scale.extent() * 1e-4);
    zoomTo(tr("Show a turn"),
           {scale.axis(), std::max(0.0, start - margin), std::min(scale.extent(), end + margin)});
    for (std::size_t i = 0; i < timeline.marks.size(); ++i) {
        if (timeline.marks[i].evidence == turn.evidence) {
            workbench().pin(
                PinnedItem{shown_->session, {ui::TimelineItem::Kind::Mark, static_cast<std::uint32_t>(i)}});
            break;
        }
    }
}

void TimelinePage::step(int by) {
    if (!shown_ || !shown_->timeline) {
        return;
    }
    const auto& in = shown_->scoped->selection.sessionIn;
    const auto count = static_cast<std::int64_t>(in.size());
    std::int64_t at = shown_->timeline->session;
    do {
        at = (at + by + count) % count;
    } while (!in[static_cast<std::size_t>(at)] && at != shown_->timeline->session);
    workbench().openTimeline(shown_->scoped->corpus->sessions[static_cast<std::size_t>(at)].key);
}

void TimelinePage::setTheme(ui::ThemeKind kind) {
    chart_->setTheme(kind);
    PageView::setTheme(kind);
    previous_->setIcon(ui::icon("previous", ui::Theme::of(kind)));
    next_->setIcon(ui::icon("next", ui::Theme::of(kind)));
}

ChartRequest TimelinePage::request() const {
    ChartRequest request = requestOf(workbench(), charts::timeline);
    if (shown_) {
        request.choices.set(choices::session, shown_->session);
    }
    setTimelineView(request.choices,
                    timelineView(workbench().state().choices, request.choices[choices::session]));
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
