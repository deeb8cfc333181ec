// Bytes of weights and of KV blocks on one GPU.
#include "core/cost/step/step_setup.h"

#include "core/cost/engine/memory.h"
#include "core/cost/estimate/attention.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {
namespace {

constexpr std::string_view mxfp4WithFp8Rows = "w4a8_mxfp4_mxfp8"; // another kernel for the same weights

} // namespace

double bytesPerWeightOf(std::string_view format) {
    const std::string_view stored = format == mxfp4WithFp8Rows ? specOf(Storage::Mxfp4).expertTable : format;
    const auto* const found = std::ranges::find_if(storageSpecs, [&](const StorageSpec& spec) {
        return !stored.empty() && (spec.weightTable == stored || spec.expertTable == stored);
    });
    return found == storageSpecs.end() ? 0 : bytesEach(found->storage);
}

double shardBytesOf(const StepSetup& setup, const ModelShapes& shard) {
    double bytes = static_cast<double>(shard.embeddingWeights) * bytesPerWeightOf("bf16");
    for (const LayerGemm& gemm : shard.gemms) {
        const std::string& format = gemm.grouped() ? setup.expertFormat : setup.weightFormat;
        bytes += gemm.size.elements() * gemm.calls() * std::max(gemm.experts, 1) *
                 bytesPerWeightOf(gemm.quantised ? format : "bf16");
    }
    return bytes;
}

double reservedBytesOf(const StepSetup& setup, const ModelShapes& shard) {
    return reservedMemoryOf(setup.model, shard,
                            {.version = setup.engine.version,
                             .maxNumBatchedTokens = setup.engine.maxNumBatchedTokens,
                             .maxNumSeqs = setup.engine.maxNumSeqs,
                             .graphs = setup.engine.graphs != GraphMode::None,
                             .tensorParallel = setup.tensorParallel,
                             .buffersExperts = setup.expertFormat.find("mxfp4") == std::string::npos})
        .total();
}

Result<std::int64_t> kvBlocksOf(const StepSetup& setup, const ModelShapes& shard, const Hardware& hardware) {
    constexpr double bytesPerGib = 1024.0 * 1024 * 1024;
    const double visible =
        hardware.visibleBytes > 0 ? hardware.visibleBytes : hardware.memoryGb * bytesPerGib;
    const double memory = visible * setup.engine.memoryUtilisation;
    const double weights = shardBytesOf(setup, shard);
    const double left = memory - weights - reservedBytesOf(setup, shard);
    const double perToken = kvBytesPerToken(*shard.attention, setup.engine.kv == KvType::Fp8 ? 1 : 2);
    const auto blocks = static_cast<std::int64_t>(std::max(0.0, left) / (perToken * tokensPerKvBlock));
    if (blocks < 2) {
        constexpr double bytesPerGb = 1e9;
        return Error{.what =
                         fmt::format("its weights take {:.1f} GB of each GPU, which leaves no room for KV",
                                     weights / bytesPerGb),
                     .where = "",
                     .remedy = "more GPUs"};
    }
    return blocks;
}

} // namespace loadline
