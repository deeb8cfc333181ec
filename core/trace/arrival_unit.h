// The unit of arrival times in traces that claim milliseconds.
#pragma once

#include "core/trace/request.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loadline {

/// Intervals between requests that go on from each other, with arrivals read as milliseconds.
struct ContinuedIntervals {
    std::size_t all = 0;
    std::size_t tooShort = 0; ///< of them, those too short for a server to write the answer
};

/// `blocks`: the block ids of each request's prompt, of `blockTokens` tokens each. A request goes on from an
/// earlier one if its prompt has the last whole block that this one was the first to bring, and room for its
/// answer.
ContinuedIntervals continuedIntervals(const std::vector<TraceRequest>& requests,
                                      const std::vector<std::vector<std::int64_t>>& blocks,
                                      Tokens blockTokens);

/// Multiplies arrivals that were read as milliseconds by `perSecond` if they are seconds. Returns a note that
/// names the unit and its reason; nothing where whole milliseconds are as the format has them.
std::optional<std::string> decideArrivalUnit(std::vector<TraceRequest>& requests,
                                             const ContinuedIntervals& intervals, bool anyFraction,
                                             double perSecond);

} // namespace loadline
