// The sentences over the charts of caches.
#include "core/cache/figure/cache_words.h"
#include "core/cache/tier/tier_hits.h"
#include "core/text/counted.h"
#include "core/text/excerpt.h"
#include "core/text/number_format.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace loadline {
namespace {

constexpr const char* nothingTold =
    "What prompts share is not told: the trace holds lengths alone. A trace with "
    "blocks (Mooncake, kv-cache-tester, Qwen-Bailian) tells it; lengths can be "
    "simulated.";

constexpr const char* rebuiltBlocks = "blocks rebuilt from usage: an estimate";

std::string hitsWords(bool ofTokens) {
    return ofTokens ? "of the prompts' tokens" : "of the references to blocks";
}

/// "HBM has room for 7 of them at once": of the fastest tier, with those before it
std::string tierWords(double tokens, const CacheSettings& settings) {
    for (std::size_t i = 0; i < settings.tiers.size(); ++i) {
        const double sessions =
            sessionsUpTo(settings.tiers, i, layoutOf(settings), std::max(tokens, 1.0), replicasOf(settings));
        if (isListed(settings.tiers, i) && sessions >= 1) {
            return fmt::format("{} has room for {} at once", settings.tiers[i].name,
                               formatExact(static_cast<std::int64_t>(sessions)));
        }
    }
    return "no tier has room for one";
}

/// The slowest tier that holds anything.
std::string lastTierOf(const CacheSettings& settings) {
    std::string last = "none";
    for (const CacheTier& tier : settings.tiers) {
        last = tier.capacityGB > 0 ? tier.name : last;
    }
    return last;
}

/// "Each session on one of 2 replicas"; "" with one replica.
std::string routingStart(const CacheSharing& sharing) {
    std::string words = routingWords(sharing);
    if (!words.empty()) {
        words.front() = static_cast<char>(words.front() - 'a' + 'A');
    }
    return words;
}

/// The same as a sentence that others stand before.
std::string routingSentence(const CacheSharing& sharing) {
    const std::string words = routingStart(sharing);
    return words.empty() ? words : " " + words + ".";
}

} // namespace

std::string subAgentsCaveat(const CacheFigure& figure) {
    const std::uint64_t agents = figure.subAgentRequests();
    return agents == 0 ? std::string()
                       : fmt::format("Not counted{}: {} of sub-agents.",
                                     figure.ofSessions() ? " but for prefix breaks" : "",
                                     counted(agents, figure.ofSessions() ? "API call" : "request"));
}

std::string rebuiltBlocksCaveat(const CacheFigure& figure) {
    return figure.ofSessions() && figure.tellsReuse()
               ? std::string("Hits in an engine's or an unlimited cache are of ") + rebuiltBlocks + "."
               : std::string();
}

const CapacityCurve& capacityCurveOf(const CacheFigure& figure, const CacheSettings& settings) {
    const CacheSharing sharing = sharingOf(figure, settings);
    return sharing.isReplay() || sharing.alone != nullptr ? *sharing.shared
                                                          : curveOf(figure.caches.engine, settings.count);
}

CacheSharing sharingOf(const CacheFigure& figure, const CacheSettings& settings) {
    return cacheSharingOf(figure.caches, nullptr, replicaCountOf(settings));
}

std::string engineWords(const CacheFigure& figure) {
    const std::string whose = figure.caches.conversations ? ", one for each session" : "";
    return "An engine's cache (LRU" + whose + ")" +
           (figure.ofSessions() ? std::string("; ") + rebuiltBlocks + "." : ".");
}

std::string unlimitedWords(const CacheFigure& figure) {
    const bool shared = figure.caches.active.recorded && figure.caches.mainChains > 1;
    return std::string("An unlimited cache that ") + (shared ? "all sessions share and that " : "") +
           "forgets by time alone" + (figure.ofSessions() ? std::string("; ") + rebuiltBlocks + "." : ".");
}

