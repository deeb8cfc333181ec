// From surfaces' values to the estimates of cost tables.
#include "core/cost/step/served_step.h"

#include <cmath>
#include <utility>

namespace loadline {
namespace {

EstimateKind estimateKindOf(SurfaceReach reach) {
    switch (reach) {
    case SurfaceReach::Measured:
        return EstimateKind::AtPoint;
    case SurfaceReach::Interpolated:
        return EstimateKind::Interpolated;
    case SurfaceReach::Extrapolated:
    case SurfaceReach::Modelled:
        break;
    }
    return EstimateKind::Modelled;
}

TimeEstimate estimateOf(const SurfaceValue& value) {
    const EstimateKind kind = estimateKindOf(value.reach);
    return {.us = value.us,
            .relativeError = value.relativeError,
            .kind = kind,
            .origin = kind == EstimateKind::Modelled ? PointOrigin::Modelled : PointOrigin::Published};
}

/// The part of a step that a kernel beside its GEMMs takes; as little known as its least known part.
TimeEstimate besideOf(const StepBreakdown& parts, Kernel kernel) {
    const auto part = kernel == Kernel::Transfers ? ServedPart::AllReduce : ServedPart::SmallKernels;
    const auto& byReach = parts.us[static_cast<std::size_t>(part)];
    SurfaceValue value;
    for (std::size_t reach = 0; reach < reachCount; ++reach) {
        value.us += byReach[reach];
        value.reach = byReach[reach] > 0 ? static_cast<SurfaceReach>(reach) : value.reach;
    }
    value.relativeError = kernel == Kernel::Transfers ? repeatError : 0;
    return estimateOf(value);
}

} // namespace

ServedStep::ServedStep(std::unique_ptr<const StepModel> model, const EngineSettings& settings)
    : model_(std::move(model)), padding_(settings) {}

Result<std::shared_ptr<const ServedStep>> ServedStep::make(std::shared_ptr<const AtlasSurfaces> surfaces,
                                                           const StepSetup& setup) {
    Result<std::unique_ptr<StepModel>> model = StepModel::make(std::move(surfaces), setup);
    if (!model) {
        return model.error();
    }
    return std::shared_ptr<const ServedStep>(new ServedStep(std::move(*model), setup.engine));
}

PaddedRows ServedStep::padded(double rows) const {
    return padding_.of(std::llround(rows), true);
}

TimeEstimate ServedStep::gemm(std::size_t gemm, double rows) const {
    const bool isHead = model_->shard().gemms[gemm].isHead();
    return estimateOf(model_->gemmAt(gemm, isHead ? rows : static_cast<double>(padded(rows).rows)));
}

TimeEstimate ServedStep::beside(Kernel kernel, double rows) const {
    const PaddedRows own = padded(rows);
    return besideOf(model_->besideAt(static_cast<double>(own.rows), own.isCaptured), kernel);
}

TimeEstimate ServedStep::besideHead(Kernel kernel, double rows) const {
    const StepBreakdown all = model_->besideHeadAt(rows);
    StepBreakdown parts;
    for (std::size_t reach = 0; reach < reachCount; ++reach) {
        const auto at = static_cast<SurfaceReach>(reach);
        parts.add(ServedPart::SmallKernels, at, all.us[static_cast<std::size_t>(ServedPart::Head)][reach]);
        parts.add(ServedPart::AllReduce, at, all.us[static_cast<std::size_t>(ServedPart::AllReduce)][reach]);
    }
    return besideOf(parts, kernel);
}

TimeEstimate ServedStep::decode(double batch, double context) const {
    return estimateOf(model_->attentionOf(
        {.decodes = std::llround(batch), .decodeContext = std::llround(batch * context), .chunks = {}}));
}

TimeEstimate ServedStep::prefill(double newTokens, double cachedTokens) const {
    return estimateOf(model_->attentionOf(
        {.chunks = {{.added = std::llround(newTokens), .cached = std::llround(cachedTokens)}}}));
}

} // namespace loadline
