// Places of all parts of a painted timeline, and the item under a point.
#include "ui/chart/timeline/timeline_frame.h"

#include "ui/chart/timeline/timeline_text.h"
#include "ui/theme/theme.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace loadline::ui {

namespace {

constexpr double tolerance = 4; ///< pixels
constexpr double markReach = 7; ///< pixels; half a mark is 5

bool hasNotes(const TimelineScene& scene) {
    const Timeline& timeline = *scene.timeline;
    return timeline.callsWithoutTime + timeline.toolsWithoutTime + timeline.marksWithoutTime +
               scene.openTools >
           0;
}

/// Pixels that time split and key take on one line.
double headerWidth(const TimelineScene& scene) {
    const QFontMetricsF metrics(fontOf(0.85));
    double width = 8 + splitBarWidth + 12;
    for (const QString& words : splitWords(scene.timeline->split, false)) {
        width += words.isEmpty() ? 0 : keyGap + metrics.horizontalAdvance(words);
    }
    for (const QString& words : keyWords(scene)) {
        width += words.isEmpty() ? 0 : keyGap + metrics.horizontalAdvance(words);
    }
    return width;
}

bool keyFitsBeside(const TimelineScene& scene, double width) {
    return headerWidth(scene) <= width;
}

bool hasGaps(const TimelineScene& scene) {
    return scene.scale.axis() == TimelineAxis::WallClock ? !scene.timeline->gaps.empty()
                                                         : !scene.scale.cutGaps().empty();
}

std::optional<TimelineItem> markNear(const TimelineScene& scene, const TimelineFrame& frame,
                                     const TimelineRow& row, std::optional<bool> event, double x) {
    std::optional<TimelineItem> best;
    double bestDistance = markReach;
    const std::vector<std::uint32_t>& marks = scene.lanes[row.lane].marks;
    const double from = frame.x.toUnits(x - markReach);
    auto at = std::lower_bound(marks.begin(), marks.end(), from, [&](std::uint32_t mark, double units) {
        return scene.index.marks[mark] < units;
    });
    for (; at != marks.end(); ++at) {
        const double distance = std::abs(frame.x.toPixel(scene.index.marks[*at]) - x);
        if (frame.x.toPixel(scene.index.marks[*at]) > x + markReach) {
            break;
        }
        if (event && isEvent(scene.timeline->marks[*at].kind) != *event) {
            continue;
        }
        if (distance <= bestDistance) {
            bestDistance = distance;
            best = TimelineItem{TimelineItem::Kind::Mark, *at};
        }
    }
    return best;
}

/// Returns the call that is painted in the pixel column under the cursor, else the nearest call.
std::optional<TimelineItem> callNear(const TimelineScene& scene, const TimelineFrame& frame,
                                     const TimelineRow& row, double x) {
    const double left = std::floor(x);
    const double from = frame.x.toUnits(left), to = frame.x.toUnits(left + 1);
    for (const TimelineColumn& column : columnsOf(*scene.timeline, scene.index, row.lane, from, to, 1)) {
        return TimelineItem{TimelineItem::Kind::Call, column.largest};
    }
    const auto near =
        nearestItem(scene.index, row.lane, frame.x.toUnits(x), tolerance / frame.x.pixelsPerUnit());
    return near ? std::optional(TimelineItem{TimelineItem::Kind::Call, *near}) : std::nullopt;
}

std::optional<TimelineItem> toolNear(const TimelineScene& scene, const TimelineFrame& frame,
                                     const TimelineRow& row, QPointF point) {
    const LaneSpans& spans = scene.index.lanes[row.lane];
    const double units = frame.x.toUnits(point.x()), reach = tolerance / frame.x.pixelsPerUnit();
    const IndexRange range = spansIn(spans, units - reach, units + reach);
    const int rows = scene.lanes[row.lane].toolRows;
    std::optional<TimelineItem> best;
    double bestDistance = reach;
    for (std::size_t i = range.first; i < range.last; ++i) {
        const Band band = toolBand(row, scene.toolRow[spans.item[i]], rows);
        const double distance = std::max({spans.start[i] - units, units - spans.end[i], 0.0});
        const bool inBand = point.y() >= band.top - 1 && point.y() <= band.bottom() + 1;
        if (inBand && distance <= bestDistance) {
            bestDistance = distance;
            best = TimelineItem{TimelineItem::Kind::Tool, spans.item[i]};
        }
    }
    return best;
}

} // namespace

std::array<QPointF, headerKeys> keyPlaces(const TimelineScene& scene, double width) {
    const QFontMetricsF metrics(fontOf(0.85));
    const std::array<QString, headerKeys> words = keyWords(scene);
    std::array<QPointF, headerKeys> places;
    QPointF at(0, 0);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const double wide = keyGap - 14 + metrics.horizontalAdvance(words.at(i));
        if (!words.at(i).isEmpty() && at.x() > 0 && at.x() + wide > width) {
            at = {0, at.y() + 1};
        }
        places.at(i) = at;
        at.rx() += words.at(i).isEmpty() ? 0 : wide + 14;
    }
    return places;
}

