// Mouse, wheel and keyboard input of the timeline.
#include "core/workload/timeline/evidence.h"
#include "ui/chart/timeline/timeline_chart.h"
#include "ui/chart/timeline/timeline_chart_state.h"
#include "ui/chart/timeline/timeline_text.h"
#include "ui/theme/plain_text.h"

#include <QAccessible>
#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace loadline::ui {

namespace {

constexpr double zoomPerNotch = 1.25; ///< of a wheel; a notch is 120 units
constexpr double keyZoom = 1.5;
constexpr double keyPan = 0.15;  ///< of the view
constexpr double foldWidth = 22; ///< pixels from the left edge: the triangle before a name

} // namespace

void TimelineChart::moveTo(const TimelineGeometry& geometry) {
    State& state = *state_;
    if (!state.scene || (geometry.start == state.frame.x.start && geometry.end == state.frame.x.end)) {
        return;
    }
    state.view = viewOf(geometry, state.view.axis);
    layOut();
    emit viewChanged(state.view);
}

void TimelineChart::zoomBy(double factor, double x) {
    if (state_->scene) {
        moveTo(state_->frame.x.zoomed(x, factor));
    }
}

void TimelineChart::zoomIn() {
    const TimelineGeometry& x = state_->frame.x;
    zoomBy(keyZoom, x.left + x.width / 2);
}

void TimelineChart::zoomOut() {
    const TimelineGeometry& x = state_->frame.x;
    zoomBy(1 / keyZoom, x.left + x.width / 2);
}

void TimelineChart::fit() {
    if (state_->scene) {
        moveTo(state_->frame.x.fitted());
    }
}

void TimelineChart::scrollTo(double scroll) {
    State& state = *state_;
    const TimelineRows& rows = state.frame.rows;
    const double clamped = std::clamp(scroll, 0.0, std::max(0.0, rows.contentHeight - rows.scrolled.height));
    if (!state.scene || clamped == state.scroll) {
        return;
    }
    state.scroll = clamped;
    layOut();
}

void TimelineChart::wheelEvent(QWheelEvent* event) {
    State& state = *state_;
    if (!state.scene) {
        return;
    }
    event->accept();
    const QPointF point = event->position();
    // Some platforms turn the wheel sideways while shift is held.
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    const double vertical = event->angleDelta().y(), sideways = event->angleDelta().x();
    if (!shift && point.x() < state.frame.gutter.right() && vertical != 0) {
        scrollTo(state.scroll - vertical / 2);
        return;
    }
    if (shift || std::abs(sideways) > std::abs(vertical)) {
        const double notches = (vertical != 0 ? vertical : sideways) / 120;
        moveTo(state.frame.x.panned(-notches * state.frame.x.width / 10));
    } else {
        zoomBy(std::pow(zoomPerNotch, vertical / 120), point.x());
    }
    hover(point);
}

void TimelineChart::mousePressEvent(QMouseEvent* event) {
    State& state = *state_;
    if (!state.scene || (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)) {
        return;
    }
    QToolTip::hideText();
    state.pressed = event->position();
    state.pressedAt = state.frame.x;
    state.pressedScroll = state.scroll;
    const bool select = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
    if (state.pressed.x() < state.frame.gutter.right()) {
        state.drag = TimelineDrag::Gutter;
    } else {
        state.drag =
            select && event->button() == Qt::LeftButton ? TimelineDrag::Range : TimelineDrag::Pressed;
    }
}

void TimelineChart::mouseMoveEvent(QMouseEvent* event) {
    State& state = *state_;
    if (!state.scene) {
        return;
    }
    const QPointF moved = event->position() - state.pressed;
    switch (state.drag) {
    case TimelineDrag::None:
        hover(event->position());
        return;
    case TimelineDrag::Gutter:
        return;
    case TimelineDrag::Pressed:
        if (moved.manhattanLength() < QApplication::startDragDistance()) {
            return;
        }
        state.drag = TimelineDrag::Pan;
        setCursor(Qt::ClosedHandCursor);
        [[fallthrough]];
    case TimelineDrag::Pan:
        scrollTo(state.pressedScroll - moved.y());
        moveTo(state.pressedAt.panned(-moved.x()));
        return;
    case TimelineDrag::Range:
        setRange(state.pressedAt.toUnits(state.pressed.x()), state.frame.x.toUnits(event->position().x()));
        return;
    }
}

