// A timeline's items in words: for tooltips and for screen readers.
#pragma once

#include "ui/chart/timeline_scene.h"

#include <QString>

namespace loadline::ui {

/// What, when, how long and how many tokens, as rich text.
QString toolTipOf(const TimelineScene& scene, TimelineItem item);
/// The same in one plain sentence.
QString spokenText(const TimelineScene& scene, TimelineItem item);

} // namespace loadline::ui
