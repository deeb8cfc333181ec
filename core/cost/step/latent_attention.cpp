// Multi-head latent attention (MLA) out of the times of whole modules.
#include "core/cost/engine/constants.h"
#include "core/cost/step/served_attention.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace loadline {
namespace {

/// A model whose modules the tables hold, for any number of heads.
struct TimedModule {
    std::string_view model; ///< the tables' word
    std::int64_t hidden = 0;
    MlaFacts sizes; ///< heads aside
};

/// Sizes: config.json of DeepSeek-V3; Kimi-K2.5 has the same ones and half the heads.
constexpr std::array timedModules = {TimedModule{
    .model = "deepseek-ai/DeepSeek-V3",
    .hidden = 7168,
    .sizes = {.heads = 0, .queryRank = 1536, .kvRank = 512, .nopeDim = 128, .ropeDim = 64, .valueDim = 128}}};

const TimedModule* timedModuleOf(const ModelShapes& shard) {
    MlaFacts sizes = *shard.mla;
    sizes.heads = 0;
    const auto* const found = std::ranges::find_if(timedModules, [&](const TimedModule& module) {
        return module.hidden == shard.hidden && module.sizes == sizes;
    });
    return found == timedModules.end() ? nullptr : found;
}

std::string moduleWordOf(const std::string& format) {
    return format == "bf16" ? "bfloat16" : format;
}

constexpr double splitPrefixError = 0.15; ///< as of other attention after a prefix (prefix.cpp)

/// Kernels of a module's decode beside its projections (vLLM's mla_attention.py): norms of both latents,
/// rotary embedding, KV write, two batched products, attention and the sum of its splits.
constexpr int decodeKernels = 8;

/// Most tables timed modules that were not compiled, so that norms and rotary embedding ran as chains of
/// small kernels: with one head, one sequence and no context such a module takes some 80 us where its
/// kernels come to 40 (the B200's table: 30). Returns what that smallest cell takes more than its projections
/// and decodeKernels small kernels: it is in every cell, and a compiled step does not pay it.
double uncompiledUs(const BatchCurves& smallest, const std::vector<GemmCurve>& projections) {
    double leastUs = smallest.curves().front().points().front().us;
    for (const MeasuredCurve& curve : smallest.curves()) {
        for (const MeasuredPoint& point : curve.points()) {
            leastUs = std::min(leastUs, point.us);
        }
    }
    double kernelsUs = decodeKernels * constant::smallKernelUs.value;
    for (const GemmCurve& curve : projections) {
        kernelsUs += curve.at(1).us;
    }
    return std::max(0.0, leastUs - kernelsUs);
}

/// A projection as a GPU with one head has it.
GemmSize sizeOfOneHead(const LayerGemm& gemm, int heads) {
    const auto cut = weightCutOf(gemm);
    return {.k = cut == WeightCut::Rows ? gemm.size.k / heads : gemm.size.k,
            .n = cut == WeightCut::Columns ? gemm.size.n / heads : gemm.size.n};
}

/// The tables time a module with its projections at the rows of one decode batch or of one prompt. A step
/// runs the projections once, at all its rows, so they stand among the linear layers and are taken off here:
/// a step of decodes alone without padding costs what the table says. The projection out of the KV latent
/// stays inside: prompts alone run it as a linear layer, decodes have it folded into two batched products.
class LatentAttention : public ServedAttention {
public:
    struct Parts {
        const BatchCurves* decode = nullptr;
        const BatchCurves* prefill = nullptr;
        std::vector<GemmCurve> projections; ///< that a step runs once: all but the one out of the KV latent
        GemmCurve fromKv;
        AttentionShape heads; ///< of prefill: keys and values of every head
        PrefixRule rule;
        double latentBytes = 0;  ///< of a token in the cache
        double uncompiledUs = 0; ///< in each of the tables' times
        DeviceLimits limits;
    };

    explicit LatentAttention(Parts parts) : parts_(std::move(parts)) {
        const std::vector<MeasuredPoint>& points = parts_.prefill->curves().front().points();
        if (points.size() > 1) { // t(n) / n grows by half a pair's time per token; projections do not
            const MeasuredPoint& last = points.back();
            const MeasuredPoint& before = points[points.size() - 2];
            usPerPair_ = std::max(0.0, 2 * (last.us / last.x - before.us / before.x) / (last.x - before.x));
        }
    }

    [[nodiscard]] SurfaceValue decode(double batch, double context) const override {
        const double readUs = timeAtRateUs(batch * context * parts_.latentBytes, parts_.limits.bytesPerUs);
        return withoutProjections(parts_.decode->at(batch, context), batch, readUs);
    }

