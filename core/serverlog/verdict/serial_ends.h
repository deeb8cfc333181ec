// Access lines of a server that serves one at a time while several requests are there.
#pragma once

#include "core/serverlog/verdict/log_evidence.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace loadline {

/// Ends of requests that were at the server while the one before ended.
struct SerialEnds {
    std::size_t ends = 0;
    double leastS = 0; ///< between two of them
    double meanS = 0;
    double most = 0;             ///< at the server at once
    std::vector<LogLine> waited; ///< requests that were there before the one before them ended
};

/// Nothing unless ends are never closer than a time of service: where several requests share the steps they
/// end independently of each other, and one in a thousand such logs at most has no two ends that are closer.
std::optional<SerialEnds> serialEndsOf(const LogEvidence& evidence);

} // namespace loadline
