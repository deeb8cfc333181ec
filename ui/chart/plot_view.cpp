// A drawing in the window.
#include "ui/chart/plot_view.h"

#include "ui/chart/paint_help.h"
#include "ui/theme/plain_text.h"

#include <QKeyEvent>
#include <QLineF>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace loadline::ui {
namespace {

/// By the way along the chart: a mark is a line across it.
int nearestMarkTo(const PlotDrawing& drawing, const QPointF& at, const QRectF& area) {
    const std::vector<QPointF> marks = drawing.marks(area);
    int best = -1;
    for (int i = 0; i < static_cast<int>(marks.size()); ++i) {
        const auto far = [&](int which) {
            return std::abs(marks[static_cast<std::size_t>(which)].x() - at.x());
        };
        best = best < 0 || far(i) < far(best) ? i : best;
    }
    return best;
}

} // namespace

PlotView::PlotView(QWidget* parent) : QWidget(parent), theme_(&Theme::of(ThemeKind::Light)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
}

void PlotView::setDrawing(std::shared_ptr<const PlotDrawing> drawing) {
    drawing_ = std::move(drawing);
    if (!drawing_) {
        painted_ = {};
    }
    if (drawing_) {
        setAccessibleName(lineText(drawing_->title()));
        setAccessibleDescription(lineText(drawing_->sentence()));
    }
    readOutAgain();
    update();
}

/// Repeats the read-out: another thing may lie under the cursor by now.
void PlotView::readOutAgain() {
    if (hover_) {
        emit hovered(drawing_ ? drawing_->readOut(*hover_, area()).join(QStringLiteral(", ")) : QString());
    }
}

void PlotView::setTheme(ThemeKind kind) {
    theme_ = &Theme::of(kind);
    update();
}

QSize PlotView::sizeHint() const {
    return {320, 220};
}

QSize PlotView::minimumSizeHint() const {
    return {180, 120};
}

QRectF PlotView::area() const {
    return QRectF(rect()).adjusted(spacing / 2.0, spacing / 2.0, -spacing / 2.0, -spacing / 2.0);
}

/// Anew where the answer, the size, the theme or the clock is another one.
void PlotView::paintAnswer() {
    const double pixels = devicePixelRatioF();
    const QSize size = (QSizeF(this->size()) * pixels).toSize();
    const bool isSame = painted_.drawing && painted_.theme == theme_ && painted_.zone == shownZone() &&
                        painted_.picture.size() == size && painted_.picture.devicePixelRatio() == pixels &&
                        drawing_->hasAnswerOf(*painted_.drawing);
    if (isSame) {
        painted_.drawing = drawing_; // the one before is no longer needed
    } else {
        painted_ = {drawing_, theme_, shownZone(), QPixmap(size)};
        painted_.picture.setDevicePixelRatio(pixels);
        painted_.picture.fill(Qt::transparent);
        QPainter painter(&painted_.picture);
        drawing_->paintAnswer(painter, area(), *theme_);
    }
}

void PlotView::paintEvent(QPaintEvent* /*event*/) {
    if (!drawing_) {
        return;
    }
    paintAnswer();
    QPainter painter(this);
    painter.drawPixmap(0, 0, painted_.picture);
    drawing_->paintHand(painter, area(), *theme_);
    const std::vector<QPointF> marks = hasFocus() ? drawing_->marks(area()) : std::vector<QPointF>();
    if (mark_ < marks.size()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme_->accent, 2));
        painter.drawEllipse(marks[mark_], 8, 8);
    }
    if (hover_ && !from_) {
        const QStringList lines = drawing_->readOut(*hover_, area());
        if (!lines.isEmpty()) {
            painter.setRenderHint(QPainter::Antialiasing);
            drawReadOut(painter, *hover_, rect(), lines, *theme_);
        }
    }
}

void PlotView::mousePressEvent(QMouseEvent* event) {
    emit pressed();
    const bool picks = event->button() == Qt::LeftButton ||
                       (event->button() == Qt::RightButton && drawing_ && drawing_->itemsLead());
    if (picks && drawing_) { // by the right button too where the menu speaks of it
        if (const int item = itemAt(event->position()); item >= 0) {
            emit itemPicked(item);
            return;
        }
    }
    if (event->button() != Qt::LeftButton || !drawing_ ||
        !drawing_->change(event->position(), event->position(), area())) {
        return;
    }
    if (const int mark = nearestMarkTo(*drawing_, event->position(), area()); mark >= 0) {
        mark_ = static_cast<std::size_t>(mark);
    }
    from_ = Grip{event->position(), event->globalPosition(), area()};
    grabbed_ = drawing_;
    emit dragBegan();
    setCursor(Qt::ClosedHandCursor);
    emit changed(*changeAt(from_->global), false);
}

