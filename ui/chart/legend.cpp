// Legends, names beside each other, and the words of an empty chart.
#include "ui/chart/legend.h"

#include "ui/chart/paint_help.h"

#include <algorithm>
#include <numeric>

namespace loadline::ui {
namespace {

constexpr double legendLine = 16;

double markWidth(const LegendEntry& entry) {
    return entry.line == Qt::NoPen ? 10 : 24;
}

} // namespace

std::vector<double> spreadMiddles(const std::vector<double>& wanted, double height, double top,
                                  double bottom) {
    std::vector<std::size_t> order(wanted.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return wanted[i]; });
    std::vector<double> middles(wanted.size());
    double least = top + height / 2;
    for (const std::size_t i : order) { // down, out of the way of those above
        middles[i] = std::max(wanted[i], least);
        least = middles[i] + height;
    }
    double most = bottom - height / 2;
    for (auto i = order.rbegin(); i != order.rend(); ++i) { // and back up, where the last went too far
        middles[*i] = std::min(middles[*i], most);
        most = middles[*i] - height;
    }
    return middles;
}

void paintNothing(QPainter& painter, const QRectF& area, const Theme& theme, const QString& why) {
    drawText(painter, area, Qt::AlignCenter, fontOf(0.9), theme.textMuted, why);
}

double legendWidth(const std::vector<LegendEntry>& entries) {
    double width = 0;
    for (const LegendEntry& entry : entries) {
        width += markWidth(entry) + 4 + widthOf(fontOf(0.82), entry.text) + 1.5 * spacing;
    }
    return width;
}

double legendHeight(const std::vector<LegendEntry>& entries, double width) {
    const QFont font = fontOf(0.82);
    double lines = 1;
    double x = 0;
    for (const LegendEntry& entry : entries) {
        const double entryWidth = markWidth(entry) + 4 + widthOf(font, entry.text);
        if (x > 0 && x + entryWidth > width) {
            ++lines;
            x = 0;
        }
        x += entryWidth + 1.5 * spacing;
    }
    return lines * legendLine;
}

void paintLegend(QPainter& painter, const QRectF& place, const std::vector<LegendEntry>& entries,
                 const Theme& theme) {
    const QFont font = fontOf(0.82);
    QRectF line(place.left(), place.top(), place.width(), std::min(place.height(), legendLine));
    double x = place.left();
    for (const LegendEntry& entry : entries) {
        const double width = widthOf(font, entry.text);
        const double mark = markWidth(entry);
        if (x > place.left() && x + mark + 4 + width > place.right()) {
            line.translate(0, legendLine);
            x = place.left();
        }
        if (line.bottom() > place.bottom() + 0.5 || x + mark + 4 > place.right()) {
            return;
        }
        const QRectF box(x, line.center().y() - 4, mark, 8);
        if (entry.ring) {
            painter.setPen(QPen(entry.color, 1.2));
            painter.setBrush(theme.plotGround);
            painter.drawEllipse(box.center(), pointRadius, pointRadius);
        } else if (entry.line != Qt::NoPen) {
            painter.setPen(QPen(entry.color, 2, entry.line));
            painter.drawLine(QPointF(box.left(), box.center().y()), QPointF(box.right(), box.center().y()));
        } else {
            painter.fillRect(box, entry.hatched ? tinted(entry.color, theme.plotGround, 0.45) : entry.color);
            if (entry.hatched) {
                hatch(painter, box, entry.color, 4, 1.4);
            }
        }
        drawText(painter,
                 QRectF(x + mark + 4, line.top(), std::min(width + 2, place.right() - x - mark - 4),
                        line.height()),
                 leftMiddle, font, theme.text, entry.text);
        x += mark + 4 + width + 1.5 * spacing;
    }
}

} // namespace loadline::ui
