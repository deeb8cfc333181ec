// The figures that answer first: how much, how long, where, what a miss costs.
#include "core/cache/figure/cache_words.h"
#include "core/cache/provider/call_before.h"
#include "core/cache/tier/load_or_recompute.h"
#include "core/cache/tier/tier_hits.h"
#include "core/cost/device/hardware.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

/// A prompt is computed by one replica.
PrefillCompute computeOf(const CacheNode& node, const Replicas& replicas) {
    PrefillCompute compute;
    compute.gpus = replicas.tensorParallel;
    if (const Hardware* gpu = findHardware(node.hardware)) {
        compute.peakTflops = gpu->fp16Tflops;
    }
    return compute;
}

std::string providerMeaning(const ProviderFigures& provider, bool agentsCounted) {
    return fmt::format("Of the prompts' tokens of {}, read from the provider's cache{}",
                       agentsCounted ? "main lanes and sub-agents" : "main lanes",
                       provider.sessionsWithoutCache == 0
                           ? std::string()
                           : fmt::format(". Not in it: {} of {} whose logs record no cache",
                                         provider.sessionsWithoutCache,
                                         counted(provider.mainSessions, "session")));
}

CacheFact hitFact(const CacheFigure& figure) {
    if (figure.ofSessions() && !figure.ofProvider()) {
        return {"\u2265 " + formatShare(figure.hitRate()), "hit rate",
                "Of the prompts' tokens, held by the request before: the logs record no cache, and a prompt "
                "that grows counts as going on from the one before. The provider's hit rate is not recorded"};
    }
    return {formatShare(figure.hitRate()), "hit rate",
            figure.ofSessions() ? providerMeaning(*figure.requests.provider, figure.caches.agentsCounted > 0)
                                : "Of the prompts' tokens, held by the request before: an unlimited cache"};
}

/// Returns the tokens that a cache must keep: the 90th percentile over sessions; if no session's use is
/// known, enough for nearly all hits of all requests together.
double keptTokens(const CacheFigure& figure) {
    return figure.heldTokens().n > 0
               ? figure.heldTokens().p90
               : static_cast<double>(blocksForNearlyAll(figure.caches.engine.contiguousTokens)) *
                     static_cast<double>(figure.caches.blockTokens);
}

CacheFact heldFact(const CacheFigure& figure) {
    const RealSummary& held = figure.heldTokens();
    return held.n == 0
               ? CacheFact{formatCount(keptTokens(figure)), "tokens kept",
                           "So much an engine's cache keeps to hit nearly all that any would (99 % of it)"}
               : CacheFact{formatCount(held.p90), "tokens held",
                           fmt::format("Nine of ten sessions hold up to so many at once; half of them up to "
                                       "{}, the largest {}",
                                       formatCount(held.p50), formatCount(held.max))};
}

CacheFact bytesFact(const CacheFigure& figure, const CacheSettings& settings) {
    const KvLayout layout = layoutOf(settings);
    const double stored = layoutOffGpu(layout).bytesOf(keptTokens(figure));
    const double onGpus = layout.bytesOf(keptTokens(figure));
    return {formatBytes(static_cast<std::uint64_t>(stored)), settings.model,
            fmt::format("Those tokens in the KV cache of {}: {:g} bytes a value on {} ({}).{}{}",
                        settings.model, settings.bytesPerValue,
                        counted(static_cast<std::uint64_t>(layout.tensorParallel), "GPU"),
                        std::string(layout.model->source),
                        onGpus > stored ? fmt::format(" Every GPU of a replica keeps them whole: {} in all",
                                                      formatBytes(static_cast<std::uint64_t>(onGpus)))
                                        : std::string(),
                        figure.ofSessions() ? " What the provider's own model takes nobody tells" : "")};
}

CacheFact gapFact(const CacheFigure& figure, const CacheSettings& settings) {
    const RealSummary& gap = figure.gapS();
    if (gap.n == 0) {
        return {(figure.caches.leastHits ? "\u2265 " : "") + formatShare(figure.ages.at(settings.ttlS)),
                "kept " + formatSeconds(settings.ttlS),
                "Of the blocks, found again in an unlimited cache that forgets what nobody held for so long"};
    }
    return {formatSeconds(gap.p90), "9 of 10 gaps",
            fmt::format("From one request of a session to the next; half of the gaps end within {}, 99 % "
                        "within {}",
                        formatSeconds(gap.p50), formatSeconds(gap.p99))};
}

