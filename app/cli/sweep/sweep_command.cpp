// loadline sweep: a simulation over users, chunk sizes and weights, and the crossover with its interval.
#include "app/cli/commands.h"
#include "app/cli/simulate/simulation_inputs.h"
#include "app/cli/terminal/load.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/parse.h"
#include "app/cli/terminal/progress_line.h"
#include "app/faces/field_options.h"
#include "app/options/shell_words.h"
#include "app/options/simulation_options.h"
#include "app/options/simulation_words.h"
#include "core/ask/field_row.h"
#include "core/simulate/answer/simulator_figure.h"
#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/report/swept.h"
#include "core/simulate/request/simulation_fields.h"
#include "core/simulate/run/schedule_memo.h"
#include "core/text/number_format.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadline::app {
namespace {

/// Variables that CLI11 writes into while it parses: they must outlive the parsing.
struct SweepOptions {
    SimulationOptions simulation;
    FieldList users, chunks, kBits, storages;
    SimulationRequest read; ///< scratch of --weights
    bool latencies = false;
    std::int64_t draws = 64;
    Output output;
    unsigned threads = 0;

    void add(CLI::App& app);

    /// The words that run it again.
    [[nodiscard]] std::vector<std::string> command() const;

    /// The listed weights; empty where none are.
    [[nodiscard]] std::vector<Storage> weights() const;

    /// The first value that makes no sense; nothing if all can be simulated.
    [[nodiscard]] std::optional<Error> problem() const;
};

constexpr std::size_t mostPoints = 1'000'000;
constexpr double mostDraws = 10'000;

std::size_t countOf(const FieldList& list) {
    return std::max<std::size_t>(list.values.size(), 1);
}

ask::Fields workedOutFields() {
    using Q = SweepOptions;
    static const std::vector<ask::Field> rows = ask::inGroup(
        "What is worked out",
        {ask::row("latencies", ask::bound<&Q::latencies>(),
                  {"latencies", "TTFT, TPOT and throughput of every point"}),
         ask::row("draws", ask::bound<&Q::draws>(),
                  {"draws", "Draws of turns, sessions and kernel times behind a crossover's\ninterval; 0: no "
                            "interval (64)"},
                  {0, mostDraws})});
    return rows;
}

void SweepOptions::add(CLI::App& app) {
    simulation.add(app, false);
    const ask::Field& chunk = simulationField("chunk");
    const ask::Field& k = simulationField("k");
    addFieldList(app, simulationField("users"), users, "N,A:B,A:B:STEP",
                 "Closed loop: numbers of users, both ends of a range included\n(1 to 256, ten per octave)");
    addFieldList(app, chunk, chunks, "N,A:B:STEP,none", chunk.words.help);
    addFieldList(app, k, kBits, "N,A:B", k.words.help);
    addChoiceList(app, simulationField("weights"), storages, &read);
    excludeEachOther(app, "--k", "--weights");
    addFields(app, workedOutFields(), this);
    addOutput(app, output,
              {.csv = "Write one row per point to FILE ('-': standard output)",
               .out = "Write the JSON document to FILE"});
    app.get_option("--csv")->excludes(app.get_option("--json"));
    addThreads(app, threads, "simulate");
}

std::vector<std::string> SweepOptions::command() const {
    std::vector<std::string> words = {"loadline", "sweep"};
    const auto put = [&](const char* option, const std::string& word) {
        if (!word.empty()) {
            words.emplace_back(option);
            words.push_back(word);
        }
    };
    put("--users", users.word);
    put("--chunk", chunks.word);
    put("--k", kBits.word);
    put("--weights", storages.word);
    for (std::string& word : commandWordsOf(simulation.request())) {
        words.push_back(std::move(word));
    }
    if (latencies) {
        words.emplace_back("--latencies");
    }
    put("--draws", draws == SweepOptions{}.draws ? std::string() : std::to_string(draws));
    return words;
}

std::vector<Storage> SweepOptions::weights() const {
    std::vector<Storage> all;
    for (const std::int64_t k : kBits.values) {
        all.push_back(storageOfBits(static_cast<int>(k)));
    }
    for (const std::int64_t storage : storages.values) {
        all.push_back(static_cast<Storage>(storage));
    }
    return all;
}

std::optional<Error> SweepOptions::problem() const {
    SimulationRequest request = simulation.request();
    if (request.arrivals.kind != ArrivalKind::Closed && !users.values.empty()) {
        return Error{"--users makes no sense with --arrivals: users wait for their answers in a closed loop",
                     "", "leave one of the two out"};
    }
    using Listed = std::pair<std::string_view, const FieldList*>;
    for (const auto& [key, list] : {Listed("users", &users), Listed("chunk", &chunks), Listed("k", &kBits)}) {
        const ask::Field& field = simulationField(key);
        for (const std::int64_t number : list->values) {
            const bool none = field.access.mayBeNone && number == 0;
            setNumber(field, none ? std::nullopt : std::optional(static_cast<double>(number)), &request);
            if (auto problem = problemOf(request)) {
                return problem;
            }
        }
    }
    if (countOf(users) * countOf(chunks) * countOf(kBits) * countOf(storages) > mostPoints) {
        return Error{
            fmt::format("these are more than {} points", formatExact(static_cast<std::int64_t>(mostPoints))),
            "", "sweep fewer users, chunk sizes or bits"};
    }
    return problemOf(request);
}

constexpr const char* sweepName = "loadline sweep";

SweepInputs sweepInputsOf(const SweepOptions& options, SimulationInputs base) {
    SweepInputs inputs;
    const bool closed = base.arrivals.kind == ArrivalKind::Closed;
    if (closed) {
        inputs.users = options.users.values.empty() ? userGrid() : options.users.values;
    }
    for (const Tokens chunk : options.chunks.values) {
        PolicySetup policy = base.policy;
        policy.chunkTokens = chunk > 0 ? std::optional(chunk) : std::nullopt;
        inputs.chunks.push_back(chunkOf(policy));
    }
    inputs.weights = options.weights();
    // Formats that are served are compared with their latencies.
    inputs.latencies = (options.latencies || comparesFormats(base)) && tellsLatencies(base);
    inputs.base = std::move(base);
    inputs.kernelErrors = true;
    inputs.threads = options.threads;
    return inputs;
}

std::string progressText(const WorkProgress& progress, std::int64_t elapsedMs) {
    return "simulating, " + formatShare(std::min(1.0, progress.share())) + ", " + formatDuration(elapsedMs);
}

Result<Swept> sweptWith(const SweepOptions& options, SimulationInputs base, WorkProgress& progress,
                        const std::stop_token& stop) {
    base.schedules = std::make_shared<ScheduleMemo>();
    SimulationRequest request = resolved(options.simulation.request(), base);
    SweepInputs inputs = sweepInputsOf(options, std::move(base));
    inputs.progress = &progress;
    return sweptOf(std::move(request), std::move(inputs), options.draws, stop);
}

} // namespace

