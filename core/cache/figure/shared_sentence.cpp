// The hits that sessions lose when they share an engine's cache instead of having it each to themselves.
#include "core/cache/figure/cache_words.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

/// True if one session alone hits half of what it ever can.
bool hasRoomForOne(const CapacityCurve& alone, std::uint64_t blocks) {
    constexpr double worthwhile = 0.5;
    return alone.hit(blocks) >= worthwhile * alone.hit(alone.hits.size());
}

/// The first tier that has room for one session; else the last that has room for anything.
std::size_t decisiveTier(const CacheSharing& sharing, const CacheTiers& tiers, const KvLayout& layout,
                         Tokens blockTokens) {
    const CapacityCurve& alone = sharing.alone != nullptr ? *sharing.alone : *sharing.shared;
    std::size_t last = memoryTierOf(tiers);
    for (std::size_t i = last; i < tiers.size(); ++i) {
        if (tiers[i].capacityGB > 0) {
            last = i;
            if (hasRoomForOne(alone, blocksUpTo(tiers, i, layout, blockTokens, sharing.replicas))) {
                return i;
            }
        }
    }
    return last;
}

/// "HBM", "one replica's HBM"
std::string roomOfOne(const CacheTier& tier, std::size_t replicas) {
    return replicas > 1 ? "one replica's " + tier.name : tier.name;
}

/// "HBM", "the HBM of 2 replicas"
std::string roomOfAll(const CacheTier& tier, std::size_t replicas) {
    return replicas > 1 ? fmt::format("the {} of {} replicas", tier.name,
                                      formatExact(static_cast<std::int64_t>(replicas)))
                        : tier.name;
}

/// The first tier that has room: both hit rates, and what lies between them.
std::string hitsWords(const SharedCurve& all, std::uint64_t blocks, const std::string& tier, bool least) {
    const double hit = all.contiguous.hit(blocks);
    const double alone = all.contiguousAlone.hit(blocks);
    if (all.sessions == 1) {
        return fmt::format("One session alone with {} hits {} of its blocks", tier, leastShare(hit, least));
    }
    std::string misses = alone - hit < keptWithin ? std::string("all keep their hits")
                         : alone < 1 ? formatReal((1 - hit) / (1 - alone), 2) + " times the misses"
                                     : std::string("all misses are new");
    return fmt::format("{} sessions that share {} hit {} of their blocks, each alone with it {}: {}",
                       formatExact(static_cast<std::int64_t>(all.sessions)), tier, leastShare(hit, least),
                       leastShare(alone, least), misses);
}

std::optional<double> highOf(const CapacityCurve* most, std::uint64_t blocks) {
    return most != nullptr ? std::optional(most->hit(blocks)) : std::nullopt;
}

/// "49.8 %", of a lower bound "at least 49.8 %", "91.0\u201392.4 %".
std::string shareWords(const Ends& share) {
    return isRange(share) ? cellOfEnds(share) : wordsOfEnds(share);
}

/// "49.8 % of their blocks", of a lower bound "at least ..."; with the share of tokens where long blocks, cut
/// by the prompts' ends, make it another.
std::string headlineHit(const CacheSharing& sharing, std::uint64_t blocks, const char* whose) {
    constexpr double differs = 0.01;
    const double hit = sharing.shared->hit(blocks);
    const double tokens = sharing.shared->hitOfTokens(blocks);
    return fmt::format("{} of {} blocks{}",
                       shareWords({hit, highOf(sharing.most, blocks), sharing.leastHits}), whose,
                       std::abs(tokens - hit) < differs
                           ? std::string()
                           : fmt::format(" ({} of the tokens)", leastShare(tokens, sharing.leastHits)));
}

/// How many of them keep what they hit alone, tier by tier down to where all do.
std::string keptWords(const SharedCurve& all, std::size_t keep, std::uint64_t blocks, bool least) {
    return keep == all.sessions ? fmt::format("all {} do ({})", formatExact(static_cast<std::int64_t>(keep)),
                                              leastShare(all.contiguous.hit(blocks), least))
           : keep > 1           ? fmt::format("up to {} do", formatExact(static_cast<std::int64_t>(keep)))
                                : std::string("no two do");
}

/// The GPUs' memory, whatever of it is left; else the first tier that has a capacity.
std::size_t firstTierOf(const CacheTiers& tiers) {
    std::size_t tier = memoryTierOf(tiers);
    while (tier + 1 < tiers.size() && !(tiers[tier].capacityGB > 0)) {
        ++tier;
    }
    return tier;
}

