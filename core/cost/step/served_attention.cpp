// Grouped and linear attention out of their tables.
#include "core/cost/step/served_attention.h"

#include "core/cost/analytic/gpu_facts.h"

#include <fmt/format.h>

#include <utility>

namespace loadline {
namespace {

/// K and V of each KV head in the cache, with or without a window.
class GroupedAttention : public ServedAttention {
public:
    GroupedAttention(const DecodeCurves& decode, PrefixedPrefill prefill)
        : decode_(decode), prefill_(std::move(prefill)) {}

    [[nodiscard]] SurfaceValue decode(double batch, double context) const override {
        return decode_.at(batch, context);
    }

    [[nodiscard]] SurfaceValue prefill(double added, double cached) const override {
        return prefill_.at(added, cached);
    }

private:
    const DecodeCurves& decode_;
    PrefixedPrefill prefill_;
};

/// Gated delta net: its time does not depend on the context. The table's prompts start from an empty state;
/// reading one of earlier tokens is left out.
class DeltaNetAttention : public ServedAttention {
public:
    DeltaNetAttention(const BatchCurves& generation, const BatchCurves& context)
        : generation_(generation), context_(context) {}

    [[nodiscard]] SurfaceValue decode(double batch, double /*context*/) const override {
        return generation_.at(batch, 1);
    }

    [[nodiscard]] SurfaceValue prefill(double added, double /*cached*/) const override {
        return context_.at(1, added);
    }

private:
    const BatchCurves& generation_;
    const BatchCurves& context_;
};

Result<AttentionPointer> groupedAttentionOf(const AtlasSurfaces& surfaces, const StepSetup& setup,
                                            const ModelShapes& shard, std::int64_t window) {
    const Result<const DecodeSurface*> decode = surfaces.decode();
    const Result<const PrefillSurface*> prefill = surfaces.prefill();
    if (!decode || !prefill) {
        return decode ? prefill.error() : decode.error();
    }
    const AttentionFacts& facts = *shard.attention;
    const AttentionShape shape{.kv = std::string(keyOf(setup.engine.kv)),
                               .heads = facts.qHeads,
                               .kvHeads = facts.kvHeads,
                               .headDim = facts.headDim,
                               .window = window};
    const DecodeCurves* const decoded = (*decode)->find(shape);
    const PrefillCurve* const prefilled = (*prefill)->find(shape);
    if (decoded == nullptr || prefilled == nullptr) {
        return notInTables(fmt::format("attention of {} query and {} KV heads of {} values, window {}",
                                       shape.heads, shape.kvHeads, shape.headDim, window),
                           surfaces.atlas().gpu());
    }
    const double usPerPair =
        splitsContext(surfaces.hardware()) ? (*prefill)->kernelUsPerPair(shape) : prefilled->bestUsPerPair();
    return AttentionPointer(std::make_unique<const GroupedAttention>(
        *decoded, PrefixedPrefill(*prefilled, prefixRuleOf(surfaces.hardware()), usPerPair)));
}

Result<AttentionPointer> deltaNetAttentionOf(const AtlasSurfaces& surfaces, const ModelShapes& shard) {
    if (!shard.linear) {
        return Error{fmt::format("{}: the sizes of its linear attention are not known", shard.name), "", ""};
    }
    const Result<const LinearAttentionSurface*> surface = surfaces.linearAttention();
    if (!surface) {
        return surface.error();
    }
    const LinearFacts& facts = *shard.linear;
    LinearAttentionShape shape{.phase = "generation",
                               .kHeads = facts.kHeads,
                               .vHeads = facts.vHeads,
                               .kDim = facts.kDim,
                               .vDim = facts.vDim,
                               .conv = facts.convolution};
    const BatchCurves* const generation = (*surface)->find(shape);
    shape.phase = "context";
    const BatchCurves* const context = (*surface)->find(shape);
    if (generation == nullptr || context == nullptr) {
        return notInTables(fmt::format("linear attention of {} key heads of {} and {} value heads of {}",
                                       shape.kHeads, shape.kDim, shape.vHeads, shape.vDim),
                           surfaces.atlas().gpu());
    }
    return AttentionPointer(std::make_unique<const DeltaNetAttention>(*generation, *context));
}

} // namespace

bool isTimedWithAttention(const LayerGemm& gemm) {
    return gemm.name == "kv_from_latent";
}

bool splitsContext(const Hardware& hardware) {
    return hardware.generation == GpuGeneration::Hopper ||
           hardware.generation == GpuGeneration::BlackwellDataCentre;
}

PrefixRule prefixRuleOf(const Hardware& hardware) {
    const GpuFacts* const gpu = findGpu(hardware.key);
    const int multiprocessors = gpu != nullptr ? gpu->multiprocessors : 0;
    return splitsContext(hardware) ? splitFlashAttention3(multiprocessors)
                                   : wavesOfFlashAttention2(multiprocessors);
}

Error notInTables(const std::string& what, const std::string& gpu) {
    return {.what = fmt::format("{} has no times of {}", gpu, what), .where = "", .remedy = ""};
}

Result<std::vector<AttentionLayers>> servedAttentionOf(const AtlasSurfaces& surfaces, const StepSetup& setup,
                                                       const ModelShapes& shard) {
    const AttentionFacts& facts = *shard.attention;
    std::vector<AttentionLayers> all;
    const auto add = [&all](int layers, Result<AttentionPointer> made) -> Status {
        if (!made) {
            return made.error();
        }
        all.push_back({.layers = static_cast<double>(layers), .attention = std::move(*made)});
        return Done{};
    };
    const int others = facts.layers - facts.fullLayers;
    Status added = Done{};
    if (facts.fullLayers > 0) {
        added = add(facts.fullLayers, shard.mla ? latentAttentionOf(surfaces, setup, shard)
                                                : groupedAttentionOf(surfaces, setup, shard, 0));
    }
    if (added && others > 0) {
        added = add(others, facts.window > 0 ? groupedAttentionOf(surfaces, setup, shard, facts.window)
                                             : deltaNetAttentionOf(surfaces, shard));
    }
    if (!added) {
        return added.error();
    }
    return all;
}

} // namespace loadline
