// The study's figures as printed, and ours under three readings of its words.
#include "core/simulate/study/study_tables.h"

#include "core/base/parallel_for.h"
#include "core/cost/format/format_cells.h"
#include "core/simulate/run/provenance.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/run/simulate.h"
#include "core/text/enum_words.h"
#include "core/text/number_format.h"
#include "core/text/table_columns.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {
namespace {

constexpr Tokens studyChunk = 512;
constexpr Tokens studyBudget = 8192;

constexpr std::array<PublishedUsers, 6> published = {{
    {1, 8, 0.986, 0.57, 0.87, {}, {}},
    {4, 41, 0.926, 0.76, 0.59, {}, 0.41},
    {8, 77, 0.861, 0.85, {}, 0.45, 0.55},
    {16, 163, 0.702, 1.00, {}, {}, 0.76},
    {32, 364, 0.309, 1.17, {}, 0.058, 0.93},
    {64, 495, 0.051, 1.23, {}, {}, 0.98},
}};

template <typename Figure>
Spread over(const SimulationReplicas& run, Figure figure) {
    std::vector<double> sample;
    for (const SimulationResult& replica : run.replicas) {
        sample.push_back(figure(replica));
    }
    return spreadOf(sample);
}

double shareOf(const SimulationResult& replica, Kernel kernel) {
    return replica.gemm.us > 0 ? replica.gemm.kernelUs[static_cast<std::size_t>(kernel)] / replica.gemm.us
                               : 0;
}

ReproducedUsers usersOf(std::int64_t users, const SimulationReplicas& run) {
    const auto share = [&run](Kernel kernel) {
        return over(run, [kernel](const SimulationResult& replica) { return shareOf(replica, kernel); });
    };
    return {users,
            over(run, [](const SimulationResult& r) { return r.averageM(); }),
            over(run, [](const SimulationResult& r) { return r.decodeOnlyFraction(); }),
            over(run, [](const SimulationResult& r) { return r.timeVsFp16(); }),
            share(Kernel::Scalar),
            share(Kernel::Mma),
            share(Kernel::DequantCublas)};
}

/// Time of the steps that only decode.
double decodeUs(const SimulationResult& replica, const CostTable& table) {
    double us = 0;
    for (std::size_t m = 1; m < replica.rows.decodeOnly.size(); ++m) {
        us += static_cast<double>(replica.rows.decodeOnly[m]) * table.us(static_cast<std::int64_t>(m));
    }
    return us;
}

ReproducedTurn turnOf(const SimulationReplicas& run, const CostTable& table) {
    const auto perTurn = [](const SimulationResult& replica, double us) {
        return us / static_cast<double>(std::max<std::uint64_t>(replica.turns, 1));
    };
    return {over(run, [&](const SimulationResult& r) { return perTurn(r, decodeUs(r, table)); }),
            over(run, [&](const SimulationResult& r) { return perTurn(r, r.gemm.us - decodeUs(r, table)); }),
            over(run, [](const SimulationResult& r) { return r.timeVsFp16(); })};
}

/// Beside what others found.
std::string ratioNote(const std::vector<InputToOutput>& ratios) {
    std::string text = fmt::format("Input to output tokens: printed {:g} : 1 (of all tokens counted)",
                                   publishedInputToOutput);
    for (const InputToOutput& one : ratios) {
        text += fmt::format("; {}, a turn: {:.1f} : 1", one.name, one.ratio);
        text += one.withContext
                    ? fmt::format(", {:.0f} : 1 with the context read from the cache", *one.withContext)
                    : std::string();
    }
    return text +
           fmt::format("; elsewhere {:g} : 1 is reported of prompts as a whole (Manus AI). Fewer outputs "
                       "mean a smaller share of decoding.",
                       reportedInputToOutput);
}

} // namespace

std::span<const PublishedUsers> publishedUsers() {
    return published;
}

const PublishedUsers* publishedUsersOf(std::int64_t users) {
    const auto found = std::ranges::find(published, users, &PublishedUsers::users);
    return found == published.end() ? nullptr : &*found;
}

std::string_view keyOf(StudyReading reading) {
    return wordOf(reading, {"plain", "study-like", "vllm-v1"});
}

