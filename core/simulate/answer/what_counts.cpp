// The facts beside an answer.
#include "core/simulate/answer/what_counts.h"

#include "core/cost/estimate/attention.h"
#include "core/simulate/answer/nearest_fact.h"
#include "core/simulate/answer/replayed.h"
#include "core/simulate/answer/time_facts.h"
#include "core/simulate/fit/turn_lengths.h"
#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/study/remarks.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

namespace loadline {
namespace {

CountedFact model(const SimulationInputs& inputs) {
    const ModelShapes& shapes = inputs.cost.model;
    if (!shapes.attention) {
        const char* part = shapes.key.starts_with("study") ? "one layer's GEMMs" : "GEMMs alone";
        return {
            "model", fmt::format("{}: {}, {}", shapes.name, part, specOf(inputs.cost.format.weights).name),
            "The published study's view: the matrix products of one layer, no attention and no head. It is "
            "not a server: choose the shapes of a model for tokens a second and latencies.",
            true};
    }
    const int gpus = inputs.engine.parallel.tensor;
    return {"model",
            fmt::format("{}: {} layers, {}{}", shapes.name, shapes.attention->layers,
                        nameOf(inputs.cost.format), gpus > 1 ? fmt::format(", on {} GPUs", gpus) : ""),
            fmt::format("From: {}.{}", shapes.source,
                        gpus > 1 ? " Weights, KV cache and memory are those of each GPU." : "")};
}

const LayerGemm* headOf(const ModelShapes& shapes) {
    const auto found = std::ranges::find_if(shapes.gemms, &LayerGemm::isHead);
    return found == shapes.gemms.end() ? nullptr : &*found;
}

CountedFact step(const SimulationInputs& inputs) {
    const LayerGemm* const gemm = headOf(inputs.cost.model);
    const std::string head = gemm == nullptr ? "" : gemm->quantised ? ", head" : ", head in fp16";
    if (inputs.scope != StepScope::WholeStep) {
        return {"step",
                "GEMMs" + head + "; no attention, no host, no communication" +
                    (inputs.against != fp16Format ? "; against fp16, as GEMMs alone always are" : ""),
                "Attention grows with the context and is the same for all weights: whole steps lie "
                "nearer to fp16.",
                inputs.cost.model.attention.has_value()};
    }
    const std::string hostUs = inputs.hostUs > 0 ? fmt::format(", host {:g} \u00b5s", inputs.hostUs) : "";
    const std::string rows = head.empty() ? ""
                                          : "The head is timed for one row of each sequence in a step, as "
                                            "vLLM computes it; MLX's prefill has none. ";
    const std::string hostWords = "The host's share is what --host-us or the Host slider says.";
    if (inputs.engine.surfaces) {
        const int gpus = inputs.engine.parallel.tensor;
        return {"step",
                "GEMMs, attention, small kernels" + head + hostUs + (hostUs.empty() ? "; no host" : "") +
                    (gpus > 1 ? fmt::format(", transfers among {} GPUs", gpus) : ""),
                rows + "Kernels and CUDA graphs are vLLM's. " + hostWords};
    }
    return {"step",
            "GEMMs, attention" + head +
                (hostUs.empty() ? "; no host, no communication" : hostUs + "; no communication"),
            rows + "One device: no tensor parallelism. " + hostWords};
}

/// The outputs that occur most, where they are as small as a placeholder's.
std::optional<Tokens> placeholderPeakOf(const Workload& workload) {
    constexpr Tokens placeholder = 2;
    if (workload.kind != WorkloadKind::Distribution) {
        return std::nullopt;
    }
    const auto& frequency = workload.distribution.output.frequency;
    const auto most = std::ranges::max_element(frequency, {}, [](const auto& one) { return one.second; });
    const bool isPeak = most != frequency.end() && most->first <= placeholder;
    return isPeak ? std::optional<Tokens>(most->first) : std::nullopt;
}

std::string peakText(const Workload& workload, Tokens peak) {
    if (workload.key == "reference") {
        return " Outputs peak at 2 tokens because the logs behind it held placeholders: true outputs are "
               "longer.";
    }
    return fmt::format(" Outputs peak at {} {}, as logs with placeholders do: if it is from such logs, true "
                       "outputs are longer.",
                       peak, peak == 1 ? "token" : "tokens");
}

CountedFact workload(const SimulationInputs& inputs) {
    const Workload& workload = *inputs.workload;
    const WorkloadSummary summary = summaryOf(workload);
    CountedFact fact{"workload",
                     fmt::format("{}: {} turns, on average {} tokens in, {} out", workload.name,
                                 formatExact(static_cast<std::int64_t>(summary.turns)),
                                 formatCount(summary.meanInput), formatCount(summary.meanOutput)),
                     workload.source};
    fact.more += fact.more.empty() || fact.more.ends_with('.') ? "" : ".";
    if (const auto peak = placeholderPeakOf(workload)) {
        fact.words += fmt::format(", most often {}", *peak);
        fact.more += peakText(workload, *peak);
        fact.warns = true;
    }
    return fact;
}

std::optional<CountedFact> outputs(const SimulationInputs& inputs) {
    const OutputTrust& trust = inputs.workload->outputs;
    if (trust.bounds == 0) {
        return std::nullopt;
    }
    CountedFact fact{"outputs",
                     fmt::format("outputs {}: {} of {} are lower bounds",
                                 trust.visible ? "visible" : "recorded",
                                 formatExact(static_cast<std::int64_t>(trust.bounds)),
                                 formatExact(static_cast<std::int64_t>(trust.calls))),
                     {},
                     trust.mostlyBounds()};
    for (const std::string& note : trust.notes) {
        fact.more += (fact.more.empty() ? "" : "; ") + note;
    }
    return fact;
}

double meanContext(const Workload& workload) {
    double sum = 0;
    double turns = 0;
    for (const WorkloadSession& session : workload.sessions) {
        for (const WorkloadTurn& turn : session.turns) {
            sum += static_cast<double>(turn.context + turn.input);
            turns += 1;
        }
    }
    return turns > 0 ? sum / turns : 0;
}

/// Returns the fact about the prefix cache if prompts begin as others did: it then decides most.
std::optional<CountedFact> prefixes(const SimulationInputs& inputs) {
    if (!knowsPrefixes(inputs.arrivals)) {
        return std::nullopt;
    }
    const PolicySpec& policy = specOf(inputs.policy.policy);
    if (inputs.policy.prefixCache) {
        return policy.paged ? CountedFact{"prefix_cache", "with prefix cache",
                                          "What was sent before is found in it while its blocks last."}
                            : CountedFact{"prefix_cache", "KV kept from turn to turn",
                                          "A turn starts from what the turn before it computed."};
    }
    CountedFact fact{"prefix_cache", policy.paged ? "no prefix cache" : "no KV kept from turn to turn",
                     "Each turn's whole context is computed again."};
    fact.more += policy.isVllm ? " vLLM has a prefix cache unless told otherwise." : "";
    return fact;
}

/// Returns the fact about turns that are computed again, for want of KV blocks.
std::optional<CountedFact> preemptions(const SimulationResult* present) {
    if (present == nullptr || present->preemptions == 0) {
        return std::nullopt;
    }
    const double each = static_cast<double>(present->preemptions) / static_cast<double>(present->runs);
    return CountedFact{"preemptions", fmt::format("{} preemptions a run", formatCount(each)),
                       "The KV cache was full: who had come last gave its blocks back and is computed again, "
                       "what it had answered included."};
}

CountedFact turns(const SimulationInputs& inputs, const SimulationResult* present, const FormatPair* pair) {
    CountedFact fact{"turns", {}, {}};
    if (inputs.arrivals.kind == ArrivalKind::Trace) {
        fact.words = "at the trace's times";
    } else if (inputs.arrivals.order == TurnOrder::Replayed) {
        fact.words =
            fmt::format("sessions replayed, mean context {}", formatCount(meanContext(*inputs.workload)));
    } else {
        fact.words = "turns drawn singly, without their context";
        fact.more = "What a session sent before is not in the prompts: attention, KV cache and prefill are "
                    "smaller than a conversation's.";
        fact.warns = inputs.workload->kind == WorkloadKind::Sessions;
        if (const double shared = sharedPrefixShareOf(*inputs.workload); shared > 0) {
            fact.words =
                fmt::format("turns drawn singly, without the {} of prompt tokens that requests share",
                            formatShare(shared));
            fact.more = "The trace's blocks say which prompts begin alike; only at the trace's own times can "
                        "the prefix cache find them. Here every prompt is computed in full.";
            fact.warns = true;
        }
    }
    if (const std::string beyond = beyondPositionsOf(inputs); !beyond.empty()) {
        fact.more += (fact.more.empty() ? "" : " ") + beyond;
        fact.warns = true;
    }
    if (present != nullptr && present->refusedTurns > 0) {
        const bool isToldBefore = pair != nullptr && pair->refusedShare > 0; // by servedFactsOf
        const double all = static_cast<double>(present->refusedTurns + present->turns);
        fact.words +=
            isToldBefore
                ? std::string()
                : fmt::format(", {} refused", formatShare(static_cast<double>(present->refusedTurns) / all));
        fact.more +=
            fmt::format(" Prompts of {} tokens or more are refused, as vLLM does: the KV cache holds no "
                        "more, or max-model-len says so.",
                        formatExact(longestRequestOf(inputs)));
        fact.warns = fact.warns || !isToldBefore;
    }
    if (present != nullptr && present->queueGrows()) {
        fact.words +=
            present->waitsGrow()
                ? fmt::format(", turns queue up: {} wait at the end of a run",
                              formatExact(static_cast<std::int64_t>(present->waitingTurns) / present->runs))
                : ", turns queue up: they come faster than they are answered";
        fact.more += (fact.more.empty() ? "" : " ") + queueSentenceOf(*present);
        fact.warns = true;
    }
    return fact;
}

/// Returns the latencies of the server that wrote a replayed log, to stand beside the simulated ones.
std::optional<CountedFact> recordedLatency(const SimulationInputs& inputs) {
    if (!inputs.workload->recorded || inputs.arrivals.kind != ArrivalKind::Trace ||
        inputs.workload->recorded->latencyS.n == 0) {
        return std::nullopt;
    }
    const Quantiles& latency = inputs.workload->recorded->latencyS;
    return CountedFact{"recorded_latency",
                       fmt::format("the log's own latency: {} median, {} p90", formatSeconds(latency.p50),
                                   formatSeconds(latency.p90)),
                       fmt::format("From arrival to end, of the {} that the log tells to be complete: as its "
                                   "own server and device answered them.",
                                   counted(latency.n, "request"))};
}

/// Returns how the simulated server differs from the one that wrote a replayed log.
std::optional<CountedFact> logDifferences(const SimulationInputs& inputs) {
    std::string sentences = logDifferencesOf(inputs);
    if (sentences.empty()) {
        return std::nullopt;
    }
    const bool assumes = inputs.workload->recorded->model.empty();
    return CountedFact{"log_differences",
                       assumes ? "model assumed: the log names none" : "not as the log's server",
                       std::move(sentences), true};
}

/// LLMServingSim's recorded run of vLLM 0.19.0 (its meta.json). One run does not tell how the rest divides
/// into activations at the token budget, the sampler's logits, CUDA graphs and the context of the driver, so
/// nothing is subtracted for them.
std::string notSubtracted() {
    constexpr std::int64_t resolved = 2588;
    constexpr std::int64_t computed = 3401;
    return fmt::format(
        " Activations, CUDA graphs and what the driver keeps are not subtracted: vLLM 0.19 resolved {} "
        "blocks for Llama-3.1-8B in bf16 on an RTX 4090, where this gives {}.",
        formatExact(resolved), formatExact(computed));
}

CountedFact memory(const SimulationInputs& inputs, const MemoryFit& fit) {
    if (!fit.known()) {
        return {"memory", "memory not known",
                inputs.cost.model.attention
                    ? "The device of these kernel times is not known."
                    : "One layer says nothing of what a model's weights and KV cache take."};
    }
    CountedFact fact{"memory", {}, misfitSentence(fit), !fit.fits().value_or(true)};
    std::string kv; // none where the weights are too large: no run on this device filled it
    if (fit.kvBytes > 0 && !fit.isTooLarge()) {
        kv = " + KV " + (fit.kvTurns > 0 ? fmt::format("up to {} ({})", formatGib(fit.kvBytes),
                                                       counted(fit.kvTurns, "turn"))
                                         : formatGib(fit.kvBytes));
    }
    fact.words =
        fmt::format("weights {}{} of {}{} {}", formatGib(fit.weightBytes), kv,
                    inputs.engine.parallel.tensor > 1 ? "each " : "", fit.device, formatGib(fit.memoryBytes));
    if (fp16LacksMemory(fit)) {
        fact.words += fit.fp16Fits().value_or(true)
                          ? "; fp16 would leave ≤ " +
                                formatGib(fit.share * fit.memoryBytes - fit.weightFp16Bytes) + " for KV"
                          : std::string("; fp16 does not fit");
        fact.more = fp16SentenceOf(fit);
    }
    if (const std::string shortfall = fp16ShortfallOf(fit);
        !shortfall.empty() && fit.fp16Fits().value_or(true)) {
        fact.more = shortfall + "." + (fact.more.empty() ? "" : " ") + fact.more;
        fact.warns = true;
    }
    const std::optional<std::int64_t> blocks = kvBlocksOf(inputs);
    if (blocks && !fit.isTooLarge()) {
        fact.more =
            fmt::format("{} KV blocks of {} tokens{}.", formatExact(*blocks), inputs.policy.blockTokens,
                        inputs.policy.kvBlocks   ? ""
                        : inputs.engine.surfaces ? " beside the weights, activations and CUDA graphs"
                                                 : " beside the weights") +
            (inputs.policy.kvBlocks || inputs.engine.surfaces ? "" : notSubtracted()) +
            (fact.more.empty() ? "" : " ") + fact.more;
    }
    return fact;
}

} // namespace

std::vector<CountedFact> whatCounts(const SimulationInputs& inputs, const MemoryFit& fit,
                                    const SimulationResult* present, const FormatPair* pair) {
    std::vector<CountedFact> facts;
    const auto add = [&](std::optional<CountedFact> fact) {
        if (fact) {
            facts.push_back(std::move(*fact));
        }
    };
    add(draggedFactOf(inputs));
    add(inputs.workload ? prefixes(inputs) : std::nullopt);
    add(model(inputs));
    add(step(inputs));
    if (inputs.workload) {
        add(workload(inputs));
        add(outputs(inputs));
        add(turns(inputs, present, pair));
        add(recordedLatency(inputs));
        add(logDifferences(inputs));
        add(preemptions(present));
    }
    add(memory(inputs, fit));
    add(flaggedFactOf(inputs));
    add(warmFactOf(inputs));
    add(slowExpertsFactOf(inputs));
    add(nearestFactOf(inputs, present));
    add(modelledFactOf(inputs, present));
    if (inputs.profile && isUnvalidated(*inputs.profile) && facts.back().key == "modelled" &&
        facts.back().warns) {
        std::rotate(facts.begin(), facts.end() - 1, facts.end()); // where nobody overlooks it
    }
    return facts;
}

std::vector<std::string> caveatsOf(std::span<const CountedFact> facts) {
    std::vector<CountedFact> warnings;
    std::ranges::copy_if(facts, std::back_inserter(warnings), &CountedFact::warns);
    std::ranges::stable_partition(warnings, [](const CountedFact& fact) { return fact.key == "memory"; });
    std::vector<std::string> caveats;
    for (const CountedFact& fact : warnings) {
        const bool isSaid = std::ranges::any_of(caveats, [&fact](const std::string& before) {
            return before.find(fact.more) != std::string::npos; // what does not fit has one reason
        });
        caveats.push_back(asSentence(fact.words) + (fact.more.empty() || isSaid ? "" : " " + fact.more));
    }
    return caveats;
}

} // namespace loadline
