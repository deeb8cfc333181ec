// Puts the trace, the model and the machine together.
#include "app/cli/cache/tier_answer.h"

#include <algorithm>
#include <array>

namespace loadline::app {
namespace {

std::vector<TierAnswer::Resting> restingOf(const TierQuestion& question, const TierAnswer& answer,
                                           const std::vector<WeightedSample::Part>& gapsS) {
    std::vector<TierAnswer::Resting> resting;
    if (answer.heldTokens.n == 0 || answer.gapS.n == 0) {
        return resting;
    }
    const CacheTiers tiers = ofReplica(question.tiers, question.replicas);
    // Sessions of one replica.
    const SessionsOnNode node{.sessions = std::max(1.0, answer.sessions / question.replicas.count()),
                              .heldTokens = answer.heldTokens.mean,
                              .gapsS = gapsS};
    const RealSummary& gap = answer.gapS;
    const RealSummary& held = answer.heldTokens;
    for (const auto& [heldName, tokens] : {std::pair("p50", held.p50), std::pair("p90", held.p90)}) {
        for (const auto& [gapName, seconds] :
             {std::pair("p50", gap.p50), std::pair("p90", gap.p90), std::pair("p99", gap.p99)}) {
            resting.push_back(
                {gapName, heldName, tierOfSession(tiers, question.serving.layout, node, seconds, tokens)});
        }
    }
    return resting;
}

/// Where the session in the middle is found after its usual pause; else the last tier there is.
const CacheTier& usualTier(const TierQuestion& question, const TierAnswer& answer) {
    if (answer.resting.empty()) {
        return question.memory();
    }
    const auto& tier = answer.resting.front().found.tier;
    return tier ? question.tiers[*tier] : question.tiers.back();
}

MoveOutLoad loadOf(const TierAnswer& answer) {
    const bool paced = answer.gapS.n > 0 && answer.gapS.mean > 0;
    return {.input = answer.request.input,
            .hitRate = answer.request.hitRate,
            .heldTokens = answer.heldTokens.mean,
            .sessions = answer.sessions,
            .requestsPerS = paced ? answer.sessions / answer.gapS.mean : 0};
}

} // namespace

TierAnswer tierAnswerOf(const CacheAnswer& answer) {
    const TierQuestion& question = answer.question.tiers;
    const PrefixReuse& reuse = answer.trace.unlimited;
    const bool provider = answer.provider.has_value();
    TierAnswer result;
    result.request = {.input = provider ? answer.provider->input.mean : reuse.input.mean,
                      .hitRate = answer.hitRate(),
                      .output = provider ? answer.provider->servedOutput : reuse.output.mean};
    result.gapS = provider ? answer.provider->gapS : reuse.gapS;
    result.heldTokens = provider ? answer.provider->heldTokens : reuse.heldTokens;
    result.sharing = answer.sharing();
    result.sessions = static_cast<double>(result.sharing.atOnce);
    result.serving = question.serving;
    result.resting = restingOf(question, result, provider ? answer.provider->gapsS : reuse.gapsS);
    result.serving.tier = ofReplica(usualTier(question, result), question.replicas);
    result.kept = result.resting.empty() || result.resting.front().found.tier.has_value();
    const double context = result.request.input + result.request.output / 2;
    const CacheTier memory = ofReplica(question.memory(), question.replicas);
    result.fit =
        replicaFitOf(question.tiers, question.knownNode, question.replicas, question.serving.layout,
                     weightsGB(*question.serving.layout.model, question.serving.bytesPerWeight), context);
    result.serving.batch = question.batch.value_or(batchThatFits(question.serving.layout, memory, context));
    const TierRowsQuestion asked{.tiers = question.tiers,
                                 .replicas = question.replicas,
                                 .serving = result.serving,
                                 .request = result.request,
                                 .blockTokens = answer.trace.blockTokens,
                                 .heldTokens = result.heldTokens.p90};
    result.rows = tierRowsOf(asked, *result.sharing.shared);
    if (asked.blockTokens > 0) {
        result.fromTiers = costFromTiers(asked, result.rows);
    }
    if (result.sharing.most != nullptr) {
        result.most = tierRowsOf(asked, *result.sharing.most);
        result.fromMost = costFromTiers(asked, result.most);
    }
    result.cost = tokenCostOf(result.serving, result.request);
    result.withoutReuse = tokenCostOf(result.serving, loadline::withoutReuse(result.request));
    const double share = answer.question.fleet.prefillShare;
    if (answer.question.splitGiven && share > 0 && share < 1) { // else one kind of work has no GPU
        ServingSetup fixed = result.serving;
        fixed.prefillShare = share;
        result.fixedSplit = tokenCostOf(fixed, result.request);
    }
    result.moves = costMoves(result.serving, result.request, ofReplica(question.tiers, question.replicas));
    if (question.moveOut) {
        result.moveOut = moveOutOf(question.serving.layout, *question.moveOut, loadOf(result),
                                   question.tiers[question.moveOutTo]);
    }
    return result;
}

} // namespace loadline::app
