// The clock that people read times by.
#include "core/base/zone.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <ctime>

namespace loadline {
namespace {

std::atomic<Zone> shown{Zone::Utc};

/// Seconds that the clock shown is ahead of UTC at this time.
std::int64_t offsetAt(TimeMs time) {
    if (shownZone() == Zone::Utc || !isKnown(time)) {
        return 0;
    }
    const std::time_t seconds = time.ms / 1000;
    std::tm local{};
    return localtime_r(&seconds, &local) == nullptr ? 0 : local.tm_gmtoff;
}

} // namespace

void setShownZone(Zone zone) {
    if (zone == Zone::Local) {
        tzset();
    }
    shown.store(zone, std::memory_order_relaxed);
}

Zone shownZone() {
    return shown.load(std::memory_order_relaxed);
}

TimeMs asShown(TimeMs time) {
    return isKnown(time) ? TimeMs{time.ms + offsetAt(time) * 1000} : time;
}

TimeMs fromShown(TimeMs clock) {
    if (!isKnown(clock)) {
        return clock;
    }
    constexpr std::int64_t dayMs = 86'400'000; // offsets change less often, and are smaller
    const TimeMs earlier{clock.ms - offsetAt({clock.ms - dayMs}) * 1000};
    const TimeMs later{clock.ms - offsetAt({clock.ms + dayMs}) * 1000};
    return asShown(earlier) != clock && asShown(later) == clock ? later : earlier;
}

std::string zoneAt(TimeMs time) {
    const std::int64_t minutes = offsetAt(time) / 60;
    const std::int64_t size = std::abs(minutes);
    if (minutes == 0) {
        return "UTC";
    }
    return fmt::format("UTC{}{}{}", minutes < 0 ? '-' : '+', size / 60,
                       size % 60 == 0 ? "" : fmt::format(":{:02}", size % 60));
}

std::string zoneWords() {
    return shownZone() == Zone::Utc ? "UTC" : "local time";
}

} // namespace loadline
