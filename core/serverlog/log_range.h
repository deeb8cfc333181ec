// A part of a log by its times.
#pragma once

#include "core/serverlog/server_log.h"

namespace loadline {

/// Seconds since ServerLog::begin; all of the log where toS is not above fromS.
struct LogRange {
    double fromS = 0;
    double toS = 0;

    [[nodiscard]] bool restricts() const { return toS > fromS; }

    bool operator==(const LogRange&) const = default;
};

/// Returns the part of a log in a range: records of its time, requests that run in it, all settings. Times
/// keep their origin, and lines their numbers. A log without times, or an open range, stays whole.
ServerLog logWithin(const ServerLog& log, const LogRange& range);

} // namespace loadline
