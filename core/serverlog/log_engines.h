// Several engines (ranks of data parallelism) that write into one log: each apart, and all together.
#pragma once

#include "core/serverlog/server_log.h"

#include <vector>

namespace loadline {

/// One engine by its lines of statistics.
struct LogEngine {
    int engine = 0;
    int engines = 1; ///< that its lines sum
    std::uint64_t lines = 0;
    double outputTokensPerS = notTold; ///< median of its lines that generate
    double mostOutputTokensPerS = notTold;
    double mostRunning = notTold;
    double mostWaiting = notTold;
};

/// All engines together when one of them wrote: of each the last line, unless it is long past (an idle engine
/// writes none). Not told: no engine tells it.
struct LogSum {
    LogLine where;
    double timeS = notTold;
    double outputTokensPerS = notTold;
    double promptTokensPerS = notTold;
    double running = notTold;
    double waiting = notTold;
};

/// Returns the engines in the order of their numbers; a line that sums several ("4 Engines Aggregated") is of
/// one.
std::vector<LogEngine> enginesOf(const ServerLog& log);
int engineCountOf(const std::vector<LogEngine>& engines);
/// Returns the sums in the order of time (of lines without times); empty for one engine.
std::vector<LogSum> engineSumsOf(const ServerLog& log);

/// The highest value of a field, and the median of those above 0; not told of none.
struct SumFigures {
    double median = notTold;
    double most = notTold;
};
SumFigures figuresOf(const std::vector<LogSum>& sums, double LogSum::*field);

} // namespace loadline
