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

/// Properties of a model's layer that the rule asks for; nothing depends on a model's name.
struct LayerTraits {
    bool hasExperts = false; ///< if false, the feed-forward part is dense
    InputQuantising quantising = InputQuantising::None;
    bool qkNormAcrossRanks = false; ///< the norm of q and k spans all heads, and so all ranks
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
/// rotary_embedding, activation.py, quantization; models/minimax_m2.py for norms across ranks;
/// mxfp4.py for the padding). Not tried on MLA, on norms of q and k within a head, and on NVFP4, which is
/// assumed to quantise as FP8 by blocks does.
std::vector<SmallKernels> smallKernelsOf(const LayerTraits& traits);

/// Returns the sum of the terms.
int smallKernelsPerLayer(const LayerTraits& traits);

/// Returns how many all-reduces of one value per token a layer's q/k norm across ranks takes
/// (engineDefaults).
int qkNormReducesOf(const EngineVersion& version);

} // namespace loadline
