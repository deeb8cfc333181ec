// What `loadline simulate` says, as a document and for a terminal.
#include "app/cli/simulate/simulate_document.h"

#include "app/cli/simulate/pair_document.h"
#include "app/cli/simulate/run_document.h"
#include "app/cli/simulate/run_scalars.h"
#include "app/cli/simulate/simulation_inputs.h"
#include "core/text/text_table.h"
#include "core/cost/kernel/kernel_naming.h"
#include "core/simulate/answer/served_facts.h"
#include "core/simulate/answer/step_rows.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/study/format_pair_words.h"
#include "core/simulate/study/remarks.h"
#include "core/text/number_format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace loadline::app {
namespace {

using Json = nlohmann::ordered_json;

/// A whole number as one, so that nobody reads "3.0 preemptions".
Json numberOf(double value) {
    constexpr double exact = 9007199254740992.0; // 2^53
    return value == std::floor(value) && std::abs(value) < exact ? Json(static_cast<std::int64_t>(value))
                                                                 : Json(value);
}

Json valueOf(const RunScalar& scalar, const SimulationResult& all, double runs) {
    const double value = scalar.of(all);
    switch (scalar.sort) {
    case ScalarSort::Amount:
        return numberOf(value / runs);
    case ScalarSort::Whole:
        return std::llround(value / runs);
    case ScalarSort::Ratio:
        break;
    }
    return value;
}

Json histogramOf(const std::vector<std::uint64_t>& steps, double runs) {
    Json histogram = Json::object();
    for (std::size_t m = 0; m < steps.size(); ++m) {
        if (steps[m] > 0) {
            histogram[std::to_string(m)] = numberOf(static_cast<double>(steps[m]) / runs);
        }
    }
    return histogram;
}

Json kernelTimes(const GemmTime& gemm, double runs) {
    Json times = Json::object();
    for (const Kernel kernel : allKernels) {
        const double us = gemm.kernelUs[static_cast<std::size_t>(kernel)];
        if (us > 0) {
            times[std::string(keyOf(kernel))] = us / runs;
        }
    }
    return times;
}

std::array<double, kernelCount> sharesOf(const GemmTime& gemm) {
    std::array<double, kernelCount> shares{};
    std::transform(gemm.kernelUs.begin(), gemm.kernelUs.end(), shares.begin(),
                   [&](double us) { return gemm.us > 0 ? us / gemm.us : 0; });
    return shares;
}

/// Null where the rule costs nothing worth a word.
Json ruleCostDocument(const std::optional<RuleCost>& cost) {
    if (!cost) {
        return nullptr;
    }
    return {{"bound_m", cost->move.boundM},
            {"kernel_below", keyOf(cost->move.below)},
            {"kernel_above", keyOf(cost->move.above)},
            {"faster_to_m", cost->move.fasterToM},
            {"step_share", cost->stepShare},
            {"time_vs_fp16", cost->timeVsFp16},
            {"time_vs_fp16_moved", cost->movedVsFp16},
            {"time_vs_fp16_fastest", cost->fastestVsFp16},
            {"sentence", sentenceOf(*cost)}};
}

std::string summary(const Simulated& simulated, const SimulationResult& all) {
    const std::vector<SimulationResult>& runs = simulated.result.replicas;
    TextTable table;
    table.columns = {{"Of a run"}, {"Mean", true}, {"sd", true}};
    // The mean of a ratio is the ratio of all runs together, as everywhere: not the mean of the runs' ratios.
    const auto ofRuns = [&](std::string_view key) {
        const RunScalar& scalar = *std::ranges::find(runScalars(), key, &RunScalar::key);
        Spread spread = spreadOver(runs, scalar);
        spread.mean = scalar.sort == ScalarSort::Ratio ? scalar.of(all) : spread.mean;
        return spread;
    };
    const auto row = [&](const char* name, const char* form, std::string_view key, double factor = 1) {
        const Spread spread = ofRuns(key);
        table.rows.push_back({name, fmt::format(fmt::runtime(form), factor * spread.mean),
                              fmt::format(fmt::runtime(form), factor * spread.sd)});
    };
    const auto count = [&](const char* name, std::string_view key) {
        const Spread spread = ofRuns(key);
        table.rows.push_back({name, formatCount(spread.mean), formatCount(spread.sd)});
    };
    const bool whole = simulated.request.scope == StepScope::WholeStep;
    row(whole ? "Time on the same batches vs fp16" : "Time vs fp16", "{:.3f}", "time_vs_fp16");
    if (whole) {
        row("GEMM time vs fp16", "{:.3f}", "gemm_time_vs_fp16");
    }
    row("M, rows of a step", "{:.1f}", "avg_m");
    if (!all.rows.head.empty()) {
        row("Of them through the head", "{:.1f}", "avg_head_rows");
    }
    row("Steps that only decode, %", "{:.1f}", "decode_only_fraction", 100);
    count("Steps", "iterations");
    count("Turns answered", "turns");
    if (all.refusedTurns > 0) {
        count(refusedText(simulated.inputs, simulated.request.policy.maxModelLen, simulated.pair).c_str(),
              "refused_turns");
    }
    count("Prompt tokens computed", "tokens_in");
    if (all.cachedTokens > 0) {
        count("Prompt tokens from cache", "cached_tokens");
    }
    count("Output tokens", "tokens_out");
    if (tellsLatencies(simulated.inputs)) {
        count("Output tokens a second", "throughput_tokens_per_s");
    }
    if (all.preemptions > 0 || simulated.request.policy.kvBlocks) {
        count("Preemptions", "preemptions");
    }
    return alignedText(table);
}

std::string kernels(const GemmTime& gemm, const KernelNaming& naming) {
    TextTable table;
    table.columns = {{"Kernel"}, {"Share of GEMM time", true}};
    std::vector<std::pair<double, Kernel>> byTime;
    for (const Kernel kernel : allKernels) {
        const double us = gemm.kernelUs[static_cast<std::size_t>(kernel)];
        if (us > 0) {
            byTime.emplace_back(us, kernel);
        }
    }
    std::sort(byTime.begin(), byTime.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [us, kernel] : byTime) {
        table.rows.push_back({nameOf(kernel, naming), formatShare(us / gemm.us)});
    }
    return alignedText(table);
}

std::string modelled(const SimulationReplicas& result) {
    const std::string sentence = sentenceOf(result.modelled);
    return sentence.empty() ? sentence : sentence + "\n";
}

/// A trace has one course: its runs are alike, and a limit may cut them.
std::string traceNote(const Simulated& simulated) {
    const SimulationInputs& inputs = simulated.inputs;
    if (inputs.arrivals.kind != ArrivalKind::Trace) {
        return {};
    }
    const SimulationResult& run = simulated.result.replicas.front();
    const std::uint64_t ended = run.turns + run.refusedTurns;
    const std::size_t requests = inputs.workload->requests.size();
    std::string text = "Note: a trace has one course, so its runs do not differ and sd says nothing\n";
    if (ended < requests) {
        text += fmt::format(
            "Note: a run ended with {} of the trace's {} requests answered; --iterations none "
            "goes on to the last\n",
            formatExact(static_cast<std::int64_t>(ended)), formatExact(static_cast<std::int64_t>(requests)));
    }
    return text;
}

/// How bursty decoding is: the mean alone does not tell.
std::string rowsOfSteps(const RowsHistogram& histogram) {
    const StepRows rows = stepRowsOf(histogram);
    TextTable table;
    table.columns = {{"Rows M"}, {"Mean", true}, {"p50", true}, {"p90", true}, {"p99", true}};
    const auto row = [&](const char* name, const Quantiles& quantiles) {
        if (quantiles.n > 0) {
            table.rows.push_back({name, formatReal(quantiles.mean), formatReal(quantiles.p50),
                                  formatReal(quantiles.p90), formatReal(quantiles.p99)});
        }
    };
    row("Of a step", rows.all);
    row("Of a step that only decodes", rows.decodeOnly);
    return alignedText(table);
}

std::string latencies(const SimulationResult& all) {
    if (all.ttftS.n == 0) {
        return "No turn was answered: a longer run (--iterations) has latencies.\n";
    }
    TextTable table;
    table.columns = {{"Latency"}, {"Mean", true}, {"p50", true}, {"p90", true}, {"p99", true}};
    const auto row = [&](const char* name, const Quantiles& quantiles) {
        if (quantiles.n > 0) {
            table.rows.push_back({name, formatSeconds(quantiles.mean), formatSeconds(quantiles.p50),
                                  formatSeconds(quantiles.p90), formatSeconds(quantiles.p99)});
        }
    };
    row("To the first token (TTFT)", all.ttftS);
    row("Per token after it (TPOT)", all.tpotS);
    row("To the last token", all.e2eS);
    return alignedText(table);
}

/// With what both formats serve, where they are compared.
std::vector<CountedFact> factsOf(const Simulated& simulated, const MemoryFit& fit,
                                 const SimulationResult& all) {
    std::vector<CountedFact> facts = whatCounts(simulated.inputs, fit, &all);
    if (simulated.pair) {
        for (CountedFact& fact : servedFactsOf(*simulated.pair)) {
            facts.push_back(std::move(fact));
        }
    }
    return facts;
}

IntervalErrors intervalErrorsOf(const Simulated& simulated) {
    return {simulated.kernelErrors.timeVsFp16, simulated.kernelErrors.clock};
}

/// True if the device could not run this: then no figure is one of its.
bool isMisfit(const Simulated& simulated, const MemoryFit& fit) {
    return fit.fits() == false || (simulated.pair && !simulated.pair->own.fits);
}

/// What no policy counted is taken from the recorded steps.
MemoryFit fitOf(const Simulated& simulated, const SimulationResult& all) {
    return all.peakKvBlocks > 0 ? memoryFitOf(simulated.inputs, all)
                                : memoryFitOf(simulated.inputs, simulated.kv.peakBytes);
}

} // namespace

