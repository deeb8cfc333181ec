// Position and size of the window.
#include "app/window/settings/window_place.h"

#include <QScreen>

namespace loadline::app {
namespace {

constexpr QSize usual(1280, 800);
constexpr QSize least(480, 320);
constexpr QSize frame(0, 40); // a title bar

} // namespace

void place(QWidget& window, const QByteArray& geometry) {
    window.resize(usual);
    if (!geometry.isEmpty()) {
        window.restoreGeometry(geometry);
    }
    const QScreen* const screen = window.screen();
    if (screen == nullptr || window.isMaximized() || window.isFullScreen()) {
        return;
    }
    const QRect room = screen->availableGeometry();
    const QSize size = window.size().boundedTo(room.size() - frame).expandedTo(least);
    if (size != window.size()) {
        window.resize(size);
        window.move(room.topLeft());
    }
}

} // namespace loadline::app
