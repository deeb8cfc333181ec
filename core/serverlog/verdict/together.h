// What all streams decode together, as it was measured.
#pragma once

#include "core/serverlog/light/speed_of_light.h"
#include "core/serverlog/server_log.h"

#include <vector>

namespace loadline {

/// Tokens/s of all streams together.
struct Together {
    double typical = notTold; ///< not told where no line tells it, and where requests lack ends or outputs
    double low = notTold;     ///< in 10 % of the time it is less; not told of requests
    double high = notTold;
};

/// Of lines of statistics the totals that they print, weighted by the time of each; of steps and requests
/// all tokens over the time in which any was decoded. Never rates times streams of other lines.
Together togetherOf(const ServerLog& log, const std::vector<const ObservedRate*>& rates);

} // namespace loadline
