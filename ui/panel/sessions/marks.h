// Small marks in lists: something was lost, something was mended, calls were inherited.
#pragma once

#include <QColor>
#include <QRect>

class QPainter;

namespace loadline::ui {

inline constexpr int markSide = 14;

void drawWarningMark(QPainter& painter, const QRect& place, const QColor& color);   ///< triangle with "!"
void drawMendedMark(QPainter& painter, const QRect& place, const QColor& color);    ///< tick
void drawInheritedMark(QPainter& painter, const QRect& place, const QColor& color); ///< branch

} // namespace loadline::ui