void TimelineChart::mouseReleaseEvent(QMouseEvent* event) {
    State& state = *state_;
    const TimelineDrag drag = std::exchange(state.drag, TimelineDrag::None);
    if (!state.scene) {
        return;
    }
    switch (drag) {
    case TimelineDrag::None:
        return;
    case TimelineDrag::Gutter:
        if (std::abs(event->position().y() - state.pressed.y()) < QApplication::startDragDistance()) {
            const bool onTriangle = event->position().x() < state.frame.area.left() + foldWidth;
            const TimelineLane* agent = agentAt(event->position().y());
            const TimelineRow* row = state.frame.rows.at(event->position().y());
            if (agent && (!onTriangle || row->kind == TimelineRow::Kind::Main)) {
                selectLane(*agent, (event->modifiers() & Qt::ControlModifier) != 0);
            } else {
                foldAt(event->position().y());
            }
        }
        return;
    case TimelineDrag::Pressed:
        if (event->button() == Qt::LeftButton) {
            pin(itemAt(*state.scene, state.frame, event->position()));
        }
        return;
    case TimelineDrag::Pan:
        unsetCursor();
        return;
    case TimelineDrag::Range:
        break;
    }
    const double pixels = std::abs(event->position().x() - state.pressed.x());
    if (pixels < QApplication::startDragDistance()) {
        clearRange();
        return;
    }
    const TimeRange range = timesOfRange();
    emit rangeSelected(range.from, range.to);
}

void TimelineChart::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !state_->scene) {
        return;
    }
    if (event->position().x() >= state_->frame.gutter.right()) {
        fit();
    } else if (agentAt(event->position().y())) {
        foldAt(event->position().y());
    }
}

void TimelineChart::leaveEvent(QEvent* /*event*/) {
    State& state = *state_;
    state.hand.cursor.reset();
    if (std::exchange(state.hand.hovered, std::nullopt)) {
        emit itemHovered(std::nullopt);
    }
    update();
}

void TimelineChart::hover(QPointF point) {
    State& state = *state_;
    const bool inPlot = state.frame.plot.contains(point);
    const std::optional<TimelineItem> item = inPlot ? itemAt(*state.scene, state.frame, point) : std::nullopt;
    state.hand.cursor = inPlot ? std::optional(state.frame.x.toUnits(point.x())) : std::nullopt;
    if (item != state.hand.hovered) {
        state.hand.hovered = item;
        state.hand.walked.reset();
        if (item) {
            showTip(mapToGlobal(point.toPoint()) + QPoint(4, 4), toolTipOf(*state.scene, *item), this);
        } else {
            QToolTip::hideText();
        }
        emit itemHovered(item);
    }
    update();
}

void TimelineChart::walk(WalkStep step) {
    State& state = *state_;
    const std::optional<TimelineItem> from = state.hand.walked ? state.hand.walked : state.hand.pinned;
    const std::optional<TimelineItem> to = walkFrom(*state.scene, from, step, state.frame.x.start);
    if (!to) {
        return;
    }
    const TimelineView before = view();
    state.hand.walked = to;
    state.hand.hovered.reset();
    reveal(*to);
    layOut();
    const QString words = lineText(spokenText(*state.scene, *to));
    setAccessibleDescription(words);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
    if (const std::optional<QRectF> rect = rectOf(*state.scene, state.frame, *to)) {
        const QPointF below(std::max(rect->left(), state.frame.plot.left()), rect->bottom() + 2);
        showTip(mapToGlobal(below.toPoint()), toolTipOf(*state.scene, *to), this);
    }
    if (!(view() == before)) {
        emit viewChanged(view());
    }
    emit itemHovered(to);
}

