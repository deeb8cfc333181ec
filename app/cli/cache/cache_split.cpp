// What a hit rate frees, linear, with attention, and at its limit.
#include "app/cli/cache/cache_split.h"

#include "core/cache/figure/cache_words.h"
#include "core/text/number_format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace loadline::app {
namespace {

using Json = nlohmann::ordered_json;

Json splitOf(const PrefillDecodeSplit& split) {
    return {{"prefill_work_left", split.workLeft}, {"gpus_freed", split.gpusFreed},
            {"speed_up", split.speedUp},           {"bound", split.bound},
            {"prefill_gpus", split.prefillGpus},   {"decode_gpus", split.decodeGpus}};
}

/// Of the mean prompt, with the hit rate's share of it cached.
Json withAttention(const CacheAnswer& answer, double meanInput, double hitRate) {
    Json result = Json::array();
    for (const CacheModel& model : cacheModels()) {
        if (meanInput > 0) {
            Json one = {{"model", model.key}};
            one.update(splitOf(
                splitWith(answer.question.fleet, prefillWorkLeft(model, meanInput, hitRate * meanInput))));
            result.push_back(std::move(one));
        }
    }
    return result;
}

/// What the session in the middle holds, model by model.
Json bytesByModel(double heldTokens) {
    Json result = Json::array();
    for (const CacheModel& model : cacheModels()) {
        result.push_back(
            {{"model", model.key},
             {"bytes_per_token", kvBytesPerToken(model)},
             {"held_median_bytes", heldTokens > 0 ? Json(kvBytesOf(model, heldTokens)) : Json(nullptr)},
             {"source", model.source}});
    }
    return result;
}

double meanInputOf(const CacheAnswer& answer) {
    return answer.provider ? answer.provider->input.mean : answer.trace.unlimited.input.mean;
}

double countedOrTyped(const CacheAnswer& answer) {
    return answer.question.fleet.hitRate.value_or(answer.hitRate());
}

struct HitWithin {
    double tokens = 0; ///< of the prompts' tokens: what spares computing
    double blocks = 0;
    std::optional<double> mostTokens = std::nullopt; ///< `tokens` at the upper end
};

/// Returns the hits at one time to live in the cache that sessions share in all tiers, as splitHitOf() does
/// for the window.
HitWithin hitWithin(const CacheAnswer& answer, std::int64_t ttlS) {
    const TierQuestion& tiers = answer.question.tiers;
    const std::uint64_t blocks = blocksUpTo(tiers.tiers, tiers.tiers.size() - 1, tiers.serving.layout,
                                            answer.trace.blockTokens, tiers.replicaCount());
    const CacheSharing sharing = answer.sharing();
    const auto seconds = static_cast<double>(ttlS);
    return {sharing.shared->hitOfTokensWithin(blocks, seconds), sharing.shared->hitWithin(blocks, seconds),
            sharing.most != nullptr ? std::optional(sharing.most->hitOfTokensWithin(blocks, seconds))
                                    : std::nullopt};
}

/// "1.156 times", with what it is times of.
std::string timesText(double speedUp, std::string_view of = "") {
    return std::isfinite(speedUp) ? fmt::format("{:.3f} times{}", speedUp, of) : "no work is left";
}

/// Hit rate of the answer, by the rules of the window's split (splitHitOf), and which cache it is of.
SplitHit answerHitOf(const CacheAnswer& answer) {
    if (answer.question.fleet.hitRate) {
        return {*answer.question.fleet.hitRate, "as given"};
    }
    if (answer.trace.blockTokens == 0) {
        return {.rate = answer.hitRate(),
                .of = answer.ofProvider() ? "the provider's cache" : "an unlimited cache",
                .least = answer.leastHitRate()};
    }
    const HitWithin hits = hitWithin(answer, usualTtlS);
    return {hits.tokens, fmt::format("of tokens, kept {} in the tiers", formatSeconds(usualTtlS)),
            hits.mostTokens, answer.trace.leastHits};
}

} // namespace

