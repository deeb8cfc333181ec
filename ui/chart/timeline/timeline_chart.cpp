// The live timeline of one session: what it holds, how it is laid out and painted.
#include "ui/chart/timeline/timeline_chart.h"

#include "ui/chart/timeline/timeline_chart_state.h"
#include "ui/chart/timeline/timeline_text.h"
#include "ui/theme/plain_text.h"

#include <QAccessible>
#include <QEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace loadline::ui {

namespace {

constexpr int overviewHeight = 44, overviewGap = 6;

bool sameSession(const Timeline* a, const Corpus* corpusOfA, const Timeline* b, const Corpus* corpusOfB) {
    if (a == nullptr || b == nullptr) {
        return false;
    }
    const auto keyOf = [](const Timeline& timeline, const Corpus* corpus) {
        return corpus != nullptr && timeline.session < corpus->sessions.size()
                   ? corpus->sessions[timeline.session].key
                   : std::to_string(timeline.session);
    };
    return keyOf(*a, corpusOfA) == keyOf(*b, corpusOfB);
}

bool sameCounts(const Timeline& a, const Timeline& b) {
    return a.lanes.size() == b.lanes.size() && a.calls.size() == b.calls.size() &&
           a.tools.size() == b.tools.size() && a.marks.size() == b.marks.size();
}

} // namespace

TimelineChart::TimelineChart(QWidget* parent) : QWidget(parent), state_(std::make_unique<State>()) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(tr("No session is shown."));
    state_->overview = new TimelineOverview(this);
    state_->scrollBar = new QScrollBar(Qt::Vertical, this);
    state_->scrollBar->setAccessibleName(tr("Scroll lanes"));
    state_->scrollBar->hide();
    connect(state_->overview, &TimelineOverview::moved, this,
            [this](double start, double end) { moveTo(state_->frame.x.showing(start, end)); });
    connect(state_->scrollBar, &QScrollBar::valueChanged, this, [this](int value) { scrollTo(value); });
}

TimelineChart::~TimelineChart() = default;

void TimelineChart::setTimeline(std::shared_ptr<const Timeline> timeline,
                                std::shared_ptr<const Corpus> corpus) {
    State& state = *state_;
    const bool same = sameSession(state.timeline.get(), state.corpus.get(), timeline.get(), corpus.get());
    const bool keepsItems = same && sameCounts(*state.timeline, *timeline);
    state.timeline = std::move(timeline);
    state.corpus = std::move(corpus);
    state.scene = state.timeline && !state.timeline->lanes.empty() && isKnown(state.timeline->first)
                      ? sceneOf(state.timeline, state.corpus, state.view.axis)
                      : nullptr;
    state.hand.hovered.reset();
    if (!keepsItems) {
        state.hand.pinned.reset();
        state.hand.walked.reset();
    }
    if (!same) {
        state.view = {state.view.axis, 0, -1};
        state.folds = {};
        state.scroll = 0;
        state.hand.range.reset();
        state.rangeByHand = false;
    }
    setSelectedLanes(state.lanes);
    state.overview->setScene(state.scene);
    setAccessibleDescription(state.timeline ? lineText(state.timeline->sentence)
                                            : tr("No session is shown."));
    if (!state.rangeByHand) {
        setHighlightedRange(state.highlighted);
    }
    placeStretches();
    layOut();
}

std::shared_ptr<const Timeline> TimelineChart::timeline() const {
    return state_->timeline;
}

void TimelineChart::setView(const TimelineView& view) {
    State& state = *state_;
    const bool otherAxis = view.axis != state.view.axis;
    state.view = view;
    if (otherAxis && state.scene) {
        state.scene = sceneOf(state.timeline, state.corpus, view.axis);
        state.overview->setScene(state.scene);
        state.hand.range.reset();
        state.rangeByHand = false;
        setHighlightedRange(state.highlighted);
        placeStretches();
    }
    layOut();
}

void TimelineChart::setAxis(TimelineAxis axis) {
    if (state_->scene) {
        setView(viewOnAxis(*state_->timeline, view(), axis));
    } else {
        setView({axis, 0, -1});
    }
}

TimelineView TimelineChart::view() const {
    return state_->scene ? viewOf(state_->frame.x, state_->view.axis) : state_->view;
}

