// Capacity of each tier of a machine, and the share of a trace that it serves.
#pragma once

#include "core/base/statistics.h"
#include "core/cache/reuse/capacity_curves.h"
#include "core/cache/tier/cache_tiers.h"
#include "core/cache/tier/kv_layout.h"
#include "core/cache/tier/replicas.h"

#include <optional>
#include <span>
#include <vector>

namespace loadline {

/// A capacity in the three ways it is spoken of.
struct CapacityReading {
    double gb = 0;
    double tokens = 0;   ///< of long sequences: KvLayout::bytesPerToken
    double sessions = 0; ///< that hold so many tokens each; 0 where nobody holds any
};

CapacityReading readingOf(double gb, const KvLayout& layout, double heldTokens);

struct TierHits {
    CapacityReading own;      ///< of this tier
    CapacityReading upToHere; ///< of it and the faster ones
    double hit = 0;           ///< found here: hit(C1 + .. + Ci) - hit(C1 + .. + Ci-1)
    double hitUpToHere = 0;
    double hitTokens = 0; ///< the same two of the prompts' tokens: what spares computing
    double hitTokensUpToHere = 0;
};

/// By tier, of a cache that is least recently used over all of them: what a faster one has no room for goes
/// to the next. What is in none, 1 - hitUpToHere of the last, is computed again. The curve says whose blocks
/// they are, and what the hits are shares of: its capacities are those of one replica, which has its share of
/// every tier. Recurrent states and windows are left out of a block's bytes. A tier that keeps no blocks
/// (keepsBlocks) hits nothing.
std::vector<TierHits> tierHitsOf(const CacheTiers& tiers, const KvLayout& layout, Tokens blockTokens,
                                 const CapacityCurve& curve, double heldTokens,
                                 const Replicas& replicas = {});

/// Sessions that share a machine, or one replica, each resting between its requests as these gaps are.
struct SessionsOnNode {
    double sessions = 1;
    double heldTokens = 0;                   ///< by each of the others, mean
    std::vector<WeightedSample::Part> gapsS; ///< from one request's start to the next, ascending
};

/// P(another session makes a request within a time): E[min(gap, time)] / E[gap], of gaps that follow each
/// other without regard to those before. 1 without gaps.
double touchedWithin(std::span<const WeightedSample::Part> gapsS, double seconds);

/// The tier in which a session that rests so long finds its blocks.
struct SessionTier {
    double gapS = 0;
    double heldTokens = 0;
    double gb =
        0; ///< touched before they are asked for again: its own, and those of touchedWithin of the others
    std::optional<std::size_t> tier; ///< the first up to which they fit; none: computed again
};

/// Returns the tier of a session of `heldTokens` that comes back after `gapS`, among others.
SessionTier tierOfSession(const CacheTiers& tiers, const KvLayout& layout, const SessionsOnNode& node,
                          double gapS, double heldTokens);

} // namespace loadline
