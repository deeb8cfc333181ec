// Facts of the kernel times: modelled, flagged, dragged.
#include "core/simulate/answer/time_facts.h"

#include "core/cost/estimate/attention.h"
#include "core/cost/estimate/least_time.h"
#include "core/cost/profile/unsteady.h"
#include "core/simulate/run/provenance.h"
#include "core/simulate/study/remarks.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace loadline {
namespace {

std::string unvalidatedWhy(const SimulationInputs& inputs) {
    return fmt::format("{}: times calculated from instruction counts of Loadline's CUDA kernels and the "
                       "datasheet. No measured GPU was compared, so they have no error bar.",
                       inputs.profile->name);
}

std::string engineModelledWhy(const SimulationInputs& inputs, const SimulationResult& present,
                              double attentionShare) {
    std::string why = fmt::format(
        "{} of the time is attention behind a cached prefix or beyond what was timed, {} kernels beside it "
        "that no table holds: norms, sampling, shapes and rows (M) beyond the tables.",
        formatShare(attentionShare), formatShare(present.gemm.modelledUs / present.wholeUs));
    return servesOurs(inputs) ? why + " k-bit kernels are calculated from their instruction counts." : why;
}

} // namespace

std::optional<CountedFact> modelledFactOf(const SimulationInputs& inputs, const SimulationResult* present) {
    const bool unvalidated = inputs.profile && isUnvalidated(*inputs.profile) && servesOurs(inputs);
    if (present == nullptr || !(present->gemm.us > 0)) {
        return unvalidated ? std::optional<CountedFact>({"modelled", "kernel times modelled, unvalidated",
                                                         unvalidatedWhy(inputs), true})
                           : std::nullopt;
    }
    const bool whole = inputs.scope == StepScope::WholeStep && present->wholeUs > 0;
    const double hostUs =
        inputs.policy.async ? 0 : inputs.hostUs * static_cast<double>(present->rows.iterations());
    const double restUs = std::max(0.0, present->wholeUs - present->gemm.us - hostUs);
    const bool hasEngine = inputs.engine.surfaces != nullptr;
    const double attentionUs = !whole              ? 0
                               : hasEngine         ? present->attentionModelledUs
                               : !inputs.attention ? restUs
                                                   : 0;
    const double all = whole ? present->wholeUs : present->gemm.us;
    const double share = std::clamp((present->gemm.modelledUs + attentionUs) / all, 0.0, 1.0);
    if (!(share > 0)) {
        return CountedFact{"modelled", "all timed", "Every time is of these shapes and rows (M)."};
    }
    std::string why;
    if (hasEngine) {
        why = engineModelledWhy(inputs, *present, attentionUs / all);
    } else if (unvalidated) {
        why = unvalidatedWhy(inputs);
    } else if (!inputs.profile) {
        why = "There are no timings: everything is a roofline of the device.";
    } else if (present->gemm.modelledUs > 0) {
        why = fmt::format(
            "{} of the GEMMs' time was not timed at these shapes and rows (M): scaled from other shapes, "
            "or rooflines.",
            formatShare(present->gemm.modelledUs / present->gemm.us));
    }
    if (attentionUs > 0 && !hasEngine) {
        why += (why.empty() ? "" : " ") + std::string("Attention is a roofline: no table of it was given.");
    }
    return CountedFact{"modelled",
                       formatShare(share) + (unvalidated ? " of the time modelled, unvalidated"
                                                         : " of the time modelled, not timed"),
                       why, unvalidated || share > 0.5};
}

std::optional<CountedFact> flaggedFactOf(const SimulationInputs& inputs) {
    constexpr double many = 0.25; // of the points
    const std::string text = inputs.profile ? flaggedText(*inputs.profile) : std::string();
    if (text.empty()) {
        return std::nullopt;
    }
    const auto count = std::ranges::count_if(inputs.profile->points, isFlagged);
    return CountedFact{"flagged", text,
                       "Flagged times vary, drifted, or were taken beside other programs: other runs on this "
                       "device give others. Measure again on a quiet machine.",
                       static_cast<double>(count) >
                           many * static_cast<double>(inputs.profile->points.size())};
}

std::optional<CountedFact> warmFactOf(const SimulationInputs& inputs) {
    const std::string text = inputs.profile ? warmText(*inputs.profile) : std::string();
    return text.empty()
               ? std::nullopt
               : std::optional(CountedFact{
                     "warm", text,
                     fmt::format(
                         "Their weights came from a cache, faster than {} GB/s read them, as calls in "
                         "a row on the same operands leave them there; a serving step reads them from "
                         "memory. They are used as they were published: in a step fp16 is slower at "
                         "few rows (M).",
                         formatReal(ratesOf(*inputs.profile).gbS, 4))});
}

std::optional<CountedFact> draggedFactOf(const SimulationInputs& inputs) {
    const std::string text = draggedText(inputs);
    return text.empty() ? std::nullopt
                        : std::optional(CountedFact{"time_scale", "dragged: " + text,
                                                    "Nobody timed these: the profile's times are multiplied. "
                                                    "Reset them on What pays, or leave --time-scale out.",
                                                    true});
}

std::optional<CountedFact> slowExpertsFactOf(const SimulationInputs& inputs) {
    constexpr double rows = 64; // of a step that decodes
    constexpr double muchSlower = 1.2;
    const Format& format = inputs.cost.format;
    if (!inputs.engine.surfaces || specOf(format.experts).kernels != WeightKernels::Library) {
        return std::nullopt;
    }
    const auto own = servedStepOf(inputs.engine, inputs.policy, format);
    const auto fp16 = servedStepOf(inputs.engine, inputs.policy, fp16Format);
    if (!own || !fp16) {
        return std::nullopt;
    }
    double ownUs = 0;
    double fp16Us = 0;
    for (std::size_t gemm = 0; gemm < inputs.cost.model.gemms.size(); ++gemm) {
        if (inputs.cost.model.gemms[gemm].grouped()) {
            ownUs += (*own)->gemm(gemm, rows).us;
            fp16Us += (*fp16)->gemm(gemm, rows).us;
        }
    }
    if (!(ownUs > muchSlower * fp16Us)) {
        return std::nullopt;
    }
    const std::string_view name = specOf(format.experts).name;
    return CountedFact{
        "slow_experts",
        fmt::format("{} experts timed {} times as long as bf16's", name, formatReal(ownUs / fp16Us, 2)),
        fmt::format("At {} rows, as the table has them: a kernel that nobody tuned. Servers of "
                    "fp8 models take fp8 by blocks.",
                    rows),
        true};
}

void addModelledShares(std::vector<CountedFact>& facts, std::span<const ModelledShares> points) {
    if (points.empty() || std::ranges::find(facts, "modelled", &CountedFact::key) != facts.end()) {
        return;
    }
    const auto shareOf = [](const ModelledShares& shares) { return std::max(shares.kBit, shares.fp16); };
    const auto [least, most] = std::ranges::minmax(points, {}, shareOf);
    const std::string from = formatShare(shareOf(least));
    const std::string to = formatShare(shareOf(most));
    if (!(shareOf(most) > 0)) {
        facts.push_back({"modelled", "all timed", "Every GEMM time is of these shapes and rows (M)."});
        return;
    }
    facts.push_back({"modelled",
                     (from == to ? to : from + " to " + to) + " of the GEMM time modelled, not timed",
                     "Not timed at these shapes and rows (M): scaled from other shapes, or rooflines.",
                     shareOf(most) > 0.5});
}

} // namespace loadline
