// Legends, names beside each other, and the words of an empty chart.
#include "ui/chart/legend.h"

#include "ui/chart/paint_help.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace loadline::ui {
namespace {

constexpr double boxWidth = 10, lineWidth = 24; ///< of marks, in pixels
constexpr double markGap = 4;                   ///< between a mark and its words

double markWidth(const LegendEntry& entry) {
    return entry.line == Qt::NoPen ? boxWidth : lineWidth;
}

/// Width of an entry's mark, gap and words.
double widthOfEntry(const LegendEntry& entry) {
    return markWidth(entry) + markGap + widthOf(fontOf(0.82), entry.text);
}

std::vector<double> widthsOf(const std::vector<LegendEntry>& entries) {
    std::vector<double> widths;
    std::ranges::transform(entries, std::back_inserter(widths), widthOfEntry);
    return widths;
}

/// Places of things of these widths in lines, as many as the room has; a single one may be cut at its end.
std::vector<QRectF> linesIn(const QRectF& room, const std::vector<double>& widths) {
    constexpr double leastShown = boxWidth + markGap;
    std::vector<QRectF> places;
    QRectF line(room.left(), room.top(), room.width(), std::min(room.height(), legendLine));
    double x = room.left();
    for (const double width : widths) {
        if (x > room.left() && x + width > room.right()) {
            line.translate(0, legendLine);
            x = room.left();
        }
        if (line.bottom() > room.bottom() + 0.5 || x + leastShown > room.right()) {
            break;
        }
        places.emplace_back(x, line.top(), std::min(width + 2, room.right() - x), line.height());
        x += width + 1.5 * spacing;
    }
    return places;
}

QString restWords(std::size_t count) {
    return QStringLiteral("and %1 more").arg(count);
}

struct LegendPlaces {
    std::vector<QRectF> entries; ///< of the first ones, as many as have room
    QRectF rest; ///< of the words that count the others; null: there are none, or there is no room
};

LegendPlaces legendPlaces(const QRectF& room, const std::vector<LegendEntry>& entries) {
    const std::vector<double> widths = widthsOf(entries);
    LegendPlaces places{linesIn(room, widths), {}};
    for (std::size_t count = places.entries.size(); places.entries.size() < entries.size() && count > 0;
         --count) {
        std::vector<double> some(widths.begin(), widths.begin() + static_cast<std::ptrdiff_t>(count));
        some.push_back(widthOf(fontOf(0.82), restWords(entries.size() - count)));
        std::vector<QRectF> withRest = linesIn(room, some);
        if (withRest.size() == some.size() && withRest.back().width() >= some.back()) {
            const QRectF rest = withRest.back();
            withRest.pop_back();
            return {std::move(withRest), rest};
        }
    }
    return places;
}

void paintEntryMark(QPainter& painter, const QRectF& box, const LegendEntry& entry, const Theme& theme) {
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
        width += widthOfEntry(entry) + 1.5 * spacing;
    }
    return width;
}

double legendHeight(const std::vector<LegendEntry>& entries, double width) {
    const QRectF room(0, 0, width, legendLine * static_cast<double>(entries.size()));
    const std::vector<QRectF> places = linesIn(room, widthsOf(entries));
    return places.empty() ? legendLine : places.back().bottom();
}

void paintLegend(QPainter& painter, const QRectF& place, const std::vector<LegendEntry>& entries,
                 const Theme& theme) {
    const QFont font = fontOf(0.82);
    const LegendPlaces places = legendPlaces(place, entries);
    for (std::size_t i = 0; i < places.entries.size(); ++i) {
        const QRectF& at = places.entries[i];
        const double mark = markWidth(entries[i]);
        paintEntryMark(painter, QRectF(at.left(), at.center().y() - 4, mark, 8), entries[i], theme);
        drawText(painter, at.adjusted(mark + markGap, 0, 0, 0), leftMiddle, font, theme.text,
                 entries[i].text);
    }
    if (!places.rest.isNull()) {
        drawText(painter, places.rest, leftMiddle, font, theme.textMuted,
                 restWords(entries.size() - places.entries.size()));
    }
}

} // namespace loadline::ui