std::string capacitySentence(const CacheFigure& figure, const CacheSettings& settings) {
    const CacheSharing sharing = sharingOf(figure, settings);
    const bool replay = sharing.isReplay();
    const CapacityCurve& curve = replay ? *sharing.shared : curveOf(figure.caches.engine, settings.count);
    if (!figure.tellsReuse() || curve.hits.empty()) {
        return nothingTold;
    }
    const std::uint64_t enough = blocksForNearlyAll(curve);
    const std::uint64_t eighth = std::max<std::uint64_t>(enough / 8, 1);
    const double tokens = static_cast<double>(enough) * static_cast<double>(figure.caches.blockTokens);
    return fmt::format("{} {} blocks ({}){} to find {} {} again; with an eighth of that {}. {}",
                       figure.caches.conversations ? "Alone in a cache, a session needs up to"
                       : sharing.takesTurns()      ? routingStart(sharing) + " need"
                                                   : "All requests together need",
                       formatExact(static_cast<std::int64_t>(enough)), wordsOfTokens(tokens, settings),
                       sharing.takesTurns() ? " in each" : "",
                       leastShare(curve.hit(enough), figure.caches.leastHits),
                       hitsWords(!replay && settings.count == LruCount::Contiguous),
                       leastShare(curve.hit(eighth), figure.caches.leastHits), engineWords(figure));
}

std::string ttlSentence(const CacheFigure& figure, const CacheSettings& settings) {
    if (!figure.tellsReuse() || figure.caches.blockTokens == 0) {
        return nothingTold;
    }
    const RealSummary& gap = figure.gapS();
    const std::string gaps =
        gap.n == 0
            ? std::string()
            : fmt::format(" Half of the gaps between a session's requests are up to {}, 90 % up to {}.",
                          formatSeconds(gap.p50), formatSeconds(gap.p90));
    const bool least = figure.caches.leastHits;
    const auto kept = [&](double seconds) {
        const TraceFigures* const most = figure.caches.most.get();
        return wordsOfEnds({figure.ages.at(seconds),
                            most != nullptr ? std::optional(most->ttlHit(seconds)) : std::nullopt, least});
    };
    const std::string open = figure.caches.most ? " " + openEndsNote() + "." : std::string();
    return fmt::format("Kept for {}, {} of the blocks are found again; for 1 h {}, for ever {}.{}{} {}",
                       formatSeconds(settings.ttlS), kept(settings.ttlS), kept(3600),
                       kept(std::numeric_limits<double>::infinity()), open, gaps, unlimitedWords(figure));
}

std::string requestsSentence(const CacheFigure& figure, const std::string& name,
                             std::span<const RequestParts> requests) {
    Tokens cached = 0;
    Tokens prompts = 0;
    std::vector<PrefixBreak> breaks;
    for (const RequestParts& one : requests) {
        cached += one.cached;
        prompts += one.cached + one.newInput;
        if (one.lost != nullptr) {
            breaks.push_back(*one.lost);
        }
    }
    const double share = prompts > 0 ? static_cast<double>(cached) / static_cast<double>(prompts) : 0;
    const std::string lost = breaks.empty() ? std::string() : "; " + wordsOf(totalsOf(breaks));
    const bool least = figure.ofSessions() && !figure.ofProvider();
    return fmt::format("{} of the prompts of {} came from {}{}: \u201c{}\u201d.", leastShare(share, least),
                       counted(requests.size(), "request"),
                       figure.ofProvider()             ? "the provider's cache"
                       : figure.ofSessions()           ? "the request before, as prompts grow"
                       : figure.caches.blockTokens > 0 ? "an unlimited cache"
                                                       : "nowhere that is told",
                       lost, excerpt(name, quotedCharacters));
}

SplitHit splitHitOf(const CacheFigure& figure, const CacheSettings& settings) {
    if (settings.fleet.hitRate) {
        return {*settings.fleet.hitRate, "typed"};
    }
    if (figure.caches.blockTokens == 0 || settings.tiers.empty()) {
        return {.rate = figure.hitRate(),
                .of = figure.ofProvider() ? "the provider's cache" : "an unlimited cache",
                .least = figure.caches.leastHits && !figure.ofProvider()};
    }
    const CacheSharing sharing = sharingOf(figure, settings);
    const std::uint64_t blocks = blocksUpTo(settings.tiers, settings.tiers.size() - 1, layoutOf(settings),
                                            figure.caches.blockTokens, sharing.replicas);
    return {sharing.shared->hitOfTokensWithin(blocks, settings.ttlS),
            fmt::format("of tokens, kept {} in tiers down to {}", formatSeconds(settings.ttlS),
                        lastTierOf(settings)),
            sharing.most != nullptr ? std::optional(sharing.most->hitOfTokensWithin(blocks, settings.ttlS))
                                    : std::nullopt,
            sharing.leastHits};
}

