// Reads the digits around the anchors of times.
#include "core/serverlog/read/log_stamp.h"

#include "core/serverlog/read/digit_text.h"
#include "core/serverlog/read/text_cursor.h"

#include <array>
#include <cstdint>

namespace loadline {
namespace {

constexpr std::size_t clockBytes = 8; // hh:mm:ss

/// The number of the digits at `at`; they are known to be there.
inline unsigned figuresAt(std::string_view text, std::size_t at, std::size_t count) {
    unsigned number = 0;
    for (std::size_t i = at; i < at + count; ++i) {
        number = number * 10 + static_cast<unsigned>(text[i] - '0');
    }
    return number;
}

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// True if a month's name may begin there.
bool lettersAt(std::string_view text, std::size_t at) {
    return isLetter(text[at]) && isLetter(text[at + 1]) && isLetter(text[at + 2]);
}

/// 1..12 of "Jan"; 0: none.
unsigned monthOf(std::string_view name) {
    constexpr std::string_view names = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const std::size_t at = names.find(name);
    return at == std::string_view::npos || at % 3 != 0 ? 0 : static_cast<unsigned>(at / 3 + 1);
}

bool setDate(LogStamp& stamp, unsigned year, unsigned month, unsigned day) {
    const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(year)),
                                           std::chrono::month(month), std::chrono::day(day)};
    stamp.clock = LogClock::Date;
    stamp.day = date.ok() ? std::chrono::sys_days(date) : std::chrono::sys_days{};
    return date.ok() && year >= 1970;
}

bool setMonthDay(LogStamp& stamp, unsigned month, unsigned day) {
    stamp.clock = LogClock::MonthDay;
    stamp.month = month;
    stamp.dayOfMonth = day;
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

constexpr DigitText dashed("0000-00-00 ");
constexpr DigitText dashedT("0000-00-00T");
constexpr DigitText slashed("0000/00/00 ");
constexpr DigitText slashedDash("0000/00/00 - ");
constexpr DigitText yearSpace("/0000 ");
constexpr DigitText yearColon("/0000:");
constexpr DigitText monthDay("00-00 ");
constexpr DigitText dayOfTwo(" 00 ");
constexpr DigitText dayOfOne("  0 ");

/// Sets the date from a year, a month and a day in four, two and two digits.
bool setFigures(LogStamp& stamp, std::string_view line, std::size_t at) {
    stamp.at = at;
    return setDate(stamp, figuresAt(line, at, 4), figuresAt(line, at + 5, 2), figuresAt(line, at + 8, 2));
}

/// The date in front of the time: "2026-03-11 ", "2026/03/11 - ", "18/Mar/2026 ", "05-19 ", "Feb 16 ".
bool readDate(std::string_view line, std::size_t at, LogStamp& stamp) {
    if (dashed.isBefore(line, at) || dashedT.isBefore(line, at) || slashed.isBefore(line, at)) {
        return setFigures(stamp, line, at - dashed.size());
    }
    if (slashedDash.isBefore(line, at)) {
        return setFigures(stamp, line, at - slashedDash.size());
    }
    constexpr std::size_t named = 12; // bytes of "18/Mar/2026 "
    if (at >= named && (yearSpace.isBefore(line, at) || yearColon.isBefore(line, at)) &&
        isDigit(line[at - named]) && isDigit(line[at - named + 1]) && line[at - named + 2] == '/' &&
        lettersAt(line, at - named + 3)) {
        stamp.at = at - named;
        return setDate(stamp, figuresAt(line, stamp.at + 7, 4), monthOf(line.substr(stamp.at + 3, 3)),
                       figuresAt(line, stamp.at, 2));
    }
    if (monthDay.isBefore(line, at)) {
        stamp.at = at - monthDay.size();
        return setMonthDay(stamp, figuresAt(line, stamp.at, 2), figuresAt(line, stamp.at + 3, 2));
    }
    constexpr std::size_t unyeared = 7; // bytes of "Feb 16 "
    if (at >= unyeared && (dayOfTwo.isBefore(line, at) || dayOfOne.isBefore(line, at)) &&
        lettersAt(line, at - unyeared)) {
        stamp.at = at - unyeared;
        const std::size_t digits = line[stamp.at + 4] == ' ' ? 5 : 4;
        return setMonthDay(stamp, monthOf(line.substr(stamp.at, 3)),
                           figuresAt(line, stamp.at + digits, 6 - digits));
    }
    stamp.clock = LogClock::TimeOfDay;
    stamp.at = at;
    return at == 0 || line[at - 1] == '[' || line.find_first_not_of(" \t|\"") >= at;
}

constexpr DigitText zoneColon("00:00");
constexpr DigitText zoneShort("0000");

/// Reads what follows the seconds: ".076" or ",338", then "Z", "+09:00" or "-0300".
void readFraction(std::string_view line, std::size_t at, LogStamp& stamp) {
    if (at + 1 < line.size() && (line[at] == '.' || line[at] == ',') && isDigit(line[at + 1])) {
        constexpr double most = 1e15; // further figures tell nothing
        double figures = 0;
        double unit = 1;
        for (++at; at < line.size() && isDigit(line[at]); ++at) {
            if (unit < most) {
                figures = figures * 10 + (line[at] - '0');
                unit *= 10;
            }
        }
        stamp.seconds += figures / unit;
    }
    const std::string_view zone = line.substr(at);
    if (zone.starts_with('Z')) {
        stamp.zoneMinutes = 0;
    } else if (zone.starts_with('+') || zone.starts_with('-')) {
        const bool colon = zone.size() >= 6 && zoneColon.isBefore(zone, 6);
        if (colon || (zone.size() >= 5 && zoneShort.isBefore(zone, 5))) {
            const auto minutes =
                static_cast<int>(figuresAt(zone, 1, 2) * 60 + figuresAt(zone, colon ? 4 : 3, 2));
            stamp.zoneMinutes = zone[0] == '-' ? -minutes : minutes;
        }
    }
}

} // namespace

