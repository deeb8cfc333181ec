// One tier after the other.
#include "core/cache/tier/tier_rows.h"

#include <utility>

namespace loadline {

std::vector<TierRow> tierRowsOf(const TierRowsQuestion& question, const CapacityCurve& curve) {
    const KvLayout& layout = question.serving.layout;
    std::vector<TierHits> hits = tierHitsOf(question.tiers, layout, question.blockTokens, curve,
                                            question.heldTokens, question.replicas);
    std::vector<TierRow> rows;
    double loadingS = 0;
    for (std::size_t i = 0; i < question.tiers.size(); ++i) {
        ServingSetup serving = question.serving;
        serving.tier = ofReplica(question.tiers[i], question.replicas);
        MeanRequest request = question.request;
        if (question.blockTokens > 0) {
            request.hitRate = hits[i].hitTokensUpToHere;
            loadingS += loadS(layout, serving.tier, hits[i].hitTokens * request.input);
        }
        const double cached = request.hitRate * request.input;
        if (question.blockTokens == 0) {
            loadingS = loadS(layout, serving.tier, cached);
        }
        TokenCost cost = tokenCostOf(serving, request, loadingS);
        cost.perMillionCached = tokenCostOf(serving, request).perMillionCached; // were all of it here
        rows.push_back(
            {.hits = std::move(hits[i]),
             .sessions = sessionsUpTo(question.tiers, i, layout, question.heldTokens, question.replicas),
             .time = promptTimeOf(layout, serving.compute, request.input, cached, loadingS),
             .paysFromTokens = breakEvenTokens(layout, serving.compute, serving.tier),
             .cost = cost});
    }
    return rows;
}

TokenCost costFromTiers(const TierRowsQuestion& question, std::span<const TierRow> rows) {
    MeanRequest request = question.request;
    request.hitRate = rows.empty() ? 0 : rows.back().hits.hitTokensUpToHere;
    double loadingS = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        loadingS += loadS(question.serving.layout, ofReplica(question.tiers[i], question.replicas),
                          rows[i].hits.hitTokens * request.input);
    }
    return tokenCostOf(question.serving, request, loadingS);
}

bool isListed(const CacheTiers& tiers, std::size_t tier) {
    return keepsBlocks(tiers, tier) && tiers[tier].capacityGB > 0;
}

} // namespace loadline
