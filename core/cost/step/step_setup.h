// A model as a server runs it on GPUs of one kind.
#pragma once

#include "core/cost/device/hardware.h"
#include "core/cost/engine/engine_settings.h"
#include "core/cost/shapes/shard.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace loadline {

struct StepSetup {
    ModelShapes model; ///< whole
    int tensorParallel = 1;
    int dataParallel = 1;
    int moeTensorParallel = 1;         ///< GPUs that cut each expert
    int moeExpertParallel = 1;         ///< GPUs that hold whole experts
    std::string weightFormat = "bf16"; ///< the tables' word, of what is quantised: "fp8", "fp8_block"
    std::string expertFormat = "bf16"; ///< likewise: "w4a16_mxfp4"; without meaning where there are none
    EngineSettings engine{};
};

/// Bytes of a weight stored as `format`, a word of the tables, scales included (storageSpecs). 0: not known.
double bytesPerWeightOf(std::string_view format);

/// Bytes of weights on one GPU: what is quantised in its format, the rest and the embedding in bf16.
double shardBytesOf(const StepSetup& setup, const ModelShapes& shard);

/// Bytes of one GPU's memory that are neither weights nor KV blocks: reservedMemoryOf().
double reservedBytesOf(const StepSetup& setup, const ModelShapes& shard);

/// KV blocks of 16 tokens that the engine has, vLLM's null block among them:
///     (visible memory x utilisation - weights - reservedMemoryOf) / bytes of a block.
/// Recurrent state of linear attention, which sequences take from the same memory, is not taken off. The
/// Error: nothing is left.
Result<std::int64_t> kvBlocksOf(const StepSetup& setup, const ModelShapes& shard, const Hardware& hardware);

} // namespace loadline
