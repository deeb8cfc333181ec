// Attention modules that were timed as a whole, and linear attention: over batch and tokens.
#pragma once

#include "core/base/result.h"
#include "core/cost/atlas/atlas_table.h"
#include "core/cost/surface/batch_curves.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace loadline {

/// A layer's MLA (or sparse attention) module on one GPU, projections included.
struct ModuleShape {
    std::string model;                 ///< "deepseek-ai/DeepSeek-V3"
    std::string gemmType = "bfloat16"; ///< of the projections: "bfloat16", "fp8_block", "nvfp4"
    std::string kv = "bfloat16";
    std::int64_t heads = 1; ///< of this GPU
    auto operator<=>(const ModuleShape&) const = default;
};

/// All modules of a table (mla_*, dsa_*, msa_*). Rows with cached tokens are left out; of several rows with
/// one key the fastest stands. Immutable.
class ModuleSurface {
public:
    /// `tokens`: "kv_tokens" (decode) or "new_tokens" (prefill). The Error: a column is missing.
    static Result<ModuleSurface> make(const AtlasTable& table, std::string_view tokens);

    /// Null if the table has no such module.
    [[nodiscard]] const BatchCurves* find(const ModuleShape& shape) const;

    [[nodiscard]] const std::map<ModuleShape, BatchCurves>& all() const { return curves_; }

private:
    std::map<ModuleShape, BatchCurves> curves_;
};

/// Linear attention (gated delta net) of one layer on one GPU.
struct LinearAttentionShape {
    std::string phase = "generation"; ///< or "context"
    std::int64_t kHeads = 0;          ///< of this GPU, as vHeads
    std::int64_t vHeads = 0;
    std::int64_t kDim = 128;
    std::int64_t vDim = 128;
    std::int64_t conv = 4; ///< width of the convolution
    auto operator<=>(const LinearAttentionShape&) const = default;
};

/// All linear attention of gdn.csv: the sum of the kernels of a phase (convolution and delta rule), its
/// projections left out. A cell counts where every kernel of its phase was timed; of several models with one
/// shape the median stands. Immutable.
class LinearAttentionSurface {
public:
    /// The Error: a column is missing.
    static Result<LinearAttentionSurface> make(const AtlasTable& table);

    /// Over sequences and new tokens of each (1 in generation). Null if the table has no such shape.
    [[nodiscard]] const BatchCurves* find(const LinearAttentionShape& shape) const;

    [[nodiscard]] const std::map<LinearAttentionShape, BatchCurves>& all() const { return curves_; }

private:
    std::map<LinearAttentionShape, BatchCurves> curves_;
};

} // namespace loadline
