// The attention of a model's layers as an engine runs it, out of a GPU's tables.
#pragma once

#include "core/base/result.h"
#include "core/cost/step/atlas_surfaces.h"
#include "core/cost/step/step_setup.h"
#include "core/cost/surface/prefix.h"
#include "core/cost/surface/surface_value.h"

#include <memory>
#include <string>
#include <vector>

namespace loadline {

/// Attention of layers of one kind: times of one such layer, its projections aside.
class ServedAttention {
public:
    ServedAttention() = default;
    ServedAttention(const ServedAttention&) = delete;
    ServedAttention& operator=(const ServedAttention&) = delete;
    ServedAttention(ServedAttention&&) = delete;
    ServedAttention& operator=(ServedAttention&&) = delete;
    virtual ~ServedAttention() = default;

    /// `batch` sequences with a new token each and `context` tokens in the cache, the new one included.
    /// Precondition: both above 0.
    [[nodiscard]] virtual SurfaceValue decode(double batch, double context) const = 0;

    /// One sequence with `added` new tokens after `cached` ones. Precondition: added > 0.
    [[nodiscard]] virtual SurfaceValue prefill(double added, double cached) const = 0;
};

using AttentionPointer = std::unique_ptr<const ServedAttention>;

/// Attention, and how many layers of a model have it.
struct AttentionLayers {
    double layers = 0;
    AttentionPointer attention;
};

/// Returns the kinds of attention of a shard: full attention, attention with a window, latent attention
/// (MLA), linear attention. They point into `surfaces`. The Error: the GPU has no table of one of them, or no
/// such shape in it.
Result<std::vector<AttentionLayers>> servedAttentionOf(const AtlasSurfaces& surfaces, const StepSetup& setup,
                                                       const ModelShapes& shard);

/// Returns latent attention (latent_attention.cpp). Precondition: shard.mla.
Result<AttentionPointer> latentAttentionOf(const AtlasSurfaces& surfaces, const StepSetup& setup,
                                           const ModelShapes& shard);

/// True if the times of attention hold this linear layer: keys and values out of the latent of MLA. Prompts
/// alone run it, decodes have it folded into two batched products.
bool isTimedWithAttention(const LayerGemm& gemm);

/// True if the attention kernels of a GPU split a long context among multiprocessors in prefill.
bool splitsContext(const Hardware& hardware);
/// Returns how a GPU's prefill kernels lay out new tokens after a cached prefix.
PrefixRule prefixRuleOf(const Hardware& hardware);

/// "H200-SXM has no times of ..."
Error notInTables(const std::string& what, const std::string& gpu);

} // namespace loadline
