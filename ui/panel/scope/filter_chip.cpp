// One active part of the scope.
#include "ui/panel/scope/filter_chip.h"

#include "ui/panel/part/themed.h"
#include "ui/theme/plain_text.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace loadline::ui {

namespace {

constexpr int chipPadding = 10;
constexpr int crossSide = 22;
constexpr int maxValueWidth = 240;

} // namespace

FilterChip::FilterChip(QWidget* parent) : QAbstractButton(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_Hover);
}

void FilterChip::setContent(const QString& kind, const QString& value, const QString& toolTip) {
    kind_ = kind;
    value_ = lineText(value);
    setText(buttonText(kind + QStringLiteral(": ") + value));
    setAccessibleName(tr("Filter %1: %2").arg(kind_, value_));
    setAccessibleDescription(tr("Delete removes it"));
    setTip(this, toolTip + QStringLiteral("\n\n") +
                     tr("Click or Enter changes it, the cross or Delete removes it."));
    updateGeometry();
    update();
}

QSize FilterChip::sizeHint() const {
    const QFontMetrics metrics(font());
    const int value = std::min(metrics.horizontalAdvance(value_), maxValueWidth);
    return {chipPadding + metrics.horizontalAdvance(kind_ + u' ') + value + 4 + crossSide,
            metrics.height() + 10};
}

QSize FilterChip::minimumSizeHint() const {
    return {chipPadding + crossSide + 40, sizeHint().height()};
}

QRect FilterChip::crossRect() const {
    return {width() - crossSide, 0, crossSide, height()};
}

void FilterChip::paintEvent(QPaintEvent* /*event*/) {
    const Theme& theme = themeOf(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal radius = (height() - 2) / 2.0;
    QPen edge(hasFocus() ? theme.accent : Qt::transparent, hasFocus() ? 2 : 1);
    painter.setPen(edge);
    painter.setBrush(theme.accentSoft);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), radius, radius);

    const QFontMetrics metrics(font());
    QRect inner = rect().adjusted(chipPadding, 0, -crossSide, 0);
    painter.setPen(theme.textMuted);
    painter.drawText(inner, Qt::AlignVCenter | Qt::AlignLeft, kind_);
    inner.setLeft(inner.left() + metrics.horizontalAdvance(kind_ + u' '));
    painter.setPen(theme.text);
    painter.drawText(inner, Qt::AlignVCenter | Qt::AlignLeft,
                     metrics.elidedText(value_, Qt::ElideRight, inner.width()));

    const QPointF centre = QRectF(crossRect()).center() - QPointF(2, 0);
    if (crossHovered_) {
        QColor disc = theme.accent;
        disc.setAlphaF(0.25F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(disc);
        painter.drawEllipse(centre, 8, 8);
    }
    painter.setPen(QPen(crossHovered_ ? theme.text : theme.textMuted, 1.4, Qt::SolidLine, Qt::RoundCap));
    constexpr qreal arm = 3.2;
    painter.drawLine(centre + QPointF(-arm, -arm), centre + QPointF(arm, arm));
    painter.drawLine(centre + QPointF(-arm, arm), centre + QPointF(arm, -arm));
}

void FilterChip::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        emit removed();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        click();
        return;
    default:
        QAbstractButton::keyPressEvent(event);
    }
}

void FilterChip::mousePressEvent(QMouseEvent* event) {
    crossPressed_ = event->button() == Qt::LeftButton && crossRect().contains(event->pos());
    if (!crossPressed_) {
        QAbstractButton::mousePressEvent(event);
    }
}

void FilterChip::mouseReleaseEvent(QMouseEvent* event) {
    if (!std::exchange(crossPressed_, false)) {
        QAbstractButton::mouseReleaseEvent(event);
    } else if (crossRect().contains(event->pos())) {
        emit removed();
    }
}

void FilterChip::mouseMoveEvent(QMouseEvent* event) {
    const bool hovered = crossRect().contains(event->pos());
    if (std::exchange(crossHovered_, hovered) != hovered) {
        update();
    }
    QAbstractButton::mouseMoveEvent(event);
}

void FilterChip::leaveEvent(QEvent* event) {
    crossHovered_ = false;
    update();
    QAbstractButton::leaveEvent(event);
}

} // namespace loadline::ui
