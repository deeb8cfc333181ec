// Capacities at which cache curves are evaluated, and the words for a capacity.
#include "core/cache/figure/cache_words.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

double mostOf(const CapacityCurve& curve) {
    return curve.hits.empty() ? 0 : static_cast<double>(curve.hits.back());
}

} // namespace

std::uint64_t blocksForNearlyAll(const CapacityCurve& curve) {
    const double wanted = nearlyAll * mostOf(curve);
    const auto enough = std::ranges::lower_bound(
        curve.hits, wanted, {}, [](std::uint64_t hits) { return static_cast<double>(hits); });
    return enough == curve.hits.end() ? curve.hits.size()
                                      : static_cast<std::uint64_t>(enough - curve.hits.begin()) + 1;
}

std::vector<std::uint64_t> capacitiesOf(const CapacityCurve& curve, std::size_t most) {
    std::vector<std::uint64_t> capacities;
    const double last = static_cast<double>(std::max<std::size_t>(curve.hits.size(), 1));
    for (std::size_t i = 0; i <= most; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(most);
        const auto blocks = static_cast<std::uint64_t>(std::llround(std::pow(last, share)));
        if (capacities.empty() || blocks > capacities.back()) {
            capacities.push_back(blocks);
        }
    }
    return capacities;
}

std::vector<double> ttlsOf(const ShareWithin& ages, std::size_t most) {
    constexpr double hour = 3600;
    std::vector<double> ttls;
    const double last = std::max(ages.longestS() * 1.2, hour);
    for (std::size_t i = 0; i <= most; ++i) {
        ttls.push_back(std::pow(last, static_cast<double>(i) / static_cast<double>(most)));
    }
    return ttls;
}

std::size_t sessionsThatKeep(std::span<const SharedCurve> shared, std::uint64_t capacityBlocks) {
    std::size_t keep = shared.front().sessions;
    for (const SharedCurve& curve : shared) {
        if (curve.contiguousAlone.hit(capacityBlocks) - curve.contiguous.hit(capacityBlocks) >= keptWithin) {
            break;
        }
        keep = curve.sessions;
    }
    return keep;
}

std::string wordsOfTokens(double tokens, const CacheSettings& settings) {
    return fmt::format(
        "{} tokens, {} of {}", formatCount(tokens),
        formatBytes(static_cast<std::uint64_t>(tokens * layoutOffGpu(layoutOf(settings)).bytesPerToken())),
        settings.model);
}

std::string wordsOfCapacity(double blocks, const CacheFigure& figure, const CacheSettings& settings) {
    const double tokens = blocks * static_cast<double>(figure.caches.blockTokens);
    const double held = figure.heldTokens().p90;
    const KvLayout layout = layoutOf(settings);
    const double gb = tokens * layout.bytesPerToken() / 1e9;
    const double atOnce = sessionsAtOnce(gb, layout.bytesOf(std::max(held, 1.0)), Replicas{});
    const std::size_t replicas = replicaCountOf(settings);
    const std::string sessions =
        held > 0 ? ", " + counted(static_cast<std::uint64_t>(atOnce), "session") : std::string();
    return fmt::format("{} blocks: {}{}{}", formatExact(std::llround(blocks)),
                       wordsOfTokens(tokens, settings), sessions,
                       replicas > 1 ? fmt::format(" in each of {} replicas", replicas) : std::string());
}

PrefillDecodeSplit splitWithAttention(const CacheFigure& figure, const CacheSettings& settings) {
    const double mean = figure.input().mean;
    const double hit = splitHitOf(figure, settings).rate;
    return splitWith(settings.fleet,
                     mean > 0 ? prefillWorkLeft(modelOf(settings), mean, hit * mean) : 1 - hit);
}

} // namespace loadline
