// Above and beside the lanes: where the time went, what the colours mean, lane names and token scales.
#include "ui/chart/timeline/timeline_paint.h"
#include "ui/chart/timeline/timeline_text.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <array>

namespace loadline::ui {

namespace {

/// A square of colour and its word; returns the x behind them. Nothing beyond `right`.
double keyEntry(const TimelinePaint& paint, double x, double y, double right, const QBrush& brush,
                const QString& word, const QColor& ink) {
    const double width = keyGap - 14 + paint.widthOf(word);
    if (x + width > right) {
        return x;
    }
    const double line = paint.lineHeight();
    paint.painter.fillRect(QRectF(x, y + (line - 9) / 2, 9, 9), brush);
    paint.text(QRectF(x + 13, y, width, line), leftMiddle, word, ink);
    return x + width + 14;
}

void paintSplit(const TimelinePaint& paint, double y, double right) {
    const TimeSplit& split = paint.scene.timeline->split;
    const Theme& theme = paint.theme;
    const auto all = static_cast<double>(split.totalMs());
    const std::array<std::int64_t, 4> times = {split.modelMs, split.toolsMs, split.humanMs, split.otherMs};
    const std::array<QColor, 4> colors = {theme.model, theme.tools, theme.human, theme.idle};
    std::array<QString, 4> names = splitWords(split, false);
    const double line = paint.lineHeight();
    constexpr double gap = 12, leastBar = 32;
    const double room = right - paint.frame.plot.left() - gap;
    const auto widthOfAll = [&] {
        double width = 0;
        for (const QString& name : names) {
            width += name.isEmpty() ? 0 : keyGap + paint.widthOf(name);
        }
        return width - 14;
    };
    double wanted = widthOfAll();
    if (wanted > room - splitBarWidth) {
        names = splitWords(split, true);
        wanted = widthOfAll();
    }
    // A short bar: as wide as the plot it would look like the axis of time. The words are worth more.
    const double barWidth = std::clamp(room - wanted, leastBar, splitBarWidth);
    const QRectF bar(paint.frame.plot.left(), y + (line - 8) / 2, barWidth, 8);
    const double after = bar.right() + gap;
    paint.text(QRectF(paint.frame.area.left() + 8, y, paint.frame.gutter.width() - 16, paint.lineHeight()),
               rightMiddle, splitName(*paint.scene.timeline), theme.textMuted);
    if (all <= 0) {
        paint.text(QRectF(bar.left(), y, right - bar.left(), line), leftMiddle,
                   QStringLiteral("No stretch of time is recorded."), theme.textMuted);
        return;
    }
    double x = bar.left(), word = after;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const double width = bar.width() * static_cast<double>(times.at(i)) / all;
        paint.fill(x, bar.top(), width, bar.height(), colors.at(i));
        x += width;
        if (!names.at(i).isEmpty()) {
            word = keyEntry(paint, word, y, right, colors.at(i), names.at(i), theme.text);
        }
    }
}

void fold(const TimelinePaint& paint, double x, double y, bool open) {
    QPolygonF triangle;
    if (open) {
        triangle << QPointF(x, y - 2.5) << QPointF(x + 8, y - 2.5) << QPointF(x + 4, y + 2.5);
    } else {
        triangle << QPointF(x + 1.5, y - 4) << QPointF(x + 6.5, y) << QPointF(x + 1.5, y + 4);
    }
    paint.painter.setRenderHint(QPainter::Antialiasing, true);
    paint.painter.setPen(Qt::NoPen);
    paint.painter.setBrush(paint.theme.textMuted);
    paint.painter.drawPolygon(triangle);
    paint.painter.setRenderHint(QPainter::Antialiasing, false);
}

/// Grid lines and numbers of a token scale: one at least where there is a line's height for it.
void scale(const TimelinePaint& paint, const Band& band, double top, double left, double right) {
    double step = roundStep(top / std::max(1.0, band.height / 34));
    const double highest = top * (1 - (paint.lineHeight() / 2 - 4) / std::max(band.height, 1.0));
    if (step > highest && highest >= 1 && band.height >= paint.lineHeight()) {
        step = roundBelow(highest);
    }
    for (double value = step; value <= top; value += step) {
        const double y = band.bottom() - band.height * value / top;
        paint.fill(paint.frame.plot.left(), y, paint.frame.plot.width(), paint.pixel, paint.theme.grid);
        if (y - paint.lineHeight() / 2 >= band.top - 4) {
            paint.text(QRectF(left, y - paint.lineHeight() / 2, right - left, paint.lineHeight()),
                       rightMiddle, countText(value), paint.theme.textMuted);
        }
    }
}

void mainGutter(const TimelinePaint& paint, const TimelineRow& row, double left, double right) {
    const AgentBands bands = bandsOf(row);
    const double line = paint.lineHeight();
    const auto centred = [&](const Band& band) {
        return QRectF(left, band.top + (band.height - line) / 2, right - left, line);
    };
    const QColor& muted = paint.theme.textMuted;
    const QString name = words(paint.scene.timeline->lanes[row.lane].name);
    if (bands.events.height > 0) {
        paint.text(centred(bands.events), rightMiddle, QStringLiteral("events"), muted);
        paint.text(centred(bands.prompts), rightMiddle, QStringLiteral("prompts"), muted);
        paint.text(QRectF(left, bands.context.top, (right - left) * 0.6, line), leftMiddle,
                   QStringLiteral("context"), muted);
        paint.text(centred(bands.spans), rightMiddle, QStringLiteral("calls"), muted);
        const LaneFigures& figures = paint.scene.lanes[row.lane];
        if (figures.largestOutput > 0) {
            paint.text(
                centred(bands.output), rightMiddle,
                (figures.inexactOutput ? QStringLiteral("output to \u2265 ") : QStringLiteral("output to ")) +
                    countText(static_cast<double>(figures.largestOutput)),
                muted);
        }
    }
    paint.text(QRectF(left, row.band.top, (right - left) * 0.6, line), leftMiddle, name, paint.theme.text,
               true);
    if (paint.scene.lanes[row.lane].spans > 0) {
        scale(paint, bands.context, contextTop(paint.scene, row), left, right);
    }
}

void agentGutter(const TimelinePaint& paint, const TimelineRow& row, double left, double right) {
    const TimelineLane& lane = paint.scene.timeline->lanes[row.lane];
    const LaneFigures& figures = paint.scene.lanes[row.lane];
    const double line = paint.lineHeight();
    const bool compact = row.kind == TimelineRow::Kind::Compact;
    if (row.band.height < line - 4) {
        return;
    }
    const double top = compact ? row.band.top + (row.band.height - line) / 2 : row.band.top + 3;
    fold(paint, left, top + line / 2, !compact);
    const QString largest = countText(static_cast<double>(figures.largestContext));
    const double number = compact ? paint.widthOf(largest) + 6 : 0;
    paint.text(QRectF(left + 14, top, right - left - 14 - number, line), leftMiddle, words(lane.name),
               paint.theme.text);
    if (compact) {
        paint.text(QRectF(right - number, top, number, line), rightMiddle, largest, paint.theme.textMuted);
        return;
    }
    if (row.band.height >= 2 * line + 6) {
        paint.text(QRectF(left + 14, top + line, right - left - 14, line), leftMiddle,
                   QStringLiteral("%1 calls, to %2")
                       .arg(exactText(static_cast<std::int64_t>(figures.spans)), largest),
                   paint.theme.textMuted);
    }
}

} // namespace

