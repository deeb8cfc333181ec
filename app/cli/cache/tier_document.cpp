// Tiers, costs and what is moved out, in the document of `loadline cache`.
#include "app/cli/cache/tier_answer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace loadline::app {
namespace {

using Json = nlohmann::ordered_json;

Json orNull(const std::optional<double>& number) {
    return number ? Json(*number) : Json(nullptr);
}

Json readingJson(const CapacityReading& reading) {
    return {{"gb", reading.gb}, {"tokens", reading.tokens}};
}

Json tierJson(const TierQuestion& question, const TierAnswer& answer, std::size_t i) {
    const CacheTier& tier = question.tiers[i];
    const TierRow& row = answer.rows[i];
    const KvLayout layout = layoutIn(question.serving.layout, tier);
    const auto sessions = [&](double held) { return readingOf(tier.capacityGB, layout, held).sessions; };
    const auto most = [&](double value) { return answer.most.empty() ? Json(nullptr) : Json(value); };
    const TierRow& high = answer.most.empty() ? row : answer.most[i];
    return {{"name", tier.name},
            {"capacity_gb", tier.capacityGB},
            {"bandwidth_gb_per_s", tier.bandwidthGBs},
            {"latency_us", tier.latencyUs},
            {"source", tier.source},
            {"on_gpu", tier.onGpu},
            {"bytes_per_token", layout.bytesPerToken()},
            {"capacity_tokens", row.hits.own.tokens},
            {"sessions",
             {{"p50", sessions(answer.heldTokens.p50)},
              {"p90", sessions(answer.heldTokens.p90)},
              {"p99", sessions(answer.heldTokens.p99)}}},
            {"sessions_up_to_here", row.sessions},
            {"up_to_here", readingJson(row.hits.upToHere)},
            {"hit", row.hits.hit},
            {"hit_up_to_here", row.hits.hitUpToHere},
            {"hit_tokens", row.hits.hitTokens},
            {"hit_tokens_up_to_here", row.hits.hitTokensUpToHere},
            {"hit_up_to_here_if_unchanged", most(high.hits.hitUpToHere)},
            {"hit_tokens_up_to_here_if_unchanged", most(high.hits.hitTokensUpToHere)},
            {"ttft_s_if_unchanged", most(high.time.ttftS)},
            {"pays_from_tokens", orNull(row.paysFromTokens)},
            {"load_s", row.time.loadS},
            {"ttft_s", row.time.ttftS},
            {"cached_gpu_s_per_million", orNull(row.cost.perMillionCached)}};
}

Json sharingJson(const CacheAnswer& all, const TierAnswer& answer) {
    const std::optional<double>& asked = all.question.tiers.sessions;
    return {{"kind", keyOf(answer.sharing.kind)},
            {"sessions", answer.sharing.sessions},
            {"at_once", answer.sharing.atOnce},
            {"replicas", answer.sharing.replicas},
            {"routing", answer.sharing.replicas > 1 ? Json(routingWords(answer.sharing)) : Json(nullptr)},
            {"asked", orNull(asked)},
            {"at_least", answer.sharing.leastHits}};
}

Json restingJson(const TierQuestion& question, const TierAnswer& answer) {
    Json result = Json::array();
    for (const auto& [gap, held, found] : answer.resting) {
        result.push_back({{"gap", gap},
                          {"gap_s", found.gapS},
                          {"held", held},
                          {"held_tokens", found.heldTokens},
                          {"touched_gb", found.gb},
                          {"tier", found.tier ? Json(question.tiers[*found.tier].name) : Json(nullptr)}});
    }
    return result;
}

Json breakEvenJson(const ServingSetup& serving) {
    Json result = Json::object();
    for (const int tokens : {1024, 8192, 32'768, 131'072}) {
        result[std::to_string(tokens)] = breakEvenGBs(serving.layout, serving.compute, tokens);
    }
    return result;
}

Json servingJson(const TierQuestion& question, const TierAnswer& answer) {
    const ServingSetup& serving = answer.serving;
    return {{"model", serving.layout.model->key},
            {"model_source", serving.layout.model->source},
            {"experts", serving.layout.model->experts},
            {"experts_per_token", serving.layout.model->expertsPerToken},
            {"experts_source", serving.layout.model->expertsSource.empty()
                                   ? Json(nullptr)
                                   : Json(serving.layout.model->expertsSource)},
            {"tensor_parallel", serving.layout.tensorParallel},
            {"bytes_per_kv_value", serving.layout.bytesPerValue},
            {"bytes_per_token", serving.layout.bytesPerToken()},
            {"bytes_per_weight", serving.bytesPerWeight},
            {"weights_published",
             question.published.source.empty() ? Json(nullptr) : Json(wordsOf(question.published))},
            {"node", question.node->key},
            {"gpu", question.node->hardware},
            {"gpus", question.replicas.gpus},
            {"replicas", question.replicas.count()},
            {"peak_tflops", serving.compute.peakTflops},
            {"mfu", serving.compute.mfu},
            {"prefill_t0_s", serving.compute.fixedS},
            {"gpu_bandwidth_gb_per_s", serving.gpuBandwidthGBs},
            {"bandwidth_share", serving.bandwidthShare},
            {"batch", serving.batch},
            {"sessions", answer.sessions}};
}

Json tiersJson(const CacheAnswer& all, const TierAnswer& answer) {
    const TierQuestion& question = all.question.tiers;
    Json tiers = Json::array();
    for (std::size_t i = 0; i < question.tiers.size(); ++i) {
        tiers.push_back(tierJson(question, answer, i));
    }
    const bool blocks = all.trace.blockTokens > 0;
    return {{"text", textOf(question.tiers)},
            {"serving", servingJson(question, answer)},
            {"hits_of", blocks ? Json(wordsOf(answer.sharing)) : Json(nullptr)},
            {"sharing", sharingJson(all, answer)},
            {"tiers", std::move(tiers)},
            {"recomputed_at_most", answer.sharing.leastHits},
            {"recomputed", 1 - answer.rows.back().hits.hitUpToHere},
            {"recomputed_tokens", 1 - answer.rows.back().hits.hitTokensUpToHere},
            {"break_even_gb_per_s", breakEvenJson(answer.serving)},
            {"prompt",
             {{"tokens", answer.request.input},
              {"cached_tokens", answer.request.input * (blocks ? answer.rows.back().hits.hitTokensUpToHere
                                                               : answer.request.hitRate)},
              {"compute_s", answer.rows.back().time.computeS},
              {"recompute_s", answer.rows.back().time.recomputeS}}},
            {"resting_sessions", restingJson(question, answer)}};
}

/// In GPU-seconds, and in dollars where there is a price.
Json costJson(const TokenCost& cost, const std::optional<double>& gpuHour) {
    const auto both = [&](const std::optional<double>& gpuS) -> Json {
        if (!gpuS) {
            return nullptr;
        }
        return {{"gpu_s", *gpuS}, {"usd", gpuHour ? Json(dollarsOf(*gpuS, *gpuHour)) : Json(nullptr)}};
    };
    const double dollars = gpuHour ? dollarsOf(cost.perMillionTokens, *gpuHour) : 0;
    return {{"per_million",
             {{"input", both(cost.perMillionUncached)},
              {"cached", both(cost.perMillionCached)},
              {"output", both(cost.perMillionOutput)},
              {"all", both(cost.perMillionTokens)}}},
            {"per_request", both(cost.perRequest)},
            {"tokens_per_usd", dollars > 0 ? Json(1e6 / dollars) : Json(nullptr)},
            {"request_gpu_s",
             {{"compute", cost.computeGpuS},
              {"load", cost.loadGpuS},
              {"decode", cost.decodeGpuS},
              {"idle", cost.idleGpuS}}},
            {"balanced_prefill_share", cost.balancedShare}};
}

Json costsJson(const CacheAnswer& all, const TierAnswer& answer) {
    const CacheQuestion& asked = all.question;
    const std::optional<double>& price = asked.tiers.gpuHour;
    Json moves = Json::array();
    for (const CostMove& move : answer.moves) {
        Json one = {{"what", move.what}, {"to", move.to}};
        one.update(costJson(move.cost, price));
        moves.push_back(std::move(one));
    }
    Json fixed = nullptr;
    if (answer.fixedSplit) {
        fixed = costJson(*answer.fixedSplit, price);
        fixed["prefill_share"] = asked.fleet.prefillShare;
    }
    Json fromTiers = nullptr;
    if (answer.fromTiers) {
        fromTiers = costJson(*answer.fromTiers, price);
        fromTiers["hit_rate"] = answer.rows.back().hits.hitTokensUpToHere;
        fromTiers["hit_rate_at_least"] = answer.sharing.leastHits;
    }
    return {{"gpu_hour_usd", orNull(price)},
            {"request",
             {{"input", answer.request.input},
              {"hit_rate", answer.request.hitRate},
              {"hit_rate_at_least", all.leastHitRate()},
              {"output", answer.request.output},
              {"output_at_least", all.leastOutputs()}}},
            {"cached_in", answer.kept ? Json(answer.serving.tier.name) : Json(nullptr)},
            {"with_reuse", costJson(answer.cost, price)},
            {"without_reuse", costJson(answer.withoutReuse, price)},
            {"with_tiers", std::move(fromTiers)},
            {"with_reuse_fixed_split", std::move(fixed)},
            {"moves", std::move(moves)}};
}

Json stateJson(const MoveOutState& state) {
    return {{"input", state.input},
            {"cached", state.cached},
            {"hit_rate", state.hitRate},
            {"held_gb_per_session", state.heldGB},
            {"held_gb", state.allHeldGB},
            {"prefill_work_left", state.workLeft},
            {"kv_read_gb_per_s", state.kvReadGBs}};
}

Json moveOutJson(const TierQuestion& question, const TierAnswer& answer) {
    if (!answer.moveOut) {
        return nullptr;
    }
    const MoveOut& asked = *question.moveOut;
    const MoveOutFigure& figure = *answer.moveOut;
    return {{"share", asked.share},
            {"index", asked.index},
            {"fetched", asked.fetched},
            {"kind", keyOf(asked.kind)},
            {"bytes_per_token", asked.bytesPerToken},
            {"tier", question.tiers[question.moveOutTo].name},
            {"before", stateJson(figure.before)},
            {"after", stateJson(figure.after)},
            {"moved_tokens", figure.movedTokens},
            {"fetched_tokens_per_request", figure.fetchedTokens},
            {"read_bytes_per_request", figure.readBytes},
            {"read_gb_per_s", figure.readGBs},
            {"share_of_bandwidth", figure.bandwidthShare},
            {"read_s", figure.readS},
            {"sessions_per_gb_times", figure.sessionsPerGB}};
}

} // namespace

