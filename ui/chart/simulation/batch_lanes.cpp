// Painting lanes column by column, as the timeline is painted.
#include "ui/chart/simulation/batch_lanes.h"

#include "ui/chart/paint_help.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <cmath>

namespace loadline::ui {

double largestOf(const StepValue& value, std::size_t steps, double least) {
    double most = least;
    for (std::size_t i = 0; i < steps; ++i) {
        most = std::max(most, value(i));
    }
    return most;
}

double shareOf(double value, const LaneStyle& style) {
    if (!(value > 0) || !(style.most > 0)) {
        return 0;
    }
    const double share = style.log ? std::log2(1 + value) / std::log2(1 + style.most) : value / style.most;
    return std::clamp(share, 0.0, 1.0);
}

void paintLane(QPainter& painter, const QRectF& lane, std::size_t steps, const StepValue& value,
               const LaneStyle& style, const Theme& theme) {
    if (steps == 0 || lane.width() < 1) {
        return;
    }
    const QColor soft = tinted(style.color, theme.plotGround, 0.45);
    const auto columns =
        static_cast<std::size_t>(std::min<double>(std::floor(lane.width()), static_cast<double>(steps)));
    const double width = lane.width() / static_cast<double>(columns);
    for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t from = column * steps / columns;
        const std::size_t to = std::max(from + 1, (column + 1) * steps / columns);
        double least = value(from);
        double most = least;
        for (std::size_t i = from + 1; i < to; ++i) {
            const double v = value(i);
            least = std::min(least, v);
            most = std::max(most, v);
        }
        const double x = lane.left() + static_cast<double>(column) * width;
        const double high = shareOf(most, style) * lane.height();
        const double low = shareOf(least, style) * lane.height();
        painter.fillRect(QRectF(x, lane.bottom() - high, width, high - low), soft);
        painter.fillRect(QRectF(x, lane.bottom() - low, width, low), style.color);
    }
}

void paintLaneFrame(QPainter& painter, const QRectF& lane, double head, const LaneStyle& style,
                    const Theme& theme) {
    painter.setPen(QPen(theme.grid, 1));
    painter.drawLine(lane.bottomLeft(), lane.bottomRight());
    const QFont font = fontOf(0.82);
    const double line = heightOf(font);
    const QRectF name(lane.left() - head, lane.bottom() - line, head - spacing, line);
    drawText(painter, name, Qt::AlignRight | Qt::AlignBottom, font, theme.text, style.name);
    if (lane.height() > 2 * line) {
        drawText(painter, QRectF(lane.left() - head, lane.top(), head - spacing, line),
                 Qt::AlignRight | Qt::AlignTop, font, theme.textMuted, countText(style.most));
    }
}

} // namespace loadline::ui
