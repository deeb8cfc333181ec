// One axis of seconds for the times of a log, whatever they lack: a date, a year, a zone.
#pragma once

#include "core/serverlog/read/log_stamp.h"

#include <map>
#include <optional>

namespace loadline {

/// Turns stamps, in the order of their lines, into seconds: since 1970-01-01T00:00:00Z where dates are known.
/// The axis is that of the clock that tells most; one that tells less is placed on it.
class LogTimes {
public:
    struct Placed {
        double seconds = 0;
        double shift = 0;      ///< to be added to all seconds before: a clock or a zone was found
        bool goesBack = false; ///< by more than a moment, and no new day explains it
    };

    Placed place(const LogStamp& stamp);

    [[nodiscard]] LogClock clock() const { return clock_; }

    /// True if a stamp named its zone.
    [[nodiscard]] bool zoneTold() const { return zoneMinutes_.has_value(); }

private:
    double learnZone(const LogStamp& stamp);
    [[nodiscard]] double ownSeconds(const LogStamp& stamp);
    [[nodiscard]] double beside(const LogStamp& stamp);
    [[nodiscard]] double sinceStart(const LogStamp& stamp);

    LogClock clock_ = LogClock::None;
    double last_ = 0;
    std::optional<int> zoneMinutes_; ///< of the last stamp that told one
    double years_ = 0;               ///< of LogClock::MonthDay: days of the years before, from the first
    bool leap_ = false;              ///< a line of this year bears the 29th of February
    double days_ = 0;                ///< of LogClock::TimeOfDay, since the first
    std::map<unsigned, double> startedAt_; ///< on the axis: where the uptime of a process was 0
};

} // namespace loadline
