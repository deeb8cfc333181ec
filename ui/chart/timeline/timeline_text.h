// A timeline's items in words: for tooltips and for screen readers.
#pragma once

#include "ui/chart/timeline/timeline_scene.h"
#include "ui/theme/plain_text.h"

#include <QString>

#include <array>

namespace loadline::ui {

/// What, when, how long and how many tokens.
Tip toolTipOf(const TimelineScene& scene, TimelineItem item);
/// The same in one plain sentence.
QString spokenText(const TimelineScene& scene, TimelineItem item);

/// "model 42 min (31 %)" and so on for model, tools, human, other; empty where the part took no time.
/// `brief`: "human 33 %", for narrow places.
std::array<QString, 4> splitWords(const TimeSplit& split, bool brief);
/// What the colours of tokens mean: cache read, cache write, uncached, output; then, empty where the session
/// has none: output that is a lower bound, inherited calls.
std::array<QString, 6> keyWords(const TimelineScene& scene);

} // namespace loadline::ui