std::string_view nameOf(StudyReading reading) {
    return wordOf(reading, {"Its words, taken literally", "Study-like (a fit)", "vLLM V1"});
}

PolicySetup policyOf(StudyReading reading) {
    PolicySetup policy;
    policy.policy = reading == StudyReading::VllmV1 ? Policy::VllmV1 : Policy::SinglePrefill;
    policy.chunkTokens = studyChunk;
    policy.budgetTokens = studyBudget;
    if (reading == StudyReading::StudyLike) {
        policy.fit = {16'384, 32}; // spec/published_study section 7, variant C
    }
    return policy;
}

Result<StudyTables> studyTables(const SimulationInputs& base, std::int64_t seeds, std::int64_t iterations,
                                unsigned threads, const std::stop_token& stop) {
    SimulationInputs inputs;
    inputs.workload = std::make_shared<const Workload>(referenceWorkload());
    inputs.profile = base.profile;
    inputs.hardware = base.hardware;
    inputs.modelMissing = base.modelMissing;
    inputs.cost.format = base.cost.format;
    inputs.cost.rule = *findDispatchPreset("published");
    inputs.length.iterations = iterations;
    inputs.replicas = seeds;
    inputs.seed = base.seed;
    inputs.policy = policyOf(StudyReading::Plain);
    inputs.arrivals.users = published.back().users;
    const Storage weights = inputs.cost.format.weights;
    auto made = CostTables::make(inputs, {inputs.cost.format}, studyBudget);
    if (!made) {
        return made.error();
    }
    inputs.tables = *made;
    const Error stopped{"the comparison was stopped", "", "start it again"};
    StudyTables tables{.weights = weights,
                       .ratios = {},
                       .seeds = seeds,
                       .iterations = iterations,
                       .turns = iterations,
                       .readings = {},
                       .provenance = {}};
    tables.ratios.push_back(*inputToOutputOf(*inputs.workload));
    if (base.workload && base.workload->key != inputs.workload->key) {
        if (auto ratio = inputToOutputOf(*base.workload)) {
            tables.ratios.push_back(std::move(*ratio));
        }
    }
    for (const StudyReading reading : studyReadings) {
        Reproduction& reproduction = tables.readings.emplace_back();
        reproduction.reading = reading;
        inputs.policy = policyOf(reading);
        for (const PublishedUsers& line : published) {
            inputs.arrivals.users = line.users;
            const auto run = simulate(inputs, threads, stop);
            if (!run) {
                return run.error();
            }
            if (stop.stop_requested() || run->replicas.empty()) {
                return stopped;
            }
            reproduction.users.push_back(usersOf(line.users, *run));
        }
        SimulationInputs single = inputs;
        single.arrivals.users = 1;
        single.length = {.iterations = std::nullopt, .turns = tables.turns};
        const auto run = simulate(single, threads, stop);
        if (!run) {
            return run.error();
        }
        if (stop.stop_requested() || run->replicas.empty()) {
            return stopped;
        }
        reproduction.turn = turnOf(*run, inputs.tables->at(inputs.cost.format).table());
    }
    tables.provenance = provenanceOf(inputs);
    tables.provenance.push_back("published figures: " + std::string(studySource));
    return tables;
}

std::optional<InputToOutput> inputToOutputOf(const Workload& workload) {
    const WorkloadSummary summary = summaryOf(workload);
    if (!(summary.meanOutput > 0)) {
        return std::nullopt;
    }
    InputToOutput ratio{workload.name, summary.meanInput / summary.meanOutput, std::nullopt};
    double prompts = 0;
    double outputs = 0;
    for (const WorkloadSession& session : workload.sessions) {
        for (const auto& turn : session.turns) {
            prompts += static_cast<double>(turn.context + turn.input);
            outputs += static_cast<double>(turn.output);
        }
    }
    if (outputs > 0) {
        ratio.withContext = prompts / outputs;
    }
    return ratio;
}

std::optional<double> printedAt(const StudyTables& tables, double figure) {
    return tables.weights == publishedWeights ? std::optional(figure) : std::nullopt;
}

std::vector<std::string> studyNotes(const StudyTables& tables) {
    std::vector<std::string> notes = {
        "The study's simulation script was never published: how users arrive, warm-up, length of the run and "
        "how times are looked up are nowhere written.",
        "\"Study-like\" cuts prompts to 16\u202f384 tokens and lets prompts up to 32 tokens pass without a "
        "step "
        "of their own. It is a fit to these very columns, the best of about 180 settings, and no mechanism "
        "that anybody identified. Nothing else is tuned to the tables.",
        "fp16 cuBLAS above 16 rows was published for few shapes; there our times are modelled, so the "
        "columns of time and of shares do not test the study's."};
    if (tables.weights != publishedWeights) {
        notes.push_back(
            fmt::format("Printed are times at k = {} alone; ours are at {}. Rows and steps do not "
                        "depend on k.",
                        publishedKBits, specOf(tables.weights).name));
    }
    if (!tables.readings.empty()) {
        const ReproducedUsers& last = tables.readings.front().users.back();
        const PublishedUsers& printed = published.back();
        notes.push_back(fmt::format(
            "Taken literally its words give, at {} users, {:.0f} rows on average and {} steps that only "
            "decode; printed are {:.0f} and {}.",
            last.users, last.averageM.mean, formatShare(last.decodeOnlyFraction.mean), printed.averageM,
            formatShare(printed.decodeOnlyFraction)));
    }
    notes.push_back(fmt::format("Ours: mean and standard deviation over {} seeds of {} iterations, of the "
                                "single user's turn of {} turns. With few users long prompts are rare, so "
                                "single runs scatter widely.",
                                tables.seeds, formatExact(tables.iterations), formatExact(tables.turns)));
    if (!tables.ratios.empty()) {
        notes.push_back(ratioNote(tables.ratios));
    }
    return notes;
}

Table usersTable(const StudyTables& tables) {
    const auto printedShare = [&tables](const std::optional<double>& share) {
        return tables.weights == publishedWeights ? cellOf(share) : Cell();
    };
    Table table =
        tableWith("reading users published_avg_m avg_m avg_m_sd published_decode_only_fraction "
                  "decode_only_fraction decode_only_fraction_sd published_time_vs_fp16 time_vs_fp16 "
                  "time_vs_fp16_sd published_scalar_share scalar_share published_mma_share "
                  "mma_share published_dequant_cublas_share dequant_cublas_share k");
    for (const Reproduction& reproduction : tables.readings) {
        for (std::size_t i = 0; i < reproduction.users.size(); ++i) {
            const PublishedUsers& printed = published[i];
            const ReproducedUsers& ours = reproduction.users[i];
            table.rows.push_back(
                {std::string(keyOf(reproduction.reading)), ours.users, printed.averageM, ours.averageM.mean,
                 ours.averageM.sd, printed.decodeOnlyFraction, ours.decodeOnlyFraction.mean,
                 ours.decodeOnlyFraction.sd, cellOf(printedAt(tables, printed.timeVsFp16)),
                 ours.timeVsFp16.mean, ours.timeVsFp16.sd, printedShare(printed.scalarShare),
                 ours.scalarShare.mean, printedShare(printed.mmaShare), ours.mmaShare.mean,
                 printedShare(printed.dequantShare), ours.dequantShare.mean, kCell(tables.weights)});
        }
    }
    addWeightsColumn(table, std::vector(table.rows.size(), tables.weights));
    return table;
}

Table turnTable(const StudyTables& tables) {
    Table table = tableWith("reading published_decode_us_per_turn_and_layer decode_us decode_us_sd "
                            "published_prefill_us_per_turn_and_layer prefill_us prefill_us_sd "
                            "published_time_vs_fp16 time_vs_fp16 time_vs_fp16_sd k");
    const PublishedTurn printed;
    for (const Reproduction& reproduction : tables.readings) {
        const ReproducedTurn& ours = reproduction.turn;
        const auto cell = [&tables](double figure) { return cellOf(printedAt(tables, figure)); };
        table.rows.push_back({std::string(keyOf(reproduction.reading)), cell(printed.decodeUs),
                              ours.decodeUs.mean, ours.decodeUs.sd, cell(printed.prefillUs),
                              ours.prefillUs.mean, ours.prefillUs.sd, cell(printed.timeVsFp16),
                              ours.timeVsFp16.mean, ours.timeVsFp16.sd, kCell(tables.weights)});
    }
    addWeightsColumn(table, std::vector(table.rows.size(), tables.weights));
    return table;
}

} // namespace loadline
