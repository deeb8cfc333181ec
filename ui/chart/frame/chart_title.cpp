// A label and a small button.
#include "ui/chart/frame/chart_title.h"

#include "ui/theme/boxes.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QToolButton>

namespace loadline::ui {

ChartTitle::ChartTitle(const QString& title, QWidget* chart, QWidget* parent)
    : QWidget(parent), title_(title), label_(new QLabel(title)), button_(new QToolButton) {
    label_->setFont(fontOf(1, true));
    label_->setBuddy(chart);
    label_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    label_->setMinimumWidth(1);
    label_->setAccessibleName(title);
    setTip(label_, title);
    button_->setText(QStringLiteral("\u22ef"));
    button_->setAutoRaise(true);
    button_->setFocusPolicy(Qt::StrongFocus);
    button_->setObjectName(QStringLiteral("chartMenu"));
    button_->setFixedHeight(label_->sizeHint().height());
    setTip(button_, tr("Save, copy, show as a table, what is this"));
    button_->setAccessibleName(tr("Menu of %1").arg(title));
    rowOf({{label_, 1}, button_}, spacing / 2, this);
    connect(button_, &QToolButton::clicked, this,
            [this] { emit menuRequested(button_->mapToGlobal(button_->rect().bottomLeft())); });
}

void ChartTitle::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    label_->setText(label_->fontMetrics().elidedText(title_, Qt::ElideRight, label_->width()));
}

/// In the colour of what is selected.
void ChartTitle::setChosen(bool chosen) {
    label_->setForegroundRole(chosen ? QPalette::Link : QPalette::WindowText);
}

} // namespace loadline::ui
