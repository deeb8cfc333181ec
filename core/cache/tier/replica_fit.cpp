// Weights and one request against memory.
#include "core/cache/tier/replica_fit.h"

#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

std::string wordsOfGB(double gb) {
    return formatBytes(static_cast<std::uint64_t>(std::max(gb, 0.0) * 1e9));
}

} // namespace

ReplicaFit replicaFitOf(const CacheTiers& tiers, const CacheNode* node, const Replicas& replicas,
                        const KvLayout& layout, double weightsGB, double contextTokens) {
    const double room = tiers[memoryTierOf(tiers)].capacityGB / replicas.count();
    ReplicaFit fit{.weightsGB = weightsGB,
                   .requestGB = layout.bytesOf(std::max(contextTokens, 1.0)) / 1e9,
                   .hasGB = weightsGB + room};
    if (node != nullptr) {
        const double whole =
            node->tiers[node->memoryTier].capacityGB * replicas.gpus / node->gpus / replicas.count();
        const double left = std::max(whole - weightsGB, 0.0);
        if (std::abs(room - left) <= 1e-6 * whole) {
            fit.hasGB = whole;
        }
    }
    return fit;
}

std::string doesNotFitSentence(std::string_view model, const ReplicaFit& fit) {
    return fmt::format("{} does not fit: needs {} of {}.", model, wordsOfGB(fit.needsGB()),
                       wordsOfGB(fit.hasGB));
}

std::string needsOf(const ReplicaFit& fit, const Replicas& replicas) {
    return fmt::format("{} of weights and {} for one request, in each replica of {}",
                       wordsOfGB(fit.weightsGB), wordsOfGB(fit.requestGB),
                       counted(static_cast<std::uint64_t>(replicas.tensorParallel), "GPU"));
}

} // namespace loadline
