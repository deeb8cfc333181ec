// Model, machine and tiers of a question: as they are typed, and resolved for the turns of a trace.
#pragma once

#include "core/base/result.h"
#include "core/cache/split/published_weights.h"
#include "core/cache/tier/move_out.h"
#include "core/cache/tier/replicas.h"
#include "core/cache/tier/token_cost.h"

#include <cstddef>
#include <optional>
#include <string>

namespace loadline {

/// A model on a machine, resolved.
struct TierQuestion {
    CacheTiers tiers;
    const CacheNode* node = nullptr;      ///< whose GPUs they are; never null
    const CacheNode* knownNode = nullptr; ///< the same; null for tiers of one's own
    Replicas replicas;                    ///< of its GPUs
    PublishedWeights published;           ///< of the weights' bytes; without a source where they were given
    ServingSetup serving; ///< of one replica; its tier and, where `batch` is not given, its batch follow from
                          ///< the trace
    std::optional<double> batch;
    std::optional<double> sessions; ///< that begin at once on the machine; nothing: as recorded
    std::optional<double> gpuHour;  ///< dollars
    std::optional<MoveOut> moveOut;
    std::size_t moveOutTo = 0; ///< in `tiers`

    /// The tier that the weights share with the blocks (memoryTierOf).
    [[nodiscard]] const CacheTier& memory() const { return tiers[memoryTierOf(tiers)]; }

    /// Whole replicas of the GPUs, at least 1.
    [[nodiscard]] std::size_t replicaCount() const { return static_cast<std::size_t>(replicas.count()); }
};

/// The same as it is typed.
struct TierOptions {
    std::string model = "llama-3.3-70b";
    std::string tiers = "h100-node";
    std::optional<int> tensorParallel;
    double bytesPerKvValue = 2;
    std::optional<double> bytesPerWeight; ///< nothing: as the model was published
    std::optional<double> gpus;
    std::optional<double> peakTflops;
    double mfu = 0.5;
    double fixedS = 0;
    double bandwidthShare = 0.7;
    std::optional<double> batch;
    std::optional<double> sessions;
    std::optional<double> gpuHour;
    std::optional<MoveOut> moveOut;
    std::string moveOutTier;
    bool operator==(const TierOptions&) const = default;

    /// The Error: tiers that cannot be read, GPUs that form no such replicas, or no such tier to move to.
    /// `longestTurn`: tokens that a replica must have room for, where its GPUs were not given.
    [[nodiscard]] Result<TierQuestion> resolved(double longestTurn = 0) const;
};

} // namespace loadline