nlohmann::ordered_json simulateDocument(const Simulated& simulated, const std::vector<std::string>& command) {
    const std::vector<SimulationResult>& runs = simulated.result.replicas;
    const SimulationResult all = pooled(runs);
    const auto count = static_cast<double>(std::max<std::size_t>(runs.size(), 1));
    const bool closed = simulated.request.arrivals.kind == ArrivalKind::Closed;
    Json document = {{"schema", "loadline.simulate/1"},
                     {"inputs", inputsDocument(simulated.request, simulated.inputs, command)},
                     {"replicas", runs.size()},
                     {"users", closed ? Json(simulated.request.arrivals.users) : Json(nullptr)}};
    Json deviations = Json::object();
    for (const RunScalar& scalar : runScalars()) {
        document[std::string(scalar.key)] = valueOf(scalar, all, count);
        deviations[std::string(scalar.key)] = spreadOver(runs, scalar).sd;
    }
    document["m_histogram"] = histogramOf(all.rows.steps, count);
    document["m_histogram_decode_only"] = histogramOf(all.rows.decodeOnly, count);
    document["head_rows_histogram"] = histogramOf(all.rows.head, count);
    const StepRows rows = stepRowsOf(all.rows);
    document["rows_per_step"] = quantilesDocument(rows.all);
    document["rows_per_step_decode_only"] = quantilesDocument(rows.decodeOnly);
    document["kernel_share"] = kernelShares(sharesOf(all.gemm));
    document["kernel_time_us"] = kernelTimes(all.gemm, count);
    document["modelled_share"] = {{"k_bit", simulated.result.modelled.kBit},
                                  {"fp16", simulated.result.modelled.fp16}};
    document["queue_grows"] = all.queueGrows();
    document["rule_cost"] = ruleCostDocument(simulated.ruleCost);
    document["peak_kv_blocks"] = all.peakKvBlocks;
    const bool tells = tellsLatencies(simulated.inputs);
    document["ttft_s"] = quantilesDocument(tells ? all.ttftS : Quantiles());
    document["tpot_s"] = quantilesDocument(tells ? all.tpotS : Quantiles());
    document["e2e_s"] = quantilesDocument(tells ? all.e2eS : Quantiles());
    if (!tells) {
        for (const char* rate : {"throughput_tokens_per_s", "turns_per_s"}) {
            document[rate] = deviations[rate] = nullptr;
        }
    }
    document["run"] = runDocument(simulated.result.run);
    const IntervalErrors errors = intervalErrorsOf(simulated);
    document["interval"] = intervalDocument(simulated.result.run, tells, errors);
    document["interval_parts"] = intervalPartsDocument(simulated.result.run, tells, errors);
    document["sd"] = std::move(deviations);
    document["format"] = formatDocument(simulated.inputs.cost.format);
    const MemoryFit fit = fitOf(simulated, all);
    addMemory(document, fit);
    if (simulated.pair) {
        addPair(document, *simulated.pair);
    }
    document["what_counts"] = whatCountsDocument(factsOf(simulated, fit, all));
    document["kv_cache"] = kvDocument(simulated.kv);
    if (const auto blocks = kvBlocksOf(simulated.inputs)) {
        document["kv_cache"]["blocks"] = *blocks;
    }
    const SimulationReplicas& result = simulated.result;
    const double rate = result.wallS > 0 ? static_cast<double>(result.steps) / result.wallS : 0;
    document["speed"] = {{"steps_per_s", rate}, {"wall_s", result.wallS}, {"steps", result.steps}};
    document["provenance"] = result.provenance;
    if (isMisfit(simulated, fit)) {
        document["fits"] = false;
        withoutFigures(document, {"schema", "inputs", "replicas", "users", "fits", "memory_needed_bytes",
                                  "memory_available_bytes", "fp16_fits", "fp16_shortfall", "what_counts",
                                  "kv_cache", "speed", "provenance", "format", "against", "headline",
                                  "longest_request_tokens", "refused_share", "users_that_fit"});
    }
    return document;
}