nlohmann::ordered_json splitDocument(const CacheAnswer& answer) {
    const SplitFleet& fleet = answer.question.fleet;
    const double hit = countedOrTyped(answer);
    const SplitHit answered = answerHitOf(answer);
    Json kept = {{"hit_rate", answered.rate},
                 {"hit_rate_of", answered.of},
                 {"at_least", answered.least},
                 {"hit_rate_if_unchanged", answered.most ? Json(*answered.most) : Json(nullptr)}};
    kept.update(splitOf(splitWith(fleet, 1 - answered.rate)));
    Json within = Json::object();
    for (const std::int64_t ttl : answer.question.ttlsS) {
        if (answer.trace.blockTokens > 0) {
            const HitWithin hits = hitWithin(answer, ttl);
            Json one = {{"hit_rate", hits.tokens},
                        {"hit_rate_blocks", hits.blocks},
                        {"at_least", answer.trace.leastHits},
                        {"hit_rate_if_unchanged", hits.mostTokens ? Json(*hits.mostTokens) : Json(nullptr)}};
            one.update(splitOf(splitWith(fleet, 1 - hits.tokens)));
            within[std::to_string(ttl)] = std::move(one);
        }
    }
    return {{"gpus", fleet.gpus},
            {"prefill", fleet.prefillShare},
            {"hit_rate", hit},
            {"hit_rate_of", fleet.hitRate         ? "typed"
                            : answer.ofProvider() ? "provider"
                                                  : "unlimited"},
            {"mean_input_tokens", meanInputOf(answer)},
            {"answer", std::move(kept)},
            {"hit_rate_at_least", !fleet.hitRate && answer.leastHitRate()},
            {"linear", splitOf(splitWith(fleet, 1 - hit))},
            {"with_attention", withAttention(answer, meanInputOf(answer), hit)},
            {"within_ttl_and_tiers", std::move(within)},
            {"limit", splitOf(splitWith(fleet, 0))}};
}

nlohmann::ordered_json kvBytesDocument(const CacheAnswer& answer) {
    return bytesByModel(answer.provider ? answer.provider->heldTokens.p50
                                        : answer.trace.unlimited.heldTokens.p50);
}

std::string splitText(const CacheAnswer& answer) {
    const SplitFleet& fleet = answer.question.fleet;
    const SplitHit hit = answerHitOf(answer);
    const PrefillDecodeSplit real = splitWith(fleet, 1 - hit.rate);
    const PrefillDecodeSplit limit = splitWith(fleet, 0);
    std::string text = fmt::format(
        "Prefill and decode: of {:g} GPUs, {} of their time prefill, a hit rate of {} ({}) frees {} "
        "({}); a hit rate of 1 would free {:g} ({}), the limit.\n",
        fleet.gpus, formatShare(fleet.prefillShare), wordsOfEnds(hit.ends()), hit.of,
        wordsOfFreed(fleet, hit.ends()), timesText(real.speedUp, " the throughput"), limit.gpusFreed,
        std::isfinite(limit.speedUp) ? formatReal(limit.speedUp, 3) + " times" : "no end of work");
    if (answer.trace.blockTokens > 0 && !fleet.hitRate) {
        const PrefillDecodeSplit counted = splitWith(fleet, 1 - answer.hitRate());
        text += fmt::format("  {} hit {} of the tokens: {}{:.1f} ({})\n",
                            answer.ofProvider() ? "the provider's cache" : "an unlimited cache",
                            leastShare(answer.hitRate(), answer.leastHitRate()),
                            leastWord(answer.leastHitRate()), counted.gpusFreed, timesText(counted.speedUp));
    }
    for (const std::int64_t ttl : answer.question.ttlsS) {
        const bool sold = ttl == 3600; // by providers, beside the answer's
        if (answer.trace.blockTokens > 0 && !fleet.hitRate && ttl != usualTtlS &&
            (sold || answer.question.ttlsS.size() <= 3)) {
            const HitWithin hits = hitWithin(answer, ttl);
            const Ends ends{hits.tokens, hits.mostTokens, answer.trace.leastHits};
            const PrefillDecodeSplit kept = splitWith(fleet, 1 - hits.tokens);
            text += fmt::format("  kept {} in the tiers: a hit rate of {} of tokens frees {} ({})\n",
                                formatSeconds(static_cast<double>(ttl)), wordsOfEnds(ends),
                                wordsOfFreed(fleet, ends), timesText(kept.speedUp));
        }
    }
    return text;
}

} // namespace loadline::app
