// Where the window stands, and how large it is.
#pragma once

#include <QByteArray>
#include <QWidget>

namespace loadline::app {

/// As it was at the end of the last run (QWidget::saveGeometry; empty: 1280 x 800), and no larger than the
/// screen, which may be another now.
void place(QWidget& window, const QByteArray& geometry);

} // namespace loadline::app
