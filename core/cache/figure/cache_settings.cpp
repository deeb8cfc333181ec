// From what is set to bytes and tokens.
#include "core/cache/figure/cache_settings.h"

#include "core/text/plain_words.h"

#include <algorithm>

namespace loadline {
namespace {

/// Reduces the GPUs of a replica to the next lower number that divides the node's GPUs.
CacheSettings withWholeReplicas(CacheSettings settings, const CacheNode& node) {
    if (settings.tensorParallel) {
        int& gpus = *settings.tensorParallel;
        gpus = std::clamp(gpus, 1, node.gpus);
        while (node.gpus % gpus != 0) {
            --gpus;
        }
    }
    return settings;
}

CacheTiers tiersBesideWeights(const CacheSettings& settings, const CacheNode& node) {
    CacheSettings here = settings;
    here.node = node.key;
    return tiersBeside(node, modelOf(here), tensorParallelOf(here), bytesPerWeightOf(here));
}

/// Sets the memory tier to the room beside the weights, if that room changed or the tier was never edited.
CacheSettings withRoomBesideWeights(const CacheSettings& before, CacheSettings next) {
    const CacheNode* node = knownNodeOf(next);
    if (node == nullptr || next.tiers.empty()) {
        return next;
    }
    const double was = tiersBesideWeights(before, *node)[node->memoryTier].capacityGB;
    const double is = tiersBesideWeights(next, *node)[node->memoryTier].capacityGB;
    double& room = next.tiers[memoryTierOf(next.tiers)].capacityGB;
    room = was != is || room == was ? is : room;
    return next;
}

} // namespace

std::string_view keyOf(LruCount count) {
    return count == LruCount::Contiguous ? "contiguous" : count == LruCount::Fwd ? "fwd" : "rev";
}

const CapacityCurve& curveOf(const CapacityCurves& curves, LruCount count) {
    return count == LruCount::Contiguous ? curves.contiguousTokens
           : count == LruCount::Fwd      ? curves.fwd
                                         : curves.rev;
}

CacheTiers tiersBeside(const CacheNode& node, const CacheModel& model, int tensorParallel,
                       double bytesPerWeight) {
    const Replicas replicas{.gpus = static_cast<double>(node.gpus), .tensorParallel = tensorParallel};
    return tiersOf(node, weightsGB(model, bytesPerWeight) * replicas.count());
}

const CacheNode* findNodeOf(const CacheTiers& tiers) {
    const auto nodes = cacheNodes();
    const auto has = [](const CacheNode& node, const CacheTier& tier) {
        return std::ranges::any_of(node.tiers, [&](const CacheTier& one) {
            return one.name == tier.name && one.bandwidthGBs == tier.bandwidthGBs;
        });
    };
    const auto found = std::ranges::find_if(nodes, [&](const CacheNode& node) {
        return std::ranges::all_of(tiers, [&](const CacheTier& tier) { return has(node, tier); });
    });
    return found == nodes.end() ? nullptr : &*found;
}

const CacheNode* knownNodeOf(const CacheSettings& settings) {
    const CacheNode* node = findCacheNode(settings.node);
    return node != nullptr ? node : findNodeOf(settings.tiers);
}

const CacheNode& nodeOf(const CacheSettings& settings) {
    const CacheNode* node = knownNodeOf(settings);
    return node != nullptr ? *node : cacheNodes().front();
}

const CacheNode* nodeBeside(const CacheSettings& settings) {
    const CacheNode* node = knownNodeOf(settings);
    return node != nullptr && settings.tiers == tiersBesideWeights(settings, *node) ? node : nullptr;
}

CacheSettings withNode(CacheSettings settings, const CacheNode& node) {
    settings.node = node.key;
    settings = withWholeReplicas(std::move(settings), node);
    settings.tiers = tiersBesideWeights(settings, node);
    return settings;
}

Result<CacheSettings> withTiers(CacheSettings settings, std::string_view text) {
    const std::string_view line = trimmed(text);
    Result<CacheTiers> tiers = cacheTiersFromText(line);
    if (!tiers) {
        return tiers.error();
    }
    settings.tiers = std::move(*tiers);
    const CacheNode* node = findCacheNode(trimmed(line.substr(0, line.find(','))));
    settings.node = node != nullptr ? node->key : std::string_view();
    if (node != nullptr) {
        const double weights = weightsGB(modelOf(settings), bytesPerWeightOf(settings));
        settings.tiers = *cacheTiersFromText(line, weights * replicasOf(settings).count());
    }
    return settings;
}

std::string tiersTextOf(const CacheSettings& settings) {
    const CacheNode* node = findCacheNode(settings.node);
    if (node == nullptr) {
        node = nodeBeside(settings);
    }
    if (node == nullptr) {
        return textOf(settings.tiers);
    }
    std::string text(node->key);
    const CacheTiers usual = tiersBesideWeights(settings, *node);
    for (const CacheTier& tier : settings.tiers) {
        if (std::ranges::find(usual, tier) == usual.end()) {
            text += "," + textOf(CacheTiers{tier});
        }
    }
    const Result<CacheSettings> again = withTiers(settings, text);
    return again && again->tiers == settings.tiers ? text : textOf(settings.tiers);
}

CacheSettings withModel(const CacheSettings& settings, std::string_view model) {
    CacheSettings next = settings;
    next.model = model;
    return withRoomBesideWeights(settings, std::move(next));
}

CacheSettings withBytesPerValue(const CacheSettings& settings, double bytes) {
    CacheSettings next = settings;
    next.bytesPerValue = bytes;
    return withRoomBesideWeights(settings, std::move(next));
}

CacheSettings withBytesPerWeight(const CacheSettings& settings, std::optional<double> bytes) {
    CacheSettings next = settings;
    next.bytesPerWeight = bytes;
    return withRoomBesideWeights(settings, std::move(next));
}

CacheSettings withTensorParallel(const CacheSettings& settings, std::optional<int> gpus) {
    CacheSettings next = settings;
    next.tensorParallel = gpus;
    next = withWholeReplicas(std::move(next), nodeOf(settings));
    return withRoomBesideWeights(settings, std::move(next));
}

int usualTensorParallelOf(const CacheSettings& settings) {
    const CacheNode& node = nodeOf(settings);
    return usualTensorParallel(KvLayout{.model = &modelOf(settings), .bytesPerValue = settings.bytesPerValue},
                               node.gpus, node.tiers[node.memoryTier].capacityGB,
                               weightsGB(modelOf(settings), bytesPerWeightOf(settings)),
                               settings.longestTurn);
}

double bytesPerWeightOf(const CacheSettings& settings) {
    return settings.bytesPerWeight.value_or(publishedWeightsOf(modelOf(settings)).bytesEach);
}

int tensorParallelOf(const CacheSettings& settings) {
    return settings.tensorParallel.value_or(usualTensorParallelOf(settings));
}

Replicas replicasOf(const CacheSettings& settings) {
    return {.gpus = static_cast<double>(nodeOf(settings).gpus), .tensorParallel = tensorParallelOf(settings)};
}

ReplicaFit replicaFitOf(const CacheSettings& settings, double contextTokens) {
    return replicaFitOf(settings.tiers, knownNodeOf(settings), replicasOf(settings), layoutOf(settings),
                        weightsGB(modelOf(settings), bytesPerWeightOf(settings)), contextTokens);
}

const CacheModel& modelOf(const CacheSettings& settings) {
    const auto models = cacheModels();
    const auto found = std::ranges::find(models, settings.model, &CacheModel::key);
    return found == models.end() ? models.front() : *found;
}

KvLayout layoutOf(const CacheSettings& settings) {
    return {&modelOf(settings), tensorParallelOf(settings), settings.bytesPerValue};
}

std::size_t replicaCountOf(const CacheSettings& settings) {
    return static_cast<std::size_t>(replicasOf(settings).count());
}

double tokensUpTo(const CacheSettings& settings, std::size_t tier) {
    constexpr double bytesPerGB = 1e9;
    const KvLayout layout = layoutOf(settings);
    return roomUpToGB(settings.tiers, tier, layout) / replicasOf(settings).count() * bytesPerGB /
           layout.bytesPerToken();
}

} // namespace loadline