    /// After a prefix the engine makes keys and values of the cached latents, then attends to them: the
    /// linear layer at so many rows, and w x pairs x rows / q as in PrefixedPrefill.
    [[nodiscard]] SurfaceValue prefill(double added, double cached) const override {
        const double readUs = timeAtRateUs((added + cached) * parts_.latentBytes, parts_.limits.bytesPerUs);
        SurfaceValue value = withoutProjections(parts_.prefill->at(1, added), added, readUs);
        if (cached > 0) {
            const double rows = occupiedRows(parts_.rule, parts_.heads, added);
            value.us += parts_.fromKv.at(cached).us + usPerPair_ * rows * cached;
            value.reach = SurfaceReach::Modelled;
            value.relativeError = std::max(value.relativeError, splitPrefixError);
        }
        return value;
    }

private:
    [[nodiscard]] SurfaceValue withoutProjections(SurfaceValue value, double rows, double leastUs) const {
        double projectionsUs = 0;
        for (const GemmCurve& curve : parts_.projections) {
            projectionsUs += curve.at(rows).us;
        }
        const double moduleUs = value.us;
        const double restUs = moduleUs - projectionsUs - parts_.uncompiledUs;
        value.us = std::max(restUs, leastUs);
        value.isRaised = value.isRaised || restUs < leastUs;
        value.reach = parts_.uncompiledUs > 0 ? SurfaceReach::Modelled : value.reach;
        value.relativeError *= moduleUs / value.us;
        return value;
    }

    Parts parts_;
    double usPerPair_ = 0; ///< of all heads
};

} // namespace

Result<AttentionPointer> latentAttentionOf(const AtlasSurfaces& surfaces, const StepSetup& setup,
                                           const ModelShapes& shard) {
    const MlaFacts& facts = *shard.mla;
    const std::string& gpu = surfaces.atlas().gpu();
    const Result<const ModuleSurface*> decode = surfaces.latentDecode();
    const Result<const ModuleSurface*> prefill = surfaces.latentPrefill();
    const Result<const GemmSurface*> gemms = surfaces.gemms(setup.weightFormat);
    if (!decode && surfaces.atlas().table(AtlasKind::MlaAttentionDecode) != nullptr) {
        return Error{fmt::format("{} has times of MLA's attention alone, each with some 300 us of launches "
                                 "that a captured step does not pay: it is not modelled",
                                 gpu),
                     "", "another GPU"};
    }
    if (!decode || !prefill || !gemms) {
        return !decode ? decode.error() : !prefill ? prefill.error() : gemms.error();
    }
    const TimedModule* const timed = timedModuleOf(shard);
    const ModuleShape shape{.model = timed != nullptr ? std::string(timed->model) : std::string(),
                            .gemmType = moduleWordOf(setup.weightFormat),
                            .kv = std::string(keyOf(setup.engine.kv)),
                            .heads = facts.heads};
    LatentAttention::Parts parts;
    parts.decode = (*decode)->find(shape);
    parts.prefill = (*prefill)->find(shape);
    if (parts.decode == nullptr || parts.prefill == nullptr) {
        return notInTables(fmt::format("MLA with {} heads a GPU, weights in {} and a cache in {}",
                                       facts.heads, setup.weightFormat, shape.kv),
                           gpu);
    }
    const auto curveOf = [&gemms](const GemmSize& size) {
        return (*gemms)->curveOf(static_cast<double>(size.n), static_cast<double>(size.k));
    };
    std::vector<GemmCurve> ofOneHead;
    for (const LayerGemm& gemm : shard.gemms) {
        const auto part = layerPartOf(gemm);
        if (part != LayerPart::Latent && part != LayerPart::Output) {
            continue;
        }
        GemmCurve curve = curveOf(gemm.size);
        if (curve.empty()) {
            return notInTables(fmt::format("{} in {}", gemm.name, setup.weightFormat), gpu);
        }
        if (isTimedWithAttention(gemm)) {
            parts.fromKv = std::move(curve);
        } else {
            parts.projections.push_back(std::move(curve));
            ofOneHead.push_back(curveOf(sizeOfOneHead(gemm, facts.heads)));
        }
    }
    if (parts.fromKv.empty()) {
        return Error{fmt::format("{} has no projection out of its KV latent", shard.name), "", ""};
    }
    ModuleShape smallest = shape;
    smallest.heads = 1;
    if (const BatchCurves* const found = (*decode)->find(smallest); found != nullptr && !found->empty()) {
        parts.uncompiledUs = uncompiledUs(*found, ofOneHead);
    }
    constexpr double bytesOfBf16 = 2;
    parts.heads = {.kv = shape.kv,
                   .heads = facts.heads,
                   .kvHeads = facts.heads,
                   .headDim = facts.nopeDim + facts.ropeDim,
                   .window = 0};
    parts.rule = prefixRuleOf(surfaces.hardware());
    parts.latentBytes = (facts.kvRank + facts.ropeDim) * (setup.engine.kv == KvType::Fp8 ? 1 : bytesOfBf16);
    parts.limits = surfaces.limitsOf("bf16");
    return AttentionPointer(std::make_unique<const LatentAttention>(std::move(parts)));
}

} // namespace loadline
