// The clock that people read times by: UTC, or the one of this machine's time zone.
#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace loadline {

enum class Zone : std::uint8_t { Utc, Local };

constexpr std::string_view keyOf(Zone zone) {
    return zone == Zone::Utc ? "utc" : "local";
}

/// One for the whole program, as a locale is: UTC unless somebody chooses. It concerns words for people
/// alone; what programs read (JSON, CSV, options) is UTC always. May be called on any thread.
void setShownZone(Zone zone);
Zone shownZone();

/// An instant that reads in UTC as this one does on the clock shown: for formatIso8601, utcDay, utcDayNumber.
/// unknownTime stays what it is.
TimeMs asShown(TimeMs time);
/// Returns the instant at which the clock shown reads so: the earlier one where it reads so twice, as long
/// after the change where it never does (some zones change at midnight, so that a day begins at 1:00).
TimeMs fromShown(TimeMs clock);

/// "UTC", "UTC+2", "UTC-3:30": of the clock shown at this time.
std::string zoneAt(TimeMs time);
/// "UTC" or "local time".
std::string zoneWords();

} // namespace loadline