double contextTop(const TimelineScene& scene, const TimelineRow& row) {
    const Tokens largest = row.kind == TimelineRow::Kind::Main ? scene.lanes[row.lane].largestContext
                                                               : scene.largestSubAgentContext;
    return std::max(1.0, static_cast<double>(largest) * 1.05);
}

double outputTop(const TimelineScene& scene, const TimelineRow& row) {
    const Tokens largest = row.kind == TimelineRow::Kind::Main ? scene.lanes[row.lane].largestOutput
                                                               : scene.largestSubAgentOutput;
    return std::max(1.0, static_cast<double>(largest));
}

bool isEvent(MarkKind kind) {
    return kind != MarkKind::Prompt;
}

TimelineFrame frameOf(const TimelineScene& scene, const QRectF& area, const TimelineView& view,
                      const LaneFolds& folds, double scroll, bool squeeze) {
    TimelineFrame frame;
    frame.area = area;
    const double line = std::ceil(QFontMetricsF(fontOf(0.85)).height());
    const double gutter = std::clamp(area.width() * 0.16, 100.0, 184.0);
    const double right = area.right() - 12;
    const double width = right - area.left() - gutter;
    const int keyLines =
        keyFitsBeside(scene, width) ? 0 : static_cast<int>(keyPlaces(scene, width).back().y()) + 1;
    const double header = (keyLines + 1) * line + 8;
    frame.keyLines = keyLines;
    frame.header = QRectF(area.left(), area.top(), area.width(), header);
    const double notes = hasNotes(scene) ? line + 2 : 0;
    const double axis = 2 * line + 8;
    const double gaps = hasGaps(scene) ? line : 0;
    const double left = area.left() + gutter;
    const double bottom = std::max(area.bottom() - notes - axis - gaps, area.top() + header + 20);
    frame.gutter = QRectF(area.left(), area.top() + header, gutter, bottom - area.top() - header);
    frame.plot = QRectF(left, frame.gutter.top(), std::max(right - left, 20.0), frame.gutter.height());
    frame.gapBand = QRectF(left, bottom, frame.plot.width(), gaps);
    frame.axisBand = QRectF(left, bottom + gaps, frame.plot.width(), axis);
    frame.noteBand = QRectF(area.left(), bottom + gaps + axis, area.width(), notes);
    frame.x = geometryOf(scene.scale, view, left + 4, frame.plot.width() - 8);
    frame.rows = rowsOf(scene, {frame.plot.top(), frame.plot.height()}, folds, scroll, squeeze);
    return frame;
}

std::optional<TimelineItem> itemAt(const TimelineScene& scene, const TimelineFrame& frame, QPointF point) {
    if (!frame.plot.contains(point)) {
        return std::nullopt;
    }
    const TimelineRow* row = frame.rows.at(point.y());
    if (row == nullptr || row->kind == TimelineRow::Kind::Heading) {
        return std::nullopt;
    }
    if (row->kind == TimelineRow::Kind::Tools) {
        return toolNear(scene, frame, *row, point);
    }
    const AgentBands bands = bandsOf(*row);
    if (bands.events.contains(point.y())) {
        return markNear(scene, frame, *row, true, point.x());
    }
    if (bands.prompts.contains(point.y())) {
        return markNear(scene, frame, *row, false, point.x());
    }
    if (bands.events.height == 0 && point.y() < row->band.top + 9) {
        if (const auto mark = markNear(scene, frame, *row, std::nullopt, point.x())) {
            return mark;
        }
    }
    return callNear(scene, frame, *row, point.x());
}

std::optional<QRectF> rectOf(const TimelineScene& scene, const TimelineFrame& frame, TimelineItem item) {
    const ItemPlace place = placeOf(scene, item);
    const TimelineRow* row = frame.rows.ofLane(place.lane);
    if (row == nullptr) {
        return std::nullopt;
    }
    const double x0 = frame.x.toPixel(place.start), x1 = std::max(frame.x.toPixel(place.end), x0 + 3);
    if (item.kind == TimelineItem::Kind::Tool) {
        const Band band = toolBand(*row, scene.toolRow[item.index], scene.lanes[place.lane].toolRows);
        return QRectF(x0, band.top, x1 - x0, band.height);
    }
    const AgentBands bands = bandsOf(*row);
    if (item.kind == TimelineItem::Kind::Call) {
        const double bottom = bands.output.height > 0 ? bands.output.bottom() : bands.spans.bottom();
        const auto context = static_cast<double>(scene.timeline->calls[item.index].usage.context());
        const double tall = bands.context.height * std::min(1.0, context / contextTop(scene, *row));
        const double top = bands.context.height > 0 ? bands.context.bottom() - tall : bands.spans.top;
        return QRectF(x0, top, x1 - x0, bottom - top);
    }
    const bool event = isEvent(scene.timeline->marks[item.index].kind);
    const Band band = bands.events.height == 0 ? Band{row->band.top, 9}
                      : event                  ? bands.events
                                               : bands.prompts;
    return QRectF(x0 - 6, band.top, 12, band.height);
}

} // namespace loadline::ui
