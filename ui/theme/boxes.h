// Rows and columns of widgets, written as what stands in them.
#pragma once

#include <QBoxLayout>
#include <QMargins>
#include <QWidget>

#include <functional>
#include <initializer_list>

namespace loadline::ui {

/// Room that takes what the others leave.
struct Stretch {
    int share = 1;
};

/// Room of its own, in pixels.
struct Space {
    int pixels = 0;
};

/// An entry of a box layout: a widget or a layout, with its share of the room that is left, or room itself.
struct BoxPart {
    BoxPart(QWidget* widget, int share = 0, Qt::Alignment at = {})
        : addTo([=](QBoxLayout& box) { box.addWidget(widget, share, at); }) {}

    BoxPart(QLayout* layout, int share = 0) : addTo([=](QBoxLayout& box) { box.addLayout(layout, share); }) {}

    BoxPart(Stretch stretch) : addTo([=](QBoxLayout& box) { box.addStretch(stretch.share); }) {}

    BoxPart(Space space) : addTo([=](QBoxLayout& box) { box.addSpacing(space.pixels); }) {}

    std::function<void(QBoxLayout&)> addTo;
};

template <typename Box>
Box* boxOf(std::initializer_list<BoxPart> parts, int between, QWidget* parent, QMargins around) {
    auto* box = new Box(parent);
    box->setContentsMargins(around);
    box->setSpacing(between);
    for (const BoxPart& part : parts) {
        part.addTo(*box);
    }
    return box;
}

/// A box of these parts, `between` pixels apart (-1: as the style has it). `parent`: the widget that it
/// fills, `around` it free; without one it belongs into another layout.
inline QHBoxLayout* rowOf(std::initializer_list<BoxPart> parts, int between = -1, QWidget* parent = nullptr,
                          QMargins around = {}) {
    return boxOf<QHBoxLayout>(parts, between, parent, around);
}

inline QVBoxLayout* columnOf(std::initializer_list<BoxPart> parts, int between = -1,
                             QWidget* parent = nullptr, QMargins around = {}) {
    return boxOf<QVBoxLayout>(parts, between, parent, around);
}

} // namespace loadline::ui
