// Gathers what stands beside an answer.
#include "core/simulate/study/remarks.h"

#include "core/cost/shapes/positions.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {
std::string beyondPositionsOf(const SimulationInputs& inputs) {
    const std::optional<Tokens> positions = positionsOf(inputs.cost.model.key);
    if (!positions || !inputs.workload || inputs.policy.maxModelLen <= *positions) {
        return {};
    }
    std::uint64_t all = 0;
    std::uint64_t beyond = 0;
    const auto look = [&](Tokens tokens) {
        ++all;
        beyond += tokens > *positions ? 1 : 0;
    };
    const bool replayed = inputs.arrivals.order != TurnOrder::Sampled;
    for (const WorkloadSession& session : inputs.workload->sessions) {
        for (const WorkloadTurn& turn : session.turns) {
            look((replayed ? turn.context : 0) + turn.input + turn.output);
        }
    }
    for (const TraceRequest& request : inputs.workload->requests) {
        look(request.input + request.output);
    }
    if (beyond == 0) {
        return {};
    }
    const std::string limit = formatExact(*positions);
    return fmt::format("{} of {} turns exceed the {} positions of {}: by default servers refuse them.",
                       formatExact(static_cast<std::int64_t>(beyond)),
                       formatExact(static_cast<std::int64_t>(all)), limit, inputs.cost.model.name);
}

std::string draggedText(const SimulationInputs& inputs) {
    std::string text;
    for (const Kernel kernel : allKernels) {
        const double scale = inputs.cost.timeScale[static_cast<std::size_t>(kernel)];
        if (scale != 1) {
            text += (text.empty() ? "" : ", ") + nameOf(kernel, namingOf(inputs)) +
                    (scale > 0 ? " \u00d7 " + formatReal(scale, 3) : std::string(" free"));
        }
    }
    return text;
}

std::string draggedPrefix(const SimulationInputs& inputs) {
    const std::string dragged = draggedText(inputs);
    return dragged.empty() ? dragged : "With dragged times (" + dragged + "): ";
}

std::vector<std::string> remarksOf(const SimulationInputs& inputs) {
    return remarksOf(inputs, memoryFitOf(inputs));
}

std::vector<std::string> remarksOf(const SimulationInputs& inputs, const MemoryFit& fit) {
    std::vector<std::string> remarks;
    if (inputs.workload && inputs.workload->outputs.mostlyBounds()) {
        for (const std::string& note : inputs.workload->outputs.notes) {
            remarks.push_back(asSentence(note));
        }
    }
    for (std::string& remark : kernelRemarksOf(inputs, fit)) {
        remarks.push_back(std::move(remark));
    }
    return remarks;
}

std::vector<std::string> kernelRemarksOf(const SimulationInputs& inputs, const MemoryFit& fit) {
    std::vector<std::string> remarks;
    for (const std::string& cut : dispatchCutsOf(inputs)) {
        remarks.push_back(asSentence(cut));
    }
    if (std::string fp16 = fp16SentenceOf(fit); !fp16.empty()) {
        remarks.push_back(std::move(fp16));
    }
    return remarks;
}

std::string withFit(const std::string& text, const SimulationInputs& inputs, const MemoryFit& fit) {
    std::string all = misfitSentence(fit);
    if (!text.empty() && !fit.isTooLarge()) {
        all += (all.empty() ? "" : " ") + draggedPrefix(inputs) + text;
    }
    return all;
}

std::string withRemarks(const std::string& text, const SimulationInputs& inputs, const MemoryFit& fit) {
    std::string all = withFit(text, inputs, fit);
    for (const std::string& remark : remarksOf(inputs, fit)) {
        all += " " + remark;
    }
    return all;
}

} // namespace loadline
