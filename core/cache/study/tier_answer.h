// Tiers, costs and moved context of a trace on a machine.
#pragma once

#include "core/cache/figure/cache_words.h"
#include "core/cache/reuse/cache_sharing.h"
#include "core/cache/study/tier_question.h"
#include "core/cache/tier/replica_fit.h"
#include "core/cache/tier/tier_rows.h"

#include <optional>
#include <string>
#include <vector>

namespace loadline {

struct CacheAnswer;
struct CacheQuestion;

/// Cost of the mean request at one hit rate.
struct RequestCost {
    std::string key;  ///< in documents; "": for people alone
    std::string name; ///< "with the tiers' hits, 28.6 % of tokens"
    TokenCost cost;
    bool leastHits = false; ///< more may be reused
};

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
        const char* gap = nullptr;
        const char* held = nullptr;
        SessionTier found{};
    };

    std::vector<Resting> resting;   ///< by quantiles of gaps and held tokens; none without sessions
    std::vector<RequestCost> costs; ///< none where it does not fit; with the tiers' hits only with blocks
    std::vector<CostMove> moves;
    std::optional<MoveOutFigure> moveOut;

    /// Returns a share of the hits of one row, at both ends.
    [[nodiscard]] Ends ends(double TierHits::*share, std::size_t row) const {
        return endsOf(rows, most, share, row, sharing.leastHits);
    }

    /// Share of the prompts' tokens that hits in any tier.
    [[nodiscard]] double hitOfTokens() const { return rows.back().hits.hitTokensUpToHere; }
};

/// Precondition: figure, asked and machine of the answer, whose figure tellsReuse().
TierAnswer tierAnswerOf(const CacheAnswer& answer, const CacheQuestion& question);

} // namespace loadline
