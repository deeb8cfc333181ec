// Resolves what is simulated, and writes it down so that it can be simulated again.
#include "app/cli/simulate/simulation_inputs.h"

#include "app/chart/chart_request.h"
#include "app/cli/simulate/resolve_workload.h"
#include "app/cli/terminal/output.h"
#include "app/options/cost_option.h"
#include "app/options/shell_words.h"
#include "core/cost/kernel/dispatch_text.h"
#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/request/simulation_fields.h"
#include "core/simulate/request/simulation_request.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/text/number_format.h"
#include "core/text/text_table.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <system_error>
#include <type_traits>
#include <variant>

namespace loadline::app {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

std::string commandLine(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) {
        line += (line.empty() ? "" : " ") + quotedForShell(word);
    }
    return line;
}

Json scalesOf(const SimulationRequest& request) {
    Json scales = Json::object();
    for (const Kernel kernel : allKernels) {
        const double scale = request.timeScale[static_cast<std::size_t>(kernel)];
        if (scale != 1) {
            scales[std::string(keyOf(kernel))] = scale;
        }
    }
    return scales;
}

Json workloadOf(const Workload& workload) {
    const WorkloadSummary summary = summaryOf(workload);
    return {{"name", workload.name},
            {"kind", keyOf(workload.kind)},
            {"source", workload.source},
            {"turns", summary.turns},
            {"sessions", summary.sessions},
            {"mean_input_tokens", summary.meanInput},
            {"mean_output_tokens", summary.meanOutput},
            {"notes", workload.notes},
            {"complete", workload.incomplete.empty()}};
}

Json jsonOf(const ask::Cell& cell) {
    return std::visit(
        [](const auto& value) -> Json {
            using Held = std::remove_cvref_t<decltype(value)>;
            if constexpr (std::is_arithmetic_v<Held> || std::is_same_v<Held, std::string>) {
                return value;
            } else {
                return nullptr;
            }
        },
        cell.value);
}

/// By the names of their options; where a value is no choice or none, what stands for it.
void addParameters(Json& document, const SimulationRequest& request) {
    for (const ask::Field& field : simulationFields()) {
        if (field.traits.isOption) {
            document[inputKeyOf(field)] = jsonOf(inputOf(field, &request));
        }
    }
    const ArrivalSetup& arrivals = request.arrivals;
    const Tokens chunk = chunkOf(request.policy);
    document["time_scale"] = scalesOf(request);
    document["users"] = arrivals.kind == ArrivalKind::Closed ? Json(arrivals.users) : Json(nullptr);
    document["think"] = keyOf(arrivals.think);
    document["think_s"] = arrivals.think == ThinkTime::Fixed ? Json(arrivals.thinkS) : Json(nullptr);
    document["chunk"] = chunk > 0 ? Json(chunk) : Json(nullptr);
}

std::string whoAsks(const ArrivalSetup& arrivals, bool sweep) {
    switch (arrivals.kind) {
    case ArrivalKind::Poisson:
        return describe(arrivals) + " (Poisson)";
    case ArrivalKind::Trace:
        return "the trace's own arrivals";
    case ArrivalKind::Closed:
        break;
    }
    std::string text = sweep                 ? std::string("Users")
                       : arrivals.users == 1 ? std::string("1 user")
                                             : fmt::format("{} users", arrivals.users);
    text += " in a closed loop";
    switch (arrivals.think) {
    case ThinkTime::None:
        break;
    case ThinkTime::Fixed:
        text += fmt::format(", thinking {:g} s", arrivals.thinkS);
        break;
    case ThinkTime::FromData:
        text += ", thinking as recorded";
        break;
    }
    return text + (arrivals.order == TurnOrder::Replayed ? ", replaying sessions" : "");
}

