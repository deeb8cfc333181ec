// Dims widgets whose answer is out of date.
#pragma once

#include <vector>

class QGraphicsEffect;
class QWidget;

namespace loadline::ui {

class Dimming {
public:
    /// Each widget once; it has no other graphics effect.
    void add(QWidget* widget);
    void set(bool on);

    [[nodiscard]] bool isOn() const { return isOn_; }

private:
    std::vector<QGraphicsEffect*> effects_; ///< owned by their widgets
    bool isOn_ = false;
};

} // namespace loadline::ui
