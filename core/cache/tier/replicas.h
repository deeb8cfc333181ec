// How the GPUs of a machine serve a model: replicas of it, each over a few GPUs.
#pragma once

#include "core/cache/tier/cache_tiers.h"
#include "core/cache/tier/kv_layout.h"

#include <string>

namespace loadline {

/// Tensor parallelism makes one replica of `tensorParallel` GPUs: they hold the model's weights once, compute
/// a prompt together, and keep its blocks. Sessions are spread evenly over the replicas.
struct Replicas {
    double gpus = 1;        ///< of the machine
    int tensorParallel = 1; ///< GPUs of a replica
    bool operator==(const Replicas&) const = default;

    [[nodiscard]] double count() const { return gpus / tensorParallel; }
};

/// Returns why GPUs do not form such replicas: more than there are, or a number that does not divide theirs.
/// "" if they do.
std::string problemOf(const Replicas& replicas);

/// Return one replica's share of the machine's room and bandwidth: all replicas are equally busy.
CacheTier ofReplica(CacheTier tier, const Replicas& replicas);
CacheTiers ofReplica(CacheTiers tiers, const Replicas& replicas);

/// Sessions of so many bytes that fit into `gb` of the machine at once, none of them in two replicas.
double sessionsAtOnce(double gb, double bytesOfSession, const Replicas& replicas);

/// Capacity of the tiers up to this one that keep blocks (keepsBlocks), in 1e9 bytes of the GPUs' own layout:
/// a tier that keeps fewer copies holds as much as a larger one.
double roomUpToGB(const CacheTiers& tiers, std::size_t upTo, const KvLayout& layout);

/// Whole sessions of so many tokens that the tiers up to this one hold at once, none of them in two replicas.
double sessionsUpTo(const CacheTiers& tiers, std::size_t upTo, const KvLayout& layout, double tokens,
                    const Replicas& replicas);

/// Tokens of the turn for which a replica has room beside the weights at least, unless told otherwise.
inline constexpr double usualRoomTokens = 131'072;

/// The smallest power of two at which GPUs that hold `memoryGB` together have room for usualRoomTokens, or a
/// longer `longestTurn`, beside `weightsGB` in each replica; where none does, the largest that divides them.
/// The layout's own tensorParallel is not read.
int usualTensorParallel(KvLayout layout, double gpus, double memoryGB, double weightsGB,
                        double longestTurn = 0);

} // namespace loadline
