// Puts the trace, the model and the machine together.
#include "app/cli/cache/tier_answer.h"

#include "core/text/counted.h"

#include <algorithm>
#include <array>

namespace loadline::app {
namespace {

/// Whose blocks one cache of the node holds, and the name for them.
struct NodeCurve {
    const CapacityCurve* curve;
    std::string blocksOf;
};

NodeCurve nodeCurveOf(const TraceFigures& trace, double sessions) {
    if (!trace.conversations) {
        return {&trace.engine.rev, "all requests"};
    }
    const SharedCurve* found = nullptr;
    for (const SharedCurve& shared : trace.shared) {
        if (found == nullptr || static_cast<double>(shared.sessions) <= sessions) {
            found = &shared;
        }
    }
    if (found == nullptr) {
        return {&trace.engine.rev, "sessions, each with the node to itself"};
    }
    return {&found->rev, counted(found->sessions, "session") + " that share it"};
}

std::vector<TierAnswer::Resting> restingOf(const TierQuestion& question, const TierAnswer& answer,
                                           const std::vector<WeightedSample::Part>& gapsS) {
    std::vector<TierAnswer::Resting> resting;
    if (answer.heldTokens.n == 0 || answer.gapS.n == 0) {
        return resting;
    }
    const SessionsOnNode node{
        .sessions = answer.sessions, .heldTokens = answer.heldTokens.mean, .gapsS = gapsS};
    const RealSummary& gap = answer.gapS;
    const RealSummary& held = answer.heldTokens;
    for (const auto& [heldName, tokens] : {std::pair("p50", held.p50), std::pair("p90", held.p90)}) {
        for (const auto& [gapName, seconds] :
             {std::pair("p50", gap.p50), std::pair("p90", gap.p90), std::pair("p99", gap.p99)}) {
            resting.push_back(
                {gapName, heldName,
                 tierOfSession(question.tiers, question.serving.layout, node, seconds, tokens)});
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
                      .output = provider ? answer.provider->output.mean : reuse.output.mean};
    result.gapS = provider ? answer.provider->gapS : reuse.gapS;
    result.heldTokens = provider ? answer.provider->heldTokens : reuse.heldTokens;
    result.sessions = question.sessions.value_or(
        std::max(1.0, static_cast<double>(provider ? answer.provider->mainLanes : answer.trace.mainChains)));
    result.serving = question.serving;
    result.resting = restingOf(question, result, provider ? answer.provider->gapsS : reuse.gapsS);
    result.serving.tier = ofReplica(usualTier(question, result), question.replicas);
    result.kept = result.resting.empty() || result.resting.front().found.tier.has_value();
    const double context = result.request.input + result.request.output / 2;
    const CacheTier memory = ofReplica(question.memory(), question.replicas);
    result.fits = memory.capacityGB * 1e9 >= question.serving.layout.bytesOf(context);
    result.serving.batch = question.batch.value_or(batchThatFits(question.serving.layout, memory, context));

    const NodeCurve node = nodeCurveOf(answer.trace, result.sessions);
    result.blocksOf = node.blocksOf;
    result.hits = tierHitsOf(question.tiers, question.serving.layout, answer.trace.blockTokens, *node.curve,
                             result.heldTokens.p50);
    const double cached = result.request.hitRate * result.request.input;
    const CacheTiers ofOne = ofReplica(question.tiers, question.replicas);
    for (const CacheTier& tier : ofOne) {
        result.times.push_back(promptTimeOf(question.serving.layout, question.serving.compute, tier,
                                            result.request.input, cached));
        result.breakEvens.push_back(breakEvenTokens(question.serving.layout, question.serving.compute, tier));
    }
    result.cost = tokenCostOf(result.serving, result.request);
    result.withoutReuse = tokenCostOf(result.serving, loadline::withoutReuse(result.request));
    const double share = answer.question.fleet.prefillShare;
    if (answer.question.splitGiven && share > 0 && share < 1) { // else one kind of work has no GPU
        ServingSetup fixed = result.serving;
        fixed.prefillShare = share;
        result.fixedSplit = tokenCostOf(fixed, result.request);
    }
    result.moves = costMoves(result.serving, result.request, ofOne);
    if (question.moveOut) {
        result.moveOut = moveOutOf(question.serving.layout, *question.moveOut, loadOf(result),
                                   question.tiers[question.moveOutTo]);
    }
    return result;
}

} // namespace loadline::app
