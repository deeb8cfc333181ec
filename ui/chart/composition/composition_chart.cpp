// The composition in the window: scrolling, hover and keys over its rows or days.
#include "ui/chart/composition/composition_chart.h"

#include "ui/chart/paint_help.h"
#include "ui/theme/plain_text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <limits>

namespace loadline::ui {

namespace {

constexpr double narrowestDay = 9;
constexpr double padding = 1.5 * spacing;

} // namespace

CompositionChart::CompositionChart(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(320, 180);
    setAccessibleName(tr("Composition of tokens"));
}

void CompositionChart::setComposition(std::shared_ptr<const Composition> composition) {
    const bool sameGroup = composition_ && composition && composition_->group == composition->group;
    composition_ = std::move(composition);
    hovered_ = -1;
    if (!sameGroup) {
        current_ = -1;
        verticalScrollBar()->setValue(0);
    }
    current_ = std::min(current_, rowCount() - 1);
    setAccessibleDescription(composition_ ? lineText(composition_->sentence) : QString());
    updateScrollBars();
    if (!sameGroup && byDay()) {
        horizontalScrollBar()->setValue(horizontalScrollBar()->maximum()); // the latest days
    }
    tell(-1);
    viewport()->update();
}

void CompositionChart::setView(const CompositionView& view) {
    view_ = view;
    updateScrollBars();
    viewport()->update();
}

void CompositionChart::setTheme(ThemeKind kind) {
    theme_ = kind;
    viewport()->update();
}

bool CompositionChart::byDay() const {
    return composition_ && composition_->group == CompositionGroup::Day;
}

int CompositionChart::rowCount() const {
    return composition_ ? static_cast<int>(composition_->rows.size()) : 0;
}

int CompositionChart::scrolled() const {
    return byDay() ? horizontalScrollBar()->value() : verticalScrollBar()->value();
}

QRectF CompositionChart::content() const {
    return QRectF(viewport()->rect()).adjusted(padding, spacing, -padding, -spacing);
}

double CompositionChart::rowsTop() const {
    return spacing + rows_.headHeight;
}

QSize CompositionChart::sizeHint() const {
    return {960, 480};
}

QRectF CompositionChart::rowRect(int row) const {
    if (row < 0 || row >= rowCount()) {
        return {};
    }
    if (byDay()) {
        return days_.columnOf(static_cast<std::size_t>(row));
    }
    return {padding, rowsTop() + row * rows_.rowHeight - scrolled(), rows_.width, rows_.rowHeight};
}

int CompositionChart::rowAt(const QPointF& viewportPoint) const {
    if (byDay()) {
        for (int row = 0; row < rowCount(); ++row) {
            if (rowRect(row).contains(viewportPoint) && viewportPoint.x() >= days_.bars.left()) {
                return row;
            }
        }
        return -1;
    }
    if (viewportPoint.y() < rowsTop() || rows_.rowHeight <= 0) {
        return -1;
    }
    const double row = (viewportPoint.y() - rowsTop() + scrolled()) / rows_.rowHeight;
    return row < rowCount() ? static_cast<int>(row) : -1;
}

void CompositionChart::updateScrollBars() {
    const QRectF area = content();
    if (!composition_) {
        horizontalScrollBar()->setRange(0, 0);
        verticalScrollBar()->setRange(0, 0);
        return;
    }
    if (byDay()) {
        verticalScrollBar()->setRange(0, 0);
        days_ = layOutDays(area, *composition_, view_, narrowestDay, 0);
        const double hidden = days_.contentWidth() - days_.bars.width();
        QScrollBar* const bar = horizontalScrollBar();
        const bool atLatest = bar->value() == bar->maximum();
        bar->setRange(0, hidden > 0.5 ? static_cast<int>(hidden) + 1 : 0);
        bar->setPageStep(static_cast<int>(days_.bars.width()));
        bar->setSingleStep(static_cast<int>(days_.slotWidth));
        if (atLatest) {
            bar->setValue(bar->maximum()); // and stays there as days arrive or the window grows
        }
        days_.scroll = bar->value();
        return;
    }
    horizontalScrollBar()->setRange(0, 0);
    rows_ = layOutRows(area.size(), *composition_, composition_->rows, view_);
    const double hidden = rows_.headHeight + rowCount() * rows_.rowHeight - area.height();
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(hidden) + (hidden > 0 ? 1 : 0)));
    verticalScrollBar()->setPageStep(static_cast<int>(std::max(1.0, area.height() - rows_.headHeight)));
    verticalScrollBar()->setSingleStep(static_cast<int>(rows_.rowHeight));
}

void CompositionChart::scrollContentsBy(int /*dx*/, int /*dy*/) {
    days_.scroll = horizontalScrollBar()->value();
    viewport()->update();
}

void CompositionChart::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBars();
}

