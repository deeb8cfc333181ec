// What can be set of the charts of caches: all that their sliders hold, and nothing counted.
#pragma once

#include "core/cache/reuse/capacity_curves.h"
#include "core/cache/split/prefill_decode_split.h"
#include "core/cache/tier/cache_tiers.h"
#include "core/cache/tier/kv_layout.h"

#include <cstdint>
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
    int tensorParallel = 1;
    CacheTiers tiers;
    SplitFleet fleet;
    std::string chain; ///< of a trace: BlockChain::id; none of these: the one with the longest prompts in all
    bool operator==(const CacheSettings&) const = default;
};

/// Of a node whose memory holds the model's weights in bf16 beside the blocks; in whole GB, 0 where they fill
/// it.
CacheTiers tiersBeside(const CacheNode& node, const CacheModel& model);
/// The node that these tiers are of, whatever they hold; else the first.
const CacheNode& nodeOf(const CacheTiers& tiers);
/// Another model: where the tiers are a node's beside the weights of the model before, beside its own.
CacheSettings withModel(CacheSettings settings, std::string_view model);

const CacheModel& modelOf(const CacheSettings& settings); ///< the first where there is none of this key
KvLayout layoutOf(const CacheSettings& settings);
/// Of the tiers up to this one, in tokens of the model.
double tokensUpTo(const CacheSettings& settings, std::size_t tier);

} // namespace loadline
