// Describes one simulated setting.
#include "core/ask/table_of.h"
#include "core/cost/kernel/kernel_naming.h"
#include "core/simulate/answer/served_facts.h"
#include "core/simulate/answer/step_rows.h"
#include "core/simulate/report/report_parts.h"
#include "core/simulate/report/simulated.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/study/format_pair_words.h"
#include "core/simulate/study/remarks.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline::ask {
namespace {

enum class ScalarSort : std::uint8_t {
    Ratio,  ///< of all runs together
    Amount, ///< of a run, on average
    Whole,  ///< the same, rounded: tokens are integers
};

struct RunScalar {
    std::string_view key; ///< in the document
    ScalarSort sort;
    double (*of)(const SimulationResult& run);
    const char* title = ""; ///< for people; "": documents alone
    Form form = Form::Tokens;
    bool shownAtZero = true;
};

using OneRun = const SimulationResult&;

double realOf(auto number) {
    return static_cast<double>(number);
}

constexpr auto asRatio = ScalarSort::Ratio;
constexpr auto asAmount = ScalarSort::Amount;
constexpr auto asWhole = ScalarSort::Whole;
constexpr auto asPlain = Form::Plain;
constexpr auto asCount = Form::Tokens;

/// In the order of the document.
constexpr std::array runScalars = {
    RunScalar{"iterations", asWhole, [](OneRun run) { return realOf(run.rows.iterations()); }, "Steps"},
    RunScalar{"avg_m", asRatio, [](OneRun run) { return run.averageM(); }, "M, rows of a step", asPlain},
    RunScalar{"avg_head_rows", asRatio, [](OneRun run) { return run.rows.averageHeadRows(); },
              "Of them through the head", asPlain, false},
    RunScalar{"decode_only_fraction", asRatio, [](OneRun run) { return run.decodeOnlyFraction(); },
              "Steps that only decode", Form::Share},
    RunScalar{"time_vs_fp16", asRatio, [](OneRun run) { return run.timeVsFp16(); },
              "Time on the same batches vs fp16", asPlain},
    RunScalar{"gemm_time_vs_fp16", asRatio, [](OneRun run) { return run.gemm.ratio(); }, "GEMM time vs fp16",
              asPlain},
    RunScalar{"gemm_time_us", asAmount, [](OneRun run) { return run.gemm.us; }},
    RunScalar{"gemm_time_fp16_us", asAmount, [](OneRun run) { return run.gemm.fp16Us; }},
    RunScalar{"step_time_us", asAmount, [](OneRun run) { return run.wholeUs; }},
    RunScalar{"step_time_fp16_us", asAmount, [](OneRun run) { return run.wholeFp16Us; }},
    RunScalar{"simulated_s", asAmount, [](OneRun run) { return run.simulatedS; }},
    RunScalar{"turns", asAmount, [](OneRun run) { return realOf(run.turns); }, "Turns answered"},
    RunScalar{"refused_turns", asAmount, [](OneRun run) { return realOf(run.refusedTurns); }, "Turns refused",
              asCount, false},
    RunScalar{"waiting_turns", asAmount, [](OneRun run) { return realOf(run.waitingTurns); }},
    RunScalar{"tokens_in", asWhole, [](OneRun run) { return realOf(run.tokensIn); },
              "Prompt tokens computed"},
    RunScalar{"tokens_out", asWhole, [](OneRun run) { return realOf(run.tokensOut); }, "Output tokens"},
    RunScalar{"cached_tokens", asWhole, [](OneRun run) { return realOf(run.cachedTokens); },
              "Prompt tokens from cache", asCount, false},
    RunScalar{"throughput_tokens_per_s", asRatio, [](OneRun run) { return run.throughputTokensPerS(); },
              "Output tokens a second"},
    RunScalar{"turns_per_s", asRatio, [](OneRun run) { return run.turnsPerS(); }},
    RunScalar{"preemptions", asAmount, [](OneRun run) { return realOf(run.preemptions); }, "Preemptions",
              asCount, false},
};

double runsOf(const Simulated& simulated) {
    return static_cast<double>(std::max<std::size_t>(simulated.result.replicas.size(), 1));
}

/// A whole number as one, so that nobody reads "3.0 preemptions".
Cell amountCell(double value) {
    constexpr double exact = 9007199254740992.0; // 2^53
    return value == std::floor(value) && std::abs(value) < exact ? Cell(static_cast<std::int64_t>(value))
                                                                 : Cell(value);
}

Spread spreadOver(const std::vector<SimulationResult>& runs, const RunScalar& scalar) {
    std::vector<double> values;
    values.reserve(runs.size());
    for (const SimulationResult& run : runs) {
        values.push_back(scalar.of(run));
    }
    return spreadOf(values);
}

struct ScalarRow {
    std::string title;
    std::string mean, sd;
};

/// Adds the value per run of each scalar; a ratio is that of all runs together, not the mean of the runs'
/// ratios. Returns their standard deviations.
std::vector<Fact> addScalars(Report& report, const Simulated& simulated) {
    const double runs = runsOf(simulated);
    const bool isWhole = simulated.request.scope == StepScope::WholeStep;
    const bool tells = tellsLatencies(simulated.inputs);
    std::vector<ScalarRow> shownRows;
    std::vector<Fact> deviations;
    for (const RunScalar& scalar : runScalars) {
        const bool isRate = scalar.key == "throughput_tokens_per_s" || scalar.key == "turns_per_s";
        const double value = scalar.of(simulated.all) / (scalar.sort == ScalarSort::Ratio ? 1 : runs);
        const double sd = spreadOver(simulated.result.replicas, scalar).sd;
        const Cell cell = scalar.sort == ScalarSort::Ratio    ? Cell(value)
                          : scalar.sort == ScalarSort::Amount ? amountCell(value)
                                                              : Cell(std::llround(value));
        const std::string key(scalar.key);
        report.add(key, only(tells || !isRate, cell));
        deviations.push_back({"sd." + key, only(tells || !isRate, sd)});
        const bool isAsked = scalar.key == "preemptions" && simulated.request.policy.kvBlocks;
        const bool isSame = scalar.key == "gemm_time_vs_fp16" && !isWhole;
        if (*scalar.title != '\0' && (value != 0 || scalar.shownAtZero || isAsked) && !isSame &&
            (tells || !isRate)) {
            shownRows.push_back(
                {scalar.key == "refused_turns"
                     ? refusedText(simulated.inputs, simulated.request.policy.maxModelLen, simulated.pair)
                     : scalar.title,
                 wordsOf(Cell(value), scalar.form), wordsOf(Cell(sd), scalar.form)});
        }
    }
    report.add(TableOf("", report.keep(std::move(shownRows)))
                   .titled("A run", 99)
                   .textColumn("", &ScalarRow::title, Form::Text)
                   .textColumn("Mean", &ScalarRow::mean)
                   .textColumn("sd", &ScalarRow::sd));
    return deviations;
}

void addHistogram(Report& report, std::string path, const std::vector<std::uint64_t>& steps, double runs) {
    std::vector<std::pair<std::size_t, double>> rows;
    for (std::size_t m = 0; m < steps.size(); ++m) {
        if (steps[m] > 0) {
            rows.emplace_back(m, static_cast<double>(steps[m]) / runs);
        }
    }
    using Row = std::pair<std::size_t, double>;
    report.add(TableOf(std::move(path), report.keep(std::move(rows)), Shape::Map)
                   .document("m", &Row::first)
                   .document("steps", [](const Row& row) { return amountCell(row.second); }));
}

void addKernels(Report& report, const Simulated& simulated) {
    struct Row {
        Kernel kernel;
        double us;
    };
    const GemmTime& gemm = simulated.all.gemm;
    std::array<double, kernelCount> shares{};
    std::vector<Row> rows;
    for (const Kernel kernel : allKernels) {
        const auto i = static_cast<std::size_t>(kernel);
        shares[i] = gemm.us > 0 ? gemm.kernelUs[i] / gemm.us : 0;
        if (gemm.kernelUs[i] > 0) {
            rows.push_back({kernel, gemm.kernelUs[i]});
        }
    }
    report.addRow(
        "kernel_share",
        kernelColumns("", [&](std::size_t) -> const std::array<double, kernelCount>& { return shares; }));
    report.add(TableOf("kernel_time_us", report.keep(rows), Shape::Map)
                   .document("kernel", [](const Row& row) { return keyOf(row.kernel); })
                   .document("us", [runs = runsOf(simulated)](const Row& row) { return row.us / runs; }));
    std::ranges::sort(rows, std::greater(), &Row::us);
    report.add(
        TableOf("", report.keep(std::move(rows)))
            .titled("Kernels")
            .textColumn(
                "Kernel",
                [naming = namingOf(simulated.inputs)](const Row& row) { return nameOf(row.kernel, naming); },
                Form::Text)
            .textColumn(
                "Share of GEMM time", [all = gemm.us](const Row& row) { return row.us / all; }, Form::Share));
}

/// Null where the rule costs nothing worth a word.
void addRuleCost(Report& report, const std::optional<RuleCost>& cost) {
    if (!cost) {
        report.add("rule_cost", Cell());
        return;
    }
    const Below below(report, "rule_cost");
    below.add("bound_m", cost->move.boundM);
    below.add("kernel_below", keyOf(cost->move.below));
    below.add("kernel_above", keyOf(cost->move.above));
    below.add("faster_to_m", cost->move.fasterToM);
    below.add("step_share", cost->stepShare);
    below.add("time_vs_fp16", cost->timeVsFp16);
    below.add("time_vs_fp16_moved", cost->movedVsFp16);
    below.add("time_vs_fp16_fastest", cost->fastestVsFp16);
    below.add("sentence", ruleCostSentence(*cost));
    report.say(ruleCostSentence(*cost));
}

void addLatencies(Report& report, const Simulated& simulated) {
    const SimulationResult& all = simulated.all;
    const bool tells = tellsLatencies(simulated.inputs);
    addQuantiles(report, "ttft_s", tells ? all.ttftS : Quantiles());
    addQuantiles(report, "tpot_s", tells ? all.tpotS : Quantiles());
    addQuantiles(report, "e2e_s", tells ? all.e2eS : Quantiles());
    if (!tells) {
        report.say(whyNoLatencies(simulated.inputs));
    } else if (all.ttftS.n == 0) {
        report.say("No turn was answered: a longer run (--iterations) has latencies.");
    } else {
        addQuantileTable(report, "Latency", Form::Seconds,
                         {{"To the first token (TTFT)", all.ttftS},
                          {"Per token after it (TPOT)", all.tpotS},
                          {"To the last token", all.e2eS}});
    }
}

/// Bytes only where something is known of the model's attention, or of the device.
void addKv(Report& report, const Simulated& simulated) {
    const KvNeed& need = simulated.kv;
    const Below below(report, "kv_cache");
    below.add("steps", need.steps);
    below.add("p50_tokens", need.p50Tokens);
    below.add("p99_tokens", need.p99Tokens);
    below.add("peak_tokens", need.peakTokens);
    below.add("contexts_known", need.contextsKnown);
    below.add("weights_bytes", need.weightBytes);
    below.add("weights_fp16_bytes", need.weightFp16Bytes);
    if (need.bytesPerToken > 0) {
        below.add("bytes_per_token", need.bytesPerToken);
        below.add("p99_bytes", need.p99Bytes);
        below.add("peak_bytes", need.peakBytes);
    }
    if (need.memoryBytes > 0) {
        below.add("device_memory_bytes", need.memoryBytes);
    }
    if (const auto blocks = kvBlocksOf(simulated.inputs)) {
        below.add("blocks", *blocks);
    }
}

/// Adds the sentences on memory and on positions beyond the model's, before all figures.
void sayLimits(Report& report, const Simulated& simulated) {
    report.say(memoryText(simulated.fit));
    report.say(beyondPositionsOf(simulated.inputs));
}

void addFigures(Report& report, const Simulated& simulated) {
    const SimulationResult& all = simulated.all;
    const SimulationReplicas& result = simulated.result;
    const bool tells = tellsLatencies(simulated.inputs);
    const IntervalErrors errors{simulated.kernelErrors.timeVsFp16, simulated.kernelErrors.clock};
    const double runs = runsOf(simulated);
    report.say(runText(result.run, tells, errors));
    const std::vector<Fact> deviations = addScalars(report, simulated);
    addHistogram(report, "m_histogram", all.rows.steps, runs);
    addHistogram(report, "m_histogram_decode_only", all.rows.decodeOnly, runs);
    addHistogram(report, "head_rows_histogram", all.rows.head, runs);
    const StepRows rows = stepRowsOf(all.rows);
    addQuantiles(report, "rows_per_step", rows.all);
    addQuantiles(report, "rows_per_step_decode_only", rows.decodeOnly);
    addQuantileTable(report, "Rows M", Form::Plain,
                     {{"Of a step", rows.all}, {"Of a step that only decodes", rows.decodeOnly}});
    addKernels(report, simulated);
    report.add("modelled_share.k_bit", result.modelled.kBit);
    report.add("modelled_share.fp16", result.modelled.fp16);
    report.add("queue_grows", all.queueGrows());
    addRuleCost(report, simulated.ruleCost);
    report.say(modelledSentenceOf(simulated.inputs, result.modelled));
    report.add("peak_kv_blocks", all.peakKvBlocks);
    addLatencies(report, simulated);
    addRun(report, "", result.run, tells, errors);
    report.parts.insert(report.parts.end(), deviations.begin(), deviations.end());
}

/// A trace has one course: its runs are alike, and a limit may cut them.
void addTraceCaveats(Report& report, const Simulated& simulated) {
    const SimulationInputs& inputs = simulated.inputs;
    if (inputs.arrivals.kind != ArrivalKind::Trace) {
        return;
    }
    report.addCaveat("A trace has one course, so its runs do not differ and sd says nothing.");
    const SimulationResult& run = simulated.result.replicas.front();
    const std::uint64_t ended = run.turns + run.refusedTurns;
    const std::size_t requests = inputs.workload->requests.size();
    if (ended < requests) {
        report.addCaveat(fmt::format(
            "A run ended with {} of the trace's {} requests answered{}; {} goes on to the last.",
            formatExact(static_cast<std::int64_t>(ended)), formatExact(static_cast<std::int64_t>(requests)),
            run.refusedTurns > 0 ? " or refused" : "",
            simulated.request.length.turns ? fmt::format("--turns {}", requests) : "--iterations none"));
    }
}

} // namespace

