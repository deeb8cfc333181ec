// Measured throughput of all streams together.
#pragma once

#include "core/serverlog/light/speed_of_light.h"
#include "core/serverlog/server_log.h"

#include <string>
#include <vector>

namespace loadline {

/// Tokens/s of all streams together.
struct Together {
    double typical = notTold; ///< not told where no line tells it, and where requests lack ends or outputs
    double low = notTold;     ///< in 10 % of the time it is less; not told of requests
    double high = notTold;
};

/// Streams that ran together where rates were observed, by time: quantiles as those of Together.
Together streamsOf(const std::vector<const ObservedRate*>& rates);

/// "; 24 in the 6 without": what streams have while no prompts are computed beside them, where most lines
/// hold some; "" where no other line is told.
std::string withoutPromptsWords(const std::vector<ObservedRate>& rates);

/// Returns quantiles of the totals that lines of statistics print, weighted by the time of each; without such
/// lines, all tokens of steps or requests over the time in which any was decoded. Never a rate times the
/// streams of another line.
Together togetherOf(const ServerLog& log, const std::vector<const ObservedRate*>& rates);

} // namespace loadline
