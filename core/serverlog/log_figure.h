// What the charts of a server's log show: its time line, and observed rates against the ceiling.
#pragma once

#include "core/serverlog/verdict/finding.h"

#include <memory>
#include <string>
#include <vector>

namespace loadline {

/// A step function of time: `value` from `timeS` on.
struct LogLevel {
    double timeS = 0;
    double value = 0;
};

/// Requests being served at once, by arrivals and ends. One whose end is not told counts as open until the
/// end of the log in `atMost` and as over at its last line in `atLeast`.
struct LogConcurrency {
    std::vector<LogLevel> atLeast;
    std::vector<LogLevel> atMost;
};

LogConcurrency concurrencyOf(const ServerLog& log);

struct LogFigure {
    std::shared_ptr<const ServerLog> log; ///< never null
    LogConcurrency concurrency;
    LogVerdict verdict;
    std::vector<std::string> evidenceTexts; ///< of all findings, in their order
    /// Contexts at which the ceiling is worth drawing, from 0 to beyond the longest observed one.
    double mostContext = 0;
};

} // namespace loadline
