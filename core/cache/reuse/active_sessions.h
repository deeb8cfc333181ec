// How many sessions of a trace are in use at a time.
#pragma once

#include "core/trace/block_trace.h"

#include <cstddef>

namespace loadline {

/// A session is active from a request until so long after its answer; providers keep what nobody asks for as
/// long.
inline constexpr double activeWithinS = 300;
inline constexpr const char* activeWithin = "5 min"; ///< the same in words

/// Main chains by the times at which they were recorded.
struct ActiveSessions {
    bool recorded = false; ///< the trace tells when its conversations began
    /// True if several sessions all begin at time 0: only the chains within them have times of their own.
    bool beginTogether = false;
    std::size_t most = 0; ///< active at once
    double mean = 0;      ///< over the time in which any is
    bool operator==(const ActiveSessions&) const = default;
};

/// Returns the active sessions; not `recorded` for chains that are no conversations, or several that all
/// begin at time 0.
ActiveSessions activeSessionsOf(const BlockTrace& trace);

} // namespace loadline
