// Settings of the charts of caches: everything that their sliders hold, and nothing that is computed.
#pragma once

#include "core/cache/reuse/capacity_curves.h"
#include "core/cache/split/prefill_decode_split.h"
#include "core/cache/split/published_weights.h"
#include "core/cache/tier/cache_tiers.h"
#include "core/cache/tier/kv_layout.h"
#include "core/cache/tier/replica_fit.h"
#include "core/cache/tier/replicas.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loadline {

/// Definition of a hit in an engine's cache: see CapacityCurves.
enum class LruCount : std::uint8_t {
    Contiguous, ///< contiguousTokens
    Fwd,
    Rev,
};
std::string_view keyOf(LruCount count); ///< "contiguous", "fwd", "rev"
const CapacityCurve& curveOf(const CapacityCurves& curves, LruCount count);

/// Seconds until a block that nobody held is forgotten, unless others are set: providers' shorter time.
inline constexpr std::int64_t usualTtlS = 300;

struct CacheSettings {
    LruCount count = LruCount::Contiguous;
    double ttlS = usualTtlS;             ///< until a block that nobody held is forgotten
    std::string model = "llama-3.3-70b"; ///< a key of cacheModels(): what bytes stand for
    double bytesPerValue = 2;
    std::optional<double> bytesPerWeight = {}; ///< nothing: as published (publishedWeightsOf)
    std::optional<int> tensorParallel = {};    ///< GPUs of a replica; nothing: tensorParallelOf()
    std::string node = {}; ///< key of the node that the tiers are of, edited or not; "": they are one's own
    CacheTiers tiers;
    SplitFleet fleet;
    double longestTurn = 0; ///< tokens of the longest prompt and answer of what is shown; 0: not known
    std::string chain; ///< of a trace: BlockChain::id; none of these: the one with the longest prompts in all
    bool operator==(const CacheSettings&) const = default;
};

inline constexpr NumberRange<double> bytesPerWeightRange{0.25, 8};

/// Returns the node's tiers; its memory tier holds the room beside the weights, which every replica loads
/// once: 0 if the weights fill it.
CacheTiers tiersBeside(const CacheNode& node, const CacheModel& model, int tensorParallel,
                       double bytesPerWeight = 2);
/// The node whose tiers have these names and bandwidths, whatever they hold; null: none.
const CacheNode* findNodeOf(const CacheTiers& tiers);
/// The node that the tiers are of; null for tiers of one's own.
const CacheNode* knownNodeOf(const CacheSettings& settings);
/// The same, or else the first: whose GPUs compute.
const CacheNode& nodeOf(const CacheSettings& settings);
/// Another model, other bytes, another number of GPUs in a replica. What a node's memory has left beside the
/// weights follows; a capacity that was given for it stays only where that does not change. What does not
/// divide the node's GPUs becomes the largest number below that does.
CacheSettings withModel(const CacheSettings& settings, std::string_view model);
CacheSettings withBytesPerValue(const CacheSettings& settings, double bytes);
CacheSettings withBytesPerWeight(const CacheSettings& settings, std::optional<double> bytes);
CacheSettings withTensorParallel(const CacheSettings& settings, std::optional<int> gpus);
/// The tiers of another node, beside the weights.
CacheSettings withNode(CacheSettings settings, const CacheNode& node);
/// Tiers as cacheTiersFromText reads them; of a node beside the weights of all replicas.
Result<CacheSettings> withTiers(CacheSettings settings, std::string_view text);
/// Returns the text that withTiers reads back: a node's key and the edited tiers, or all tiers in full.
std::string tiersTextOf(const CacheSettings& settings);
/// The node whose tiers beside its weights these are; null where they were edited.
const CacheNode* nodeBeside(const CacheSettings& settings);

/// Returns the bytes that are set; else those of the model as it was published.
double bytesPerWeightOf(const CacheSettings& settings);
/// Returns the number that is set; else the usual one of model and node (usualTensorParallel).
int tensorParallelOf(const CacheSettings& settings);
int usualTensorParallelOf(const CacheSettings& settings);
Replicas replicasOf(const CacheSettings& settings);
/// Whether a replica holds the weights and one request of so many tokens.
ReplicaFit replicaFitOf(const CacheSettings& settings, double contextTokens);

const CacheModel& modelOf(const CacheSettings& settings); ///< the first where there is none of this key
KvLayout layoutOf(const CacheSettings& settings);
std::size_t replicaCountOf(const CacheSettings& settings);
/// Room of one replica in the tiers up to this one, in tokens of the model.
double tokensUpTo(const CacheSettings& settings, std::size_t tier);

} // namespace loadline
