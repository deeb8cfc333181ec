// One tier after the other.
#include "core/cache/tier/tier_rows.h"

#include <utility>

namespace loadline {

std::vector<TierRow> tierRowsOf(const TierRowsQuestion& question, const CapacityCurve& curve) {
    const KvLayout& layout = question.serving.layout;
    std::vector<TierHits> hits = tierHitsOf(question.tiers, layout, question.blockTokens, curve,
                                            question.heldTokens, question.replicas);
    const double cached = question.request.hitRate * question.request.input;
    std::vector<TierRow> rows;
    for (std::size_t i = 0; i < question.tiers.size(); ++i) {
        ServingSetup serving = question.serving;
        serving.tier = ofReplica(question.tiers[i], question.replicas);
        rows.push_back(
            {.hits = std::move(hits[i]),
             .sessions = sessionsUpTo(question.tiers, i, layout, question.heldTokens, question.replicas),
             .time = promptTimeOf(layout, serving.compute, serving.tier, question.request.input, cached),
             .paysFromTokens = breakEvenTokens(layout, serving.compute, serving.tier),
             .cost = tokenCostOf(serving, question.request)});
    }
    return rows;
}

TokenCost costFromTiers(const TierRowsQuestion& question, std::span<const TierRow> rows) {
    MeanRequest request = question.request;
    request.hitRate = rows.empty() ? 0 : rows.back().hits.hitTokensUpToHere;
    double loadingS = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].hits.hitTokens > 0) {
            loadingS += loadS(question.serving.layout, ofReplica(question.tiers[i], question.replicas),
                              rows[i].hits.hitTokens * request.input);
        }
    }
    return tokenCostOf(question.serving, request, loadingS);
}

bool isListed(const CacheTiers& tiers, std::size_t tier) {
    return keepsBlocks(tiers, tier) && tiers[tier].capacityGB > 0;
}

} // namespace loadline
