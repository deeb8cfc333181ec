// From what is set to bytes and tokens.
#include "core/cache/figure/cache_settings.h"

#include "core/text/plain_words.h"

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

CacheTiers tiersBeside(const CacheNode& node, const CacheModel& model, int tensorParallel) {
    const Replicas replicas{.gpus = static_cast<double>(node.gpus), .tensorParallel = tensorParallel};
    CacheTiers tiers = tiersOf(node, weightsGB(model) * replicas.count());
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

const CacheNode* nodeBeside(const CacheSettings& settings) {
    const auto nodes = cacheNodes();
    const auto found = std::ranges::find_if(nodes, [&](const CacheNode& node) {
        const int gpus = settings.tensorParallel.value_or(
            usualTensorParallel(node, modelOf(settings), settings.bytesPerValue));
        return settings.tiers == tiersBeside(node, modelOf(settings), gpus);
    });
    return found == nodes.end() ? nullptr : &*found;
}

CacheSettings withNode(CacheSettings settings, const CacheNode& node) {
    if (settings.tensorParallel) {
        int& gpus = *settings.tensorParallel;
        gpus = std::min(gpus, node.gpus);
        while (node.gpus % gpus != 0) {
            --gpus;
        }
    }
    return withTiers(std::move(settings), node.key).value();
}

Result<CacheSettings> withTiers(CacheSettings settings, std::string_view text) {
    const std::string_view line = trimmed(text);
    Result<CacheTiers> tiers = cacheTiersFromText(line);
    if (!tiers) {
        return tiers.error();
    }
    settings.tiers = std::move(*tiers);
    const CacheNode* node = findCacheNode(trimmed(line.substr(0, line.find(','))));
    if (node != nullptr && line == node->key) {
        settings.tiers = tiersBeside(*node, modelOf(settings), tensorParallelOf(settings));
    } else if (node != nullptr) {
        settings.tiers =
            *cacheTiersFromText(line, weightsGB(modelOf(settings)) * replicasOf(settings).count());
    }
    return settings;
}

CacheSettings withModel(const CacheSettings& settings, std::string_view model) {
    CacheSettings next = settings;
    next.model = model;
    const CacheNode* node = nodeBeside(settings);
    return node != nullptr ? withNode(std::move(next), *node) : next;
}

CacheSettings withTensorParallel(const CacheSettings& settings, std::optional<int> gpus) {
    const CacheNode* node = nodeBeside(settings);
    CacheSettings next = settings;
    next.tensorParallel = gpus;
    const CacheTiers edited = settings.tiers;
    next = withNode(std::move(next), nodeOf(edited)); // so many GPUs as it can be
    if (node == nullptr) {
        next.tiers = edited;
    }
    return next;
}

int usualTensorParallel(const CacheNode& node, const CacheModel& model, double bytesPerValue) {
    return usualTensorParallel(KvLayout{.model = &model, .bytesPerValue = bytesPerValue}, node.gpus,
                               node.tiers[node.memoryTier].capacityGB, weightsGB(model));
}

int tensorParallelOf(const CacheSettings& settings) {
    return settings.tensorParallel.value_or(
        usualTensorParallel(nodeOf(settings.tiers), modelOf(settings), settings.bytesPerValue));
}

Replicas replicasOf(const CacheSettings& settings) {
    return {.gpus = static_cast<double>(nodeOf(settings.tiers).gpus),
            .tensorParallel = tensorParallelOf(settings)};
}

const CacheModel& modelOf(const CacheSettings& settings) {
    const auto models = cacheModels();
    const auto found = std::ranges::find(models, settings.model, &CacheModel::key);
    return found == models.end() ? models.front() : *found;
}

KvLayout layoutOf(const CacheSettings& settings) {
    return {&modelOf(settings), tensorParallelOf(settings), settings.bytesPerValue};
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
