// The clock that a log's times are shown by: the program's, or the log's own where it names no zone.
#pragma once

#include "core/serverlog/server_log.h"

#include <string>

namespace loadline {

/// A time of a log of LogClock::Date as its clock reads, for formatIso8601.
TimeMs shownLogTime(const ServerLog& log, double timeS);
/// "UTC", "local time"; "the log's own clock" where its times name no zone.
std::string logZoneWords(const ServerLog& log);
/// "2026-01-20T04:11:56.547Z", without "Z" where no zone is told; "" where the log tells no dates.
std::string logBeginText(const ServerLog& log);

} // namespace loadline
