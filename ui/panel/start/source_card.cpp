// A large button with an icon, a title and a line that explains it.
#include "ui/panel/start/source_card.h"

#include "ui/panel/part/themed.h"
#include "ui/theme/icons.h"
#include "ui/theme/plain_text.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QPainter>

#include <utility>

namespace loadline::ui {

namespace {

constexpr int cardPadding = 2 * spacing;
constexpr int iconSide = 24;

} // namespace

SourceCard::SourceCard(QString iconName, const QString& title, QWidget* parent)
    : QAbstractButton(parent), iconName_(std::move(iconName)) {
    setText(title);
    setAccessibleName(title);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void SourceCard::setExplanation(const QString& text) {
    explanation_ = linesText(text);
    setAccessibleDescription(explanation_);
    updateGeometry();
    update();
}

void SourceCard::setPrimary(bool primary) {
    primary_ = primary;
    update();
}

QSize SourceCard::sizeHint() const {
    const QFontMetrics title(fontOf(1.1, true));
    const QFontMetrics line(fontOf(0.95));
    return {208,
            2 * cardPadding + iconSide + spacing + title.height() + spacing / 2 + 3 * line.lineSpacing()};
}

/// Returns a size at which the card's text can be read.
QSize SourceCard::minimumSizeHint() const {
    return {168, sizeHint().height()};
}

/// Return and Enter click the card, as the space bar does.
void SourceCard::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        click();
        return;
    }
    QAbstractButton::keyPressEvent(event);
}

void SourceCard::paintEvent(QPaintEvent* /*event*/) {
    const Theme& theme = themeOf(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool active = isEnabled() && (underMouse() || hasFocus());
    const QRectF card = QRectF(rect()).adjusted(1, 1, -1, -1);
    painter.setPen(
        QPen(active ? theme.accent : (primary_ ? theme.accentSoft : theme.border), hasFocus() ? 2 : 1));
    painter.setBrush(isDown() || primary_ ? theme.accentSoft : theme.plotGround);
    painter.drawRoundedRect(card, 8, 8);

    QRect inner = rect().adjusted(cardPadding, cardPadding, -cardPadding, -cardPadding);
    const QRect iconRect(inner.topLeft(), QSize(iconSide, iconSide));
    ui::icon(iconName_, theme)
        .paint(&painter, iconRect, Qt::AlignCenter,
               !isEnabled() ? QIcon::Disabled : (active ? QIcon::Active : QIcon::Normal));
    inner.setTop(iconRect.bottom() + 1 + spacing);

    painter.setFont(fontOf(1.1, true));
    painter.setPen(isEnabled() ? theme.text : theme.textMuted);
    const int titleHeight = painter.fontMetrics().height();
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignTop,
                     painter.fontMetrics().elidedText(text(), Qt::ElideRight, inner.width()));
    inner.setTop(inner.top() + titleHeight + spacing / 2);
    painter.setFont(fontOf(0.95));
    painter.setPen(theme.textMuted);
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, explanation_);
}

} // namespace loadline::ui