void CompositionChart::paintEvent(QPaintEvent* event) {
    const Theme& theme = Theme::of(theme_);
    QPainter painter(viewport());
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.fillRect(event->rect(), theme.plotGround);
    if (!composition_) {
        return;
    }
    if (composition_->rows.empty()) {
        drawText(painter, viewport()->rect(), Qt::AlignCenter, fontOf(1), theme.textMuted,
                 tr("No API call in scope"));
        return;
    }
    if (byDay()) {
        paintDays(painter, content(), days_, *composition_, view_, theme);
    } else {
        paintRows(painter, theme);
    }
    paintHighlights(painter, theme);
}

void CompositionChart::paintRows(QPainter& painter, const Theme& theme) const {
    const QRectF area = viewport()->rect();
    paintRowsHead(painter, content().topLeft(), rows_, *composition_, view_, theme);
    painter.save();
    painter.setClipRect(area.adjusted(0, rowsTop(), 0, 0));
    const int first = static_cast<int>(scrolled() / rows_.rowHeight);
    for (int row = first; row < rowCount() && rowRect(row).top() < area.bottom(); ++row) {
        if (row == hovered_) {
            painter.fillRect(rowRect(row).adjusted(-padding / 2, 0, padding / 2, 0),
                             tinted(theme.text, theme.plotGround, 0.05));
        }
        paintRow(painter, rowRect(row).topLeft(), rows_, composition_->rows[static_cast<std::size_t>(row)],
                 view_, theme);
    }
    painter.restore();
}

void CompositionChart::paintHighlights(QPainter& painter, const Theme& theme) const {
    const QRectF area = viewport()->rect();
    const QRectF content =
        byDay() ? QRectF(days_.bars.topLeft(), days_.rates.bottomRight()) : area.adjusted(0, rowsTop(), 0, 0);
    painter.save();
    painter.setClipRect(content.adjusted(-2, -2, 2, 2));
    painter.setBrush(Qt::NoBrush);
    if (byDay() && hovered_ >= 0) {
        painter.setPen(QPen(theme.textMuted, 1));
        painter.drawRect(rowRect(hovered_));
    }
    if (current_ >= 0 && ring_) {
        painter.setPen(QPen(theme.accent, 2));
        painter.drawRoundedRect(
            rowRect(current_).adjusted(byDay() ? 1 : -padding / 2, 1, byDay() ? -1 : padding / 2, -1), 3, 3);
    }
    painter.restore();
    if (told_ >= 0) {
        const QRectF row = rowRect(told_);
        const QPointF below(padding + rows_.barLeft, std::min(row.bottom(), area.bottom()));
        const QPointF anchor = hovered_ >= 0 ? cursor_
                               : byDay()     ? QPointF(row.right(), row.center().y())
                                             : below;
        drawReadOut(painter, anchor, area, readOut(composition_->rows[static_cast<std::size_t>(told_)]),
                    theme);
    }
}

void CompositionChart::tell(int row) {
    if (row != told_) {
        told_ = row;
        emit rowHovered(row < 0 ? QString() : describeRow(composition_->rows[static_cast<std::size_t>(row)]));
    }
}

void CompositionChart::setCurrentRow(int row) {
    current_ = std::clamp(row, -1, rowCount() - 1);
    if (current_ >= 0) {
        const QRectF rect = rowRect(current_);
        QScrollBar* bar = byDay() ? horizontalScrollBar() : verticalScrollBar();
        const double before = byDay() ? days_.bars.left() - rect.left() : rowsTop() - rect.top();
        const double after =
            byDay() ? rect.right() - days_.bars.right() : rect.bottom() - viewport()->height();
        if (before > 0) {
            bar->setValue(bar->value() - static_cast<int>(before + 1));
        } else if (after > 0) {
            bar->setValue(bar->value() + static_cast<int>(after + 1));
        }
    }
    viewport()->update();
}

void CompositionChart::mouseMoveEvent(QMouseEvent* event) {
    cursor_ = event->position();
    hovered_ = rowAt(cursor_);
    ring_ = ring_ && hovered_ < 0;
    tell(hovered_ >= 0 ? hovered_ : ring_ ? current_ : -1);
    viewport()->update();
}

void CompositionChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        setCurrentRow(rowAt(event->position()));
        ring_ = current_ >= 0;
        viewport()->update();
    }
}

void CompositionChart::mouseReleaseEvent(QMouseEvent* event) {
    event->accept(); // belongs to the press that chose a row
}

void CompositionChart::mouseDoubleClickEvent(QMouseEvent* event) {
    const int row = rowAt(event->position());
    if (event->button() == Qt::LeftButton && row >= 0) {
        emit rowActivated(QString::fromStdString(composition_->rows[static_cast<std::size_t>(row)].key));
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
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (current_ >= 0) {
            emit rowActivated(
                QString::fromStdString(composition_->rows[static_cast<std::size_t>(current_)].key));
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
