// Lays widgets out like words.
#include "ui/panel/frame/flow_layout.h"

#include <QEvent>

#include <algorithm>

namespace loadline::ui {

FlowLayout::FlowLayout(QWidget* parent, int gap) : QLayout(parent), gap_(gap) {
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() {
    qDeleteAll(items_);
}

void FlowLayout::addItem(QLayoutItem* item) {
    items_ << item;
    invalidate();
}

int FlowLayout::count() const {
    return static_cast<int>(items_.size());
}

QLayoutItem* FlowLayout::itemAt(int index) const {
    return items_.value(index);
}

QLayoutItem* FlowLayout::takeAt(int index) {
    return index >= 0 && index < items_.size() ? items_.takeAt(index) : nullptr;
}

Qt::Orientations FlowLayout::expandingDirections() const {
    return Qt::Horizontal;
}

bool FlowLayout::hasHeightForWidth() const {
    return true;
}

int FlowLayout::heightForWidth(int width) const {
    return arrange({0, 0, width, 0}, true);
}

QSize FlowLayout::minimumSize() const {
    QSize size(0, 0);
    for (const QLayoutItem* item : items_) {
        if (!item->isEmpty()) {
            size = size.expandedTo(item->minimumSize());
        }
    }
    return size;
}

/// All in one line.
QSize FlowLayout::sizeHint() const {
    QSize size(0, 0); // QSize() is -1 wide
    for (const QLayoutItem* item : items_) {
        if (item->isEmpty()) {
            continue;
        }
        const QSize hint = item->sizeHint();
        size = {size.width() + hint.width() + (size.width() > 0 ? gap_ : 0),
                std::max(size.height(), hint.height())};
    }
    return size;
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    arrange(rect, false);
}

int FlowLayout::arrange(const QRect& rect, bool measureOnly) const {
    int y = rect.top();
    QList<QLayoutItem*> line;
    int lineWidth = 0;
    int lineHeight = 0;
    const auto endLine = [&] {
        int x = rect.left();
        for (QLayoutItem* item : line) {
            const QSize size = item->sizeHint().boundedTo({std::max(rect.width(), 1), QLAYOUTSIZE_MAX});
            if (!measureOnly) {
                item->setGeometry({QPoint(x, y + (lineHeight - size.height()) / 2), size});
            }
            x += size.width() + gap_;
        }
        y += line.isEmpty() ? 0 : lineHeight + gap_;
        line.clear();
        lineWidth = lineHeight = 0;
    };
    for (QLayoutItem* item : items_) {
        if (item->isEmpty()) {
            continue;
        }
        const QSize hint = item->sizeHint();
        if (!line.isEmpty() && lineWidth + gap_ + hint.width() > rect.width()) {
            endLine();
        }
        lineWidth += hint.width() + (line.isEmpty() ? 0 : gap_);
        lineHeight = std::max(lineHeight, hint.height());
        line << item;
    }
    endLine();
    return std::max(y - gap_ - rect.top(), 0);
}

FlowRow::FlowRow(int gap, QWidget* parent) : QWidget(parent), flow_(new FlowLayout(this, gap)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

bool FlowRow::event(QEvent* event) {
    const bool handled = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest) {
        fit();
    }
    return handled;
}

void FlowRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void FlowRow::fit() {
    setFixedHeight(flow_->heightForWidth(width()));
}

} // namespace loadline::ui
