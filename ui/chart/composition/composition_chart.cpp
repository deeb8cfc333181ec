// The composition in the window: its rows or days laid out, scrolled and painted.
#include "ui/chart/composition/composition_chart.h"

#include "ui/chart/paint_help.h"
#include "ui/theme/plain_text.h"

#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace loadline::ui {

namespace {

constexpr double narrowestDay = 3;
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
    reveal_ = reveal_ || !sameGroup;
    revealChosen();
    tell(-1);
    viewport()->update();
}

void CompositionChart::setView(const CompositionView& view) {
    view_ = view;
    updateScrollBars();
    viewport()->update();
}

void CompositionChart::setChosen(const QStringList& keys) {
    reveal_ = reveal_ || keys != chosen_;
    chosen_ = keys;
    revealChosen();
    viewport()->update();
}

void CompositionChart::revealChosen() {
    if (!reveal_ || !composition_ || rowCount() == 0 || !isVisible()) {
        return;
    }
    reveal_ = false;
    const QRectF shown = byDay() ? days_.bars : QRectF(viewport()->rect()).adjusted(0, rowsTop(), 0, 0);
    int first = -1;
    for (int row = 0; row < rowCount() && !chosen_.isEmpty(); ++row) {
        if (chosen_.contains(keyAt(row))) {
            if (shown.contains(rowRect(row).center())) {
                return; // one of them is there already
            }
            first = first < 0 ? row : first;
        }
    }
    if (first >= 0) {
        scrollTo(first);
    }
}

void CompositionChart::showEvent(QShowEvent* event) {
    QAbstractScrollArea::showEvent(event);
    revealChosen();
}

void CompositionChart::setSortable(bool sortable) {
    sortable_ = sortable;
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
        if (chosen_.contains(keyAt(row))) {
            const QRectF chosen = rowRect(row).adjusted(-padding / 2, 0, padding / 2, 0);
            painter.fillRect(chosen, theme.accentSoft);
            painter.fillRect(QRectF(chosen.left(), chosen.top() + 2, 3, chosen.height() - 4), theme.accent);
        } else if (row == hovered_) {
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
    for (int row = 0; row < rowCount() && byDay() && !chosen_.isEmpty(); ++row) {
        if (chosen_.contains(keyAt(row))) {
            painter.fillRect(rowRect(row), faded(theme.accent, 0.18));
        }
    }
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
        const QStringList lines = readOut(composition_->rows[static_cast<std::size_t>(told_)]);
        const QStringList all = lines + QStringList(tr("click selects, double click opens"));
        const double height = heightOf(fontOf(0.92)) * static_cast<double>(all.size()) + 2 * spacing;
        drawReadOut(painter, anchor,
                    byDay() ? area : roomBeside(height, row, rowRect(rowCount() - 1).bottom(), area), all,
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
        scrollTo(current_);
    }
    viewport()->update();
}

void CompositionChart::scrollTo(int row) {
    const QRectF rect = rowRect(row);
    QScrollBar* bar = byDay() ? horizontalScrollBar() : verticalScrollBar();
    const double before = byDay() ? days_.bars.left() - rect.left() : rowsTop() - rect.top();
    const double after = byDay() ? rect.right() - days_.bars.right() : rect.bottom() - viewport()->height();
    if (before > 0) {
        bar->setValue(bar->value() - static_cast<int>(before + 1));
    } else if (after > 0) {
        bar->setValue(bar->value() + static_cast<int>(after + 1));
    }
}

} // namespace loadline::ui
