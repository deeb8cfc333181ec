// Everything that a trace tells of its caches: an unlimited one, and an engine's.
#pragma once

#include "core/base/progress.h"
#include "core/cache/reuse/active_sessions.h"
#include "core/cache/reuse/capacity_curves.h"
#include "core/cache/reuse/prefix_reuse.h"
#include "core/cache/reuse/working_set.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace loadline {

/// Figures are over main chains; sub-agents, each a chain of its own, stand apart.
struct TraceFigures {
    Tokens blockTokens = 0; ///< 0: lengths alone are known
    bool conversations = false;
    std::uint64_t mainChains = 0, subAgents = 0;
    PrefixReuse unlimited;
    PrefixReuse unlimitedOfSubAgents;
    CapacityCurves engine; ///< a cache for each chain
    std::vector<SharedCurve> shared;
    ActiveSessions active;
    CapacityCurve recorded; ///< recordedCurveOf(); empty where active.recorded is false
    WorkingSet workingSet;
    RealSummary interArrivalS; ///< between requests of any chain that has everybody's; else empty
    double durationS = 0;      ///< of the longest chain, from its first request to its last
    std::uint64_t distinctTimes = 0;
};

/// `threads` as in parallelFor; the result does not depend on it. What is there when stopped means nothing.
TraceFigures traceFiguresOf(const BlockTrace& trace, unsigned threads, const std::stop_token& stop,
                            WorkProgress& progress);

} // namespace loadline