int runSweep(const Arguments& arguments) {
    CLI::App app;
    setUp(app, sweepName,
          "Simulates over numbers of users, chunk sizes and weights, on the same turns everywhere, and finds "
          "the "
          "crossover: from how many users on quantised kernels are slower than fp16.",
          "  loadline sweep\n"
          "  loadline sweep --policy single-prefill --users 1:256 --chunk 128,512,2048 --k 2:5 --json\n"
          "  loadline sweep --users 1:64 --latencies --csv points.csv\n");
    SweepOptions options;
    options.add(app);
    if (const std::optional<int> status = parse(app, arguments)) {
        return *status;
    }
    sayAny(options.simulation.takeLocalProfile(options.weights()));
    if (const std::optional<Error> problem = options.problem()) {
        return wrongValue(sweepName, *problem);
    }

    const Interruption interruption;
    Result<SimulationInputs> inputs = resolveInputs(options.simulation.request(), options.threads,
                                                    {options.output.out, options.output.csv}, interruption);
    if (const std::optional<int> status = interruption.exitStatus()) {
        return *status;
    }
    if (!inputs) {
        return fail(inputs.error());
    }
    WorkProgress progress;
    const Result<Swept> swept = [&] {
        const ProgressLine line(
            [&progress](std::int64_t elapsedMs) { return progressText(progress, elapsedMs); });
        return sweptWith(options, std::move(*inputs), progress, interruption.token());
    }();
    if (const std::optional<int> status = interruption.exitStatus()) {
        return *status;
    }
    if (!swept) {
        return fail(swept.error());
    }
    ask::Report report = ask::sweepReport(*swept, joinedForShell(options.command()));
    if (!options.output.out.empty()) {
        const Status written = writeReportTo(options.output.out, report);
        if (!written) {
            return fail(written.error());
        }
    }
    const std::string& lost = swept->inputs.base.workload->incomplete;
    if (!options.output.csv.empty()) {
        ask::Table& points = report.tables.front();
        if (!lost.empty()) {
            points.columns.push_back(ask::columnAt("incomplete", [&lost](std::size_t) { return lost; }));
        }
        const Status written = writeCsvTo(options.output.csv, points);
        if (!written) {
            return fail(written.error());
        }
    }
    const bool isPrinted = options.output.csv == standardOutput || options.output.out == standardOutput;
    const int written = isPrinted ? exitDone : printReport(report, options.output.json);
    return endedWith(written, !lost.empty());
}

} // namespace loadline::app
