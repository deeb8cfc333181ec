// Mouse and keyboard input of the composition chart.
#include "ui/chart/composition/composition_chart.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>

#include <algorithm>

namespace loadline::ui {

QString CompositionChart::keyAt(int row) const {
    return QString::fromStdString(composition_->rows[static_cast<std::size_t>(row)].key);
}

/// Row -1: none.
void CompositionChart::choose(int row, Qt::KeyboardModifiers keys) {
    QStringList chosen;
    const bool extends = (keys & Qt::ShiftModifier) && anchor_ >= 0 && anchor_ < rowCount() && row >= 0;
    const auto [first, last] = std::minmax(extends ? anchor_ : row, row);
    const bool toggles = (keys & Qt::ControlModifier) != 0;
    for (int i = 0; i < rowCount(); ++i) {
        const bool before = chosen_.contains(keyAt(i));
        const bool hit = i >= first && i <= last;
        if (toggles && !extends ? before != hit : hit || (toggles && before)) {
            chosen << keyAt(i);
        }
    }
    anchor_ = extends ? anchor_ : row;
    if (chosen != chosen_) {
        setChosen(chosen);
        emit rowsChosen(chosen);
    }
}

std::optional<CompositionOrder> CompositionChart::headAt(const QPointF& viewportPoint) const {
    if (!sortable_ || byDay() || rowCount() == 0) {
        return std::nullopt;
    }
    const QPointF at = viewportPoint - content().topLeft();
    if (!rows_.heads.contains(at)) {
        return std::nullopt;
    }
    if (at.x() <= rows_.labelRight) {
        return CompositionOrder::Name;
    }
    const auto column = std::ranges::find_if(rows_.columns, [&](const RowsLayout::Column& c) {
        return at.x() > c.right - c.width && at.x() <= c.right;
    });
    return column == rows_.columns.end() ? std::nullopt : std::optional(orderOf(*column));
}

void CompositionChart::mouseMoveEvent(QMouseEvent* event) {
    cursor_ = event->position();
    hovered_ = rowAt(cursor_);
    ring_ = ring_ && hovered_ < 0;
    tell(hovered_ >= 0 ? hovered_ : ring_ ? current_ : -1);
    viewport()->update();
}

void CompositionChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        return;
    }
    if (const auto order = headAt(event->position())) {
        emit orderChosen(*order);
        return;
    }
    setCurrentRow(rowAt(event->position()));
    ring_ = current_ >= 0;
    choose(current_, event->modifiers());
    viewport()->update();
}

void CompositionChart::mouseReleaseEvent(QMouseEvent* event) {
    event->accept(); // belongs to the press that chose a row
}

void CompositionChart::mouseDoubleClickEvent(QMouseEvent* event) {
    const int row = rowAt(event->position());
    if (event->button() == Qt::LeftButton && row >= 0) {
        emit rowActivated(keyAt(row));
    }
}

bool CompositionChart::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave) {
        hovered_ = -1;
        tell(ring_ ? current_ : -1);
        viewport()->update();
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void CompositionChart::keyPressEvent(QKeyEvent* event) {
    const int last = rowCount() - 1;
    int row = current_;
    const double step = byDay() ? days_.slotWidth : rows_.rowHeight;
    const QScrollBar* bar = byDay() ? horizontalScrollBar() : verticalScrollBar();
    const int page = step > 0 ? std::max(1, static_cast<int>(bar->pageStep() / step) - 1) : 1;
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Left:
        row = std::max(0, current_ - 1);
        break;
    case Qt::Key_Down:
    case Qt::Key_Right:
        row = current_ + 1;
        break;
    case Qt::Key_PageUp:
        row = std::max(0, current_ - page);
        break;
    case Qt::Key_PageDown:
        row = current_ + page;
        break;
    case Qt::Key_Home:
        row = 0;
        break;
    case Qt::Key_End:
        row = last;
        break;
    case Qt::Key_Space:
        choose(current_, event->modifiers());
        return;
    case Qt::Key_Escape:
        if (!chosen_.isEmpty()) {
            choose(-1, {});
            return;
        }
        event->ignore();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (current_ >= 0) {
            emit rowActivated(keyAt(current_));
            return;
        }
        [[fallthrough]];
    default:
        event->ignore();
        return;
    }
    if (last < 0) {
        event->ignore();
        return;
    }
    ring_ = true;
    hovered_ = -1;
    setCurrentRow(std::min(row, last));
    tell(current_);
}

void CompositionChart::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    const bool byKey = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    if (byKey && rowCount() > 0) {
        ring_ = true;
        setCurrentRow(std::max(current_, 0));
        tell(current_);
    }
}

void CompositionChart::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    ring_ = false;
    tell(-1);
    viewport()->update();
}

} // namespace loadline::ui
