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

const CacheModel& modelOf(const CacheSettings& settings); ///< the first where there is none of this key
KvLayout layoutOf(const CacheSettings& settings);
/// Of the tiers up to this one, in tokens of the model.
double tokensUpTo(const CacheSettings& settings, std::size_t tier);

} // namespace loadline
