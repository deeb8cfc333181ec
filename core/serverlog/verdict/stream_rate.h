// Tokens of all streams over the time that they ran, by lines of statistics.
#pragma once

#include "core/serverlog/server_log.h"

#include <cstdint>
#include <optional>

namespace loadline {

/// A rate that streams have while they run, prompts of others and waiting for them included. Lines tell
/// tokens over all their time and who runs at an instant: single quotients are wrong where requests begin or
/// end in between, the quotient of their sums is not.
struct StreamRate {
    double tokensPerS = notTold;
    double error = 0;          ///< standard error over tokensPerS, of lines that are independent
    double withPrompts = 0;    ///< share of the streams' time in lines that hold prompts
    double together = notTold; ///< over the time in which any stream runs; of servers that tell each prompt
    std::uint64_t lines = 0;
    /// Waves of requests meet the lines at the same moment: then lines are no samples of random instants, and
    /// neither tokensPerS nor its error holds.
    bool inStep = false;
    double atLeast =
        notTold; ///< tokens over the most time that the streams at both ends of lines can have run

    /// True if it is known to a third or so.
    [[nodiscard]] bool isNear() const {
        constexpr double most = 0.21;
        return error <= most && !inStep;
    }
};

/// Returns the rate of a stream; nothing for fewer than twelve lines with times.
std::optional<StreamRate> streamRateOf(const ServerLog& log);

} // namespace loadline