nlohmann::ordered_json tierDocument(const CacheAnswer& all) {
    if (!all.tellsReuse()) {
        return {{"tiers", nullptr}, {"token_cost", nullptr}, {"move_out", nullptr}};
    }
    const TierAnswer answer = tierAnswerOf(all);
    Json document = {{"tiers", tiersJson(all, answer)},
                     {"token_cost", answer.fit.fits() ? costsJson(all, answer) : Json(nullptr)},
                     {"move_out", moveOutJson(all.question.tiers, answer)}};
    document["tiers"]["weights_fit"] = answer.fit.fits();
    document["tiers"]["needs_gb"] = answer.fit.needsGB();
    document["tiers"]["of_gb"] = answer.fit.hasGB;
    if (!answer.fit.fits()) { // what does not run serves nothing
        document["tiers"]["recomputed"] = nullptr;
        document["tiers"]["recomputed_tokens"] = nullptr;
        for (Json& tier : document["tiers"]["tiers"]) {
            for (const char* key : {"sessions", "sessions_up_to_here", "hit", "hit_up_to_here",
                                    "pays_from_tokens", "load_s", "ttft_s", "cached_gpu_s_per_million",
                                    "hit_tokens", "hit_tokens_up_to_here", "hit_up_to_here_if_unchanged",
                                    "hit_tokens_up_to_here_if_unchanged", "ttft_s_if_unchanged"}) {
                tier[key] = nullptr;
            }
        }
    }
    if (all.trace.blockTokens == 0) { // not known is not 0
        document["tiers"]["recomputed"] = nullptr;
        document["tiers"]["recomputed_tokens"] = nullptr;
        for (Json& tier : document["tiers"]["tiers"]) {
            tier["hit"] = nullptr;
            tier["hit_up_to_here"] = nullptr;
            tier["hit_tokens"] = nullptr;
            tier["hit_tokens_up_to_here"] = nullptr;
        }
    }
    return document;
}

nlohmann::ordered_json byDocument(const std::vector<Composition>& by) {
    Json document = {{"over", "main agents and sub-agents"}};
    for (const Composition& composition : by) {
        Json rows = Json::array();
        for (const CompositionRow& row : composition.rows) {
            const auto shares = [](const TokenShares& of) {
                return Json{{"cached", of.cached}, {"new_input", of.newInput}, {"output", of.output}};
            };
            const bool told = row.totals.usage.cacheRead + row.totals.usage.cacheWrite > 0;
            rows.push_back({{"key", row.key},
                            {"label", row.label},
                            {"requests", row.totals.calls},
                            {"input", row.totals.usage.context()},
                            {"output", row.totals.usage.output},
                            {"token_weighted", shares(row.tokenWeighted)},
                            {"mean_per_request", shares(row.meanPerRequest)},
                            {"hit_rate", told ? Json(row.hitRate) : Json(nullptr)},
                            {"output_at_least", row.totals.callsFinalOutput < row.totals.calls}});
        }
        document[std::string(keyOf(composition.group))] = std::move(rows);
    }
    return document;
}

} // namespace loadline::app
