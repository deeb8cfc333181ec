// Places of all parts of a painted timeline, and the item under a point.
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

    /// Returns the vertical band in which a row is visible: the scrolled part hides what is above and below.
    [[nodiscard]] Band clipOf(const TimelineRow& row) const {
        return row.scrolls ? rows.scrolled : rows.fixed;
    }
};

TimelineFrame frameOf(const TimelineScene& scene, const QRectF& area, const TimelineView& view,
                      const LaneFolds& folds, double scroll, bool squeeze);

/// The item drawn at `point`, within a few pixels; of several the one that was painted.
std::optional<TimelineItem> itemAt(const TimelineScene& scene, const TimelineFrame& frame, QPointF point);
/// Returns the outline of an item; nothing if its lane is hidden. It may lie outside of the visible part.
std::optional<QRectF> rectOf(const TimelineScene& scene, const TimelineFrame& frame, TimelineItem item);

/// The token scales of an agent's row: the value at the upper end of its band, > 0. The sub-agents share one.
double contextTop(const TimelineScene& scene, const TimelineRow& row);
double outputTop(const TimelineScene& scene, const TimelineRow& row);

/// Colours that the header can name.
inline constexpr std::size_t headerKeys = 9;
/// Width of a header entry beside its words: a square of colour and distances, in pixels.
inline constexpr double keyGap = 28;
/// Returns the places of the header's colour entries, in as many lines as `width` pixels need: x from the
/// left, y the line.
std::array<QPointF, headerKeys> keyPlaces(const TimelineScene& scene, double width);
/// Width in pixels of the bar of where the time went, before its words.
inline constexpr double splitBarWidth = 120;

/// Whether a mark stands in the upper line of marks (events) instead of the prompts' line.
bool isEvent(MarkKind kind);

} // namespace loadline::ui
