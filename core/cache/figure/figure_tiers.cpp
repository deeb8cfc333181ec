// The table of tiers behind the charts: from figure and settings to its rows.
#include "core/cache/figure/cache_words.h"
#include "core/cost/device/hardware.h"
#include "core/text/number_format.h"
#include "core/text/table_columns.h"

#include <fmt/format.h>

namespace loadline {
namespace {

/// One replica, as `loadline cache` takes it unless told otherwise.
ServingSetup servingOf(const CacheSettings& settings, double contextTokens) {
    const Replicas replicas = replicasOf(settings);
    ServingSetup serving{.layout = layoutOf(settings), .bytesPerWeight = bytesPerWeightOf(settings)};
    serving.compute.gpus = replicas.tensorParallel;
    if (const Hardware* gpu = findHardware(nodeOf(settings).hardware)) {
        serving.compute.peakTflops = gpu->fp16Tflops;
        serving.gpuBandwidthGBs = gpu->bandwidthGbS;
    }
    const CacheTier memory = ofReplica(settings.tiers[memoryTierOf(settings.tiers)], replicas);
    serving.batch = batchThatFits(serving.layout, memory, contextTokens);
    return serving;
}

/// Precondition: the figure tells of reuse, and there are tiers.
std::vector<TierRow> rowsOf(const CacheFigure& figure, const CacheSettings& settings,
                            const CapacityCurve& curve) {
    return tierRowsOf({.tiers = settings.tiers,
                       .replicas = replicasOf(settings),
                       .serving = servingOf(settings, meanContextOf(figure)),
                       .request = {.input = figure.input().mean,
                                   .hitRate = figure.hitRate(),
                                   .output = figure.servedOutput()},
                       .blockTokens = figure.caches.blockTokens,
                       .heldTokens = figure.heldTokens().p90},
                      curve);
}

} // namespace

std::vector<TierRow> tierRowsOf(const CacheFigure& figure, const CacheSettings& settings) {
    return !figure.tellsReuse() || settings.tiers.empty()
               ? std::vector<TierRow>()
               : rowsOf(figure, settings, *sharingOf(figure, settings).shared);
}

std::vector<TierRow> mostTierRowsOf(const CacheFigure& figure, const CacheSettings& settings) {
    const CapacityCurve* const most = sharingOf(figure, settings).most;
    return most == nullptr || settings.tiers.empty() ? std::vector<TierRow>()
                                                     : rowsOf(figure, settings, *most);
}

std::string wordsOfBreakEven(const std::optional<double>& tokens) {
    return !tokens ? "never" : *tokens > 1 ? "from " + formatCount(*tokens) + " tokens" : "always";
}

Table tiersTable(const CacheFigure& figure, const CacheSettings& settings) {
    Table table =
        tableWith("tier capacity_gb bandwidth_gb_per_s latency_us sessions hit hit_up_to_here ttft_s "
                  "pays_from_tokens cached_gpu_s_per_million all_gpu_s_per_million "
                  "hit_tokens hit_tokens_up_to_here hit_up_to_here_if_unchanged ttft_s_if_unchanged routing");
    const std::string routing =
        figure.caches.blockTokens > 0 ? routingWords(sharingOf(figure, settings)) : "";
    const bool fits = replicaFitOf(settings, meanContextOf(figure)).fits();
    const std::vector<TierRow> rows = tierRowsOf(figure, settings);
    const std::vector<TierRow> most = mostTierRowsOf(figure, settings);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const CacheTier& tier = settings.tiers[i];
        const TierRow& row = rows[i];
        const TierRow& high = most.empty() ? row : most[i];
        const auto known = [&](bool is, double value) { return is && fits ? Cell(value) : Cell(); };
        const bool blocks = figure.caches.blockTokens > 0;
        table.rows.push_back(
            {tier.name, tier.capacityGB, tier.bandwidthGBs, tier.latencyUs,
             known(row.sessions > 0, row.sessions), known(blocks, row.hits.hit),
             known(blocks, row.hits.hitUpToHere), known(true, row.time.ttftS),
             known(row.paysFromTokens.has_value(), row.paysFromTokens.value_or(0)),
             known(row.cost.perMillionCached.has_value(), row.cost.perMillionCached.value_or(0)),
             known(true, row.cost.perMillionTokens), known(blocks, row.hits.hitTokens),
             known(blocks, row.hits.hitTokensUpToHere), known(!most.empty(), high.hits.hitUpToHere),
             known(!most.empty(), high.time.ttftS), routing.empty() ? Cell() : Cell(routing)});
    }
    if (figure.caches.leastHits) {
        addColumn(table, "hits_at_least", Cell(std::string("true")));
    }
    return table;
}

} // namespace loadline