Report simulateReport(const Simulated& simulated, const std::string& command) {
    const SimulationReplicas& result = simulated.result;
    const bool isMisfit = simulated.isMisfit();
    Report report;
    report.schema = "loadline.simulate/1";
    if (simulated.pair && (simulated.pair->own.fits || memoryText(simulated.fit).empty())) {
        report.headline = servingSentenceOf(*simulated.pair); // else what the memory lacks comes first
    }
    addInputs(report, simulated.request, simulated.inputs, command);
    const bool isClosed = simulated.request.arrivals.kind == ArrivalKind::Closed;
    report.add("replicas", result.replicas.size());
    report.add("users", only(isClosed, simulated.request.arrivals.users));
    sayLimits(report, simulated);
    sayInputs(report, simulated.request, simulated.inputs);
    const std::size_t first = report.parts.size();
    if (simulated.pair) {
        tellPair(report, *simulated.pair);
    }
    addFigures(report, simulated);
    addFormat(report, "format", simulated.inputs.cost.format);
    addMemory(report, simulated.fit);
    if (simulated.pair) {
        addPair(report, *simulated.pair);
    }
    std::vector<CountedFact> facts = whatCounts(simulated.inputs, simulated.fit, &simulated.all);
    if (simulated.pair) {
        std::ranges::move(servedFactsOf(*simulated.pair), std::back_inserter(facts));
    }
    addSimulationCaveats(report, simulated.inputs, simulated.fit, facts);
    addWhatCounts(report, std::move(facts));
    addKv(report, simulated);
    if (!isMisfit) {
        const bool tells = tellsLatencies(simulated.inputs);
        report.addCaveat(unsettledSentenceOf(result.run, tells), true);
        report.addCaveat(modelledSentenceOf(simulated.inputs, result.modelled), true);
        addTraceCaveats(report, simulated);
    }
    report.add("speed.steps_per_s",
               result.wallS > 0 ? static_cast<double>(result.steps) / result.wallS : 0.0);
    report.add("speed.wall_s", result.wallS);
    report.add("speed.steps", result.steps);
    addSources(report, *simulated.inputs.workload, result.provenance);
    if (isMisfit) {
        report.add("fits", false);
        report.forgetAllBut(first, {"fits", "memory_needed_bytes", "memory_available_bytes", "fp16_fits",
                                    "fp16_shortfall", "what_counts", "kv_cache", "speed", "provenance",
                                    "format", "against", "headline", "longest_request_tokens",
                                    "refused_share", "users_that_fit"});
    }
    if (!(isMisfit && simulated.fit.isTooLarge())) {
        report.say(kvNeedSentence(simulated.kv, simulated.request.weights));
    }
    if (!isMisfit) {
        const std::int64_t parts = result.run ? result.run->plan.parts : 1;
        report.say(fmt::format("{} runs, {} steps in {}", std::ssize(result.replicas) / parts,
                               formatExact(static_cast<std::int64_t>(result.steps)),
                               formatSeconds(result.wallS)));
    }
    if (simulated.tables) {
        addStudy(report, *simulated.tables);
    }
    return report;
}

} // namespace loadline::ask
