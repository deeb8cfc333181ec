// Puts the trace, the model and the machine together.
#include "core/cache/study/tier_answer.h"

#include "core/cache/study/cache_answer.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {
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

/// Returns the tier that holds the median session after its median pause; else the last one.
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

/// Costs in the order in which people read them: with the tiers, with one tier, without reuse.
std::vector<RequestCost> costsOf(const CacheAnswer& all, const CacheQuestion& question,
                                 const TierAnswer& answer, const TierRowsQuestion& asked) {
    const bool least = all.leastHitRate();
    std::vector<RequestCost> costs;
    if (asked.blockTokens > 0) {
        const Ends hits = answer.ends(&TierHits::hitTokensUpToHere, answer.rows.size() - 1);
        costs.push_back({"with_tiers",
                         fmt::format("with the tiers' hits, {} of tokens", leastCell(hits.low, hits.least)),
                         costFromTiers(asked, answer.rows), hits.least});
        if (isRange(hits)) {
            costs.push_back({"", fmt::format("  if up to {} hit", formatShare(*hits.high)),
                             costFromTiers(asked, answer.most), false});
        }
    }
    costs.push_back({"with_reuse",
                     fmt::format("with {} {} {}", leastCell(answer.request.hitRate, least),
                                 answer.kept ? "from" : "were there room in", answer.serving.tier.name),
                     tokenCostOf(answer.serving, answer.request), least});
    costs.push_back(
        {"without_reuse", "without reuse", tokenCostOf(answer.serving, withoutReuse(answer.request)), false});
    const double share = question.fleet.prefillShare;
    if (question.splitGiven && share > 0 && share < 1) { // else one kind of work has no GPU
        ServingSetup fixed = answer.serving;
        fixed.prefillShare = share;
        costs.push_back({"with_reuse_fixed_split",
                         fmt::format("with reuse, {} of the GPUs for prompts", formatShare(share)),
                         tokenCostOf(fixed, answer.request), least});
    }
    return costs;
}

} // namespace

TierAnswer tierAnswerOf(const CacheAnswer& all, const CacheQuestion& question) {
    const TierQuestion& machine = all.machine;
    const CacheFigure& figure = *all.figure;
    TierAnswer answer;
    answer.request = {
        .input = figure.input().mean, .hitRate = figure.hitRate(), .output = figure.servedOutput()};
    answer.gapS = figure.gapS();
    answer.heldTokens = figure.heldTokens();
    answer.sharing = all.sharing();
    answer.sessions = static_cast<double>(answer.sharing.atOnce);
    answer.serving = machine.serving;
    answer.resting = restingOf(machine, answer, figure.gapsS());
    answer.serving.tier = ofReplica(usualTier(machine, answer), machine.replicas);
    answer.kept = answer.resting.empty() || answer.resting.front().found.tier.has_value();
    const double context = meanContextOf(figure);
    const CacheTier memory = ofReplica(machine.memory(), machine.replicas);
    answer.fit =
        replicaFitOf(machine.tiers, machine.knownNode, machine.replicas, machine.serving.layout,
                     weightsGB(*machine.serving.layout.model, machine.serving.bytesPerWeight), context);
    answer.serving.batch = machine.batch.value_or(batchThatFits(machine.serving.layout, memory, context));
    const TierRowsQuestion asked{.tiers = machine.tiers,
                                 .replicas = machine.replicas,
                                 .serving = answer.serving,
                                 .request = answer.request,
                                 .blockTokens = figure.caches.blockTokens,
                                 .heldTokens = answer.heldTokens.p90};
    answer.rows = tierRowsOf(asked, *answer.sharing.shared);
    if (answer.sharing.most != nullptr) {
        answer.most = tierRowsOf(asked, *answer.sharing.most);
    }
    if (answer.fit.fits()) {
        answer.costs = costsOf(all, question, answer, asked);
        answer.moves = costMoves(answer.serving, answer.request, ofReplica(machine.tiers, machine.replicas));
    }
    if (machine.moveOut) {
        answer.moveOut = moveOutOf(machine.serving.layout, *machine.moveOut, loadOf(answer),
                                   machine.tiers[machine.moveOutTo]);
    }
    return answer;
}

} // namespace loadline
