// A calm line across the window.
#include "ui/panel/part/banner.h"

#include "ui/theme/boxes.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace loadline::ui {

Banner::Banner(QWidget* parent) : QFrame(parent), text_(new QLabel), button_(new QPushButton) {
    setObjectName("banner");
    setAccessibleName(tr("Message"));
    text_->setWordWrap(true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* close = new QToolButton;
    close->setText(QStringLiteral("\u00d7"));
    close->setAutoRaise(true);
    setTip(close, tr("Hide this message"));
    close->setAccessibleName(close->toolTip());
    rowOf({{text_, 1}, button_, close}, spacing, this, {2 * spacing, spacing / 2, spacing, spacing / 2});
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    connect(button_, &QPushButton::clicked, this, &Banner::actionRequested);
    hide();
}

void Banner::show(const QString& sentence, const QString& button) {
    text_->setText(linesText(sentence));
    setAccessibleDescription(text_->text());
    button_->setText(buttonText(button));
    button_->setVisible(!button.isEmpty());
    setVisible(true);
}

QString Banner::text() const {
    return isHidden() ? QString() : text_->text();
}

} // namespace loadline::ui