std::string splitSentence(const CacheFigure& figure, const CacheSettings& settings) {
    if (!figure.tellsReuse()) {
        return nothingTold;
    }
    const SplitHit hit = splitHitOf(figure, settings);
    const PrefillDecodeSplit real = splitWith(settings.fleet, 1 - hit.rate);
    const PrefillDecodeSplit attends = splitWithAttention(figure, settings);
    const PrefillDecodeSplit limit = splitWith(settings.fleet, 0);
    const std::string serves =
        std::isfinite(real.speedUp)
            ? fmt::format(
                  ", or serves {}{:.3f} times as much; with the attention of {} to what is cached {:.3f} "
                  "times",
                  leastWord(hit.least), real.speedUp, settings.model, attends.speedUp)
            : std::string(": no work is left");
    return fmt::format(
        "A hit rate of {} ({}) frees {} of {:g} GPUs{}. {:g} GPUs and {} are the limit: a hit rate of "
        "100 %. {} hit {}.",
        wordsOfEnds(hit.ends()), hit.of, wordsOfFreed(settings.fleet, hit.ends()), settings.fleet.gpus,
        serves, limit.gpusFreed,
        std::isfinite(limit.speedUp) ? formatReal(limit.speedUp, 3) + " times" : "no end of work",
        figure.ofProvider()   ? "Prompts of these sessions in the provider's cache"
        : figure.ofSessions() ? "Prompts of these sessions in an unlimited cache"
                              : "Prompts of this trace in an unlimited cache",
        leastShare(figure.hitRate(), figure.caches.leastHits && !figure.ofProvider()));
}

double meanContextOf(const CacheFigure& figure) {
    return figure.input().mean + figure.servedOutput() / 2;
}

std::string cacheSentence(const CacheFigure& figure, const CacheSettings& settings) {
    if (!figure.tellsReuse()) {
        return nothingTold;
    }
    if (const ReplicaFit fit = replicaFitOf(settings, meanContextOf(figure)); !fit.fits()) {
        return fmt::format("{} Of {}: {}.", doesNotFitSentence(settings.model, fit), nodeOf(settings).name,
                           needsOf(fit, replicasOf(settings)));
    }
    const CacheSharing sharing = sharingOf(figure, settings);
    std::string text =
        figure.caches.blockTokens > 0
            ? sharingHeadline(sharing, settings.tiers, layoutOf(settings), figure.caches.blockTokens)
            : std::string();
    if (const std::string times = timesSentence(sharing); !times.empty()) {
        text += " " + times;
    }
    text += figure.caches.blockTokens > 0 ? routingSentence(sharing) : std::string();
    if (const std::string agents = subAgentsCaveat(figure); !agents.empty()) {
        text += " " + agents;
    }
    const RealSummary& held = figure.heldTokens();
    if (held.n > 0) {
        const double stored = layoutOffGpu(layoutOf(settings)).bytesOf(held.p90);
        text += fmt::format(" 9 of 10 sessions hold up to {} tokens ({} of {}), 9 of 10 gaps \u2264 {}: {}.",
                            formatCount(held.p90), formatBytes(static_cast<std::uint64_t>(stored)),
                            settings.model, formatSeconds(figure.gapS().p90), tierWords(held.p90, settings));
    }
    return text + (figure.requests.brushLeftAside ? " Whole sessions, whatever turns are chosen." : "");
}

std::string leftOutSentence(const CacheRequests& requests) {
    std::string text;
    if (requests.provider) {
        for (const std::string& note : notRecordedNotes(*requests.provider)) {
            text += (text.empty() ? "" : " ") + note + ".";
        }
    }
    if (!requests.files) {
        return text;
    }
    if (requests.files->repeats > 0) {
        text +=
            fmt::format(" {} left out, as {} another's requests.", counted(requests.files->repeats, "file"),
                        requests.files->repeats == 1 ? "it repeats" : "they repeat");
    }
    const std::vector<TraceFileDiagnostic>& odd = requests.files->diagnostics; // a repeat is one
    const auto other = std::ranges::find_if_not(
        odd, [](const TraceFileDiagnostic& one) { return one.what.starts_with("left out: it repeats"); });
    if (other != odd.end()) {
        const std::size_t rest = odd.size() - 1;
        const std::size_t more = rest - std::min<std::size_t>(requests.files->repeats, rest);
        text += " Odd in the data: " + visibleText(other->what);
        text += more == 0 ? "." : fmt::format("; and {} more (loadline cache names them).", more);
    }
    for (const std::string& note : requests.files->notes) {
        text += " Note: " + visibleText(note) + ".";
    }
    return text.empty() ? text : text.substr(1);
}

} // namespace loadline