std::string policyText(const SimulationInputs& inputs, bool sweep) {
    const PolicySetup& policy = inputs.policy;
    const PolicySpec& spec = specOf(policy.policy);
    const Tokens chunk = chunkOf(policy);
    std::string text(spec.name);
    if (!sweep) {
        text += chunk > 0 ? fmt::format(", chunk {}", chunk) : ", no chunk limit";
    }
    if (spec.whyNoBudget.empty()) {
        text += fmt::format(", budget {} tokens", budgetOf(policy));
    }
    text += fmt::format(", at most {} sequences", seqsOf(policy));
    if (spec.paged && policy.kvBlocks) {
        text += fmt::format(", {} KV blocks of {} tokens", *policy.kvBlocks, policy.blockTokens);
    }
    if (!policy.kvBlocks && policy.memoryShare && kvBlocksOf(inputs)) {
        text += fmt::format(", KV cache in {} of the device's memory", formatShare(*policy.memoryShare));
    }
    if (spec.paged && knowsPrefixes(inputs.arrivals)) {
        text += policy.prefixCache ? ", prefix cache" : ", no prefix cache";
    }
    if (spec.onePrompt && !(policy.fit == StudyFit{})) {
        text += ", study-like fit";
    }
    return text;
}

/// An edited rule by the names that the profile gives its kernels.
std::string ruleName(const SimulationInputs& inputs) {
    const DispatchRule& rule = inputs.cost.rule;
    return findDispatchPreset(rule.key) != nullptr ? rule.name : wordsOf(rule.dense, namingOf(inputs));
}

} // namespace

std::vector<std::string> filesReadFor(const SimulationRequest& request) {
    std::vector<std::string> files = {request.profile, request.shapes};
    std::error_code failed;
    if (!std::filesystem::is_directory(request.workload.name, failed)) { // of folders load() knows the files
        files.push_back(request.workload.name);
    }
    return files;
}

Result<SimulationInputs> resolveInputs(const SimulationRequest& request, unsigned threads,
                                       const std::vector<std::string>& outputs,
                                       const Interruption& interruption) {
    if (Status possible = canWriteOutputs(outputs); !possible) {
        return possible.error();
    }
    if (Status allowed = refuseToOverwrite(outputs, filesReadFor(request)); !allowed) {
        return allowed.error();
    }
    Result<CostChoice> cost = resolveCost({request.profile, request.shapes, request.rule});
    if (!cost) {
        return cost.error();
    }
    Result<Workload> workload =
        resolveWorkload(request.workload, request.outputs, threads, interruption, outputs);
    if (!workload) {
        return workload.error();
    }
    SimulationInputs inputs =
        inputsOf(request, {.workload = std::make_shared<const Workload>(std::move(workload.value())),
                           .profile = std::move(cost->profile),
                           .hardware = cost->hardware,
                           .attention = std::move(cost->attention),
                           .shapes = std::move(cost->shapes),
                           .rule = std::move(cost->rule)});
    if (const auto problem = clockProblemOf(inputs)) {
        return *problem;
    }
    return inputs;
}

nlohmann::ordered_json inputsDocument(const SimulationRequest& request, const SimulationInputs& inputs,
                                      const std::vector<std::string>& command) {
    Json document = {{"command", commandLine(command)}, {"version", LOADLINE_VERSION}};
    addParameters(document, request);
    document["hardware"] = inputs.hardware != nullptr ? Json(inputs.hardware->key) : Json(nullptr);
    document["profile_name"] = inputs.profile ? Json(inputs.profile->name) : Json(nullptr);
    document["shapes_name"] = inputs.cost.model.name;
    document["rule_name"] = ruleName(inputs);
    document["workload_read"] = workloadOf(*inputs.workload);
    return document;
}

