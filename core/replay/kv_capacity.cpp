// KV blocks of a recorded run.
#include "core/replay/kv_capacity.h"

#include "core/cost/engine/memory.h"
#include "core/cost/shapes/shard.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {
namespace {

constexpr double bytesPerMemoryGb = 1e9;

/// Activations, graphs and buffers of one rank.
double reservedBytesOf(const EngineRun& run) {
    const RunMeta& meta = run.meta;
    const int ranks = static_cast<int>(meta.tensorParallel);
    const Result<ModelShapes> shard = shardOf(run.model, {.tensor = ranks});
    return reservedMemoryOf(run.model, shard ? *shard : run.model,
                            {.version = engineVersionFrom(meta.vllmVersion).value_or(newestVersion),
                             .maxNumBatchedTokens = meta.maxNumBatchedTokens,
                             .maxNumSeqs = meta.maxNumSeqs,
                             .graphs = meta.graphs,
                             .tensorParallel = ranks})
        .total();
}

} // namespace

double weightBytesPerRank(const EngineRun& run) {
    double weights = totalWeights(run.model);
    for (const LayerGemm& gemm : run.model.gemms) {
        weights += gemm.isHead() ? gemm.size.elements() : 0;
    }
    return weights * run.meta.valueBytes() / static_cast<double>(run.meta.tensorParallel);
}

Result<KvCapacity> kvCapacityOf(const EngineRun& run) {
    const RunMeta& meta = run.meta;
    KvCapacity capacity;
    capacity.blockTokens = meta.blockSize;
    if (meta.kvBlocks) {
        capacity.blocks = *meta.kvBlocks;
        capacity.origin = fmt::format("{} KV blocks, as the engine resolved them", capacity.blocks);
        return capacity;
    }
    const double memory = meta.deviceBytes.value_or(run.peer ? run.peer->memoryBytes : 0);
    if (memory <= 0) {
        return Error{"the number of KV blocks is not known: meta.json has neither num_gpu_blocks nor the "
                     "memory of the GPU",
                     run.name, "--blocks N, or a peer_config.json with mem_size"};
    }
    const AttentionFacts& facts = *run.model.attention;
    const auto ranks = static_cast<double>(meta.tensorParallel);
    // Each rank has a whole latent (MLA), or its KV heads, at least one.
    const double values = facts.latentValues > 0 ? facts.latentValues
                                                 : 2.0 * std::max(1.0, facts.kvHeads / ranks) * facts.headDim;
    const double blockBytes =
        facts.fullLayers * values * meta.kvValueBytes() * static_cast<double>(meta.blockSize);
    const double weights = weightBytesPerRank(run);
    const double reserved = reservedBytesOf(run);
    const double left = memory * meta.gpuMemoryUtilization - weights - reserved;
    capacity.blocks =
        static_cast<std::int64_t>(std::clamp(left / blockBytes, 0.0, static_cast<double>(mostKvBlocks)));
    if (capacity.blocks < 2) {
        return Error{fmt::format("nothing is left for the KV cache: {:.1f} GB of weights and {:.1f} GB of "
                                 "activations and buffers in {:.1f} GB at utilisation {}",
                                 weights / bytesPerMemoryGb, reserved / bytesPerMemoryGb,
                                 memory / bytesPerMemoryGb, meta.gpuMemoryUtilization),
                     run.name, "--blocks N"};
    }
    capacity.computed = true;
    capacity.origin = fmt::format(
        "{} KV blocks computed: {:.1f} GB at utilisation {} less {:.1f} GB of weights and {:.1f} GB of "
        "activations and buffers",
        capacity.blocks, memory / bytesPerMemoryGb, meta.gpuMemoryUtilization, weights / bytesPerMemoryGb,
        reserved / bytesPerMemoryGb);
    return capacity;
}

} // namespace loadline
