// Tiers of memory and storage that keep KV blocks, fastest first; in and out as one line of text.
#pragma once

#include "core/base/result.h"
#include "core/text/parse_number.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// One place, over all GPUs of a machine.
struct CacheTier {
    std::string name;        ///< "HBM", "host memory"
    double capacityGB = 0;   ///< for KV blocks, 1e9 bytes; 0: none, though what it would give can be asked
    double bandwidthGBs = 0; ///< towards the GPUs, 1e9 bytes a second
    double latencyUs = 0;    ///< until the first byte
    std::string source;      ///< of bandwidth and latency; a capacity is the reader's to say
    bool onGpu = false; ///< memory of the GPUs that compute, or faster: memoryTierOf() and what is before it
    bool operator==(const CacheTier&) const = default;
};

/// Fastest first. What falls out of one goes to the next: their capacities add up.
using CacheTiers = std::vector<CacheTier>;

inline constexpr std::size_t mostTiers = 16;
inline constexpr std::size_t longestTierName = 40;
inline constexpr NumberRange<double> tierCapacitiesGB{0, 1e9};
inline constexpr NumberRange<double> tierBandwidthsGBs{1e-3, 1e9};
inline constexpr NumberRange<double> tierLatenciesUs{0, 1e9};

/// A machine with what it can keep blocks in.
struct CacheNode {
    std::string_view key;      ///< "h100-node"
    std::string_view name;     ///< "8 x H100 SXM (DGX)"
    std::string_view hardware; ///< its GPU, a key of hardwareTable()
    int gpus = 1;
    std::size_t memoryTier = 0; ///< the one that the weights share with the blocks
    CacheTiers tiers;           ///< as if there were no weights
};

/// "h100-node", "b200-node", "gb200-nvl72", "rtx4090-box", "m3-max".
std::span<const CacheNode> cacheNodes();
const CacheNode* findCacheNode(std::string_view key); ///< null where there is none

/// Which tier is the memory of the GPUs, that the weights share with the blocks: the last one that is called
/// as the memory of a known node is; else the first. Precondition: there is a tier.
std::size_t memoryTierOf(const CacheTiers& tiers);

/// True if engines keep blocks in this tier: not in a cache of the chip, before the memory of the GPUs.
bool keepsBlocks(const CacheTiers& tiers, std::size_t tier);

/// The tiers of a node whose memory holds `weightsGB` of weights beside the blocks.
CacheTiers tiersOf(const CacheNode& node, double weightsGB = 0);

/// Reads the key of a node, tiers, or the key of a node and tiers to change or to add:
///
///     h100-node
///     HBM:400:26800:0.6,host memory:2000:440:10
///     h100-node,HBM:300,NVMe:61440:112
///
/// NAME:GB:GB/s:us. Behind a node's key a tier of its name, in small or capital letters, keeps what is left
/// out; a new one stands where its bandwidth belongs. Without a node bandwidth must be said, and a latency
/// left out is 0. Of a node `weightsGB` are taken off the memory, unless its capacity is given. The Error
/// says which tier cannot be read or used (problemOf).
Result<CacheTiers> cacheTiersFromText(std::string_view text, double weightsGB = 0);

/// All tiers in full; reads back equal. Precondition: problemOf finds nothing.
std::string textOf(const CacheTiers& tiers);

/// Returns what is wrong with edited tiers: none or too many, a name that cannot be written, twice the same
/// name, a number out of its range, a tier faster than the one before. "" if they can be used.
std::string problemOf(const CacheTiers& tiers);

} // namespace loadline