/// By the way the hand went on the screen, in the drawing as it was.
std::optional<PlotChange> PlotView::changeAt(const QPointF& global) const {
    return grabbed_->change(from_->at, from_->at + global - from_->global, from_->area);
}

void PlotView::mouseMoveEvent(QMouseEvent* event) {
    hover_ = event->position();
    if (from_ && grabbed_) {
        if (const auto change = changeAt(event->globalPosition())) {
            emit changed(*change, false);
        }
        readOutAgain();
        return;
    }
    const bool draggable = drawing_ && (drawing_->change(*hover_, *hover_, area()) || itemAt(*hover_) >= 0);
    setCursor(draggable ? Qt::PointingHandCursor : Qt::ArrowCursor);
    readOutAgain();
    update();
}

void PlotView::mouseReleaseEvent(QMouseEvent* event) {
    if (!from_ || event->button() != Qt::LeftButton) {
        return;
    }
    const auto change = changeAt(event->globalPosition());
    letGo();
    hover_ = event->position(); // what is read out is what lies there now
    if (change) {
        emit changed(*change, true);
    }
    readOutAgain();
}

void PlotView::letGo() {
    from_.reset();
    grabbed_.reset();
    setCursor(Qt::ArrowCursor);
}

void PlotView::mouseDoubleClickEvent(QMouseEvent* event) {
    activate(itemAt(event->position()));
}

void PlotView::activate(int item) {
    if (item >= 0 && drawing_->itemsLead()) {
        emit itemActivated(item);
    } else {
        emit activated();
    }
}

void PlotView::wheelEvent(QWheelEvent* event) {
    constexpr double oneStep = 120;
    const QPoint delta = event->angleDelta(); // with Alt, and on pads, sideways
    const bool aside = event->modifiers().testFlag(Qt::ShiftModifier) || delta.y() == 0;
    const double steps = (delta.y() != 0 ? delta.y() : delta.x()) / oneStep;
    const auto change =
        drawing_ && !from_ ? drawing_->wheeled(event->position(), steps, aside, area()) : std::nullopt;
    if (!change) {
        QWidget::wheelEvent(event);
        return;
    }
    hover_ = event->position();
    emit changed(*change, true);
    event->accept();
}

void PlotView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update(); // a mark is ringed
    if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason) {
        emit pressed();
    }
}

void PlotView::leaveEvent(QEvent* /*event*/) {
    hover_.reset();
    emit hovered({});
    update();
}

void PlotView::changeEvent(QEvent* event) {
    painted_ = {}; // another font, perhaps
    QWidget::changeEvent(event);
}

int PlotView::itemAt(const QPointF& at) const {
    return drawing_ ? drawing_->itemAt(at, area()) : -1;
}

/// Arrow keys go from item to item, Esc lets go; false: nothing to do.
bool PlotView::walk(int key) {
    const int count = drawing_ ? static_cast<int>(drawing_->items(area()).size()) : 0;
    const int picked = drawing_ ? drawing_->pickedItem() : -1;
    if (count == 0) {
        return false;
    }
    if (key == Qt::Key_Right || key == Qt::Key_Down) {
        emit itemPicked(std::min(picked + 1, count - 1));
    } else if (key == Qt::Key_Left || key == Qt::Key_Up) {
        emit itemPicked(picked < 0 ? count - 1 : std::max(picked - 1, 0));
    } else if (key == Qt::Key_Escape && picked >= 0) {
        emit itemPicked(-1);
    } else {
        return false;
    }
    return true;
}

/// Left and right move a mark by a step, up and down choose among several.
bool PlotView::moveMark(int key) {
    const std::size_t count = drawing_ ? drawing_->marks(area()).size() : 0;
    if (count == 0) {
        return false;
    }
    mark_ = std::min(mark_, count - 1);
    if (key == Qt::Key_Up || key == Qt::Key_Down) {
        if (count == 1) {
            return false;
        }
        mark_ = (mark_ + (key == Qt::Key_Up ? 1 : count - 1)) % count;
        update();
        return true;
    }
    if (key != Qt::Key_Left && key != Qt::Key_Right) {
        return false;
    }
    if (const auto change = drawing_->stepped(mark_, key == Qt::Key_Left ? -1 : 1)) {
        emit dragBegan();
        emit changed(*change, true);
    }
    return true;
}

void PlotView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && from_) {
        letGo();
        emit dragCancelled();
        readOutAgain();
    } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        activate(drawing_ ? drawing_->pickedItem() : -1);
    } else if (!walk(event->key()) && !moveMark(event->key())) {
        QWidget::keyPressEvent(event);
    }
}

} // namespace loadline::ui
