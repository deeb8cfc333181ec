// Marlin's times from the one shape that the tables hold of it, and other backends.
#include "core/cost/step/served_experts.h"

#include "core/cost/engine/constants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

/// The rows of MXFP4 experts that Marlin ran: Triton takes no such activation, the rate is flat like that of
/// int4 weights, and reading is near the memory's peak. The file does not name the kernel.
ExpertShape marlinReference(const ExpertShape& wanted) {
    ExpertShape shape = wanted;
    shape.hidden = 3584;
    shape.inter = 3072;
    shape.topK = 16;
    shape.experts = 896;
    return shape;
}

double upTo(double value, double multiple) {
    return std::ceil(value / multiple) * multiple;
}

/// Weights of a GPU's experts as Marlin stores them: hidden sizes of whole 256, widths of whole 128 (vLLM's
/// mxfp4.py, marlin_utils_fp4.py). Of gate, up or down alone.
double marlinWeights(const ExpertShape& shape) {
    constexpr double hiddenMultiple = 256, widthMultiple = 128;
    return static_cast<double>(shape.experts) * upTo(static_cast<double>(shape.hidden), hiddenMultiple) *
           upTo(static_cast<double>(shape.inter) / static_cast<double>(shape.tp), widthMultiple);
}

double expertShare(const ExpertShape& shape) {
    return static_cast<double>(shape.topK) / static_cast<double>(shape.experts);
}

std::string tableWordOf(const std::string& format) {
    return format == "bf16" ? "bfloat16" : format;
}

} // namespace

Result<ServedExperts> ServedExperts::make(const ExpertSurface& surface, const StepSetup& setup,
                                          const Hardware& hardware) {
    const ExpertFacts& facts = *setup.model.experts;
    const ExpertShape wanted{.dtype = tableWordOf(setup.expertFormat),
                             .hidden = setup.model.hidden,
                             .inter = facts.width,
                             .topK = facts.topK,
                             .experts = facts.experts,
                             .tp = setup.moeTensorParallel,
                             .ep = setup.moeExpertParallel,
                             .distribution = fmt::format("power_law_{}", constant::expertLoadExponent.value)};
    ServedExperts served;
    served.backend_ = expertBackendOf(wanted.dtype, hardware.generation, setup.engine.version);
    ExpertShape source = wanted;
    if (served.backend_ == ExpertBackend::Marlin) {
        source = marlinReference(wanted);
        if (!surface.all().contains(source)) { // Marlin was not timed on this GPU, shared so
            served.backend_ = ExpertBackend::Table;
            source = wanted;
        } else {
            served.tokenScale_ = expertShare(wanted) / expertShare(source);
            served.weightScale_ = marlinWeights(wanted) / marlinWeights(source);
        }
    }
    std::optional<ExpertCurve> curve = surface.nearestExperts(source);
    if (!curve) {
        return Error{.what = fmt::format("no experts in {} were timed, cut {} ways and spread over {} GPUs",
                                         setup.expertFormat, wanted.tp, wanted.ep),
                     .where = "",
                     .remedy = "another format, or another number of GPUs"};
    }
    served.curve_ = std::move(*curve);
    return served;
}

SurfaceValue ServedExperts::at(double tokens) const {
    if (backend_ != ExpertBackend::Marlin) {
        SurfaceValue value = curve_.at(tokens);
        if (backend_ == ExpertBackend::FlashInferCutlass) {
            value.us *= constant::flashInferExpertsFactor.value;
            value.reach = SurfaceReach::Modelled;
        }
        return value;
    }
    SurfaceValue value = curve_.at(tokens * tokenScale_);
    const double reading = std::max(1.0, value.us - constant::marlinReferenceLaunchUs.value);
    value.us = constant::marlinLaunchUs.value + reading * weightScale_;
    value.reach = SurfaceReach::Modelled;
    return value;
}

} // namespace loadline
