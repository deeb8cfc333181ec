// A thin bar and one button.
#include "ui/panel/part/progress_strip.h"

#include "ui/theme/boxes.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QProgressBar>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace loadline::ui {
namespace {

constexpr int barWidth = 8 * spacing;

} // namespace

ProgressStrip::ProgressStrip(const QString& what, QWidget* parent)
    : QWidget(parent), what_(what), bar_(new QProgressBar), button_(new QToolButton) {
    bar_->setRange(0, 100);
    bar_->setTextVisible(false);
    bar_->setFixedSize(barWidth, spacing);
    bar_->setAccessibleName(what);
    button_->setFocusPolicy(Qt::StrongFocus);
    rowOf({bar_, button_}, spacing / 2, this);
    connect(button_, &QToolButton::clicked, this,
            [this] { stopped_ ? emit resumeRequested() : emit stopRequested(); });
    hide();
}

void ProgressStrip::setShare(double share) {
    stopped_ = false;
    bar_->setRange(0, share > 0 ? 100 : 0); // 0 to 0: moving, as the share is not known
    bar_->setValue(static_cast<int>(std::lround(100 * std::clamp(share, 0.0, 1.0))));
    bar_->show();
    button_->setText(tr("Stop"));
    setTip(button_, tr("%1: keep what is shown").arg(what_));
    button_->setAccessibleName(tr("Stop: %1").arg(what_));
    show();
}

void ProgressStrip::setStopped() {
    stopped_ = true;
    bar_->hide();
    button_->setText(what_);
    setTip(button_, tr("It was stopped: take it up again"));
    button_->setAccessibleName(tr("Resume: %1").arg(what_));
    show();
}

void ProgressStrip::clear() {
    hide();
}

} // namespace loadline::ui
