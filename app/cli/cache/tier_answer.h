// What a trace's blocks come to on a machine: the figures behind the document and the text.
#pragma once

#include "app/cli/cache/cache_document.h"
#include "core/cache/figure/cache_words.h"
#include "core/cache/reuse/cache_sharing.h"
#include "core/cache/tier/replica_fit.h"
#include "core/cache/tier/tier_rows.h"

#include <string>
#include <vector>

namespace loadline::app {

struct TierAnswer {
    MeanRequest request; ///< its hit rate is the provider's, or an unlimited cache's
    RealSummary gapS, heldTokens;
    CacheSharing sharing; ///< whose the hits are; points into the CacheAnswer
    double sessions = 1;  ///< active at once on the node
    ServingSetup serving;
    ReplicaFit fit; ///< where a replica does not hold the mean request beside the weights nothing has a price
    bool kept = true;          ///< a tier holds the session in the middle until it comes back
    std::vector<TierRow> rows; ///< by tier; without blocks their hits mean nothing
    std::vector<TierRow> most; ///< the same at the upper end (TraceFigures::most); empty: there is none

    struct Resting {
        const char* gap;
        const char* held;
        SessionTier found;
    };

    std::vector<Resting> resting; ///< by quantiles of gaps and held tokens; none without sessions
    TokenCost cost, withoutReuse;
    std::optional<TokenCost> fromTiers;  ///< with the hits of the tiers; nothing without blocks
    std::optional<TokenCost> fromMost;   ///< with those of `most`
    std::optional<TokenCost> fixedSplit; ///< with the share of GPUs that --split gives
    std::vector<CostMove> moves;
    std::optional<MoveOutFigure> moveOut;

    /// Returns a share of the hits of one row, at both ends.
    [[nodiscard]] Ends ends(double TierHits::*share, std::size_t row) const {
        return endsOf(rows, most, share, row, sharing.leastHits);
    }
};

/// Precondition: tellsReuse().
TierAnswer tierAnswerOf(const CacheAnswer& answer);

/// "tiers", "token_cost" and "move_out" of the document; {} where nothing tells what is reused.
/// "tiers"/"sharing"/"replicas": to how many the sharers are dealt; "routing": how (routingWords), null with
/// one. Hits are those of one replica with its share of each tier.
nlohmann::ordered_json tierDocument(const CacheAnswer& answer);
std::string tierText(const CacheAnswer& answer);

/// [{"key", "label", "calls", ...}] of each group that was asked for.
nlohmann::ordered_json byDocument(const std::vector<Composition>& by);

} // namespace loadline::app
