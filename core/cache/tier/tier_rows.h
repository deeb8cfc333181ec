// The table of tiers: what each holds and serves, how long a prompt takes from it, and what that costs.
#pragma once

#include "core/cache/tier/replicas.h"
#include "core/cache/tier/tier_hits.h"
#include "core/cache/tier/token_cost.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace loadline {

/// The machine, and what is asked of it.
struct TierRowsQuestion {
    CacheTiers tiers;
    Replicas replicas;
    ServingSetup serving; ///< of one replica; its tier is not read
    MeanRequest request;
    Tokens blockTokens = 0; ///< 0: unknown, and hits mean nothing
    double heldTokens = 0;  ///< by a session; 0: nobody holds any
};

struct TierRow {
    TierHits hits;
    double sessions = 0; ///< sessionsUpTo(): held by this tier and the faster ones at once
    /// Times of the mean request with the tokens that hit here or in a faster tier, each loaded from there;
    /// without blocks, with the request's own hit rate, all loaded from here.
    PromptTime time;
    std::optional<double> paysFromTokens; ///< breakEvenTokens()
    /// Cost of the request of `time`; perMillionCached: if all that hits up to here were loaded from here.
    TokenCost cost;
};

/// A row a tier. `curve`: of those who share the machine. The request's own hit rate is not read where blocks
/// tell what hits.
std::vector<TierRow> tierRowsOf(const TierRowsQuestion& question, const CapacityCurve& curve);

/// Returns the cost of the mean request with the hits of these rows, each loaded from its tier; the rest of
/// its prompt is computed.
/// Precondition: rows of this question, which knows blocks.
TokenCost costFromTiers(const TierRowsQuestion& question, std::span<const TierRow> rows);

/// True if a table for people lists the tier: those that keep blocks (keepsBlocks) and have a capacity.
bool isListed(const CacheTiers& tiers, std::size_t tier);

} // namespace loadline
