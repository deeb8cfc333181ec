// The charts of a server's log: its time line, and observed rates against the ceiling.
#pragma once

#include "core/serverlog/log_concurrency.h"
#include "core/serverlog/log_range.h"
#include "core/serverlog/verdict/finding.h"

#include <memory>
#include <string>
#include <vector>

namespace loadline {

struct LogFigure {
    std::shared_ptr<const ServerLog> log; ///< never null
    LogConcurrency concurrency;
    LogVerdict verdict;
    std::vector<std::string> evidenceTexts; ///< of all findings, in their order
    std::string assumption;                 ///< see ServedOnLog
    /// Contexts at which the ceiling is worth drawing, from 0 to beyond the longest observed one.
    double mostContext = 0;
    LogRange range; ///< that the verdict is on
};

/// Returns the figure without the texts of the evidence. The verdict is on the lines of the range; the log is
/// shown whole.
LogFigure logFigureOf(std::shared_ptr<const ServerLog> log, const ServedOn& chosen,
                      const LogRange& range = {});
/// The lines of all findings, in their order.
std::vector<LogLine> evidenceOf(const LogVerdict& verdict);

} // namespace loadline
