// Position and size of the window.
#pragma once

#include <QByteArray>
#include <QWidget>

namespace loadline::app {

/// Places the window as at the end of the last run (QWidget::saveGeometry; empty: 1280 x 800), at most as
/// large as the screen, which may be another now.
void place(QWidget& window, const QByteArray& geometry);

} // namespace loadline::app
