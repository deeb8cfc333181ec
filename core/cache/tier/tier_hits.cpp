// Hit rates, capacities and sessions by tier.
#include "core/cache/tier/tier_hits.h"

#include <algorithm>
#include <numeric>

namespace loadline {
namespace {

constexpr double bytesOfGB = 1e9;

/// A capacity beyond the curve's end hits no more than its end.
std::uint64_t wholeBlocks(double gb, double bytesPerBlock, const CapacityCurve& curve) {
    const double blocks = bytesPerBlock > 0 ? gb * bytesOfGB / bytesPerBlock : 0;
    return static_cast<std::uint64_t>(std::min(blocks, static_cast<double>(curve.hits.size())));
}

} // namespace

CapacityReading readingOf(double gb, const KvLayout& layout, double heldTokens) {
    const double perToken = layout.bytesPerToken();
    const double held = heldTokens > 0 ? layout.bytesOf(heldTokens) : 0;
    return {.gb = gb,
            .tokens = perToken > 0 ? gb * bytesOfGB / perToken : 0,
            .sessions = held > 0 ? gb * bytesOfGB / held : 0};
}

std::vector<TierHits> tierHitsOf(const CacheTiers& tiers, const KvLayout& layout, Tokens blockTokens,
                                 const CapacityCurve& curve, double heldTokens, const Replicas& replicas) {
    const double perBlock = layout.bytesPerToken() * static_cast<double>(blockTokens);
    std::vector<TierHits> result;
    double gb = 0;
    double before = 0;
    double tokensBefore = 0;
    for (std::size_t i = 0; i < tiers.size(); ++i) {
        const CacheTier& tier = tiers[i];
        gb += keepsBlocks(tiers, i) ? tier.capacityGB : 0;
        const double room = roomUpToGB(tiers, i, layout);
        const std::uint64_t blocks = wholeBlocks(room / replicas.count(), perBlock, curve);
        const double now = curve.hit(blocks);
        const double tokensNow = curve.hitOfTokens(blocks);
        CapacityReading upToHere = readingOf(room, layout, heldTokens);
        upToHere.gb = gb;
        result.push_back({.own = readingOf(tier.capacityGB, layoutIn(layout, tier), heldTokens),
                          .upToHere = upToHere,
                          .hit = now - before,
                          .hitUpToHere = now,
                          .hitTokens = tokensNow - tokensBefore,
                          .hitTokensUpToHere = tokensNow});
        before = now;
        tokensBefore = tokensNow;
    }
    return result;
}

double touchedWithin(std::span<const WeightedSample::Part> gapsS, double seconds) {
    double within = 0;
    double all = 0;
    for (const WeightedSample::Part& gap : gapsS) {
        const auto count = static_cast<double>(gap.count);
        within += std::min(gap.value, seconds) * count;
        all += gap.value * count;
    }
    return all > 0 ? within / all : 1;
}

SessionTier tierOfSession(const CacheTiers& tiers, const KvLayout& layout, const SessionsOnNode& node,
                          double gapS, double heldTokens) {
    const double others = std::max(node.sessions - 1, 0.0) * touchedWithin(node.gapsS, gapS);
    SessionTier result{.gapS = gapS,
                       .heldTokens = heldTokens,
                       .gb = (layout.bytesOf(heldTokens) + others * layout.bytesOf(node.heldTokens)) /
                             bytesOfGB,
                       .tier = std::nullopt};
    for (std::size_t i = 0; i < tiers.size() && !result.tier; ++i) {
        if (roomUpToGB(tiers, i, layout) >= result.gb) {
            result.tier = i;
        }
    }
    return result;
}

} // namespace loadline
