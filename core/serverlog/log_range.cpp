// Filters records; progress follows its requests.
#include "core/serverlog/log_range.h"

#include <utility>

namespace loadline {

ServerLog logWithin(const ServerLog& log, const LogRange& range) {
    ServerLog part = log;
    if (!range.restricts() || log.clock == LogClock::None) {
        return part;
    }
    const auto outside = [&](const auto& record) {
        return !(record.timeS >= range.fromS && record.timeS <= range.toS);
    };
    std::erase_if(part.intervals, outside);
    std::erase_if(part.events, outside);
    std::erase_if(part.steps, outside);
    part.requests.clear();
    std::vector<std::size_t> placeOf(log.requests.size(), LogProgress::npos);
    for (std::size_t i = 0; i < log.requests.size(); ++i) {
        const LogRequest& request = log.requests[i];
        const double beginS = isTold(request.arrivalS) ? request.arrivalS : request.endS;
        const double endS = isTold(request.endS) ? request.endS : beginS;
        if (beginS <= range.toS && endS >= range.fromS) {
            placeOf[i] = part.requests.size();
            part.requests.push_back(request);
        }
    }
    std::erase_if(part.progress, outside);
    for (LogProgress& progress : part.progress) {
        progress.request = progress.request < placeOf.size() ? placeOf[progress.request] : LogProgress::npos;
    }
    part.moreRequests = 0;
    return part;
}

} // namespace loadline