void TimelineChart::setRange(double from, double to) {
    State& state = *state_;
    const double extent = state.frame.x.extent;
    state.hand.range = {std::clamp(std::min(from, to), 0.0, extent),
                        std::clamp(std::max(from, to), 0.0, extent)};
    state.rangeByHand = true;
    state.hand.callsInRange = callsWithin(*state.timeline, timesOfRange(), false);
    update();
}

TimeRange TimelineChart::timesOfRange() const {
    const auto [from, to] = *state_->hand.range;
    const TimelineView clock =
        viewOnAxis(*state_->timeline, {state_->view.axis, from, to}, TimelineAxis::WallClock);
    const TimelineScale scale(*state_->timeline, TimelineAxis::WallClock);
    return {scale.timeAt(clock.start), scale.timeAt(clock.end)};
}

void TimelineChart::clearRange() {
    state_->rangeByHand = false;
    if (std::exchange(state_->hand.range, std::nullopt)) {
        emit rangeCleared();
    }
    update();
}

void TimelineChart::pin(std::optional<TimelineItem> item) {
    if (!item && !state_->hand.pinned) {
        return;
    }
    state_->hand.pinned = item;
    update();
    emit itemPinned(item);
}

bool TimelineChart::steppedBack() {
    QToolTip::hideText();
    if (state_->hand.range) {
        clearRange();
        return true;
    }
    if (state_->hand.pinned) {
        pin(std::nullopt);
        return true;
    }
    if (!state_->hand.lanes.empty()) {
        emit lanesSelected({});
        return true;
    }
    if (state_->hand.walked) {
        state_->hand.walked.reset();
        emit itemHovered(std::nullopt);
        update();
        return true;
    }
    return false;
}

void TimelineChart::keyPressEvent(QKeyEvent* event) {
    State& state = *state_;
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (!state.scene || !plain) {
        event->ignore();
        return;
    }
    const TimelineGeometry& x = state.frame.x;
    switch (event->key()) {
    case Qt::Key_Left:
        return walk(WalkStep::Before);
    case Qt::Key_Right:
        return walk(WalkStep::After);
    case Qt::Key_Up:
        return walk(WalkStep::LaneAbove);
    case Qt::Key_Down:
        return walk(WalkStep::LaneBelow);
    case Qt::Key_A:
        return moveTo(x.panned(-x.width * keyPan));
    case Qt::Key_D:
        return moveTo(x.panned(x.width * keyPan));
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_S:
    case Qt::Key_Minus: {
        // At the cursor when the mouse is over the plot, else at the middle.
        const bool in = event->key() != Qt::Key_S && event->key() != Qt::Key_Minus;
        const double at = state.hand.cursor ? x.toPixel(*state.hand.cursor) : x.left + x.width / 2;
        return zoomBy(in ? keyZoom : 1 / keyZoom, at);
    }
    case Qt::Key_0:
    case Qt::Key_Home:
        return fit();
    case Qt::Key_PageUp:
        return scrollTo(state.scroll - state.frame.rows.scrolled.height);
    case Qt::Key_PageDown:
        return scrollTo(state.scroll + state.frame.rows.scrolled.height);
    case Qt::Key_L:
        if (const auto item = current() ? current() : pinned()) {
            const std::uint32_t lane = placeOf(*state.scene, *item).lane;
            const std::vector<TimelineLane>& lanes = state.timeline->lanes;
            selectLane(lanes[lanes[lane].tools ? lane - 1 : lane], false);
        }
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (current()) {
            pin(current());
        }
        return;
    case Qt::Key_Escape:
        QToolTip::hideText();
        if (steppedBack()) {
            return;
        }
        break;
    default:
        break;
    }
    event->ignore();
}

} // namespace loadline::ui
