// The document of `loadline cache`.
#include "app/cli/cache/cache_document.h"

#include "app/cli/cache/cache_split.h"
#include "app/cli/cache/tier_answer.h"
#include "core/cache/figure/cache_figure.h"
#include "core/session/corpus/losses.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace loadline::app {
namespace {

using Json = nlohmann::ordered_json;

Json statsOf(const RealSummary& summary) {
    return {{"n", summary.n},     {"mean", summary.mean}, {"min", summary.min}, {"max", summary.max},
            {"p10", summary.p10}, {"p25", summary.p25},   {"p50", summary.p50}, {"p75", summary.p75},
            {"p90", summary.p90}, {"p95", summary.p95},   {"p99", summary.p99}, {"sum", summary.sum}};
}

Json sharesOf(const TokenShares& shares) {
    return {{"cached", shares.cached}, {"new_input", shares.newInput}, {"output", shares.output}};
}

double quotient(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

template <typename Hit>
Json byNumber(const std::vector<std::int64_t>& numbers, Hit hit) {
    Json result = Json::object();
    for (const std::int64_t number : numbers) {
        result[std::to_string(number)] = hit(number);
    }
    return result;
}

Json curveOf(const CapacityCurve& curve, const std::vector<std::int64_t>& capacities) {
    return byNumber(capacities, [&](std::int64_t c) { return curve.hit(static_cast<std::uint64_t>(c)); });
}

Json reuseStatsOf(const PrefixReuse& reuse) {
    Json result = statsOf(reuse.reuseTime);
    for (const int seconds : {10, 60, 300, 600, 1800, 3600}) {
        result[fmt::format("frac_le_{}", seconds)] = shareUpTo(reuse.reuseTimeS, seconds);
    }
    return result;
}

Json unlimitedOf(const PrefixReuse& reuse) {
    const auto input = static_cast<double>(reuse.inputTokens);
    return {{"prefix_hit_block", reuse.share(reuse.prefix.blocks)},
            {"prefix_hit_token", quotient(static_cast<double>(reuse.prefix.tokens), input)},
            {"set_hit_block", reuse.share(reuse.setHits)},
            {"hashes_are_a_prefix_chain", reuse.setHits == reuse.prefix.blocks},
            {"aggregate_block_hit_consecutive", reuse.share(reuse.consecutive.blocks)},
            {"aggregate_token_hit", quotient(static_cast<double>(reuse.consecutive.tokens), input)},
            {"prefix_hit_full_blocks_only",
             quotient(static_cast<double>(reuse.fullHits), static_cast<double>(reuse.fullReferences))},
            {"mean_over_requests_block", reuse.meanPrefixBlocks},
            {"mean_over_requests_token", reuse.meanPrefixTokens},
            {"requests_fully_covered", reuse.requestsFullyCovered}};
}

Json contiguousOf(const CapacityCurves& curves, const std::vector<std::int64_t>& capacities,
                  const CapacityCurve CapacityCurves::*which) {
    return curveOf(curves.*which, capacities);
}

Json sharedOf(const TraceFigures& figures, const std::vector<std::int64_t>& capacities) {
    Json result = Json::array();
    for (const SharedCurve& curve : figures.shared) {
        for (const std::int64_t capacity : capacities) {
            const auto blocks = static_cast<std::uint64_t>(capacity);
            result.push_back({{"sessions", curve.sessions},
                              {"capacity_blocks", capacity},
                              {"at_least", figures.leastHits},
                              {"hit", curve.rev.hit(blocks)},
                              {"hit_alone", curve.alone.hit(blocks)},
                              {"hit_contiguous", curve.contiguous.hit(blocks)},
                              {"hit_contiguous_alone", curve.contiguousAlone.hit(blocks)}});
        }
    }
    return result;
}

/// All sessions at the times at which they were recorded; null where those are not told.
Json recordedOf(const TraceFigures& figures, const std::vector<std::int64_t>& capacities) {
    if (!figures.active.recorded) {
        return nullptr;
    }
    return {{"sessions", figures.mainChains},
            {"most_at_once", figures.active.most},
            {"mean_at_once", figures.active.mean},
            {"active_within_s", activeWithinS},
            {"at_least", figures.leastHits},
            {"hit", curveOf(figures.dealtTo(1), capacities)},
            {"hit_alone", curveOf(figures.engine.contiguousBlocks, capacities)}};
}

Json lruAtUniquePercent(const TraceFigures& figures) {
    Json result = Json::object();
    for (const std::uint64_t percent : {1U, 5U, 10U, 25U, 50U}) {
        result[std::to_string(percent)] =
            figures.engine.fwd.hit(figures.unlimited.uniqueBlocks * percent / 100);
    }
    return result;
}

Json workingSetOf(const WorkingSet& set) {
    Json result = Json::array();
    for (std::size_t i = 0; i < set.touched.size(); ++i) {
        result.push_back({{"until_s", set.binS * static_cast<double>(i + 1)},
                          {"blocks_touched", set.touched[i]},
                          {"blocks_seen", set.seen[i]}});
    }
    return result;
}

/// What follows from blocks: of an unlimited cache, and of an engine's.
void addBlocks(Json& document, const CacheAnswer& answer) {
    const TraceFigures& figures = answer.trace;
    const PrefixReuse& reuse = figures.unlimited;
    const std::vector<std::int64_t>& capacities = answer.question.capacitiesBlocks;
    document["unlimited"] = unlimitedOf(reuse);
    document["unlimited_at_least"] = answer.provider.has_value(); // what sessions share is open
    document["lru"] = {{"fwd", curveOf(figures.engine.fwd, capacities)},
                       {"rev", curveOf(figures.engine.rev, capacities)},
                       {"fwd_at_unique_percent", lruAtUniquePercent(figures)}};
    document["lru_cache_for"] = figures.conversations ? "each main chain" : "all requests";
    document["ttl"] = byNumber(answer.question.ttlsS,
                               [&](std::int64_t s) { return figures.ttlHit(static_cast<double>(s)); });
    document["reuse_time_s"] = reuseStatsOf(reuse);
    document["reuse_time_within"] = document["lru_cache_for"];
    document["first_reuse_s"] = statsOf(reuse.firstReuse);
    const auto unique = static_cast<double>(reuse.uniqueBlocks);
    document["blocks_ever_reused"] = quotient(static_cast<double>(reuse.blocksReused), unique);
    document["blocks_referenced_once"] =
        unique > 0 ? 1 - quotient(static_cast<double>(reuse.blocksReused), unique) : 0;
    document["share_of_reuses_in_top10pct_blocks"] = reuse.reusesInTopTenth;
    document["lru_contiguous"] = contiguousOf(figures.engine, capacities, &CapacityCurves::contiguousBlocks);
    document["lru_contiguous_token"] =
        contiguousOf(figures.engine, capacities, &CapacityCurves::contiguousTokens);
    document["shared"] = sharedOf(figures, capacities);
    document["recorded"] = recordedOf(figures, capacities);
    document["working_set"] = workingSetOf(figures.workingSet);
}

/// The upper end of what usage records leave open; null where they leave nothing open.
Json mostOf(const CacheAnswer& answer) {
    if (!answer.trace.most) {
        return nullptr;
    }
    const TraceFigures& most = *answer.trace.most;
    return {{"prefix_hit_block", most.unlimited.share(most.unlimited.prefix.blocks)},
            {"ttl", byNumber(answer.question.ttlsS,
                             [&](std::int64_t s) { return most.ttlHit(static_cast<double>(s)); })}};
}

Json breaksOf(const CacheAnswer& answer) {
    Json result = Json::array();
    if (!answer.ofProvider()) {
        return answer.provider ? Json(nullptr) : result; // not known is not none
    }
    for (const PrefixBreak& one : answer.provider->breaks) {
        Json reasons = Json::array();
        for (const BreakReason& reason : one.reasons) {
            reasons.push_back({{"cause", keyOf(reason.cause)}, {"evidence", reason.evidence}});
        }
        result.push_back({{"path", answer.corpus->files[one.file].file->path},
                          {"line", one.place.line},
                          {"time", isKnown(one.time) ? Json(formatIso8601(one.time)) : Json(nullptr)},
                          {"tokens_paid_again", one.paidAgain},
                          {"tokens_compacted", one.compacted},
                          {"cause", keyOf(one.cause())},
                          {"tokens_cached_before", one.cachedBefore},
                          {"tokens_read", one.read},
                          {"reasons", std::move(reasons)}});
    }
    return result;
}

/// Which cache each figure is of: they are never mixed.
Json kindsOf(bool sessions) {
    const char* of = sessions ? "provider" : "unlimited";
    return {{"provider", sessions ? Json{"composition", "read_write_ratio", "gap_s", "breaks",
                                         "held_tokens_per_session", "by"}
                                  : Json::array()},
            {"unlimited", sessions ? Json{"unlimited", "ttl", "reuse_time_s", "first_reuse_s"}
                                   : Json{"composition", "read_write_ratio", "unlimited", "ttl",
                                          "reuse_time_s", "first_reuse_s", "held_tokens_per_session"}},
            {"engine", {"lru", "lru_contiguous", "shared", "recorded", "tiers"}},
            {"prefill_decode_split", of},
            {"token_cost", of},
            {"move_out", of}};
}

/// Counts outputs that are lower bounds; null for traces, which record lengths.
Json outputsOf(const CacheAnswer& answer) {
    if (!answer.provider) {
        return nullptr;
    }
    const ProviderFigures& provider = *answer.provider;
    return {{"calls", provider.totals.calls},
            {"lower_bounds", provider.outputBounds()},
            {"at_least", answer.leastOutputs()},
            {"in_out_ratio_at_most", answer.leastOutputs()},
            {"mean_in_costs", provider.servedOutput}};
}

struct Overall {
    RealSummary input, output, newInput, gapS, idleS, held;
    TokenShares tokenWeighted, meanPerRequest;
    double readWrite = 0;
    std::uint64_t mainChains = 0, subAgents = 0, subAgentRequests = 0;
    double subAgentHit = 0;
};

Overall overallOf(const CacheAnswer& answer) {
    const PrefixReuse& reuse = answer.trace.unlimited;
    const PrefixReuse& agents = answer.trace.unlimitedOfSubAgents;
    if (!answer.ofProvider()) {
        return {reuse.input,
                reuse.output,
                reuse.newInput,
                reuse.gapS,
                reuse.idleS,
                reuse.heldTokens,
                reuse.tokenWeighted,
                reuse.meanPerRequest,
                reuse.readWriteRatio(),
                answer.trace.mainChains,
                answer.trace.subAgents,
                agents.requests,
                agents.share(agents.consecutive.blocks)};
    }
    const ProviderFigures& provider = *answer.provider;
    return {provider.input,
            provider.output,
            provider.newInput,
            provider.gapS,
            provider.idleS,
            provider.heldTokens,
            provider.composition.tokenWeighted,
            provider.composition.meanPerRequest,
            provider.readWriteRatio(),
            provider.mainLanes,
            provider.subAgentLanes,
            provider.subAgentCalls,
            provider.subAgentHitRate};
}

Json diagnosticsOf(const CacheAnswer& answer) {
    Json result = Json::array();
    if (answer.files) {
        for (const TraceFileDiagnostic& one : answer.files->diagnostics) {
            result.push_back(
                {{"path", one.path}, {"line", one.line}, {"what", one.what}, {"loses_data", one.losesData}});
        }
        return result;
    }
    const auto add = [&result](const PathDiagnostic& one) {
        result.push_back({{"path", one.path},
                          {"line", one.diagnostic.line},
                          {"what", sentenceOf(one.diagnostic)},
                          {"loses_data", losesData(one.diagnostic.kind)}});
    };
    std::ranges::for_each(lossesIn(*answer.corpus), add);
    for (const PathDiagnostic& one : answer.corpus->diagnostics) {
        if (!losesData(one.diagnostic.kind)) {
            add(one);
        }
    }
    return result;
}

} // namespace

CacheSharing CacheAnswer::sharing() const {
    return cacheSharingOf(trace, asked ? &*asked : nullptr, question.tiers.replicaCount());
}

std::string CacheAnswer::incomplete() const {
    return files ? incompleteSentence(*files) : incompleteSentence(*corpus);
}

std::vector<std::string> CacheAnswer::notes() const {
    std::vector<std::string> all = provider ? notRecordedNotes(*provider)
                                   : files  ? files->notes
                                            : std::vector<std::string>();
    if (trace.most) {
        all.push_back(openEndsNote());
    }
    return all;
}

double CacheAnswer::hitRate() const {
    return cachedShareOf(provider, trace.unlimited);
}

nlohmann::ordered_json cacheDocument(const CacheAnswer& answer) {
    const Overall all = overallOf(answer);
    const PrefixReuse& reuse = answer.trace.unlimited;
    Json document = {
        {"schema", "loadline.cache/1"},
        {"paths", answer.question.paths},
        {"source", answer.provider ? "sessions" : "traces"},
        {"formats", answer.files ? Json(answer.files->formats) : Json::array()},
        {"figures_of", kindsOf(answer.ofProvider())},
        {"requests", all.input.n},
        {"sessions", answer.provider ? Json(answer.provider->mainSessions) : Json(nullptr)},
        {"input", statsOf(all.input)},
        {"output", statsOf(all.output)},
        {"new_input", statsOf(all.newInput)},
        {"block_size_tokens", answer.trace.blockTokens > 0 ? Json(answer.trace.blockTokens) : Json(nullptr)},
        {"blocks_from", answer.provider                ? "estimated from usage"
                        : answer.trace.blockTokens > 0 ? "the trace"
                                                       : "none"},
        {"block_refs", reuse.references},
        {"unique_blocks", reuse.uniqueBlocks},
        {"first_blocks", reuse.firstBlocks},
        {"tokens_per_block_ref",
         quotient(static_cast<double>(reuse.inputTokens), static_cast<double>(reuse.references))},
        {"duration_s", answer.trace.durationS},
        {"distinct_timestamps", answer.trace.distinctTimes},
        {"inter_arrival_s", statsOf(answer.trace.interArrivalS)},
        {"chains",
         {{"main", all.mainChains},
          {"sub_agents", all.subAgents},
          {"sub_agents_counted", answer.trace.agentsCounted},
          {"sub_agent_hit", all.subAgentHit},
          {"sub_agent_requests", all.subAgentRequests}}},
        {"composition",
         {{"token_weighted", sharesOf(all.tokenWeighted)},
          {"mean_per_request", sharesOf(all.meanPerRequest)}}}};
    addBlocks(document, answer);
    document["gap_s"] = statsOf(all.gapS);
    document["idle_s"] = statsOf(all.idleS);
    document["held_tokens_per_session"] = statsOf(all.held);
    document["read_write_ratio"] = all.readWrite;
    document["in_out_ratio"] = quotient(all.input.sum, all.output.sum);
    document["in_out_ratio_mean_of_ratios"] = reuse.inOutMeanOfRatios;
    document["breaks"] = breaksOf(answer);
    document["calls_without_parent"] =
        answer.provider ? Json(answer.provider->callsWithoutParent) : Json(nullptr);
    document["prefill_decode_split"] = splitDocument(answer);
    document["kv_bytes"] = kvBytesDocument(answer);
    document.update(tierDocument(answer));
    document["by"] = answer.provider ? byDocument(answer.by) : Json(nullptr);
    document["repeats_left_out"] = answer.files ? answer.files->repeats : 0;
    document["calls_left_out_of_blocks"] = answer.callsLeftOut;
    document["notes"] = answer.notes();
    document["sessions_without_cache"] =
        answer.provider ? Json(answer.provider->sessionsWithoutCache) : Json(nullptr);
    document["hits_at_least"] = answer.trace.leastHits;
    document["hits_if_unchanged"] = mostOf(answer);
    document["outputs"] = outputsOf(answer);
    document["complete"] = answer.incomplete().empty();
    document["diagnostics"] = diagnosticsOf(answer);
    document["seconds"] = answer.seconds;
    if (!answer.tellsReuse()) { // not known is not 0
        for (const char* key : {"composition",
                                "new_input",
                                "unlimited",
                                "unlimited_at_least",
                                "reuse_time_within",
                                "lru",
                                "lru_cache_for",
                                "ttl",
                                "reuse_time_s",
                                "first_reuse_s",
                                "blocks_ever_reused",
                                "blocks_referenced_once",
                                "share_of_reuses_in_top10pct_blocks",
                                "lru_contiguous",
                                "lru_contiguous_token",
                                "shared",
                                "recorded",
                                "working_set",
                                "held_tokens_per_session",
                                "read_write_ratio",
                                "prefill_decode_split"}) {
            document[key] = nullptr;
        }
    }
    return document;
}

} // namespace loadline::app
