// Dims widgets whose answer is out of date.
#include "ui/chart/frame/dimming.h"

#include <QGraphicsOpacityEffect>
#include <QWidget>

namespace loadline::ui {

void Dimming::add(QWidget* widget) {
    auto* effect = new QGraphicsOpacityEffect(widget);
    effect->setOpacity(0.45);
    effect->setEnabled(isOn_);
    widget->setGraphicsEffect(effect);
    effects_.push_back(effect);
}

void Dimming::set(bool on) {
    isOn_ = on;
    for (QGraphicsEffect* effect : effects_) {
        effect->setEnabled(on);
    }
}

} // namespace loadline::ui