std::optional<LogStamp> stampAt(std::string_view line, std::size_t at) {
    const std::size_t end = at + clockBytes;
    const bool partOfMore = (at > 0 && (isDigit(line[at - 1]) || line[at - 1] == '.')) ||
                            (end < line.size() && (isDigit(line[end]) || line[end] == ':'));
    const unsigned hours = figuresAt(line, at, 2);
    const unsigned minutes = figuresAt(line, at + 3, 2);
    const unsigned seconds = figuresAt(line, at + 6, 2);
    LogStamp stamp;
    if (partOfMore || hours > 23 || minutes > 59 || seconds > 60 || !readDate(line, at, stamp)) {
        return std::nullopt;
    }
    stamp.seconds = hours * 3600 + minutes * 60 + seconds;
    readFraction(line, end, stamp);
    return stamp;
}

std::optional<Uptime> uptimeDigits(std::string_view line, std::size_t at) {
    constexpr DigitText uptimeSeconds(".00.00"); // ".ss.mm" before "m.uuu I"
    if (!uptimeSeconds.isBefore(line, at)) {
        return std::nullopt;
    }
    const std::size_t dot = at - uptimeSeconds.size();
    const std::size_t begin = digitsBefore(line, dot);
    return begin == dot ? std::nullopt
                        : std::optional(Uptime{line.substr(begin, dot - begin), line.substr(dot + 1, 2),
                                               line.substr(dot + 4, 3), line.substr(dot + 8, 3), begin});
}

std::optional<LogStamp> uptimeAt(std::string_view line, std::size_t at) {
    constexpr std::size_t mostDigits = 9;
    const std::optional<Uptime> digits = uptimeDigits(line, at);
    if (!digits || digits->minutes.size() > mostDigits || (digits->at > 0 && line[digits->at - 1] != ' ')) {
        return std::nullopt;
    }
    LogStamp stamp;
    stamp.at = digits->at;
    stamp.clock = LogClock::Uptime;
    if (stamp.at >= 2 && line[stamp.at - 2] == ']') {
        const std::size_t port = digitsBefore(line, stamp.at - 2);
        const std::size_t count = stamp.at - 2 - port;
        stamp.process = count <= mostDigits ? figuresAt(line, port, count) : 0;
    }
    const auto number = [](std::string_view text) { return std::uint64_t{figuresAt(text, 0, text.size())}; };
    constexpr std::uint64_t thousand = 1000;
    const std::uint64_t seconds = number(digits->minutes) * 60 + number(digits->seconds);
    const std::uint64_t micros =
        (seconds * thousand + number(digits->milliseconds)) * thousand + number(digits->microseconds);
    stamp.seconds = static_cast<double>(micros) / 1e6;
    return stamp;
}

std::optional<LogStamp> epochAt(std::string_view line, std::size_t at) {
    constexpr std::size_t digits = 10; // from 2001 to 2286
    constexpr unsigned dayS = 86'400;
    std::string_view figures;
    TextCursor c(line, at + epochAnchor.size() - 1);
    if (!c.digits(figures) || figures.size() != digits) {
        return std::nullopt;
    }
    std::uint64_t seconds = 0;
    for (const char figure : figures) {
        seconds = seconds * 10 + static_cast<std::uint64_t>(figure - '0');
    }
    LogStamp stamp;
    stamp.at = at;
    stamp.clock = LogClock::Date;
    stamp.day = std::chrono::sys_days(std::chrono::days(seconds / dayS));
    stamp.seconds = static_cast<double>(seconds % dayS);
    stamp.zoneMinutes = 0;
    return stamp;
}

} // namespace loadline
