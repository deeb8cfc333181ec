// Paints the field itself while the keys are elsewhere.
#include "ui/panel/part/elided_edit.h"

#include "ui/theme/plain_text.h"

#include <QPainter>
#include <QStyle>
#include <QStyleOptionFrame>

namespace loadline::ui {
namespace {

constexpr int textMargin = 2; ///< QLineEdit's own, to either side of the text

} // namespace

ElidedEdit::ElidedEdit(QWidget* parent) : QLineEdit(parent) {
    connect(this, &QLineEdit::textChanged, this, &ElidedEdit::showHelp);
}

void ElidedEdit::setHelp(const QString& help) {
    help_ = help;
    showHelp();
}

void ElidedEdit::showHelp() {
    setTip(this, shownText() == text() ? help_ : lineText(text()) + u'\n' + help_);
}

QRect ElidedEdit::textRect() const {
    QStyleOptionFrame option;
    initStyleOption(&option);
    return style()
        ->subElementRect(QStyle::SE_LineEditContents, &option, this)
        .adjusted(textMargin, 0, -textMargin, 0);
}

QString ElidedEdit::shownText() const {
    return hasFocus() ? text() : fontMetrics().elidedText(text(), Qt::ElideRight, textRect().width());
}

void ElidedEdit::paintEvent(QPaintEvent* event) {
    if (shownText() == text()) {
        QLineEdit::paintEvent(event);
        return;
    }
    QStyleOptionFrame option;
    initStyleOption(&option);
    QPainter painter(this);
    style()->drawPrimitive(QStyle::PE_PanelLineEdit, &option, &painter, this);
    painter.setPen(palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::Text));
    painter.drawText(textRect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, shownText());
}

void ElidedEdit::resizeEvent(QResizeEvent* event) {
    QLineEdit::resizeEvent(event);
    showHelp();
}

} // namespace loadline::ui
