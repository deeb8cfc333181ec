#include "core/base/time.h"

#include <fmt/format.h>

#include <chrono>

namespace loadline {
namespace {

using Days = std::chrono::sys_days;

constexpr std::int64_t msPerDay = 86'400'000;

/// Reads exactly `digits` decimal digits at `at`; -1 when they are not there.
int numberAt(std::string_view text, std::size_t at, std::size_t digits) {
    if (at + digits > text.size()) {
        return -1;
    }
    int value = 0;
    for (std::size_t i = at; i < at + digits; ++i) {
        if (text[i] < '0' || text[i] > '9') {
            return -1;
        }
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

/// Minutes east of UTC for "Z" or "+hh:mm"; nullopt for anything else.
std::optional<int> offsetMinutes(std::string_view zone) {
    if (zone == "Z") {
        return 0;
    }
    if (zone.size() != 6 || (zone[0] != '+' && zone[0] != '-') || zone[3] != ':') {
        return std::nullopt;
    }
    const int hours = numberAt(zone, 1, 2);
    const int minutes = numberAt(zone, 4, 2);
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) {
        return std::nullopt;
    }
    return (zone[0] == '-' ? -1 : 1) * (hours * 60 + minutes);
}

} // namespace

std::optional<TimeMs> parseIso8601(std::string_view text) {
    if (text.size() < 20 || text[4] != '-' || text[7] != '-' || (text[10] != 'T' && text[10] != ' ') ||
        text[13] != ':' || text[16] != ':') {
        return std::nullopt;
    }
    const int year = numberAt(text, 0, 4);
    const int month = numberAt(text, 5, 2);
    const int day = numberAt(text, 8, 2);
    const int hour = numberAt(text, 11, 2);
    const int minute = numberAt(text, 14, 2);
    const int second = numberAt(text, 17, 2);
    if (year < 1970 || month < 1 || day < 1 || hour < 0 || hour > 23 || minute < 0 || minute > 59 ||
        second < 0 || second > 60) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date{std::chrono::year(year),
                                           std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    if (!date.ok()) {
        return std::nullopt;
    }
    std::size_t at = 19;
    int ms = 0;
    if (text[at] == '.') {
        ++at;
        int scale = 100;
        const std::size_t first = at;
        while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
            ms += (text[at] - '0') * scale;
            scale /= 10;
            ++at;
        }
        if (at == first || at - first > 9) {
            return std::nullopt;
        }
    }
    const std::optional<int> offset = offsetMinutes(text.substr(at));
    if (!offset) {
        return std::nullopt;
    }
    const std::int64_t days = Days(date).time_since_epoch().count();
    const std::int64_t seconds = (hour * 60 + minute - *offset) * 60 + second;
    return TimeMs{days * msPerDay + seconds * 1000 + ms};
}

std::int64_t utcDayNumber(TimeMs time) {
    const std::int64_t days = time.ms / msPerDay;
    return time.ms % msPerDay < 0 ? days - 1 : days;
}

std::string utcDay(TimeMs time) {
    if (!isKnown(time)) {
        return {};
    }
    const std::chrono::year_month_day date{Days(std::chrono::days(utcDayNumber(time)))};
    return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::string formatIso8601(TimeMs time) {
    if (!isKnown(time)) {
        return {};
    }
    const std::int64_t ms = time.ms - utcDayNumber(time) * msPerDay;
    return fmt::format("{}T{:02}:{:02}:{:02}.{:03}Z", utcDay(time), ms / 3'600'000, ms / 60'000 % 60,
                       ms / 1000 % 60, ms % 1000);
}

} // namespace loadline
