// Answers that follow from the inputs of a simulation without a run.
#include "core/simulate/setup/inputs.h"

#include "core/cost/estimate/kernel_bounds.h"
#include "core/cost/profile/profile_naming.h"
#include "core/cost/profile/profile_reach.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {

bool isSettling(const SimulationInputs& inputs) {
    return !inputs.length.isGiven() && inputs.arrivals.kind != ArrivalKind::Trace;
}

const Hardware* hardwareOf(const SimulationInputs& inputs) {
    if (inputs.hardware != nullptr) {
        return inputs.hardware;
    }
    return inputs.profile ? findHardware(inputs.profile->hardware) : nullptr;
}

std::optional<AttentionModel> attentionOf(const SimulationInputs& inputs) {
    if (!inputs.cost.model.attention) {
        return std::nullopt;
    }
    const Hardware* known = hardwareOf(inputs);
    if (inputs.engine.surfaces && known != nullptr) {
        const auto step = servedStepOf(inputs.engine, inputs.policy, inputs.cost.format);
        return step
                   ? std::optional<AttentionModel>(std::in_place, *inputs.cost.model.attention, *known, *step)
                   : std::nullopt;
    }
    const std::optional<Hardware> hardware = known != nullptr ? std::optional(*known)
                                             : inputs.profile ? rooflineHardware(*inputs.profile)
                                                              : std::nullopt;
    const AttentionOptions options{.bytesPerValue = bytesEach(inputs.cost.format.kv)};
    return hardware ? std::optional<AttentionModel>(std::in_place, *inputs.cost.model.attention, *hardware,
                                                    options, inputs.attention)
                    : std::nullopt;
}

KernelNaming namingOf(const SimulationInputs& inputs) {
    std::vector<GemmSize> sizes;
    for (const LayerGemm& gemm : inputs.cost.model.gemms) {
        sizes.push_back(gemm.size);
    }
    return namingOf(inputs.profile.get(), sizes, inputs.cost.format.kBits());
}

std::vector<std::string> dispatchCutsOf(const SimulationInputs& inputs) {
    const auto isGroupedKBit = [](const LayerGemm& gemm) { return gemm.grouped() && gemm.quantised; };
    return cutsOf(inputs.cost.rule, reachesOf(inputs.profile.get()),
                  std::ranges::any_of(inputs.cost.model.gemms, isGroupedKBit), namingOf(inputs));
}

bool tellsLatencies(const SimulationInputs& inputs) {
    return inputs.cost.model.attention.has_value();
}

std::string whyNoLatencies(const SimulationInputs& inputs) {
    return tellsLatencies(inputs)
               ? std::string()
               : "The GEMMs of these shapes alone tell neither tokens a second nor latencies: "
                 "choose the shapes of a model.";
}

std::optional<Error> clockProblemOf(const SimulationInputs& inputs) {
    const bool closed = inputs.arrivals.kind == ArrivalKind::Closed;
    if ((closed && inputs.arrivals.think == ThinkTime::None) || tellsLatencies(inputs)) {
        return std::nullopt;
    }
    return Error{fmt::format("the shapes \"{}\" are not a whole model's, so {} would meet steps that are far "
                             "too short",
                             inputs.cost.model.name,
                             closed ? "users who think" : "turns that come at times of their own"),
                 "", "choose the shapes of a model, or a closed loop without think time"};
}

} // namespace loadline
