// The live timeline of one session: zoom, pan, walk, hover, pin and range over a painted picture.
#include "ui/chart/timeline_chart.h"

#include <QPainter>

#include <utility>

namespace loadline::ui {

struct TimelineChart::State {
    std::shared_ptr<const Timeline> timeline;
    std::shared_ptr<const Corpus> corpus;
    TimelineView view;
    ThemeKind theme = ThemeKind::Light;
    std::optional<TimelineItem> pinned;
    std::optional<TimeRange> range;
};

TimelineChart::TimelineChart(QWidget* parent) : QWidget(parent), state_(std::make_unique<State>()) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Timeline"));
}

TimelineChart::~TimelineChart() = default;

void TimelineChart::setTimeline(std::shared_ptr<const Timeline> timeline,
                                std::shared_ptr<const Corpus> corpus) {
    state_->timeline = std::move(timeline);
    state_->corpus = std::move(corpus);
    setAccessibleDescription(state_->timeline ? QString::fromStdString(state_->timeline->sentence)
                                              : QString());
    update();
}

std::shared_ptr<const Timeline> TimelineChart::timeline() const {
    return state_->timeline;
}

void TimelineChart::setView(const TimelineView& view) {
    state_->view = view;
    update();
}

TimelineView TimelineChart::view() const {
    return state_->view;
}

void TimelineChart::setTheme(ThemeKind kind) {
    state_->theme = kind;
    update();
}

void TimelineChart::setPinned(std::optional<TimelineItem> item) {
    state_->pinned = item;
    update();
}

std::optional<TimelineItem> TimelineChart::pinned() const {
    return state_->pinned;
}

void TimelineChart::setHighlightedRange(std::optional<TimeRange> range) {
    state_->range = range;
    update();
}

QSize TimelineChart::sizeHint() const {
    return {1000, 560};
}

QSize TimelineChart::minimumSizeHint() const {
    return {360, 240};
}

void TimelineChart::zoomIn() {}

void TimelineChart::zoomOut() {}

void TimelineChart::fit() {}

void TimelineChart::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().base());
}

} // namespace loadline::ui
