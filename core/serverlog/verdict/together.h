// Measured throughput of all streams together.
#pragma once

#include "core/serverlog/light/speed_of_light.h"
#include "core/serverlog/server_log.h"

#include <string>
#include <vector>

namespace loadline {

/// Quantiles of a value over time; each may be not told.
struct OverTime {
    double typical = notTold; ///< median
    double low = notTold;     ///< in 10 % of the time it is less
    double high = notTold;    ///< in 10 % of the time it is more
};

/// Streams that ran together where rates were observed.
OverTime streamsOf(const std::vector<const ObservedRate*>& rates);

/// "; 24 in the 6 without": what streams have while no prompts are computed beside them, where most lines
/// hold some; "" where hardly any other line is told.
std::string withoutPromptsWords(const std::vector<ObservedRate>& rates);

/// Tokens/s of all streams together: quantiles of the totals that lines of statistics print; without such
/// lines, all tokens of steps or requests over the time in which any was decoded, if hardly a request lacks
/// its end or output. Never a rate times the streams of another line.
OverTime togetherOf(const ServerLog& log, const std::vector<const ObservedRate*>& rates);

} // namespace loadline
