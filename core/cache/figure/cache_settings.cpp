// From what is set to bytes and tokens.
#include "core/cache/figure/cache_settings.h"

#include <algorithm>
#include <cmath>

namespace loadline {

std::string_view keyOf(LruCount count) {
    return count == LruCount::Contiguous ? "contiguous" : count == LruCount::Fwd ? "fwd" : "rev";
}

const CapacityCurve& curveOf(const CapacityCurves& curves, LruCount count) {
    return count == LruCount::Contiguous ? curves.contiguousTokens
           : count == LruCount::Fwd      ? curves.fwd
                                         : curves.rev;
}

CacheTiers tiersBeside(const CacheNode& node, const CacheModel& model) {
    CacheTiers tiers = tiersOf(node, weightsGB(model));
    double& room = tiers[node.memoryTier].capacityGB;
    room = std::floor(room);
    return tiers;
}

const CacheNode& nodeOf(const CacheTiers& tiers) {
    const auto nodes = cacheNodes();
    const auto has = [](const CacheNode& node, const CacheTier& tier) {
        return std::ranges::any_of(node.tiers, [&](const CacheTier& one) {
            return one.name == tier.name && one.bandwidthGBs == tier.bandwidthGBs;
        });
    };
    const auto found = std::ranges::find_if(nodes, [&](const CacheNode& node) {
        return std::ranges::all_of(tiers, [&](const CacheTier& tier) { return has(node, tier); });
    });
    return found == nodes.end() ? nodes.front() : *found;
}

CacheSettings withModel(CacheSettings settings, std::string_view model) {
    const CacheModel& before = modelOf(settings);
    settings.model = model;
    for (const CacheNode& node : cacheNodes()) {
        if (settings.tiers == tiersBeside(node, before)) {
            settings.tiers = tiersBeside(node, modelOf(settings));
            break;
        }
    }
    return settings;
}

const CacheModel& modelOf(const CacheSettings& settings) {
    const auto models = cacheModels();
    const auto found = std::ranges::find(models, settings.model, &CacheModel::key);
    return found == models.end() ? models.front() : *found;
}

KvLayout layoutOf(const CacheSettings& settings) {
    return {&modelOf(settings), settings.tensorParallel, settings.bytesPerValue};
}

double tokensUpTo(const CacheSettings& settings, std::size_t tier) {
    constexpr double bytesPerGB = 1e9;
    double bytes = 0;
    for (std::size_t i = 0; i <= tier && i < settings.tiers.size(); ++i) {
        bytes += settings.tiers[i].capacityGB * bytesPerGB;
    }
    return bytes / layoutOf(settings).bytesPerToken();
}

} // namespace loadline
