// A link-like button whose text is cut in its middle where it does not fit.
#include "ui/panel/part/elided_button.h"

#include "ui/panel/part/themed.h"

#include <QFontMetrics>
#include <QPainter>

namespace loadline::ui {

namespace {

constexpr int buttonPadding = 4;

/// A button's text without what stands for a letter to be pressed (buttonText).
QString shownText(const QAbstractButton& button) {
    return button.text().replace(QStringLiteral("&&"), QStringLiteral("&"));
}

} // namespace

ElidedButton::ElidedButton(QWidget* parent) : QAbstractButton(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
}

QSize ElidedButton::sizeHint() const {
    const QFontMetrics metrics(font());
    return {metrics.horizontalAdvance(shownText(*this)) + 2 * buttonPadding,
            metrics.height() + 2 * buttonPadding};
}

QSize ElidedButton::minimumSizeHint() const {
    return {60, sizeHint().height()};
}

void ElidedButton::paintEvent(QPaintEvent* /*event*/) {
    const Theme& theme = themeOf(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    }
    QFont shown = font();
    shown.setUnderline(underMouse());
    painter.setFont(shown);
    painter.setPen(theme.accent);
    const QRect inner = rect().adjusted(hasFocus() ? buttonPadding : 0, 0, -buttonPadding, 0);
    painter.drawText(inner, Qt::AlignVCenter | Qt::AlignLeft,
                     middleElided(shownText(*this), shown, inner.width()));
}

} // namespace loadline::ui