/// "39 sessions that begin at once share HBM: 49.8 % of their blocks hit, 96.6 % each alone."
std::string sharingText(const CacheSharing& sharing, const CacheTier& tier, std::uint64_t blocks) {
    const std::string name = roomOfAll(tier, sharing.replicas);
    if (blocks == 0) {
        std::string text = name + " has no room for a block.";
        text.replace(0, name.starts_with("the ") ? 1 : 0, name.starts_with("the ") ? "T" : "");
        return text;
    }
    const std::string hit = headlineHit(sharing, blocks, "their");
    if (sharing.kind == SharingKind::AllAsOne) {
        std::string all = wordsOf(sharing);
        all.front() = 'A';
        return fmt::format("{} share {}: {} hit.", all, name, hit);
    }
    if (sharing.sessions == 1) {
        return fmt::format("A session with {} to itself hits {}.", roomOfOne(tier, sharing.replicas),
                           headlineHit(sharing, blocks, "its"));
    }
    const Ends alone{sharing.alone->hit(blocks), highOf(sharing.mostAlone, blocks), sharing.leastHits};
    const bool isSame = isRange(alone) && hit.starts_with(shareWords(alone) + " of");
    return fmt::format("{} share {}: {} hit, {} each alone.",
                       sharing.kind == SharingKind::Recorded
                           ? wordsOfTimes(sharing)
                           : wordsOfSharers(sharing) + " that begin at once",
                       name, hit, isSame ? "as many" : shareWords(alone));
}

} // namespace

std::string sharersWords(const TraceFigures& caches) {
    const std::uint64_t sharers = caches.shared.back().sessions;
    const std::string of =
        sharers < caches.mainChains
            ? fmt::format("{} of {} sessions, those", formatExact(static_cast<std::int64_t>(sharers)),
                          formatExact(static_cast<std::int64_t>(caches.mainChains)))
            : std::string("Sessions");
    return fmt::format("{} with {} requests or more{}{}.", of, leastSharedRequests,
                       caches.agentsCounted > 0 ? ", each sub-agent as one" : " of the main agent",
                       caches.subAgents > 0 ? ", without sub-agents" : "");
}

std::uint64_t blocksUpTo(const CacheTiers& tiers, std::size_t tier, const KvLayout& layout,
                         Tokens blockTokens, std::size_t replicas) {
    constexpr double bytesPerGB = 1e9;
    const double block = layout.bytesPerToken() * static_cast<double>(std::max<Tokens>(blockTokens, 1));
    return static_cast<std::uint64_t>(roomUpToGB(tiers, tier, layout) / static_cast<double>(replicas) *
                                      bytesPerGB / block);
}

std::string sharingHeadline(const CacheSharing& sharing, const CacheTiers& tiers, const KvLayout& layout,
                            Tokens blockTokens) {
    const auto blocksDownTo = [&](std::size_t tier) {
        return blocksUpTo(tiers, tier, layout, blockTokens, sharing.replicas);
    };
    const std::size_t first = firstTierOf(tiers);
    const std::size_t enough = decisiveTier(sharing, tiers, layout, blockTokens);
    if (blocksDownTo(enough) == 0) {
        return "No tier has room for a block.";
    }
    const std::string text = sharingText(sharing, tiers[first], blocksDownTo(first));
    return enough == first
               ? text
               : fmt::format("{} Down to {}: {} hit.", text, roomOfAll(tiers[enough], sharing.replicas),
                             headlineHit(sharing, blocksDownTo(enough), "their"));
}

std::string sharedSentence(const CacheFigure& figure, const CacheSettings& settings) {
    const std::vector<SharedCurve>& shared = figure.caches.shared;
    if (shared.empty()) {
        return figure.caches.conversations
                   ? fmt::format("No session has {} requests or more.", leastSharedRequests)
                   : "The trace does not tell sessions apart: all share one cache already.";
    }
    const ReplicaFit fit = replicaFitOf(settings, meanContextOf(figure));
    if (knownNodeOf(settings) != nullptr && !fit.fits()) {
        return doesNotFitSentence(settings.model, fit);
    }
    const SharedCurve& all = shared.back();
    const auto blockTokens = static_cast<double>(std::max<Tokens>(figure.caches.blockTokens, 1));
    std::string text;
    std::string kept;
    for (std::size_t i = 0; i < settings.tiers.size(); ++i) {
        const auto blocks = static_cast<std::uint64_t>(tokensUpTo(settings, i) / blockTokens);
        if (!isListed(settings.tiers, i) || !hasRoomForOne(shared.front().contiguous, blocks)) {
            continue;
        }
        if (text.empty()) {
            text = hitsWords(all, blocks, roomOfOne(settings.tiers[i], replicaCountOf(settings)),
                             figure.caches.leastHits);
        }
        const std::size_t keep = sessionsThatKeep(shared, blocks);
        kept += fmt::format("{}{} {}", kept.empty() ? "" : "; with ", settings.tiers[i].name,
                            keptWords(all, keep, blocks, figure.caches.leastHits));
        if (keep == all.sessions) {
            break;
        }
    }
    if (text.empty()) {
        text = "No tier has room for one session";
    } else if (all.sessions > 1) {
        text += fmt::format(". To lose less than {:g} % of hit rate: in {}", 100 * keptWithin, kept);
    }
    return text + ". " + sharersWords(figure.caches) +
           " All begin at once, back to front; one that has ended leaves its room to others." +
           (figure.ofSessions() ? " An engine's cache; blocks rebuilt from usage: an estimate."
                                : " An engine's cache.");
}

} // namespace loadline
