// A timeline in words: its items, for tooltips and screen readers, and the ticks of its time axis.
#pragma once

#include "core/workload/timeline/timeline.h"
#include "ui/chart/timeline/timeline_frame.h"
#include "ui/chart/timeline/timeline_geometry.h"
#include "ui/chart/timeline/timeline_scene.h"
#include "ui/theme/plain_text.h"

#include <QString>

#include <array>
#include <string>
#include <vector>

namespace loadline::ui {

/// Returns the tooltip: what the item is, when it was, how long it took and how many tokens it has.
Tip toolTipOf(const TimelineScene& scene, TimelineItem item);
/// The same in one plain sentence.
QString spokenText(const TimelineScene& scene, TimelineItem item);

/// Whose time the split is: the whole session's, or that of the dates selected within it.
QString splitName(const Timeline& timeline);
/// "model 42 min (31 %)" and so on for model, tools, human, other; empty where the part took no time.
/// `brief`: "human 33 %", for narrow places.
std::array<QString, 4> splitWords(const TimeSplit& split, bool brief);
/// Returns the meaning of each colour: cache read, cache write, uncached, output; then, empty if the session
/// has none: output that is a lower bound, calls, calls before their first line, inherited calls, calls that
/// are not selected.
std::array<QString, headerKeys> keyWords(const TimelineScene& scene);

struct TimelineTick {
    double units = 0;
    std::string label; ///< "14:02", "14:02:11", "+0.25 s", "2026-01-20" or "#120"
    std::string day;   ///< "Tue 2026-01-20" on the first tick and where the day changes; else ""
    bool operator==(const TimelineTick&) const = default;
};

/// Ticks of the visible part in order, at least `leastPixels` apart. Times are those of the clock shown.
/// Steps below a second are durations after the last whole second before them, whose own tick says the time.
/// A stretch between two cut gaps that holds no round moment gets a tick at its begin, if there is room.
std::vector<TimelineTick> ticksOf(const TimelineScale& scale, const TimelineGeometry& geometry,
                                  double leastPixels);

/// Smallest of 1, 2, 5, 10, 20, 50 ... ms, then round seconds, minutes, hours and days, not below `ms`.
std::int64_t roundStepMs(double ms);
/// Smallest of 1, 2, 5 times a power of ten not below `least`; at least 1.
double roundStep(double least);
/// The largest of 1, 2, 5, 10, 20 ... that is not above `most`, which is 1 at least.
double roundBelow(double most);

/// "Tue 2026-01-20".
std::string dayOf(TimeMs time);
/// "14:02:11", with ".250" where `withMs`.
std::string clockOf(TimeMs time, bool withMs);

} // namespace loadline::ui
