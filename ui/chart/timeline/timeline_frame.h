// Where everything of a painted timeline lies, and what lies under a point.
#pragma once

#include "ui/chart/timeline/timeline_geometry.h"
#include "ui/chart/timeline/timeline_scene.h"

#include <QPointF>
#include <QRectF>

#include <array>
#include <cstddef>
#include <optional>

namespace loadline::ui {

struct TimelineFrame {
    QRectF area;
    QRectF header;    ///< time split and colours
    int keyLines = 0; ///< of the colours' words, above the time split; 0: beside it
    QRectF gutter;    ///< lane names and scales, left of the plot
    QRectF plot;      ///< lanes
    QRectF gapBand;   ///< durations of gaps; empty without gaps
    QRectF axisBand;
    QRectF noteBand; ///< what is not drawn, in words; empty when everything is
    TimelineGeometry x;
    TimelineRows rows;

    /// Where `y` can be seen of a row: the scrolled part hides what is above and below.
    [[nodiscard]] Band clipOf(const TimelineRow& row) const {
        return row.scrolls ? rows.scrolled : rows.fixed;
    }
};

TimelineFrame frameOf(const TimelineScene& scene, const QRectF& area, const TimelineView& view,
                      const LaneFolds& folds, double scroll, bool squeeze);

/// The item drawn at `point`, within a few pixels; of several the one that was painted.
std::optional<TimelineItem> itemAt(const TimelineScene& scene, const TimelineFrame& frame, QPointF point);
/// What is outlined for an item; nothing when its lane is hidden. May lie outside of the visible part.
std::optional<QRectF> rectOf(const TimelineScene& scene, const TimelineFrame& frame, TimelineItem item);

/// The token scales of an agent's row: the value at the upper end of its band, > 0. The sub-agents share one.
double contextTop(const TimelineScene& scene, const TimelineRow& row);
double outputTop(const TimelineScene& scene, const TimelineRow& row);

/// Colours that the header can name.
inline constexpr std::size_t headerKeys = 9;
/// What an entry of the header takes besides its words: a square of colour and distances, in pixels.
inline constexpr double keyGap = 28;
/// Where the words of the header's colours begin, as many lines as `width` pixels ask for: x from the left, y
/// the line.
std::array<QPointF, headerKeys> keyPlaces(const TimelineScene& scene, double width);
/// Of the bar of where the time went, before its words.
inline constexpr double splitBarWidth = 120;

/// Whether a mark stands in the upper line of marks (events) instead of the prompts' line.
bool isEvent(MarkKind kind);

} // namespace loadline::ui
