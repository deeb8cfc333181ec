// What can be set of the charts of caches: all that their sliders hold, and nothing counted.
#pragma once

#include "core/cache/reuse/capacity_curves.h"
#include "core/cache/split/prefill_decode_split.h"
#include "core/cache/tier/cache_tiers.h"
#include "core/cache/tier/kv_layout.h"
#include "core/cache/tier/replicas.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loadline {

/// What counts as a hit of an engine's cache: see CapacityCurves.
enum class LruCount : std::uint8_t {
    Contiguous, ///< contiguousTokens
    Fwd,
    Rev,
};
std::string_view keyOf(LruCount count); ///< "contiguous", "fwd", "rev"
const CapacityCurve& curveOf(const CapacityCurves& curves, LruCount count);

struct CacheSettings {
    LruCount count = LruCount::Contiguous;
    double ttlS = 300;                   ///< until a block that nobody held is forgotten
    std::string model = "llama-3.3-70b"; ///< a key of cacheModels(): what bytes stand for
    double bytesPerValue = 2;
    std::optional<int> tensorParallel = {}; ///< GPUs of a replica; nothing: tensorParallelOf()
    CacheTiers tiers;
    SplitFleet fleet;
    std::string chain; ///< of a trace: BlockChain::id; none of these: the one with the longest prompts in all
    bool operator==(const CacheSettings&) const = default;
};

/// Of a node whose memory holds the model's weights in bf16, once a replica, beside the blocks; in whole GB,
/// 0 where they fill it.
CacheTiers tiersBeside(const CacheNode& node, const CacheModel& model, int tensorParallel);
/// The node that these tiers are of, whatever they hold; else the first.
const CacheNode& nodeOf(const CacheTiers& tiers);
/// Another model, node or number of GPUs in a replica: where the tiers are a node's beside its weights, they
/// stay so. What does not divide the node's GPUs becomes the largest number below that does.
CacheSettings withModel(const CacheSettings& settings, std::string_view model);
CacheSettings withNode(CacheSettings settings, const CacheNode& node);
CacheSettings withTensorParallel(const CacheSettings& settings, std::optional<int> gpus);
/// Tiers as cacheTiersFromText reads them; of a node beside the weights of all replicas, in whole GB where
/// nothing of it is changed.
Result<CacheSettings> withTiers(CacheSettings settings, std::string_view text);
/// The node whose tiers beside its weights these are; null where they were edited.
const CacheNode* nodeBeside(const CacheSettings& settings);

/// What is set, or else the usual one of model and node (usualTensorParallel).
int tensorParallelOf(const CacheSettings& settings);
int usualTensorParallel(const CacheNode& node, const CacheModel& model, double bytesPerValue);
Replicas replicasOf(const CacheSettings& settings);

const CacheModel& modelOf(const CacheSettings& settings); ///< the first where there is none of this key
KvLayout layoutOf(const CacheSettings& settings);
/// Of the tiers up to this one, in tokens of the model.
double tokensUpTo(const CacheSettings& settings, std::size_t tier);

} // namespace loadline