void TimelineChart::setTheme(ThemeKind kind) {
    state_->theme = kind;
    state_->overview->setTheme(kind);
    state_->picture = {};
    update();
}

void TimelineChart::setPinned(std::optional<TimelineItem> item) {
    state_->hand.pinned = item;
    if (item && state_->scene) {
        reveal(*item);
        layOut();
    }
    update();
}

std::optional<TimelineItem> TimelineChart::pinned() const {
    return state_->hand.pinned;
}

std::optional<TimelineItem> TimelineChart::current() const {
    return state_->hand.walked ? state_->hand.walked : state_->hand.hovered;
}

void TimelineChart::setHighlightedRange(std::optional<TimeRange> range) {
    State& state = *state_;
    state.highlighted = range;
    state.rangeByHand = false;
    state.hand.range.reset();
    if (range && state.scene) {
        state.hand.range = unitsOf(*range);
        state.hand.callsInRange = callsWithin(*state.timeline, *range, true);
    }
    update();
}

void TimelineChart::setMarkedStretches(std::vector<TimeRange> stretches) {
    state_->marked = std::move(stretches);
    placeStretches();
}

void TimelineChart::placeStretches() {
    state_->hand.stretches.clear();
    for (const TimeRange& stretch : state_->marked) {
        if (const auto units = state_->scene ? unitsOf(stretch) : std::nullopt) {
            state_->hand.stretches.push_back(*units);
        }
    }
    update();
}

std::optional<std::pair<double, double>> TimelineChart::unitsOf(const TimeRange& range) const {
    const Timeline& timeline = *state_->timeline;
    if (range.from > timeline.last || range.to < timeline.first) {
        return std::nullopt;
    }
    const TimelineScale clock(timeline, TimelineAxis::WallClock);
    const auto at = [&](TimeMs time) {
        const double inside = clock.unitsAt(std::clamp(time, timeline.first, timeline.last));
        return viewOnAxis(timeline, {TimelineAxis::WallClock, inside, inside}, state_->view.axis).start;
    };
    return std::pair(at(range.from), at(range.to));
}

void TimelineChart::setSelectedLanes(const QStringList& names) {
    State& state = *state_;
    state.lanes = names;
    state.hand.lanes.clear();
    for (std::uint32_t i = 0; state.timeline && i < state.timeline->lanes.size(); ++i) {
        const TimelineLane& lane = state.timeline->lanes[i];
        if (!lane.tools && names.contains(QString::fromStdString(lane.name))) {
            state.hand.lanes.push_back(i);
        }
    }
    update();
}

const TimelineFrame* TimelineChart::frame() const {
    return state_->scene ? &state_->frame : nullptr;
}

QSize TimelineChart::sizeHint() const {
    return {1000, 560};
}

QSize TimelineChart::minimumSizeHint() const {
    return {360, 240};
}

void TimelineChart::layOut() {
    State& state = *state_;
    state.picture = {};
    if (state.scene) {
        const QRectF area(0, 0, width() - 12.0, std::max(height() - overviewHeight - overviewGap, 60));
        state.frame = frameOf(*state.scene, area, state.view, state.folds, state.scroll, false);
        state.scroll = state.frame.rows.scroll;
    }
    placeParts();
    update();
}

void TimelineChart::placeParts() {
    State& state = *state_;
    state.overview->setVisible(state.scene != nullptr);
    const TimelineRows& rows = state.frame.rows;
    const double hidden = state.scene ? rows.contentHeight - rows.scrolled.height : 0;
    state.scrollBar->setVisible(hidden > 0.5);
    if (!state.scene) {
        return;
    }
    state.overview->setGeometry(0, height() - overviewHeight - overviewGap, width(), overviewHeight);
    state.overview->setShown(state.frame.x);
    const QSignalBlocker quiet(state.scrollBar);
    state.scrollBar->setGeometry(width() - 12, static_cast<int>(rows.scrolled.top), 12,
                                 static_cast<int>(rows.scrolled.height));
    state.scrollBar->setRange(0, qRound(std::max(0.0, hidden)));
    state.scrollBar->setPageStep(static_cast<int>(rows.scrolled.height));
    state.scrollBar->setSingleStep(24);
    state.scrollBar->setValue(qRound(state.scroll));
}

void TimelineChart::resizeEvent(QResizeEvent* /*event*/) {
    layOut();
}

