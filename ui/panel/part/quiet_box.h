// A list that a panel scrolls over: it does not change under the wheel.
#pragma once

#include <QComboBox>
#include <QWheelEvent>

namespace loadline::ui {

class QuietBox : public QComboBox {
public:
    using QComboBox::QComboBox;

protected:
    void wheelEvent(QWheelEvent* event) override {
        if (hasFocus()) {
            QComboBox::wheelEvent(event);
        } else {
            event->ignore();
        }
    }
};

} // namespace loadline::ui
