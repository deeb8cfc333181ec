// Layout of the lanes of a log's time line, and their curves.
#include "ui/chart/serverlog/log_lanes.h"

#include "core/text/number_format.h"
#include "ui/chart/legend.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/xy_axes.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <cmath>

namespace loadline::ui {
namespace {

constexpr double titledHeight = 28; ///< of a lane, from which on its title stands above it
constexpr double barsShare = 1.6;   ///< of the height that a lane has
constexpr double leastSpanPixels = 1.5;

QFont logLaneFont() {
    return fontOf(0.82);
}

/// The part of a series that is in view, with one sample more at either side.
std::pair<std::size_t, std::size_t> inView(const LogTimes& times, const LogAxis& axis) {
    const auto first = std::ranges::lower_bound(times.ends, axis.begin) - times.ends.begin();
    const auto last = std::ranges::upper_bound(times.ends, axis.end) - times.ends.begin();
    return {static_cast<std::size_t>(std::max<std::ptrdiff_t>(first - 1, 0)),
            std::min(static_cast<std::size_t>(last) + 1, times.ends.size())};
}

/// One thin column a pixel, from the least to the most of what ends in it; a mean reaches over its span.
void paintDense(QPainter& painter, const LogSeries& series, const LogBox& box, const LogAxis& axis,
                const QColor& color) {
    const LogTimes& times = *series.times;
    QList<QLineF> lines;
    Extreme last;
    auto begin = std::ranges::lower_bound(times.ends, axis.begin) - times.ends.begin();
    for (double x = axis.left; x < axis.right(); ++x) {
        const auto end = std::lower_bound(times.ends.begin() + begin, times.ends.end(), axis.at(x + 1)) -
                         times.ends.begin();
        Extreme now = series.values.of(static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
        if (!now.any() && end < std::ssize(times.ends) &&
            times.begins[static_cast<std::size_t>(end)] <= axis.at(x)) {
            now.take(series.values[static_cast<std::size_t>(end)]);
        }
        begin = end;
        if (now.any()) {
            const double from = last.any() ? std::min(now.least, last.most) : now.least;
            const double to = last.any() ? std::max(now.most, last.least) : now.most;
            lines << QLineF(x + 0.5, box.y(from) + 0.5, x + 0.5, box.y(to) - 0.5);
        }
        last = now;
    }
    painter.setRenderHint(QPainter::Antialiasing, false); // whole pixels, and many
    painter.setPen(color);
    painter.drawLines(lines);
    painter.setRenderHint(QPainter::Antialiasing);
}

/// Means as steps over their spans, with their area.
void paintSpans(QPainter& painter, const LogSeries& series, const LogBox& box, const LogAxis& axis,
                const QColor& color) {
    const LogTimes& times = *series.times;
    const auto [first, last] = inView(times, axis);
    const auto held = [&](double place) { return std::clamp(axis.x(place), axis.left, axis.right()); };
    QList<QLineF> lines;
    for (std::size_t i = first; i < last; ++i) {
        if (!isTold(series.values[i]) || times.ends[i] < axis.begin || times.begins[i] > axis.end) {
            continue;
        }
        const double right = held(times.ends[i]);
        const double left = std::min(held(times.begins[i]), right - leastSpanPixels);
        const double y = box.y(series.values[i]);
        if (series.engine < 0) { // areas of several engines would hide each other
            painter.fillRect(QRectF(left, y, right - left, box.plot.bottom() - y), faded(color, 0.22));
        }
        lines << QLineF(left, y, right, y);
    }
    painter.setPen(QPen(color, 1.8, Qt::SolidLine, Qt::FlatCap));
    painter.drawLines(lines);
}

/// Instants as points, joined where nothing is missing between them.
void paintInstants(QPainter& painter, const LogSeries& series, const LogBox& box, const LogAxis& axis,
                   const QColor& color) {
    constexpr double mostGaps = 6;
    constexpr double roomOfPoint = 6;
    const LogTimes& times = *series.times;
    const auto [first, last] = inView(times, axis);
    const bool points = static_cast<double>(last - first) * roomOfPoint < axis.width;
    QPolygonF run;
    double before = 0;
    const auto finish = [&] {
        painter.setPen(QPen(color, 1.6));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(run);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        for (const QPointF& at : run) {
            if (points || run.size() == 1) {
                painter.drawEllipse(at, 2, 2);
            }
        }
        run.clear();
    };
    painter.save();
    painter.setClipRect(box.plot.adjusted(0, -3, 0, 3));
    for (std::size_t i = first; i < last; ++i) {
        if (!isTold(series.values[i])) {
            continue;
        }
        if (!run.isEmpty() && times.ends[i] - before > mostGaps * times.usualGap && times.usualGap > 0) {
            finish();
        }
        before = times.ends[i];
        run << QPointF(axis.x(times.ends[i]), box.y(series.values[i]));
    }
    finish();
    painter.restore();
}

void paintSeries(QPainter& painter, const LogSeries& series, const LogBox& box, const LogAxis& axis,
                 const Theme& theme) {
    constexpr double fewPerPixel = 1.5;
    const auto [first, last] = inView(*series.times, axis);
    const QColor color = colourOf(series, theme);
    if (static_cast<double>(last - first) > fewPerPixel * axis.width) {
        paintDense(painter, series, box, axis, color);
    } else if (series.ofSpans) {
        paintSpans(painter, series, box, axis, color);
    } else {
        paintInstants(painter, series, box, axis, color);
    }
}

/// Returns the share of the height that a kind of box takes.
double shareOf(const LogBox& box) {
    return box.kind == LogBox::Kind::Bars ? barsShare : 1;
}

std::vector<LogBox> boxesOf(const LogScene& scene) {
    std::vector<LogBox> boxes;
    for (const LogLane& lane : scene.lanes()) {
        boxes.push_back({LogBox::Kind::Lane, &lane, {}, {}, lane.most});
    }
    const double most = scene.atMost().values.of(0, scene.atMost().values.size()).most;
    if (most > 0) {
        boxes.push_back({LogBox::Kind::Concurrency, nullptr, {}, {}, niceAbove(most)});
    }
    if (!scene.bars().empty()) {
        boxes.push_back({LogBox::Kind::Bars, nullptr, {}, {}, 1});
    }
    return boxes;
}

std::vector<LegendEntry> engineEntries(const LogScene& scene, const Theme& theme) {
    std::vector<LegendEntry> entries;
    for (const int engine : scene.engines()) {
        const auto place = static_cast<int>(entries.size());
        entries.push_back(
            {colourOfEngine(place, theme), false, Qt::SolidLine, QStringLiteral("engine %1").arg(engine)});
    }
    if (scene.enginesNotDrawn() > 0) {
        entries.push_back(
            {theme.textMuted, false, Qt::DotLine,
             QStringLiteral("%1 more engines: in the sums alone").arg(scene.enginesNotDrawn())});
    }
    return entries;
}

} // namespace

LogLayout layoutOf(const LogScene& scene, const PlotChange::Stretch& stretch, const QRectF& area) {
    LogLayout layout;
    const double line = heightOf(logLaneFont());
    const double eventsHeight = scene.events().empty() ? 0 : 14;
    layout.boxes = boxesOf(scene);
    double gutter = 3 * spacing;
    double shares = 0;
    for (const LogBox& box : layout.boxes) {
        shares += shareOf(box);
        const XyAxis axis{{}, 0, box.most, false, box.lane != nullptr && box.lane->shares};
        gutter = std::max(gutter, widthOf(logLaneFont(), tickText(axis, box.most)) + spacing);
    }
    layout.plots = area.adjusted(gutter, 0, -spacing, -line - spacing / 2.0);
    if (const std::vector<LegendEntry> engines = engineEntries(scene, Theme()); !engines.empty()) {
        constexpr double mostShare = 0.25; // of the height
        const double height = legendHeight(engines, layout.plots.width());
        if (height < mostShare * layout.plots.height()) {
            layout.legend = QRectF(layout.plots.left(), layout.plots.top(), layout.plots.width(), height);
            layout.plots.setTop(layout.plots.top() + height);
        }
    }
    layout.axisLine = QRectF(area.left(), layout.plots.bottom() + 2, area.width(), line);
    layout.axis = axisOf(scene, stretch, layout.plots.left(), layout.plots.width());
    double top = layout.plots.top() + eventsHeight;
    const double unit = std::max(layout.plots.bottom() - top, 1.0) / std::max(shares, 1.0);
    for (LogBox& box : layout.boxes) {
        const double height = unit * shareOf(box);
        const double titleHeight = height >= titledHeight ? line : 0;
        box.title = QRectF(layout.plots.left(), top, layout.plots.width(), titleHeight);
        box.plot = QRectF(layout.plots.left(), top + titleHeight + 1, layout.plots.width(),
                          std::max(height - titleHeight - 4, 1.0));
        top += height;
    }
    if (eventsHeight > 0) {
        const QRectF strip(layout.plots.left(), layout.plots.top(), layout.plots.width(), eventsHeight - 2);
        layout.boxes.push_back({LogBox::Kind::Events, nullptr, {}, strip, 1});
    }
    return layout;
}

void paintEngines(QPainter& painter, const LogScene& scene, const LogLayout& layout, const Theme& theme) {
    if (!layout.legend.isEmpty()) {
        paintLegend(painter, layout.legend, engineEntries(scene, theme), theme);
    }
}

void paintLane(QPainter& painter, const LogBox& box, const LogAxis& axis, const Theme& theme) {
    for (const LogSeries& series : box.lane->series) {
        paintSeries(painter, series, box, axis, theme);
    }
    if (box.title.isEmpty()) {
        return;
    }
    const double used = drawText(painter, box.title, leftMiddle, logLaneFont(), theme.text, box.lane->title);
    std::vector<LegendEntry> entries;
    for (const LogSeries& series : box.lane->series) {
        if (series.engine < 0) { // engines have a legend of their own
            entries.push_back({colourOf(series, theme), false, Qt::SolidLine, series.name});
        }
    }
    if (box.lane->series.size() > 1) {
        paintLegend(painter, box.title.adjusted(used + 2 * spacing, 0, 0, 0), entries, theme);
    }
}

} // namespace loadline::ui