void TimelineChart::paintEvent(QPaintEvent* /*event*/) {
    State& state = *state_;
    const Theme& theme = Theme::of(state.theme);
    QPainter painter(this);
    if (!state.scene) {
        painter.fillRect(rect(), theme.window);
        painter.setPen(theme.textMuted);
        painter.setFont(fontOf(1));
        painter.drawText(rect().adjusted(24, 0, -24, 0), Qt::AlignCenter | Qt::TextWordWrap,
                         state.timeline
                             ? tr("No record of this session carries a time, so there is nothing to "
                                  "lay out. Its totals are in the other views.")
                             : tr("Choose a session on the left to see when it did what."));
        return;
    }
    if (state.picture.isNull() || state.picture.devicePixelRatioF() != devicePixelRatioF()) {
        state.picture = QPixmap(size() * devicePixelRatioF());
        state.picture.setDevicePixelRatio(devicePixelRatioF());
        state.picture.fill(theme.window);
        QPainter picture(&state.picture);
        paintTimeline(picture, *state.scene, state.frame, theme);
    }
    painter.drawPixmap(0, 0, state.picture);
    paintHand(painter, *state.scene, state.frame, theme, state.hand);
    if (state.showFocus) {
        painter.setPen(QPen(theme.accent, 2));
        painter.drawRect(state.frame.plot.adjusted(1, 1, -1, -1));
    }
}

bool TimelineChart::event(QEvent* event) {
    if (event->type() == QEvent::FontChange || event->type() == QEvent::ApplicationFontChange) {
        layOut();
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (state_->scene && help->pos().x() < state_->frame.gutter.right() && agentAt(help->pos().y())) {
            showTip(help->globalPos(), tr("A click selects this agent's lane, a double click folds it"),
                    this);
            return true;
        }
    }
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        state_->showFocus = event->type() == QEvent::FocusIn &&
                            (reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason ||
                             reason == Qt::ShortcutFocusReason);
        update();
    }
    return QWidget::event(event);
}

void TimelineChart::reveal(TimelineItem item) {
    State& state = *state_;
    const ItemPlace place = placeOf(*state.scene, item);
    if (state.frame.rows.ofLane(place.lane) == nullptr) {
        state.folds.hidden = false;
    }
    const TimelineGeometry moved = state.frame.x.revealing(place.start, place.end);
    if (!(moved.start == state.frame.x.start && moved.end == state.frame.x.end)) {
        state.view = viewOf(moved, state.view.axis);
    }
    layOut();
    if (state.frame.rows.ofLane(place.lane) == nullptr && place.lane > 0) {
        // A tools lane of a folded agent: open that agent.
        const std::uint32_t agent = place.lane - 1;
        if (!state.folds.other.insert(agent).second) {
            state.folds.other.erase(agent);
        }
        layOut();
    }
    state.scroll = state.frame.rows.scrollShowing(place.lane);
}

const TimelineLane* TimelineChart::agentAt(double y) const {
    const State& state = *state_;
    const TimelineRow* row = state.frame.rows.at(y);
    if (!row || row->kind == TimelineRow::Kind::Heading) {
        return nullptr;
    }
    const std::vector<TimelineLane>& lanes = state.timeline->lanes;
    return &lanes[lanes[row->lane].tools ? row->lane - 1 : row->lane];
}

/// A lane that is the only one selected is let go of.
void TimelineChart::selectLane(const TimelineLane& lane, bool beside) {
    const QString name = QString::fromStdString(lane.name);
    QStringList names = beside ? state_->lanes : QStringList();
    if (state_->lanes.contains(name) && (beside || state_->lanes.size() == 1)) {
        names.removeAll(name);
    } else {
        names << name;
    }
    emit lanesSelected(names);
}

void TimelineChart::foldAt(double y) {
    State& state = *state_;
    const TimelineRow* row = state.frame.rows.at(y);
    if (row == nullptr || row->kind == TimelineRow::Kind::Main) {
        return;
    }
    if (row->kind == TimelineRow::Kind::Heading) {
        state.folds.hidden = !state.folds.hidden;
    } else {
        const std::uint32_t agent = state.timeline->lanes[row->lane].tools ? row->lane - 1 : row->lane;
        if (!row->scrolls) {
            return;
        }
        if (!state.folds.other.insert(agent).second) {
            state.folds.other.erase(agent);
        }
    }
    layOut();
}

} // namespace loadline::ui
