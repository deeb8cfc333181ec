// Makes surfaces of tables, once.
#include "core/cost/step/atlas_surfaces.h"

#include "core/cost/step/step_setup.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace loadline {

AtlasSurfaces::AtlasSurfaces(std::shared_ptr<const Atlas> atlas, const Hardware& hardware)
    : atlas_(std::move(atlas)), hardware_(hardware) {}

DeviceLimits AtlasSurfaces::limitsOf(std::string_view format) const {
    double tflops = 0;
    if (format == "bf16") {
        tflops = hardware_.fp16Tflops;
    } else if (format.starts_with("fp8")) {
        tflops = hardware_.fp8Tflops;
    } else if (format == "nvfp4") {
        tflops = hardware_.fp4Tflops;
    }
    return {.bytesPerUs = hardware_.bandwidthGbS * bytesPerUsOfGbS, .flopPerUs = tflops * flopPerUsOfTflops};
}

Error AtlasSurfaces::missing(AtlasKind kind) const {
    for (const Diagnostic& problem : atlas_->diagnostics()) {
        const bool isItsOwn = problem.detail.starts_with(fmt::format("{} of ", specOf(kind).key));
        if (problem.kind == DiagnosticKind::ReadError && isItsOwn) {
            return {.what = problem.detail, .where = "", .remedy = "installing the program again"};
        }
    }
    return {.what = fmt::format("the atlas has no times of {} on {}", specOf(kind).name, atlas_->gpu()),
            .where = "",
            .remedy = "another GPU"};
}

template <typename Surface, typename Make>
Result<const Surface*> AtlasSurfaces::once(std::optional<Result<Surface>>& kept, const Make& make) const {
    const std::scoped_lock lock(mutex_);
    if (!kept) {
        kept.emplace(make());
    }
    if (!*kept) {
        return kept->error();
    }
    return &**kept;
}

Result<GemmSurface> AtlasSurfaces::madeWeightOnly(const std::string& format) const {
    const AtlasTable* const table = atlas_->table(AtlasKind::WeightOnlyGemm);
    if (table == nullptr) {
        return missing(AtlasKind::WeightOnlyGemm);
    }
    Result<GemmCells> cells = gemmCellsOf(*table, format + "_weights");
    const Result<GemmCells> own = gemmCellsOf(*table, "bf16");
    const Result<GemmSurface> bf16 = madeGemms("bf16");
    if (!cells || !own || !bf16) {
        return !cells ? cells.error() : own ? bf16.error() : own.error();
    }
    for (std::size_t n = 0; n < cells->n.size(); ++n) {
        for (std::size_t k = 0; k < cells->k.size(); ++k) {
            const GemmCurve engine = bf16->curveOf(cells->n[n], cells->k[k]);
            for (std::size_t m = 0; m < cells->m.size(); ++m) {
                const std::size_t cell = cells->at(n, k, m);
                cells->us[cell] *= engine.empty() ? std::nan("") : engine.at(cells->m[m]).us / own->us[cell];
            }
        }
    }
    return GemmSurface(std::move(*cells),
                       {.bytesPerWeight = bytesPerWeightOf(format), .limits = limitsOf("bf16")});
}

Result<GemmSurface> AtlasSurfaces::madeGemms(const std::string& format) const {
    if (format == "int8" || format == "int4") {
        return madeWeightOnly(format);
    }
    const AtlasTable* const table = atlas_->table(AtlasKind::Gemm);
    if (table == nullptr) {
        return missing(AtlasKind::Gemm);
    }
    Result<GemmCells> cells = gemmCellsOf(*table, format);
    if (!cells) {
        return Error{.what = fmt::format("{} has no times of linear layers in {}", atlas_->gpu(), format),
                     .where = "",
                     .remedy = "bf16, or another GPU"};
    }
    GemmFormat made{.bytesPerWeight = bytesPerWeightOf(format), .limits = limitsOf(format)};
    made.sustainedFlopPerUs = sustainedFlopPerUs(*cells);
    if (format == "fp8_block") {
        const Result<GemmCells> graphed = gemmCellsOf(*table, "fp8");
        if (!graphed) {
            return graphed.error();
        }
        replaceLaunchBound(*cells, *graphed);
        made.sustainedFlopPerUs = sustainedFlopPerUs(*graphed);
    }
    return GemmSurface(std::move(*cells), made);
}

Result<const GemmSurface*> AtlasSurfaces::gemms(const std::string& format) const {
    std::optional<Result<GemmSurface>>* kept = nullptr;
    {
        const std::scoped_lock lock(mutex_);
        kept = &gemms_[format]; // a map's entries stay where they are
    }
    return once(*kept, [&] { return madeGemms(format); });
}

Result<const DecodeSurface*> AtlasSurfaces::decode() const {
    return once(decode_, [&]() -> Result<DecodeSurface> {
        const AtlasTable* const table = atlas_->table(AtlasKind::DecodeAttention);
        return table == nullptr ? missing(AtlasKind::DecodeAttention)
                                : DecodeSurface::make(*table, limitsOf("bf16"));
    });
}

Result<const PrefillSurface*> AtlasSurfaces::prefill() const {
    return once(prefill_, [&]() -> Result<PrefillSurface> {
        const AtlasTable* const table = atlas_->table(AtlasKind::PrefillAttention);
        return table == nullptr ? missing(AtlasKind::PrefillAttention)
                                : PrefillSurface::make(*table, limitsOf("bf16"));
    });
}

Result<const ModuleSurface*> AtlasSurfaces::latentDecode() const {
    return once(latentDecode_, [&]() -> Result<ModuleSurface> {
        const AtlasTable* const table = atlas_->table(AtlasKind::MlaDecode);
        return table == nullptr ? missing(AtlasKind::MlaDecode) : ModuleSurface::make(*table, "kv_tokens");
    });
}

Result<const ModuleSurface*> AtlasSurfaces::latentPrefill() const {
    return once(latentPrefill_, [&]() -> Result<ModuleSurface> {
        const AtlasTable* const table = atlas_->table(AtlasKind::MlaPrefill);
        return table == nullptr ? missing(AtlasKind::MlaPrefill) : ModuleSurface::make(*table, "new_tokens");
    });
}

Result<const LinearAttentionSurface*> AtlasSurfaces::linearAttention() const {
    return once(linearAttention_, [&]() -> Result<LinearAttentionSurface> {
        const AtlasTable* const table = atlas_->table(AtlasKind::LinearAttention);
        return table == nullptr ? missing(AtlasKind::LinearAttention) : LinearAttentionSurface::make(*table);
    });
}

Result<const ExpertSurface*> AtlasSurfaces::experts() const {
    return once(experts_, [&]() -> Result<ExpertSurface> {
        const AtlasTable* const table = atlas_->table(AtlasKind::Experts);
        return table == nullptr ? missing(AtlasKind::Experts) : ExpertSurface::make(*table);
    });
}

Result<const TransferSurface*> AtlasSurfaces::allReduces() const {
    return once(allReduces_, [&]() -> Result<TransferSurface> {
        const AtlasTable* const table = atlas_->table(AtlasKind::AllReduce);
        return table == nullptr ? missing(AtlasKind::AllReduce) : TransferSurface::ofAllReduce(*table);
    });
}

Result<const TransferSurface*> AtlasSurfaces::collectives() const {
    return once(collectives_, [&]() -> Result<TransferSurface> {
        const AtlasTable* const table = atlas_->table(AtlasKind::Collectives);
        return table == nullptr ? missing(AtlasKind::Collectives) : TransferSurface::ofCollectives(*table);
    });
}

} // namespace loadline