void paintHeader(const TimelinePaint& paint) {
    const Theme& theme = paint.theme;
    const std::array<QBrush, headerKeys> brushes = {
        theme.cacheRead,
        theme.cacheWrite,
        theme.uncachedInput,
        theme.output,
        mixed(theme.plotGround, theme.output, 0.55),
        theme.model,
        mixed(theme.plotGround, theme.model, paleUntilFirstLine),
        QBrush(theme.cacheRead, Qt::BDiagPattern),
        mixed(theme.plotGround, theme.cacheRead, paleUnselected),
    };
    const std::array<QString, headerKeys> names = keyWords(paint.scene);
    double width = 0;
    for (const QString& name : names) {
        width += name.isEmpty() ? 0 : keyGap + paint.widthOf(name);
    }
    const QRectF& plot = paint.frame.plot;
    const double line = paint.lineHeight(), y = paint.frame.header.top() + 2, right = plot.right();
    const bool beside = paint.frame.keyLines == 0;
    const double left = beside ? std::max(right - width + keyGap - 14, plot.left()) : plot.left();
    paintSplit(paint, y + paint.frame.keyLines * line, beside ? left - 8 : right);
    const std::array<QPointF, headerKeys> places = keyPlaces(paint.scene, beside ? width : plot.width());
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!names.at(i).isEmpty()) {
            keyEntry(paint, left + places.at(i).x(), y + places.at(i).y() * line, right + 4, brushes.at(i),
                     names.at(i), theme.textMuted);
        }
    }
}

void paintGutter(const TimelinePaint& paint, const TimelineRow& row) {
    const double left = paint.frame.area.left() + 8, right = paint.frame.gutter.right() - 8;
    const double line = paint.lineHeight();
    switch (row.kind) {
    case TimelineRow::Kind::Main:
        mainGutter(paint, row, left, right);
        break;
    case TimelineRow::Kind::Agent:
    case TimelineRow::Kind::Compact:
        agentGutter(paint, row, left, right);
        break;
    case TimelineRow::Kind::Tools:
        if (row.band.height >= line - 4) {
            paint.text(QRectF(left, row.band.top + (row.band.height - line) / 2, right - left, line),
                       rightMiddle, QStringLiteral("tools"), paint.theme.textMuted);
        }
        break;
    case TimelineRow::Kind::Heading: {
        paint.painter.fillRect(QRectF(paint.frame.area.left(), row.band.top,
                                      paint.frame.plot.right() - paint.frame.area.left(), row.band.height),
                               paint.theme.panel);
        std::size_t agents = 0;
        for (const TimelineLane& lane : paint.scene.timeline->lanes) {
            agents += isSubAgent(lane) ? 1 : 0;
        }
        fold(paint, left, row.band.top + row.band.height / 2, paint.frame.rows.othersShown);
        const QString many =
            agents == 1 ? QStringLiteral("1 sub-agent") : QStringLiteral("%1 sub-agents").arg(agents);
        const QString atOnce = QStringLiteral("%1 at once").arg(paint.scene.mostAgents);
        paint.text(QRectF(left + 14, row.band.top, right - left - 14, row.band.height), leftMiddle, many,
                   paint.theme.text, true);
        const double taken = 14 + QFontMetricsF(paint.boldFont).horizontalAdvance(many) + 6;
        if (paint.scene.mostAgents > 1 && taken + paint.widthOf(atOnce) <= right - left) {
            paint.text(QRectF(left, row.band.top, right - left, row.band.height), rightMiddle, atOnce,
                       paint.theme.textMuted);
        }
        break;
    }
    }
}

} // namespace loadline::ui
