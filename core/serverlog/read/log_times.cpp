// Days, years and zones that stamps leave out.
#include "core/serverlog/read/log_times.h"

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>

namespace loadline {
namespace {

constexpr double dayS = 86400;
constexpr double momentS = 2; // processes write into one log, whose clocks have seconds

double secondsOfYear(int year, unsigned month, unsigned day) {
    const std::chrono::sys_days days =
        std::chrono::year(year) / std::chrono::month(month) / std::chrono::day(1);
    return dayS * (static_cast<double>(days.time_since_epoch().count()) + day - 1);
}

/// Days of a year without a 29th of February before this day; that day is where the 1st of March is.
double dayOfYear(unsigned month, unsigned day) {
    constexpr std::array<int, 12> before = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    return before.at(month - 1) + static_cast<double>(day) - 1;
}

/// `seconds` moved by whole periods to where it is nearest to `near`.
double nearest(double seconds, double near, double period) {
    return seconds + std::round((near - seconds) / period) * period;
}

} // namespace

/// A process that is new in the log, or started anew, starts its clock at 0: it is placed where the log is.
double LogTimes::sinceStart(const LogStamp& stamp) {
    constexpr std::size_t mostProcesses = 4096;
    const bool first = clock_ == LogClock::None;
    if (startedAt_.size() > mostProcesses) { // those that are still there are placed anew
        startedAt_.clear();
    }
    const auto [start, isNew] = startedAt_.try_emplace(stamp.process, first ? 0 : last_ - stamp.seconds);
    const double off = start->second + stamp.seconds - last_;
    const bool ahead = clock_ > LogClock::Uptime && off > momentS;
    if (!isNew && (off < -momentS || ahead)) {
        start->second = last_ - stamp.seconds;
    }
    return start->second + stamp.seconds;
}

/// On the axis of its own clock.
double LogTimes::ownSeconds(const LogStamp& stamp) {
    switch (stamp.clock) {
    case LogClock::Date:
        return dayS * static_cast<double>(stamp.day.time_since_epoch().count()) + stamp.seconds -
               60.0 * stamp.zoneMinutes.value_or(zoneMinutes_.value_or(0));
    case LogClock::MonthDay:
        leap_ = leap_ || (stamp.month == 2 && stamp.dayOfMonth == 29);
        return dayS *
                   (years_ + dayOfYear(stamp.month, stamp.dayOfMonth) + (leap_ && stamp.month > 2 ? 1 : 0)) +
               stamp.seconds;
    case LogClock::TimeOfDay:
        return dayS * days_ + stamp.seconds;
    case LogClock::Uptime:
    case LogClock::None:
        break;
    }
    return sinceStart(stamp);
}

/// On the axis of a clock that tells more.
double LogTimes::beside(const LogStamp& stamp) {
    const double zone = clock_ == LogClock::Date ? 60.0 * zoneMinutes_.value_or(0) : 0;
    if (stamp.clock == LogClock::Uptime) {
        return sinceStart(stamp);
    }
    if (stamp.clock == LogClock::TimeOfDay) {
        return nearest(stamp.seconds - zone, last_, dayS);
    }
    const std::chrono::sys_days day{std::chrono::days(static_cast<std::int64_t>(std::floor(last_ / dayS)))};
    const int year = static_cast<int>(std::chrono::year_month_day(day).year());
    double best = 0;
    for (int candidate = year - 1; candidate <= year + 1; ++candidate) {
        const double seconds = secondsOfYear(candidate, stamp.month, stamp.dayOfMonth) + stamp.seconds - zone;
        best = candidate == year - 1 || std::abs(seconds - last_) < std::abs(best - last_) ? seconds : best;
    }
    return best;
}

/// Dates before the first that tells its zone were taken as UTC: how far they are to be moved.
double LogTimes::learnZone(const LogStamp& stamp) {
    const bool first = stamp.zoneMinutes && !zoneMinutes_;
    zoneMinutes_ = stamp.zoneMinutes ? stamp.zoneMinutes : zoneMinutes_;
    const double shift = first && clock_ == LogClock::Date ? -60.0 * *zoneMinutes_ : 0;
    last_ += shift;
    for (auto& [process, start] : startedAt_) {
        start += shift;
    }
    return shift;
}

LogTimes::Placed LogTimes::place(const LogStamp& stamp) {
    Placed placed;
    placed.shift = learnZone(stamp);
    if (stamp.clock > clock_) {
        startedAt_.clear(); // on the axis that ends here
    }
    if (stamp.clock < clock_) {
        placed.seconds = beside(stamp);
        if (stamp.clock == LogClock::Uptime) {
            return placed; // the axis goes on by the clock that tells more
        }
    } else {
        placed.seconds = ownSeconds(stamp);
    }
    if (stamp.clock > clock_) {
        const double shift = clock_ == LogClock::None ? 0 : placed.seconds - last_;
        const bool byDays = clock_ != LogClock::Uptime;
        placed.shift = byDays ? std::round(shift / dayS) * dayS : shift;
        clock_ = stamp.clock;
        last_ = placed.seconds;
        return placed;
    }
    const double back = last_ - placed.seconds;
    if (stamp.clock == LogClock::TimeOfDay && clock_ == stamp.clock && back > dayS / 2) {
        days_ += 1;
        placed.seconds += dayS;
    } else if (stamp.clock == LogClock::MonthDay && clock_ == stamp.clock && back > 180 * dayS) {
        years_ += leap_ ? 366 : 365;
        leap_ = false;
        placed.seconds = ownSeconds(stamp);
    } else {
        placed.goesBack = back > momentS;
    }
    last_ = placed.seconds;
    return placed;
}

} // namespace loadline
