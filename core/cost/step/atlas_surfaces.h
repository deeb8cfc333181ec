// The surfaces over one GPU's measured tables, each made when it is first asked for.
#pragma once

#include "core/cost/atlas/atlas.h"
#include "core/cost/device/hardware.h"
#include "core/cost/surface/attention_surface.h"
#include "core/cost/surface/expert_surface.h"
#include "core/cost/surface/gemm_surface.h"
#include "core/cost/surface/module_surface.h"
#include "core/cost/surface/transfer_surface.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace loadline {

/// Thread-safe: the first to ask for a surface makes it. Surfaces live as long as this.
class AtlasSurfaces {
public:
    AtlasSurfaces(std::shared_ptr<const Atlas> atlas, const Hardware& hardware);

    [[nodiscard]] const Atlas& atlas() const { return *atlas_; }

    [[nodiscard]] const Hardware& hardware() const { return hardware_; }

    /// Limits in a number format of weights, as the tables name it ("bf16", "fp8_block"); 0 where not known.
    [[nodiscard]] DeviceLimits limitsOf(std::string_view format) const;

    /// Linear layers in this format. FP8 by blocks was timed with its launches, which a captured step does
    /// not pay: replaceLaunchBound. "int8" and "int4" are weights alone, in TensorRT-LLM's kernels: the time
    /// of vLLM's bf16 layer times the ratio to bf16 in their own run. The Error: there is no such table or
    /// column.
    [[nodiscard]] Result<const GemmSurface*> gemms(const std::string& format) const;
    [[nodiscard]] Result<const DecodeSurface*> decode() const;
    [[nodiscard]] Result<const PrefillSurface*> prefill() const;
    /// Modules of latent attention (MLA), projections included.
    [[nodiscard]] Result<const ModuleSurface*> latentDecode() const;
    [[nodiscard]] Result<const ModuleSurface*> latentPrefill() const;
    [[nodiscard]] Result<const LinearAttentionSurface*> linearAttention() const;
    [[nodiscard]] Result<const ExpertSurface*> experts() const;
    [[nodiscard]] Result<const TransferSurface*> allReduces() const;
    [[nodiscard]] Result<const TransferSurface*> collectives() const;

private:
    template <typename Surface, typename Make>
    Result<const Surface*> once(std::optional<Result<Surface>>& kept, const Make& make) const;

    [[nodiscard]] Result<GemmSurface> madeGemms(const std::string& format) const;
    [[nodiscard]] Result<GemmSurface> madeWeightOnly(const std::string& format) const;
    [[nodiscard]] Error missing(AtlasKind kind) const;

    std::shared_ptr<const Atlas> atlas_;
    Hardware hardware_;
    mutable std::mutex mutex_;
    mutable std::map<std::string, std::optional<Result<GemmSurface>>> gemms_;
    mutable std::optional<Result<DecodeSurface>> decode_;
    mutable std::optional<Result<PrefillSurface>> prefill_;
    mutable std::optional<Result<ModuleSurface>> latentDecode_;
    mutable std::optional<Result<ModuleSurface>> latentPrefill_;
    mutable std::optional<Result<LinearAttentionSurface>> linearAttention_;
    mutable std::optional<Result<ExpertSurface>> experts_;
    mutable std::optional<Result<TransferSurface>> allReduces_;
    mutable std::optional<Result<TransferSurface>> collectives_;
};

} // namespace loadline
