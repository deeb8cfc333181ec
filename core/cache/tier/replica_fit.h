// Whether a replica's memory holds the weights and one request.
#pragma once

#include "core/cache/tier/replicas.h"

#include <string>

namespace loadline {

/// Memory of one replica, needed and available, in 1e9 bytes.
struct ReplicaFit {
    double weightsGB = 0;
    double requestGB = 0; ///< KV of the request that must have room beside the weights
    double hasGB = 0;     ///< memory of the replica's GPUs
    bool operator==(const ReplicaFit&) const = default;

    [[nodiscard]] double needsGB() const { return weightsGB + requestGB; }

    [[nodiscard]] bool fits() const { return needsGB() <= hasGB; }
};

/// Returns the fit of a replica. If the memory tier holds what the weights leave of the node's memory, the
/// memory is the node's; else the weights have memory of their own beside the capacity that is given. `node`:
/// null for tiers of one's own.
ReplicaFit replicaFitOf(const CacheTiers& tiers, const CacheNode* node, const Replicas& replicas,
                        const KvLayout& layout, double weightsGB, double contextTokens);

/// "deepseek-v3 does not fit: needs 1.36 TB of 576 GB." Precondition: it does not.
std::string doesNotFitSentence(std::string_view model, const ReplicaFit& fit);
/// "1.34 TB of weights and 22.3 GB for one request, in each replica of 8 GPUs", a sentence without its end.
std::string needsOf(const ReplicaFit& fit, const Replicas& replicas);

} // namespace loadline
