// From names and numbers to what a simulation is given.
#include "core/simulate/request/simulation_request.h"

#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/request/simulation_fields.h"
#include "core/simulate/setup/server_defaults.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace loadline {
namespace {

/// Replaces every "auto" by the value that it stands for.
void decide(SimulationInputs& inputs) {
    const bool knowsSessions = inputs.workload && inputs.workload->kind == WorkloadKind::Sessions;
    inputs.arrivals.order = orderOf(inputs.arrivals, knowsSessions);
    if (inputs.cost.rule.key == autoRuleKey) {
        inputs.cost.rule = defaultRule(inputs.profile.get(), inputs.cost.format.kBits(), inputs.cost.model);
    }
    if (inputs.scope == StepScope::Auto) {
        inputs.scope = attentionOf(inputs) ? StepScope::WholeStep : StepScope::GemmOnly;
    }
    // The published study's shapes are no server's: its limits are PolicySetup's own.
    PolicySetup& policy = inputs.policy;
    const PolicySpec& spec = specOf(policy.policy);
    const bool isServer = spec.isVllm && inputs.cost.model.attention.has_value();
    const ServerDefaults served = isServer ? serverDefaultsOf(hardwareOf(inputs))
                                           : ServerDefaults{*PolicySetup().budgetTokens, spec.usualSeqs};
    policy.budgetTokens = policy.budgetTokens.value_or(served.budgetTokens);
    policy.maxSeqs = policy.maxSeqs.value_or(std::min<std::int64_t>(served.maxSeqs, *policy.budgetTokens));
}

} // namespace

// Not inlined: gcc 12 fails with an internal error where it is, into the initialiser of a member.
[[gnu::noinline]] PolicySetup policyAsServed() {
    PolicySetup policy;
    policy.prefixCache = true;
    policy.memoryShare = 0.9;
    policy.budgetTokens.reset();
    policy.maxSeqs.reset();
    return policy;
}

SimulationNames namesOf(const SimulationRequest& request) {
    return {request.workload, request.profile, request.shapes, request.rule, request.outputs};
}

bool speaksOfOpen(const SimulationRequest& now, const std::optional<SimulationRequest>& against) {
    return now.workload.isOpen() || (against && against->workload.isOpen());
}

std::optional<Error> problemOf(const PolicySetup& policy) {
    SimulationRequest request;
    request.policy = policy;
    return problemOf(request);
}

std::optional<Error> problemOf(const SimulationRequest& request) {
    for (const ask::Field& field : simulationFields()) {
        if (auto problem = problemOf(field, &request)) {
            return problem;
        }
    }
    const PolicySetup& policy = request.policy;
    if (specOf(policy.policy).isVllm && policy.budgetTokens && policy.maxSeqs &&
        *policy.budgetTokens < *policy.maxSeqs && policy.maxSeqs != PolicySetup{}.maxSeqs) {
        return Error{
            fmt::format("the token budget ({}) is smaller than the most sequences ({}): vLLM refuses that",
                        *policy.budgetTokens, *policy.maxSeqs),
            "", "raise the token budget or lower the most sequences"};
    }
    if (policy.prefixCache && knowsPrefixes(request.arrivals) && policy.kvBlocks > limits::cachedBlocks) {
        return Error{fmt::format("the number of KV blocks is {}", *policy.kvBlocks), "",
                     fmt::format("choose 2 to {}", formatExact(limits::cachedBlocks))};
    }
    for (const auto& [of, gpus] :
         {std::pair("tensor", request.tensorParallel), std::pair("expert", request.expertParallel)}) {
        if (gpus < 1 || gpus > mostServedGpus || !std::has_single_bit(static_cast<unsigned>(gpus))) {
            return Error{fmt::format("the GPUs of {} parallelism are {}", of, gpus), "",
                         fmt::format("choose 1, 2, 4 or another power of two up to {}", mostServedGpus)};
        }
    }
    if (!specOf(request.kv).holdsKv) {
        return Error{fmt::format("a KV cache is not stored as {}", specOf(request.kv).name), "",
                     "choose fp16 or fp8"};
    }
    if (!std::ranges::all_of(request.timeScale, [](double factor) { return timeScales.contains(factor); })) {
        return Error{"a kernel's times are multiplied by no number of 0 to 1\u202f000\u202f000", "",
                     "choose 0 to 1\u202f000\u202f000"};
    }
    return std::nullopt;
}

SimulationInputs inputsOf(const SimulationRequest& request, const SimulationSources& sources) {
    SimulationInputs inputs;
    inputs.workload = sources.workload;
    inputs.profile = sources.profile;
    inputs.hardware = sources.hardware;
    inputs.attention = sources.attention;
    inputs.engine = {.surfaces = sources.surfaces,
                     .model = std::make_shared<const ModelShapes>(sources.shapes),
                     .parallel = {.tensor = request.tensorParallel, .expert = request.expertParallel}};
    const Result<ModelShapes> share = shardOf(sources.shapes, inputs.engine.parallel);
    inputs.judged = sources.judged;
    inputs.cost.model = share ? *share : sources.shapes; // the engine's Error is told where it is priced
    inputs.cost.format = Format(request.weights);
    inputs.cost.format.experts = request.experts.value_or(request.weights);
    inputs.cost.format.expertsFollow = !request.experts.has_value();
    inputs.cost.format.kv = request.kv;
    inputs.against = Format(request.against);
    if (specOf(request.against).kernels == WeightKernels::Library) {
        inputs.against.kv = request.kv;
    }
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
    decide(inputs);
    return inputs;
}

SimulationRequest resolved(SimulationRequest request, const SimulationInputs& inputs) {
    request.scope = inputs.scope;
    request.policy.budgetTokens = inputs.policy.budgetTokens;
    request.policy.maxSeqs = inputs.policy.maxSeqs;
    request.arrivals.order = inputs.arrivals.order;
    if (request.rule == autoRuleKey) {
        request.rule = inputs.cost.rule.key;
    }
    request.outputs =
        inputs.workload && inputs.workload->outputs.visible ? OutputCounts::Visible : OutputCounts::Recorded;
    return request;
}

std::string timesOf(const SimulationSources& sources) {
    if (sources.profile) {
        return "fp16: " + sources.profile->name;
    }
    return sources.hardware ? "fp16: " + sources.hardware->key + ", modelled" : "fp16: no times";
}

} // namespace loadline
