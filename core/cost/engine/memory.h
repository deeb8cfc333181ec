// The memory of a GPU that an engine keeps KV blocks clear of.
#pragma once

#include "core/cost/engine/engine_settings.h"
#include "core/cost/shapes/shapes.h"

namespace loadline {

/// Bytes on one GPU, as vLLM resolves them before it makes KV blocks: it runs a step of
/// max_num_batched_tokens rows and samples for max_num_seqs sequences, and takes the peak
/// (determine_available_memory in gpu_worker.py, profile_run in gpu_model_runner.py).
struct ReservedMemory {
    double hidden = 0;   ///< rows between layers, bf16
    double forward = 0;  ///< the largest layer's inner rows, freed before sampling
    double sampling = 0; ///< logits of all tokens and their copies
    double experts = 0;  ///< rows of the chosen experts; kept from 0.17 on, freed with `forward` before
    double graphs = 0;   ///< CUDA graphs: taken off from 0.21 on
    double outside = 0;  ///< not PyTorch's: CUDA, NCCL, buffers of all-reduces

    /// Returns hidden + max(forward, sampling) + experts + graphs + outside.
    [[nodiscard]] double total() const;

    bool operator==(const ReservedMemory&) const = default;
};

/// The choices that decide it beside the model.
struct MemorySetup {
    EngineVersion version = newestVersion;
    Tokens maxNumBatchedTokens = 8192;
    std::int64_t maxNumSeqs = 1024;
    bool graphs = true;
    int tensorParallel = 1;
    bool buffersExperts = true; ///< false: MXFP4 experts, of which no buffer was seen
    bool operator==(const MemorySetup&) const = default;
};

/// Returns the memory that is not for weights and KV. `shard`: what one GPU holds of `model`. Rows of B
/// batched tokens, hidden size H, S = min(sequences, B) and V tokens of the vocabulary:
///  - hidden: 2 H B;
///  - forward: B (2 columns of gate and up + 1 of the activation + 2 H) 2 bytes, of a dense layer;
///  - sampling: constant::samplingBytes S V (before 0.17 constant::oldSamplingBytes);
///  - experts: B top-k (max(2 width, H) + width) 2 bytes (fused_moe's workspaces);
///  - graphs and outside: constant::graphBytes, outsideBytes and its like.
/// Held against vLLM 0.19 on H100 (llm-d-planner's accuracy report): tests/core/cost/engine/memory_test.cpp.
ReservedMemory reservedMemoryOf(const ModelShapes& model, const ModelShapes& shard, const MemorySetup& setup);

} // namespace loadline
