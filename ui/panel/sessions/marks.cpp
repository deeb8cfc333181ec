// Small marks in lists.
#include "ui/panel/sessions/marks.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace loadline::ui {

namespace {

/// Prepares the painter for drawing in a square of 14 units.
void enter(QPainter& painter, const QRect& place, const QColor& color) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal side = std::min(place.width(), place.height());
    painter.translate(place.center().x() + 0.5 - side / 2, place.center().y() + 0.5 - side / 2);
    painter.scale(side / 14.0, side / 14.0);
    painter.setPen(QPen(color, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
}

} // namespace

void drawWarningMark(QPainter& painter, const QRect& place, const QColor& color) {
    enter(painter, place, color);
    painter.drawPolygon(QPolygonF({{7, 1.5}, {13, 12.5}, {1, 12.5}}));
    painter.drawLine(QPointF(7, 5.5), QPointF(7, 8.5));
    painter.drawPoint(QPointF(7, 10.6));
    painter.restore();
}

void drawMendedMark(QPainter& painter, const QRect& place, const QColor& color) {
    enter(painter, place, color);
    painter.drawPolyline(QPolygonF({{2.5, 7.5}, {5.5, 10.5}, {11.5, 3.5}}));
    painter.restore();
}

void drawInheritedMark(QPainter& painter, const QRect& place, const QColor& color) {
    enter(painter, place, color);
    // A line that comes from above and turns into this row.
    QPainterPath path(QPointF(3, 1.5));
    path.lineTo(3, 6);
    path.quadTo(3, 9, 6, 9);
    path.lineTo(11.5, 9);
    painter.drawPath(path);
    painter.drawPolyline(QPolygonF({{8.8, 6.2}, {11.6, 9}, {8.8, 11.8}}));
    painter.restore();
}

} // namespace loadline::ui
