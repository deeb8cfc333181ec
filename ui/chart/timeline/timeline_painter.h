// Paints a timeline into any painter: the same picture in the window and in exports.
#pragma once

#include "ui/chart/timeline/timeline_frame.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace loadline::ui {

/// Highlights that the user's interaction adds to the picture; exports have none of them.
struct TimelineHand {
    std::optional<TimelineItem> hovered, walked, pinned;
    std::optional<std::pair<double, double>> range; ///< axis units
    std::uint64_t callsInRange = 0;
    std::vector<std::pair<double, double>> stretches; ///< marked; axis units
    std::optional<double> cursor;                     ///< axis units: a thin line through all lanes
    std::vector<std::uint32_t> lanes;                 ///< selected
};

/// Everything that does not move with the hand.
void paintTimeline(QPainter& painter, const TimelineScene& scene, const TimelineFrame& frame,
                   const Theme& theme);
/// Over it: cheap enough for every move of the mouse.
void paintHand(QPainter& painter, const TimelineScene& scene, const TimelineFrame& frame, const Theme& theme,
               const TimelineHand& hand);

} // namespace loadline::ui