std::string simulateText(const Simulated& simulated) {
    const SimulationReplicas& result = simulated.result;
    const SimulationResult all = pooled(result.replicas);
    const MemoryFit fit = fitOf(simulated, all);
    const std::string beyond = beyondPositionsOf(simulated.inputs);
    const bool isServed = simulated.pair && simulated.pair->own.fits;
    std::string text = isServed ? pairText(*simulated.pair) + "\n" : std::string();
    const std::string need = memoryText(fit);
    text += simulated.pair && !isServed && need.empty() ? servingSentenceOf(*simulated.pair) + "\n" : need;
    text += beyond + (beyond.empty() ? "" : "\n");
    text += (text.empty() ? "" : "\n") + inputsText(simulated.request, simulated.inputs);
    text += "\n" + whatCountsText(whatCounts(simulated.inputs, fit, &all));
    if (isMisfit(simulated, fit)) { // that is the answer
        const std::string kv =
            fit.isTooLarge() ? "" : sentenceOf(simulated.kv, simulated.request.kBits) + "\n\n";
        return text + "\n" + kv + sourcesText(*simulated.inputs.workload, result.provenance);
    }
    text +=
        "\n" + runText(simulated.result.run, tellsLatencies(simulated.inputs), intervalErrorsOf(simulated)) +
        summary(simulated, all) + "\n" + rowsOfSteps(all.rows) + "\n" +
        kernels(all.gemm, namingOf(simulated.inputs)) +
        (simulated.ruleCost ? sentenceOf(*simulated.ruleCost) + "\n" : std::string()) + modelled(result) +
        "\n" + (tellsLatencies(simulated.inputs) ? latencies(all) : whyNoLatencies(simulated.inputs) + "\n") +
        "\n";
    text += sentenceOf(simulated.kv, simulated.request.kBits) + "\n\n";
    text += traceNote(simulated) + sourcesText(*simulated.inputs.workload, result.provenance);
    const std::int64_t parts = result.run ? result.run->plan.parts : 1;
    return text + fmt::format("{} runs, {} steps in {}\n", std::ssize(result.replicas) / parts,
                              formatExact(static_cast<std::int64_t>(result.steps)),
                              formatSeconds(result.wallS));
}

} // namespace loadline::app
