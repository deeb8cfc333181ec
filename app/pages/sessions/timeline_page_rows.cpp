// Rows of the Timeline page: the list of prompt turns, and what is chosen of turns and calls.
#include "app/pages/sessions/timeline_page.h"
#include "core/workload/timeline/timeline_columns.h"
#include "ui/chart/timeline/timeline_chart.h"
#include "ui/panel/sessions/prompt_turn_list.h"
#include "ui/theme/format.h"

#include <QLabel>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace loadline::app {

void TimelinePage::showSelected(const WorkbenchState& state) {
    chart_->setSelectedLanes(ui::listFromUtf8(state.scope.agents));
    std::vector<TimeMs> starts;
    std::vector<ui::TimeRange> stretches;
    const bool here = state.rows && !state.rows->group && state.rows->session == shown_->session;
    const bool calls = here && state.rows->calls;
    if (state.rows != rowsMarked_) { // else the hand's own, of which some are no calls
        rowsMarked_ = state.rows;
        frame_->setChosenRows(calls ? rowsOfCalls(*state.rows) : QList<int>());
    }
    for (const SessionPromptTurn& turn : shown_->turns) {
        if (here && !calls && std::ranges::find(state.rows->keys, keyOf(turn)) != state.rows->keys.end()) {
            starts.push_back(turn.start);
            if (isKnown(turn.from) && isKnown(turn.end)) {
                stretches.push_back({turn.from, turn.end});
            }
        }
    }
    turns_->setChosen(starts);
    chart_->setMarkedStretches(std::move(stretches));
}

void TimelinePage::chooseTurns(const std::vector<TimeMs>& starts) {
    if (!shown_) {
        return;
    }
    ChosenRows rows{.group = {}, .session = shown_->session, .keys = {}};
    for (const SessionPromptTurn& turn : shown_->turns) {
        if (std::ranges::find(starts, turn.start) != starts.end()) {
            rows.keys.push_back(keyOf(turn));
        }
    }
    workbench().setRows(std::move(rows));
}

/// Chooses the rows of the table twin that are calls of the session's own; other rows are ignored.
void TimelinePage::chooseCalls(const QList<int>& tableRows) {
    if (!shown_ || !shown_->timeline) {
        return;
    }
    ChosenRows rows{.group = {}, .session = shown_->session, .keys = {}, .calls = true};
    const std::vector<TimelineTableRow> order = tableRowsOf(*shown_->timeline);
    for (const int i : tableRows) {
        const TimelineTableRow& row = order[static_cast<std::size_t>(i)];
        if (row.kind != TimelineTableRow::Kind::Call) {
            continue;
        }
        if (const CallSpan& call = shown_->timeline->calls[row.item]; call.hit && !call.inherited) {
            rows.keys.push_back(keyOf(call, *shown_->scoped->corpus));
        }
    }
    rowsMarked_ = rows.keys.empty() ? std::nullopt : std::optional(rows);
    workbench().setRows(std::move(rows));
}

/// Returns the rows of the chosen calls in the table twin.
QList<int> TimelinePage::rowsOfCalls(const ChosenRows& rows) const {
    const std::set<std::string_view> keys(rows.keys.begin(), rows.keys.end());
    const std::vector<TimelineTableRow> order = tableRowsOf(*shown_->timeline);
    QList<int> tableRows;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (order[i].kind == TimelineTableRow::Kind::Call &&
            keys.contains(keyOf(shown_->timeline->calls[order[i].item], *shown_->scoped->corpus))) {
            tableRows << static_cast<int>(i);
        }
    }
    return tableRows;
}

/// Those in view, as headline and strip speak of; the sum of chosen rows leaves the list as it is.
void TimelinePage::listTurns(const std::shared_ptr<const SelectionShown>& selected) {
    const auto same = [](const SessionPromptTurn& a, const SessionPromptTurn& b) {
        return a.evidence == b.evidence && a.tokens() == b.tokens() && a.from == b.from && a.end == b.end;
    };
    const auto& next = selected->turnsInView;
    if (!shown_ || !shown_->timeline || workbench().state().page != Page::Timeline ||
        (!next && !turnsListed_) ||
        (next && turnsListed_ && std::ranges::equal(*next, *turnsListed_, same))) {
        return;
    }
    turnsListed_ = next;
    turns_->setTurns(next ? next : std::shared_ptr<const ui::PromptTurnModel::Turns>(shown_, &shown_->turns));
    titleTurns();
    showSelected(workbench().state());
}

void TimelinePage::titleTurns() {
    const QString title =
        turnsListed_ ? tr("Prompt turns in view that used most") : tr("Prompt turns that used most");
    turnsTitle_->setText(turnsNarrow_ ? tr("%1 (wider: their context and duration)").arg(title) : title);
}

void TimelinePage::jumpTo(const SessionPromptTurn& listed) {
    if (!shown_ || !shown_->timeline) {
        return;
    }
    const auto whole = std::ranges::find(shown_->turns, keyOf(listed),
                                         [](const SessionPromptTurn& one) { return keyOf(one); });
    const SessionPromptTurn turn = whole != shown_->turns.end() ? *whole : listed;
    const Timeline& timeline = *shown_->timeline;
    const TimelineScale scale(timeline, workbench().state().asked.sessions.timeline.axis);
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

} // namespace loadline::app
