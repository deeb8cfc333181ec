// Where the time axis has its ticks, and what they say.
#pragma once

#include "core/workload/timeline/timeline.h"
#include "ui/chart/timeline/timeline_geometry.h"

#include <string>
#include <vector>

namespace loadline::ui {

struct TimelineTick {
    double units = 0;
    std::string label; ///< "14:02", "14:02:11", "+0.25 s", "2026-01-20" or "#120"
    std::string day;   ///< "Tue 2026-01-20" on the first tick and where the UTC day changes; else ""
    bool operator==(const TimelineTick&) const = default;
};

/// Ticks of the visible part in order, at least `leastPixels` apart. Times are UTC. Steps below a second are
/// durations after the last whole second before them, whose own tick says the time. A stretch between two cut
/// gaps that holds no round moment gets a tick at its begin, if there is room.
std::vector<TimelineTick> ticksOf(const TimelineScale& scale, const TimelineGeometry& geometry,
                                  double leastPixels);

/// Smallest of 1, 2, 5, 10, 20, 50 ... ms, then round seconds, minutes, hours and days, not below `ms`.
std::int64_t roundStepMs(double ms);
/// Smallest of 1, 2, 5 times a power of ten not below `least`; at least 1.
double roundStep(double least);

/// "Tue 2026-01-20".
std::string dayOf(TimeMs time);
/// "14:02:11", with ".250" where `withMs`.
std::string clockOf(TimeMs time, bool withMs);

} // namespace loadline::ui
