// `loadline simulate` for a terminal.
#include "app/cli/simulate/simulate_document.h"
#include "app/cli/simulate/simulation_inputs.h"
#include "app/cli/terminal/text_table.h"
#include "core/base/spread.h"
#include "core/cost/kernel/kernel_naming.h"
#include "core/simulate/run/replica.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace loadline::app {
namespace {

template <typename Of>
Spread over(const std::vector<SimulationResult>& runs, Of of) {
    std::vector<double> values;
    values.reserve(runs.size());
    for (const SimulationResult& run : runs) {
        values.push_back(of(run));
    }
    return spreadOf(values);
}

std::string seconds(double s) {
    return s < 1e-3  ? fmt::format("{:.3g} us", s * 1e6)
           : s < 1   ? fmt::format("{:.3g} ms", s * 1e3)
           : s < 100 ? fmt::format("{:.3g} s", s)
                     : formatDuration(static_cast<std::int64_t>(s * 1e3));
}

std::string summary(const Simulated& simulated, const SimulationResult& all) {
    const std::vector<SimulationResult>& runs = simulated.result.replicas;
    TextTable table;
    table.columns = {{"Of a run"}, {"Mean", true}, {"sd", true}};
    const auto row = [&](const char* name, const char* form, auto of) {
        const Spread spread = over(runs, of);
        table.rows.push_back(
            {name, fmt::format(fmt::runtime(form), spread.mean), fmt::format(fmt::runtime(form), spread.sd)});
    };
    const auto count = [&](const char* name, auto of) {
        const Spread spread = over(runs, of);
        table.rows.push_back({name, formatCount(spread.mean), formatCount(spread.sd)});
    };
    const bool whole = simulated.request.scope == StepScope::WholeStep;
    row(whole ? "Step time vs fp16" : "Time vs fp16", "{:.3f}",
        [](const SimulationResult& run) { return run.timeVsFp16(); });
    if (whole) {
        row("GEMM time vs fp16", "{:.3f}", [](const SimulationResult& run) { return run.gemm.ratio(); });
    }
    row("M, rows of a step", "{:.1f}", [](const SimulationResult& run) { return run.averageM(); });
    row("Steps that only decode, %", "{:.1f}",
        [](const SimulationResult& run) { return 100 * run.decodeOnlyFraction(); });
    count("Steps", [](const SimulationResult& run) { return static_cast<double>(run.rows.iterations()); });
    count("Turns answered", [](const SimulationResult& run) { return static_cast<double>(run.turns); });
    if (all.refusedTurns > 0) {
        count("Turns refused: prompt beyond --max-model-len",
              [](const SimulationResult& run) { return static_cast<double>(run.refusedTurns); });
    }
    count("Prompt tokens computed",
          [](const SimulationResult& run) { return static_cast<double>(run.tokensIn); });
    if (all.cachedTokens > 0) {
        count("Prompt tokens from cache",
              [](const SimulationResult& run) { return static_cast<double>(run.cachedTokens); });
    }
    count("Output tokens", [](const SimulationResult& run) { return static_cast<double>(run.tokensOut); });
    count("Output tokens a second", [](const SimulationResult& run) { return run.throughputTokensPerS(); });
    if (all.preemptions > 0 || simulated.request.policy.kvBlocks) {
        count("Preemptions",
              [](const SimulationResult& run) { return static_cast<double>(run.preemptions); });
    }
    return alignedText(table);
}

std::string kernels(const GemmTime& gemm, KernelNaming naming) {
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
        table.rows.push_back({std::string(nameOf(kernel, naming)), formatShare(us / gemm.us)});
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

std::string latencies(const SimulationResult& all) {
    if (all.ttftS.n == 0) {
        return "No turn was answered: a longer run (--iterations) has latencies.\n";
    }
    TextTable table;
    table.columns = {{"Latency"}, {"Mean", true}, {"p50", true}, {"p90", true}, {"p99", true}};
    const auto row = [&](const char* name, const Quantiles& quantiles) {
        if (quantiles.n > 0) {
            table.rows.push_back({name, seconds(quantiles.mean), seconds(quantiles.p50),
                                  seconds(quantiles.p90), seconds(quantiles.p99)});
        }
    };
    row("To the first token (TTFT)", all.ttftS);
    row("Per token after it (TPOT)", all.tpotS);
    row("To the last token", all.e2eS);
    return alignedText(table);
}

} // namespace

std::string simulateText(const Simulated& simulated) {
    const SimulationReplicas& result = simulated.result;
    const SimulationResult all = pooled(result.replicas);
    std::string text = memoryText(memoryFitOf(simulated.inputs, simulated.kv.peakBytes));
    text += (text.empty() ? "" : "\n") + inputsText(simulated.request, simulated.inputs);
    text += "\n" + summary(simulated, all) + "\n" +
            kernels(all.gemm, namingOf(simulated.inputs.profile.get())) + modelled(result) + "\n" +
            latencies(all) + "\n";
    text += sentenceOf(simulated.kv, simulated.request.kBits) + "\n\n";
    text += traceNote(simulated) + sourcesText(*simulated.inputs.workload, result.provenance);
    return text + fmt::format("{} runs, {} steps in {}\n", result.replicas.size(),
                              formatCount(static_cast<double>(result.steps)), seconds(result.wallS));
}

} // namespace loadline::app
