// A bar per session, day, model or project.
#include "ui/chart/composition_chart.h"

namespace loadline::ui {

CompositionChart::CompositionChart(QWidget* parent) : QAbstractScrollArea(parent) {}

void CompositionChart::setComposition(std::shared_ptr<const Composition> composition) {
    composition_ = std::move(composition);
    viewport()->update();
}

void CompositionChart::setView(const CompositionView& view) {
    view_ = view;
    viewport()->update();
}

void CompositionChart::setTheme(ThemeKind kind) {
    theme_ = kind;
    viewport()->update();
}

void CompositionChart::setCurrentRow(int row) {
    current_ = row;
}

QRectF CompositionChart::rowRect(int /*row*/) const {
    return {};
}

QSize CompositionChart::sizeHint() const {
    return {900, 420};
}

bool CompositionChart::viewportEvent(QEvent* event) {
    return QAbstractScrollArea::viewportEvent(event);
}

void CompositionChart::paintEvent(QPaintEvent* event) {
    QAbstractScrollArea::paintEvent(event);
}

void CompositionChart::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
}

void CompositionChart::keyPressEvent(QKeyEvent* event) {
    QAbstractScrollArea::keyPressEvent(event);
}

void CompositionChart::mouseMoveEvent(QMouseEvent* event) {
    QAbstractScrollArea::mouseMoveEvent(event);
}

void CompositionChart::mousePressEvent(QMouseEvent* event) {
    QAbstractScrollArea::mousePressEvent(event);
}

void CompositionChart::mouseDoubleClickEvent(QMouseEvent* event) {
    QAbstractScrollArea::mouseDoubleClickEvent(event);
}

void CompositionChart::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
}

void CompositionChart::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
}

int CompositionChart::rowAt(const QPointF& /*viewportPoint*/) const {
    return -1;
}

void CompositionChart::hover(int row) {
    hovered_ = row;
}

void CompositionChart::updateScrollBars() {}

} // namespace loadline::ui
