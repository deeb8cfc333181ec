// The sources of a simulation, in lines.
#include "core/simulate/run/provenance.h"

#include "core/cost/step/used_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace loadline {
namespace {

/// The kernels that the rule may ask for and the profile has no time of, by name; empty where there are none.
std::string kernelsWithoutTimes(const SimulationInputs& inputs) {
    const CostSetup& cost = inputs.cost;
    if (!inputs.modelMissing) {
        return "";
    }
    const std::vector<Kernel> timed = kernelsIn(*inputs.profile, cost.format.kBits());
    std::vector<Kernel> missing;
    std::string names;
    const auto need = [&](Kernel kernel) {
        if (std::ranges::find(timed, kernel) == timed.end() &&
            std::ranges::find(missing, kernel) == missing.end()) {
            missing.push_back(kernel);
            names += (names.empty() ? "" : ", ") + std::string(nameOf(kernel));
        }
    };
    for (const LayerGemm& gemm : cost.model.gemms) {
        need(fp16Kernel(gemm.grouped()));
        const bool byRule =
            gemm.quantised && specOf(cost.format.of(gemm.grouped())).kernels == WeightKernels::Rule;
        if (byRule && !cost.rule.fastest) {
            for (const Kernel kernel : candidatesOf(cost.rule, gemm.grouped())) {
                const KernelParts parts = partsOf(kernel);
                if (std::ranges::find(timed, kernel) == timed.end()) {
                    need(parts.first);
                    need(parts.second.value_or(parts.first));
                }
            }
        }
    }
    return names;
}

} // namespace

bool servesOurs(const SimulationInputs& inputs) {
    const auto isOurs = [](const Format& format) {
        return specOf(format.weights).kernels == WeightKernels::Rule ||
               specOf(format.experts).kernels == WeightKernels::Rule;
    };
    return !inputs.engine.surfaces || isOurs(inputs.cost.format) || isOurs(inputs.against);
}

std::vector<std::string> provenanceOf(const SimulationInputs& inputs) {
    std::vector<std::string> lines;
    const bool hasOurs = servesOurs(inputs);
    if (inputs.profile && hasOurs) {
        lines = provenanceLines(*inputs.profile);
        if (const std::string names = kernelsWithoutTimes(inputs); !names.empty()) {
            lines.push_back("modelled: " + names + ", of which the profile has no times: rooflines");
        }
    } else if (inputs.hardware != nullptr && hasOurs) {
        lines.push_back(
            fmt::format("modelled: rooflines of {} ({})", inputs.hardware->key, inputs.hardware->source));
    }
    for (const std::string& cut : hasOurs ? dispatchCutsOf(inputs) : std::vector<std::string>()) {
        lines.push_back("dispatch: " + cut);
    }
    if (inputs.engine.surfaces) {
        std::vector<UsedTables> used;
        addUsedTables(used, inputs.engine.surfaces->atlas(), *inputs.engine.model);
        std::ranges::transform(used, std::back_inserter(lines), sourceLineOf);
        lines.emplace_back("modelled: small kernels, and attention of prompts behind a cached prefix");
    } else if (inputs.scope == StepScope::WholeStep) {
        lines.push_back(inputs.attention ? fmt::format("attention: {} ({}), rooflines outside of it",
                                                       inputs.attention->source, inputs.attention->device)
                                         : "attention: modelled by rooflines");
    }
    lines.push_back("workload: " +
                    (inputs.workload->source.empty() ? inputs.workload->name : inputs.workload->source));
    lines.push_back("shapes: " + inputs.cost.model.name + " (" + inputs.cost.model.source + ")");
    return lines;
}

} // namespace loadline
