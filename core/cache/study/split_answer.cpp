// Hit rates as they are typed, as they were counted, and as the tiers give them.
#include "core/cache/study/split_answer.h"

#include "core/cache/study/cache_answer.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

namespace loadline {
namespace {

FreedGpus freedBy(const SplitFleet& fleet, std::string of, const Ends& hit, double hitBlocks = 0) {
    return {std::move(of), hit, hitBlocks, splitWith(fleet, 1 - hit.low)};
}

/// At one time to live in the cache that sessions share in all tiers, as splitHitOf() does for the window.
FreedGpus freedWithin(const CacheAnswer& answer, const SplitFleet& fleet, std::int64_t ttlS) {
    const TierQuestion& machine = answer.machine;
    const std::uint64_t blocks = blocksUpTo(machine.tiers, machine.tiers.size() - 1, machine.serving.layout,
                                            answer.caches().blockTokens, machine.replicaCount());
    const CacheSharing sharing = answer.sharing();
    const auto seconds = static_cast<double>(ttlS);
    const auto most = sharing.most != nullptr
                          ? std::optional(sharing.most->hitOfTokensWithin(blocks, seconds))
                          : std::nullopt;
    return freedBy(fleet, fmt::format("of tokens, kept {} in the tiers", formatSeconds(seconds)),
                   {sharing.shared->hitOfTokensWithin(blocks, seconds), most, answer.caches().leastHits},
                   sharing.shared->hitWithin(blocks, seconds));
}

} // namespace

SplitAnswer splitAnswerOf(const CacheAnswer& answer, const CacheQuestion& question) {
    const SplitFleet& fleet = question.fleet;
    const bool hasBlocks = answer.caches().blockTokens > 0;
    SplitAnswer result{
        .meanInput = answer.figure->input().mean,
        .answered = {},
        .counted = fleet.hitRate ? freedBy(fleet, "as given", {*fleet.hitRate})
                                 : freedBy(fleet, std::string(answer.cacheWords()),
                                           {answer.figure->hitRate(), std::nullopt, answer.leastHitRate()}),
        .limit = freedBy(fleet, "the limit", {1}),
        .within = {},
        .withAttention = {}};
    result.answered = fleet.hitRate || !hasBlocks ? result.counted : freedWithin(answer, fleet, usualTtlS);
    if (hasBlocks) {
        for (const std::int64_t ttl : question.ttlsS) {
            result.within.push_back(freedWithin(answer, fleet, ttl));
        }
    }
    if (result.meanInput > 0) {
        for (const CacheModel& model : cacheModels()) {
            const double cached = result.counted.hit.low * result.meanInput;
            result.withAttention.push_back(
                {std::string(model.key), result.counted.hit, 0,
                 splitWith(fleet, prefillWorkLeft(model, result.meanInput, cached))});
        }
    }
    return result;
}

} // namespace loadline
