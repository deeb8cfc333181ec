// The kernels of a layer beside GEMMs, attention, experts and all-reduces: norms, casts and copies.
#pragma once

#include "core/cost/engine/engine_version.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace loadline {

/// How the inputs of a layer's GEMMs are quantised at run time.
enum class InputQuantising : std::uint8_t {
    None,
    PerTensor, ///< FP8 with one static scale: the norms do it on their way
    PerBlock   ///< FP8 by blocks, NVFP4: a kernel of its own
};

/// The kernels around a layer's attention.
enum class AttentionTraits : std::uint8_t {
    Grouped, ///< rotary embedding and KV write
    Latent,  ///< MLA: the times of its module hold its norms, rotary embedding, KV write and quantising
    Linear   ///< gated delta net: its inputs are arranged and its output is normed with a gate
};

/// Properties of a model's layer that the rule asks for; nothing depends on a model's name.
struct LayerTraits {
    AttentionTraits attention = AttentionTraits::Grouped;
    bool gatedOutput = false;      ///< grouped attention multiplies its output by a gate
    bool hasExperts = false;       ///< if false, the feed-forward part is dense
    bool hasSharedExperts = false; ///< every row meets some experts, whose result is added
    InputQuantising quantising = InputQuantising::None;
    bool qkNormAcrossRanks = false; ///< the norm of q and k spans all heads, and so all ranks
    bool qkNormWithinHead = false;  ///< q and k of grouped attention are normed within each head
    bool fp32Router = false;        ///< the router's GEMM has FP32 inputs
    bool padsHidden = false;        ///< the experts' kernel wants a padded hidden size
    bool operator==(const LayerTraits&) const = default;
};

/// One term of the count.
struct SmallKernels {
    std::string_view name;
    int perLayer = 0;
    bool operator==(const SmallKernels&) const = default;
};

/// Returns the terms that are not 0, from vLLM's layers (model_executor/layers: layernorm.py,
/// rotary_embedding, activation.py, quantization; models/minimax_m2.py for norms across ranks,
/// qwen3.py for norms within a head, qwen3_next.py for linear attention and gates; mxfp4.py for the padding).
/// Not tried on NVFP4, which is assumed to quantise as FP8 by blocks does.
std::vector<SmallKernels> smallKernelsOf(const LayerTraits& traits);

/// Returns the sum of the terms.
int smallKernelsPerLayer(const LayerTraits& traits);

/// Returns how many all-reduces of one value per token a layer's q/k norm across ranks takes
/// (engineDefaults).
int qkNormReducesOf(const EngineVersion& version);

} // namespace loadline
