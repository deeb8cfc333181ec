// Instants and durations of logs: milliseconds since 1970-01-01T00:00:00Z, and their ISO-8601 text.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace loadline {

/// An instant in UTC with millisecond resolution. A record without a timestamp has none (never 1970).
struct TimeMs {
    std::int64_t ms = 0;
    auto operator<=>(const TimeMs&) const = default;
};

/// Compact optional instant for columns: `unknownTime` stands for "no timestamp".
inline constexpr TimeMs unknownTime{std::numeric_limits<std::int64_t>::min()};

inline constexpr bool isKnown(TimeMs t) {
    return t != unknownTime;
}

/// Parses "2026-01-20T04:11:56.547Z", with 0 to 9 fraction digits and "Z" or "+hh:mm"; anything else:
/// nullopt. Years 1970 to 9999.
std::optional<TimeMs> parseIso8601(std::string_view text);
/// "2026-01-20T04:11:56.547Z"; "" for unknownTime.
std::string formatIso8601(TimeMs time);
/// "2026-01-20" in UTC; "" for unknownTime.
std::string utcDay(TimeMs time);
/// Days since 1970-01-01 in UTC (floor).
std::int64_t utcDayNumber(TimeMs time);

} // namespace loadline
