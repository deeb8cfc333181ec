// Figures of a trace's caches: an unlimited one, and an engine's.
#pragma once

#include "core/base/progress.h"
#include "core/cache/reuse/active_sessions.h"
#include "core/cache/reuse/capacity_curves.h"
#include "core/cache/reuse/prefix_reuse.h"
#include "core/cache/reuse/working_set.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace loadline {

/// Hits of all sharers of a machine, dealt to so many replicas with a cache each.
struct DealtCurve {
    std::size_t replicas = 1;
    CapacityCurve curve; ///< by the capacity of one replica
};

/// Numbers of replicas that the GPUs of cacheNodes() form: a view changes between them without counting.
inline constexpr std::array<std::size_t, 3> usualReplicas{2, 4, 8};

/// Figures are over main chains; sub-agents, each a chain of its own, stand apart.
struct TraceFigures {
    Tokens blockTokens = 0; ///< 0: lengths alone are known
    bool conversations = false;
    bool leastHits = false; ///< hit rates are lower bounds: set for sessions whose logs leave reuse open
    std::uint64_t mainChains = 0, subAgents = 0;
    std::uint64_t agentsCounted = 0; ///< sub-agents among the main chains (countSubAgents)
    PrefixReuse unlimited;
    PrefixReuse unlimitedOfSubAgents;
    CapacityCurves engine; ///< a cache for each chain
    std::vector<SharedCurve> shared;
    ActiveSessions active;
    /// One for each number of replicas, from 1, ascending: recordedCurveOf(), without recorded times
    /// atOnceCurveOf(), without conversations roundRobinCurveOf(). Empty where the trace tells no blocks.
    std::vector<DealtCurve> dealt;
    /// Prefix hits of a cache that forgets by time alone, by age: where the times of all sessions are
    /// recorded, one that they share, where a block stays that any of them holds; else PrefixReuse's.
    std::vector<WeightedSample::Part> agesS;
    WorkingSet workingSet;
    RealSummary interArrivalS; ///< between requests of any chain that has everybody's; else empty
    double durationS = 0;      ///< of the longest chain, from its first request to its last
    std::uint64_t distinctTimes = 0;
    /// Figures of the upper end (ReuseEnd::Most) where it hits noticeably more than these, which are of the
    /// lower end; else null.
    std::shared_ptr<const TraceFigures> most = nullptr;

    /// Returns the curve of `dealt`; an empty one if it has none for so many replicas.
    [[nodiscard]] const CapacityCurve& dealtTo(std::size_t replicas) const;
    /// Hit rate of the cache of agesS where a block is forgotten that nobody held for so long.
    [[nodiscard]] double ttlHit(double seconds) const;
};

/// Makes chains of sub-agents main ones, so that all figures count them; returns their number.
std::uint64_t countSubAgents(BlockTrace& trace);

/// `threads` as in parallelFor; the result does not depend on it. `replicas`: ascending, those of `dealt`
/// beside 1. The result means nothing when stopped. Plans traceFiguresParts of progress.
TraceFigures traceFiguresOf(const BlockTrace& trace, unsigned threads, const std::stop_token& stop,
                            WorkProgress& progress, std::span<const std::size_t> replicas = usualReplicas);

/// Parts that traceFiguresOf() counts in.
inline constexpr std::uint64_t traceFiguresParts = 5;
/// Returns traceFiguresOf() for a caller that has planned its parts itself, with what it does afterwards.
TraceFigures plannedTraceFiguresOf(const BlockTrace& trace, unsigned threads, const std::stop_token& stop,
                                   WorkProgress& progress, std::span<const std::size_t> replicas);

} // namespace loadline
