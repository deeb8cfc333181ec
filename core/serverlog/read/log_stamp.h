// The times that lines of logs bear, in the forms in which servers and what wraps them write them.
#pragma once

#include "core/serverlog/server_log.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>

namespace loadline {

/// A time as it stands on a line.
struct LogStamp {
    std::size_t at = 0; ///< where it begins
    LogClock clock = LogClock::None;
    std::chrono::sys_days day{};    ///< of LogClock::Date
    unsigned month = 0;             ///< 1..12; of LogClock::MonthDay
    unsigned dayOfMonth = 0;        ///< 1..31
    double seconds = 0;             ///< of the day, or since the start
    std::optional<int> zoneMinutes; ///< east of UTC, where it says so
    unsigned process = 0;           ///< a router's child ("[42027] ") of LogClock::Uptime; 0: none
};

/// Anchors (AnchorScan) of all of them; uptimes stand before a level, seconds since 1970 in a field.
inline constexpr std::string_view timeAnchor = "00:00:00";
inline constexpr std::array<std::string_view, 4> uptimeAnchors = {"0.000 I", "0.000 W", "0.000 E", "0.000 D"};
inline constexpr std::string_view epochAnchor = " timestamp=0";

/// The time of which "hh:mm:ss" stands there; nothing where it is no time or stands within a sentence.
std::optional<LogStamp> stampAt(std::string_view line, std::size_t at);

/// The digits of llama.cpp's "m.ss.mmm.uuu I", of which one of uptimeAnchors stands there.
struct Uptime {
    std::string_view minutes;
    std::string_view seconds;
    std::string_view milliseconds;
    std::string_view microseconds;
    std::size_t at = 0; ///< where it begins
};

std::optional<Uptime> uptimeDigits(std::string_view line, std::size_t at);
std::optional<LogStamp> uptimeAt(std::string_view line, std::size_t at);
/// Returns the stamp of the seconds since 1970 behind the epochAnchor at this place.
std::optional<LogStamp> epochAt(std::string_view line, std::size_t at);

} // namespace loadline
