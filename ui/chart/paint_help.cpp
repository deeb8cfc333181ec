// Painting helpers that every chart shares.
#include "ui/chart/paint_help.h"

#include "ui/theme/plain_text.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace loadline::ui {

QColor tinted(const QColor& a, const QColor& b, double share) {
    const auto part = [share](int x, int y) {
        return static_cast<int>(std::lround(x * share + y * (1 - share)));
    };
    return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

QColor faded(const QColor& color, double alpha) {
    QColor result = color;
    result.setAlphaF(static_cast<float>(alpha * color.alphaF()));
    return result;
}

void hatch(QPainter& painter, const QRectF& rect, const QColor& color, double distance, double width) {
    if (rect.isEmpty()) {
        return;
    }
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap));
    // Lines x + y = k * distance: from (k d - bottom, bottom) up to (k d - top, top), cut at the sides.
    const double first = std::ceil((rect.left() + rect.top()) / distance) * distance;
    QList<QLineF> lines;
    for (double sum = first; sum <= rect.right() + rect.bottom(); sum += distance) {
        const double x1 = std::max(rect.left(), sum - rect.bottom());
        const double x2 = std::min(rect.right(), sum - rect.top());
        if (x1 < x2) {
            lines << QLineF(x1, sum - x1, x2, sum - x2);
        }
    }
    painter.drawLines(lines);
}

double widthOf(const QFont& font, const QString& text) {
    return QFontMetricsF(font).horizontalAdvance(lineText(text));
}

double heightOf(const QFont& font) {
    return QFontMetricsF(font).height();
}

double drawText(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QFont& font,
                const QColor& color, const QString& said) {
    const QString text = lineText(said);
    const QFontMetricsF metrics(font);
    const QString shown = metrics.horizontalAdvance(text) > rect.width() + 0.5
                              ? metrics.elidedText(text, Qt::ElideRight, rect.width())
                              : text;
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(rect, static_cast<int>(alignment | Qt::TextSingleLine | Qt::TextDontClip), shown);
    return metrics.horizontalAdvance(shown);
}

int segmentsIn(const QRectF& place, const std::vector<QPolygonF>& lines) {
    int count = 0;
    for (const QPolygonF& line : lines) {
        for (qsizetype i = 0; i + 1 < line.size(); ++i) {
            const QRectF part = QRectF(line[i], line[i + 1]).normalized().adjusted(0, -1, 0, 1);
            count += part.intersects(place) ? 1 : 0;
        }
    }
    return count;
}

void paintRuns(QPainter& painter, const QPolygonF& line,
               const std::function<QPen(qsizetype segment)>& penOf) {
    painter.setBrush(Qt::NoBrush);
    for (qsizetype begin = 0; begin + 1 < line.size();) {
        const QPen pen = penOf(begin);
        qsizetype end = begin + 1;
        while (end + 1 < line.size() && penOf(end) == pen) {
            ++end;
        }
        painter.setPen(pen);
        painter.drawPolyline(line.constData() + begin, static_cast<int>(end - begin + 1));
        begin = end;
    }
}

void drawReadOut(QPainter& painter, const QPointF& anchor, const QRectF& bounds, const QStringList& lines,
                 const Theme& theme) {
    const QFont plain = fontOf(0.92);
    const QFont bold = fontOf(0.92, true);
    double width = 0;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        width = std::max(width, widthOf(i == 0 ? bold : plain, lines[i]));
    }
    const double lineHeight = heightOf(plain);
    const double pad = 0.75 * spacing;
    QRectF box(0, 0, width + 2 * pad, lineHeight * static_cast<double>(lines.size()) + 2 * pad);
    box.moveTopLeft(QPointF(anchor.x() + spacing, anchor.y() - box.height() - spacing));
    if (box.right() > bounds.right()) {
        box.moveRight(anchor.x() - spacing);
    }
    box.moveLeft(std::max(bounds.left(), std::min(box.left(), bounds.right() - box.width())));
    box.moveTop(std::max(bounds.top(), std::min(box.top(), bounds.bottom() - box.height())));
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(box, 4, 4);
    QRectF line(box.left() + pad, box.top() + pad, width, lineHeight);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        drawText(painter, line, Qt::AlignLeft | Qt::AlignVCenter, i == 0 ? bold : plain, theme.text,
                 lines[i]);
        line.translate(0, lineHeight);
    }
}

double paintColours(QPainter& painter, const QRectF& place, const QString& low, const QString& high,
                    const std::function<QColor(double share)>& colourAt, const Theme& theme) {
    constexpr double scaleWidth = 64;
    const QFont font = fontOf(0.82);
    const double before = widthOf(font, low) + 4;
    const double all = before + scaleWidth + 4 + widthOf(font, high);
    if (all > place.width()) {
        return 0;
    }
    drawText(painter, QRectF(place.left(), place.top(), before, place.height()), leftMiddle, font, theme.text,
             low);
    const QRectF strip(place.left() + before, place.center().y() - 4, scaleWidth, 8);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (double x = 0; x < scaleWidth; ++x) {
        painter.fillRect(QRectF(strip.left() + x, strip.top(), 1, strip.height()),
                         colourAt(x / (scaleWidth - 1)));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    drawText(painter, QRectF(strip.right() + 4, place.top(), place.right() - strip.right(), place.height()),
             leftMiddle, font, theme.text, high);
    return all + 1.5 * spacing;
}

} // namespace loadline::ui