std::string inputsText(const SimulationRequest& request, const SimulationInputs& inputs, bool sweep) {
    const std::string times = inputs.profile               ? inputs.profile->name
                              : inputs.hardware != nullptr ? inputs.hardware->key + ", modelled"
                                                           : std::string("no times");
    const WorkloadSummary summary = summaryOf(*inputs.workload);
    std::string text =
        fmt::format("{}: {} tokens in, {} out on average\n", visibleText(inputs.workload->name),
                    formatCount(summary.meanInput), formatCount(summary.meanOutput));
    text += fmt::format("{}; {}\n", whoAsks(request.arrivals, sweep), policyText(inputs, sweep));
    text += fmt::format("{}; {}rule \"{}\"; times: {}; {}\n", visibleText(inputs.cost.model.name),
                        sweep ? std::string() : fmt::format("k = {}, ", request.kBits), inputs.cost.rule.key,
                        visibleText(times),
                        request.scope == StepScope::GemmOnly
                            ? std::string("GEMMs alone")
                            : fmt::format("whole steps, host {:g} \u00b5s", request.hostUs));
    return text;
}

nlohmann::ordered_json whatCountsDocument(const std::vector<CountedFact>& facts) {
    Json document = Json::object();
    for (const CountedFact& fact : facts) {
        document[fact.key] = fact.words;
    }
    return document;
}

std::string whatCountsText(const std::vector<CountedFact>& facts) {
    std::string text = "What this counts:\n";
    for (const CountedFact& fact : facts) {
        std::string name = fact.key;
        std::ranges::replace(name, '_', ' ');
        text += fmt::format("  {:<13}{}\n", name, visibleText(fact.words));
    }
    return text;
}

std::string sourcesText(const Workload& workload, const std::vector<std::string>& provenance) {
    std::string text;
    for (const std::string& note : workload.notes) {
        text += "Note: " + visibleText(note) + "\n";
    }
    for (const std::string& line : provenance) {
        text += visibleText(line) + "\n";
    }
    return text;
}

nlohmann::ordered_json kernelShares(const std::array<double, kernelCount>& shares) {
    Json document = Json::object();
    for (const Kernel kernel : {Kernel::Scalar, Kernel::Mma, Kernel::DequantCublas}) {
        document[std::string(keyOf(kernel))] = shares[static_cast<std::size_t>(kernel)];
    }
    for (const Kernel kernel : allKernels) {
        const double share = shares[static_cast<std::size_t>(kernel)];
        if (share > 0) {
            document[std::string(keyOf(kernel))] = share;
        }
    }
    return document;
}

void addMemory(nlohmann::ordered_json& document, const MemoryFit& fit) {
    const auto known = [](double bytes) { return bytes > 0 ? Json(std::llround(bytes)) : Json(nullptr); };
    document["fits"] = orNull(fit.fits());
    document["memory_needed_bytes"] = fit.weightBytes > 0 ? known(fit.neededBytes()) : Json(nullptr);
    document["memory_available_bytes"] = known(fit.memoryBytes);
    document["fp16_fits"] = orNull(fit.fp16Fits());
    document["fp16_shortfall"] = fp16ShortfallOf(fit);
}

void withoutFigures(nlohmann::ordered_json& document, std::initializer_list<std::string_view> kept) {
    for (auto& [key, value] : document.items()) {
        if (std::ranges::find(kept, key) == kept.end()) {
            value = nullptr;
        }
    }
}

std::string memoryText(const MemoryFit& fit) {
    if (const std::string tooLarge = sentenceOf(fit); !tooLarge.empty()) {
        return tooLarge + "\n";
    }
    std::string text;
    if (const std::string shortfall = fp16ShortfallOf(fit);
        !shortfall.empty() && fit.fp16Fits().value_or(true)) { // else the sentence tells all
        text = shortfall + ".\n";
    }
    const std::string fp16 = fp16SentenceOf(fit);
    return fp16.empty() ? text : text + fp16 + "\n";
}

int wrongValue(const std::string& command, const Error& error) {
    say(command + ": " + error.sentence());
    say(command + " --help tells more.");
    return exitUsage;
}

} // namespace loadline::app
