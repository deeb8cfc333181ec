// From names and numbers to what a simulation is given.
#include "core/simulate/setup/simulation_request.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {

SimulationNames namesOf(const SimulationRequest& request) {
    return {request.workload, request.profile, request.shapes, request.rule, request.outputs};
}

std::optional<Error> problemOf(const SimulationRequest& request) {
    if (auto problem = problemOf(request.policy)) {
        return problem;
    }
    if (auto problem = problemOf(request.arrivals)) {
        return problem;
    }
    if (auto problem = problemOf(request.length, request.arrivals.kind)) {
        return problem;
    }
    if (request.kBits < minKBits || request.kBits > maxKBits) {
        return Error{fmt::format("k is {}", request.kBits), "", "choose 2 to 5"};
    }
    const auto bad = [](double factor) { return !(factor >= 0 && factor <= maxTimeScale); };
    if (std::any_of(request.timeScale.begin(), request.timeScale.end(), bad)) {
        return Error{"a kernel's times are multiplied by no number of 0 to 1,000,000", "",
                     "choose 0 to 1,000,000"};
    }
    if (!limits::replicas.contains(request.replicas)) {
        return Error{fmt::format("the number of replicas is {}", request.replicas), "", "choose 1 to 1000"};
    }
    if (!limits::hostUs.contains(request.hostUs)) {
        return Error{fmt::format("the host's share of a step is {} us", request.hostUs), "",
                     "choose 0 us to 1,000,000,000 us"};
    }
    return std::nullopt;
}

SimulationInputs inputsOf(const SimulationRequest& request, const SimulationSources& sources) {
    SimulationInputs inputs;
    inputs.workload = sources.workload;
    inputs.profile = sources.profile;
    inputs.hardware = sources.hardware;
    inputs.attention = sources.attention;
    inputs.cost.model = sources.shapes;
    inputs.cost.kBits = request.kBits;
    inputs.cost.rule = sources.rule;
    inputs.cost.timeScale = request.timeScale;
    inputs.modelMissing = request.modelMissing;
    inputs.scope = request.scope;
    inputs.hostUs = request.hostUs;
    inputs.policy = request.policy;
    inputs.arrivals = request.arrivals;
    inputs.length = request.length;
    inputs.replicas = request.replicas;
    inputs.seed = request.seed;
    return inputs;
}

std::string timesOf(const SimulationSources& sources) {
    if (sources.profile) {
        return "fp16: " + sources.profile->name;
    }
    return sources.hardware ? "fp16: " + sources.hardware->key + ", modelled" : "fp16: no times";
}

} // namespace loadline
