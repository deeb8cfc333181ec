// Inputs of a simulation, written in full so that it can be simulated again.
#include "core/ask/table_of.h"
#include "core/cost/kernel/dispatch_text.h"
#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/report/report_parts.h"
#include "core/simulate/request/simulation_fields.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/study/remarks.h"
#include "core/text/number_format.h"
#include "core/text/visible_text.h"
#include "core/text/word_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace loadline::ask {
namespace {

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

/// True of choices at their default that documents of k-bit weights do without.
bool isLeftOut(const Field& field, const SimulationRequest& request) {
    static constexpr std::array<std::string_view, 5> keys = {"experts", "kv", "against", "tp", "ep"};
    static const SimulationRequest usual;
    return std::ranges::find(keys, field.key) != keys.end() &&
           textOf(field, &request) == textOf(field, &usual);
}

} // namespace

void addInputs(Report& report, const SimulationRequest& request, const SimulationInputs& inputs,
               const std::string& command) {
    const Below below(report, "inputs");
    below.add("command", command);
    below.add("version", LOADLINE_VERSION);
    for (const Field& field : simulationFields()) {
        const bool isWritten = isSaid(field, request) || field.key == "k";
        if (field.traits.isOption && isWritten && !isLeftOut(field, request)) {
            below.add(inputKeyOf(field).c_str(), inputOf(field, &request));
        }
    }
    // Replaces the value of an option that is not in force, or whose word differs from the option's.
    const ArrivalSetup& arrivals = request.arrivals;
    const Tokens chunk = chunkOf(request.policy);
    below.add("users", only(arrivals.kind == ArrivalKind::Closed, arrivals.users));
    below.add("think", keyOf(arrivals.think));
    below.add("think_s", only(arrivals.think == ThinkTime::Fixed, arrivals.thinkS));
    below.add("chunk", only(chunk > 0, chunk));
    for (const auto& [key, gpus] :
         {std::pair("tp", request.tensorParallel), std::pair("ep", request.expertParallel)}) {
        if (gpus > 1) {
            below.add(key, gpus);
        }
    }
    const auto scaleOf = [scales = request.timeScale](Kernel kernel) {
        return scales[static_cast<std::size_t>(kernel)];
    };
    std::vector<Kernel> scaled(allKernels.begin(), allKernels.end());
    std::erase_if(scaled, [&](Kernel kernel) { return scaleOf(kernel) == 1; });
    report.add(TableOf("inputs.time_scale", report.keep(std::move(scaled)), Shape::Map)
                   .document("kernel", [](Kernel kernel) { return keyOf(kernel); })
                   .document("factor", scaleOf));
    below.add("hardware", inputs.hardware != nullptr ? Cell(inputs.hardware->key) : Cell());
    below.add("profile_name", inputs.profile ? Cell(inputs.profile->name) : Cell());
    below.add("shapes_name", inputs.cost.model.name);
    below.add("rule_name", ruleName(inputs));
    const Workload& workload = *inputs.workload;
    const WorkloadSummary summary = summaryOf(workload);
    const Below read(report, "inputs.workload_read");
    read.add("name", workload.name);
    read.add("kind", keyOf(workload.kind));
    read.add("source", workload.source);
    read.add("turns", summary.turns);
    read.add("sessions", summary.sessions);
    read.add("mean_input_tokens", summary.meanInput);
    read.add("mean_output_tokens", summary.meanOutput);
    report.add(listOf("inputs.workload_read.notes", workload.notes));
    read.add("complete", workload.incomplete.empty());
}

void sayInputs(Report& report, const SimulationRequest& request, const SimulationInputs& inputs, bool sweep) {
    const int gpus = inputs.engine.parallel.tensor;
    const std::string times = inputs.profile               ? inputs.profile->name
                              : inputs.hardware != nullptr ? inputs.hardware->key + ", modelled"
                                                           : std::string("no times");
    const WorkloadSummary summary = summaryOf(*inputs.workload);
    report.say(fmt::format("{}: {} tokens in, {} out on average\n{}; {}\n{}; {}rule \"{}\"; times: {}; {}",
                           visibleText(inputs.workload->name), formatCount(summary.meanInput),
                           formatCount(summary.meanOutput), whoAsks(request.arrivals, sweep),
                           policyText(inputs, sweep), visibleText(inputs.cost.model.name),
                           sweep ? std::string() : nameOf(inputs.cost.format) + ", ", inputs.cost.rule.key,
                           visibleText(times) + (gpus > 1 ? fmt::format(" on {} GPUs", gpus) : ""),
                           request.scope == StepScope::GemmOnly
                               ? std::string("GEMMs alone")
                               : fmt::format("whole steps, host {:g} \u00b5s", request.hostUs)));
}

void addWhatCounts(Report& report, std::vector<CountedFact> counted) {
    const auto& facts = report.keep(std::move(counted));
    TableOf table("what_counts", facts, Shape::Map);
    table.titled("What this counts")
        .column("key", "", &CountedFact::key, Form::Text)
        .column("words", "", &CountedFact::words, Form::Text);
    table->columns.front().words = [&facts](std::size_t row) {
        std::string name = facts[row].key;
        std::ranges::replace(name, '_', ' ');
        return name;
    };
    report.add(std::move(table));
}

std::string memoryText(const MemoryFit& fit) {
    if (const std::string tooLarge = misfitSentence(fit); !tooLarge.empty()) {
        return tooLarge;
    }
    std::string text;
    if (const std::string shortfall = fp16ShortfallOf(fit);
        !shortfall.empty() && fit.fp16Fits().value_or(true)) { // else the sentence tells all
        text = shortfall + ".";
    }
    const std::string fp16 = fp16SentenceOf(fit);
    return text + (text.empty() || fp16.empty() ? "" : "\n") + fp16;
}

void addSimulationCaveats(Report& report, const SimulationInputs& inputs, const MemoryFit& fit,
                          std::span<const CountedFact> facts) {
    for (const std::string& caveat : caveatsOf(facts)) {
        report.addCaveat(caveat);
    }
    const std::string memory = memoryText(fit);
    for (std::string_view lines = memory; !lines.empty();) {
        report.addCaveat(std::string(cutUpTo(lines, '\n')), true);
    }
    report.addCaveat(beyondPositionsOf(inputs), true);
    for (const std::string& remark : kernelRemarksOf(inputs, fit)) {
        report.addCaveat(remark);
    }
}

void addSources(Report& report, const Workload& workload, const std::vector<std::string>& provenance) {
    for (const std::string& note : workload.notes) {
        if (!report.holdsCaveat(note)) { // of outputs one of the facts may
            report.addCaveat("Workload: " + note);
        }
    }
    for (const std::string& line : provenance) {
        report.provenance.push_back({line, {}, {}});
    }
    report.add(listOf("provenance", provenance));
}

} // namespace loadline::ask
