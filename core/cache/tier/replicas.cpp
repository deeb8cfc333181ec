// GPUs by replicas.
#include "core/cache/tier/replicas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

bool divides(int tensorParallel, double gpus) {
    return tensorParallel <= gpus && std::fmod(gpus, tensorParallel) == 0;
}

} // namespace

std::string problemOf(const Replicas& replicas) {
    if (replicas.tensorParallel > replicas.gpus) {
        return fmt::format("tensor parallelism over {} GPUs needs as many: there {} {:g}",
                           replicas.tensorParallel, replicas.gpus == 1 ? "is" : "are", replicas.gpus);
    }
    if (!divides(replicas.tensorParallel, replicas.gpus)) {
        return fmt::format("{:g} GPUs form no whole replicas of {}", replicas.gpus, replicas.tensorParallel);
    }
    return "";
}

CacheTier ofReplica(CacheTier tier, const Replicas& replicas) {
    tier.capacityGB /= replicas.count();
    tier.bandwidthGBs /= replicas.count();
    return tier;
}

CacheTiers ofReplica(CacheTiers tiers, const Replicas& replicas) {
    for (CacheTier& tier : tiers) {
        tier = ofReplica(std::move(tier), replicas);
    }
    return tiers;
}

double sessionsAtOnce(double gb, double bytesOfSession, const Replicas& replicas) {
    constexpr double bytesPerGB = 1e9;
    return bytesOfSession > 0
               ? std::floor(gb / replicas.count() * bytesPerGB / bytesOfSession) * replicas.count()
               : 0;
}

double roomUpToGB(const CacheTiers& tiers, std::size_t upTo, const KvLayout& layout) {
    double gb = 0;
    for (std::size_t i = tiers.empty() ? 0 : memoryTierOf(tiers); i <= upTo && i < tiers.size(); ++i) {
        gb += tiers[i].capacityGB * (layout.bytesPerToken() / layoutIn(layout, tiers[i]).bytesPerToken());
    }
    return gb;
}

double sessionsUpTo(const CacheTiers& tiers, std::size_t upTo, const KvLayout& layout, double tokens,
                    const Replicas& replicas) {
    return sessionsAtOnce(roomUpToGB(tiers, upTo, layout), tokens > 0 ? layout.bytesOf(tokens) : 0, replicas);
}

int usualTensorParallel(KvLayout layout, double gpus, double memoryGB, double weightsGB, double longestTurn) {
    constexpr double bytesPerGB = 1e9;
    int usual = 1;
    for (int t = 1; divides(t, gpus) && tensorParallelRange.contains(t); t *= 2) {
        usual = t;
        layout.tensorParallel = t;
        const double roomGB = memoryGB * t / gpus - weightsGB;
        if (roomGB * bytesPerGB >= layout.bytesOf(std::max(usualRoomTokens, longestTurn))) {
            break;
        }
    }
    return usual;
}

} // namespace loadline