/// By room alone: how many sessions rest there is not known.
CacheFact tierFact(const CacheFigure& figure, const CacheSettings& settings) {
    const double tokens = keptTokens(figure);
    std::string others;
    std::string first;
    double sessionsInFirst = 0;
    for (std::size_t i = 0; i < settings.tiers.size(); ++i) {
        const CacheTier& tier = settings.tiers[i];
        const double sessions =
            sessionsUpTo(settings.tiers, i, layoutOf(settings), tokens, replicasOf(settings));
        if (isListed(settings.tiers, i) && sessions >= 1) {
            if (first.empty()) {
                first = tier.name;
                sessionsInFirst = sessions;
            }
            others += fmt::format("{}{} {}", others.empty() ? "" : ", ", tier.name,
                                  formatExact(static_cast<std::int64_t>(sessions)));
        }
    }
    return {
        first.empty() ? "none" : first,
        first.empty() ? "has room for one"
                      : "room for " + formatExact(static_cast<std::int64_t>(sessionsInFirst)),
        "The fastest tier that has room for so much at once, with those before it. How often they have: " +
            (others.empty() ? "none" : others) +
            ". More sessions share a tier where some have ended or rest"};
}

CacheFact missFact(const CacheFigure& figure, const CacheSettings& settings) {
    const CacheNode& node = nodeOf(settings);
    const Replicas replicas = replicasOf(settings);
    const PrefillCompute compute = computeOf(node, replicas);
    const KvLayout layout = layoutOf(settings);
    const double tokens = figure.heldTokens().n > 0 ? figure.heldTokens().p90 : figure.input().mean;
    std::string loads;
    for (std::size_t i = 0; i < settings.tiers.size(); ++i) {
        const CacheTier& tier = settings.tiers[i];
        if (isListed(settings.tiers, i)) {
            loads += fmt::format("{}{} {}", loads.empty() ? "" : ", ", tier.name,
                                 formatSeconds(loadS(layout, ofReplica(tier, replicas), tokens)));
        }
    }
    return {
        formatSeconds(computeS(layout, compute, tokens, 0)), "a miss costs",
        fmt::format(
            "To compute a prompt of {} tokens again: {} on {} of {}, {:g} TFLOP/s a GPU at an assumed {} of "
            "it. To load them instead, with all replicas busy alike: {}",
            formatCount(tokens), settings.model,
            counted(static_cast<std::uint64_t>(replicas.tensorParallel), "GPU"), node.name,
            compute.peakTflops, formatShare(compute.mfu), loads)};
}

CacheFact fitFact(const ReplicaFit& fit, const CacheSettings& settings) {
    return {"does not fit",
            fmt::format("{} of {}", formatBytes(static_cast<std::uint64_t>(fit.needsGB() * 1e9)),
                        formatBytes(static_cast<std::uint64_t>(fit.hasGB * 1e9))),
            fmt::format("{} on {}: {}", settings.model, nodeOf(settings).name,
                        needsOf(fit, replicasOf(settings)))};
}

CacheFact breaksFact(const ProviderFigures& provider) {
    if (!provider.recordsCache()) {
        return {"not recorded", "paid again", "The logs record no cache, so no prefix that it lost is known"};
    }
    const BreakTotals totals = totalsOf(provider.breaks);
    const std::string missing = wordsOfMissingParents(provider.callsWithoutParent);
    return {
        formatCount(static_cast<double>(totals.paidAgain)), "paid again",
        fmt::format("Tokens of prompts that the provider's cache had held, and that were not read from it: "
                    "{}. {}.{}",
                    wordsOf(totals), breakRule(), missing.empty() ? "" : " " + missing + ".")};
}

} // namespace

std::vector<CacheFact> cacheFactsOf(const CacheFigure& figure, const CacheSettings& settings) {
    if (!figure.tellsReuse()) {
        return {};
    }
    std::vector<CacheFact> facts = {hitFact(figure)};
    if (figure.caches.blockTokens > 0) {
        facts.push_back(heldFact(figure));
        facts.push_back(bytesFact(figure, settings));
        facts.push_back(gapFact(figure, settings));
        if (const ReplicaFit fit = replicaFitOf(settings, meanContextOf(figure)); fit.fits()) {
            facts.push_back(tierFact(figure, settings));
            facts.push_back(missFact(figure, settings));
        } else {
            facts.push_back(fitFact(fit, settings));
        }
    }
    if (figure.ofSessions()) {
        facts.push_back(breaksFact(*figure.requests.provider));
    }
    return facts;
}

} // namespace loadline
