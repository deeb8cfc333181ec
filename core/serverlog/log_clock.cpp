// Times without a zone are shown as they stand in the log.
#include "core/serverlog/log_clock.h"

#include "core/base/zone.h"

#include <cmath>

namespace loadline {

TimeMs shownLogTime(const ServerLog& log, double timeS) {
    const TimeMs time{log.begin.ms + static_cast<std::int64_t>(std::llround(timeS * 1e3))};
    return log.zoneTold ? asShown(time) : time;
}

std::string logZoneWords(const ServerLog& log) {
    return log.zoneTold ? zoneWords() : "the log's own clock";
}

std::string logBeginText(const ServerLog& log) {
    if (!isKnown(log.begin)) {
        return "";
    }
    std::string text = formatIso8601(log.begin);
    if (!log.zoneTold && text.ends_with('Z')) {
        text.pop_back();
    }
    return text;
}

} // namespace loadline
