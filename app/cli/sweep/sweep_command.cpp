// loadline sweep: a simulation over users, chunk sizes and bits, and the crossover with its interval.
#include "app/cli/commands.h"

#include "app/cli/simulate/simulation_inputs.h"
#include "app/cli/sweep/sweep_document.h"
#include "app/cli/sweep/sweep_options.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/parse.h"
#include "app/cli/terminal/progress_line.h"
#include "core/simulate/answer/simulator_figure.h"
#include "core/simulate/run/replica.h"
#include "core/text/number_format.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>

namespace loadline::app {
namespace {

constexpr const char* sweepName = "loadline sweep";

SweepInputs sweepInputsOf(const SweepOptions& options, SimulationInputs base) {
    SweepInputs inputs;
    const bool closed = base.arrivals.kind == ArrivalKind::Closed;
    if (closed) {
        inputs.users = options.users.empty() ? userGrid() : options.users;
    }
    for (const Tokens chunk : options.chunks) {
        PolicySetup policy = base.policy;
        policy.chunkTokens = chunk > 0 ? std::optional(chunk) : std::nullopt;
        inputs.chunks.push_back(chunkOf(policy));
    }
    for (const std::int64_t k : options.kBits) {
        inputs.kBits.push_back(static_cast<int>(k));
    }
    inputs.base = std::move(base);
    inputs.latencies = options.latencies;
    inputs.threads = options.threads;
    return inputs;
}

std::string progressText(const WorkProgress& progress, std::int64_t elapsedMs) {
    return "simulating, " + formatShare(std::min(1.0, progress.share())) + ", " + formatDuration(elapsedMs);
}

Result<std::vector<Crossover>> crossoversIn(const SweepInputs& inputs, const SweepResult& result,
                                            std::int64_t draws, const std::stop_token& stop) {
    if (draws == 0 || inputs.users.size() < 2) {
        return crossoversOf(result, inputs.base.scope);
    }
    return crossoversOf(inputs, result, {draws, inputs.threads, inputs.progress}, stop);
}

double secondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// In the scope asked for, and for whole steps of the GEMMs alone beside them.
Status addCrossovers(Swept& swept, std::int64_t draws, const std::stop_token& stop) {
    auto crossovers = crossoversIn(swept.inputs, swept.result, draws, stop);
    if (!crossovers) {
        return crossovers.error();
    }
    swept.crossovers = std::move(*crossovers);
    if (swept.request.scope == StepScope::GemmOnly || stop.stop_requested()) {
        return Done{};
    }
    SweepInputs gemms = swept.inputs;
    gemms.base.scope = StepScope::GemmOnly;
    gemms.latencies = false;
    const Result<SweepResult> alone = sweep(gemms, stop);
    if (!alone) {
        return alone.error();
    }
    auto beside = crossoversIn(gemms, *alone, draws, stop);
    if (!beside) {
        return beside.error();
    }
    swept.gemmCrossovers = std::move(*beside);
    return Done{};
}

Result<Swept> sweptOf(const SweepOptions& options, SimulationInputs base, WorkProgress& progress,
                      const std::stop_token& stop) {
    const auto begin = std::chrono::steady_clock::now();
    Swept swept;
    swept.request = options.simulation.request();
    swept.inputs = sweepInputsOf(options, std::move(base));
    swept.inputs.progress = &progress;
    Result<SweepResult> result = sweep(swept.inputs, stop);
    if (!result) {
        return result.error();
    }
    swept.result = std::move(*result);
    swept.provenance = provenanceOf(swept.inputs.base);
    swept.pointsWallS = secondsSince(begin);
    if (!swept.inputs.users.empty() && !stop.stop_requested()) {
        if (Status added = addCrossovers(swept, options.draws, stop); !added) {
            return added.error();
        }
    }
    swept.crossoversWallS = secondsSince(begin) - swept.pointsWallS;
    swept.inputs.progress = nullptr;
    return swept;
}

} // namespace

int runSweep(const Arguments& arguments) {
    CLI::App app;
    setUp(
        app, sweepName,
        "Simulates over numbers of users, chunk sizes and bits, on the same turns everywhere, and finds the "
        "crossover: from how many users on quantised kernels are slower than fp16.",
        "  loadline sweep\n"
        "  loadline sweep --policy single-prefill --users 1:256 --chunk 128,512,2048 --k 2:5 --json\n"
        "  loadline sweep --users 1:64 --latencies --csv points.csv\n");
    SweepOptions options;
    options.add(app);
    if (const std::optional<int> status = parse(app, arguments)) {
        return *status;
    }
    sayAny(options.simulation.takeLocalProfile());
    if (const std::optional<Error> problem = options.problem()) {
        return wrongValue(sweepName, *problem);
    }

    const Interruption interruption;
    Result<SimulationInputs> inputs = resolveInputs(options.simulation.request(), options.threads,
                                                    {options.out, options.csv}, interruption);
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
        return sweptOf(options, std::move(*inputs), progress, interruption.token());
    }();
    if (const std::optional<int> status = interruption.exitStatus()) {
        return *status;
    }
    if (!swept) {
        return fail(swept.error());
    }
    if (!options.out.empty()) {
        const Status written = writeOutput(options.out, textOf(sweepDocument(*swept, options.command())));
        if (!written) {
            return fail(written.error());
        }
    }
    if (!options.csv.empty()) {
        const Status written = writeOutput(options.csv, toCsv(sweepTable(*swept)));
        if (!written) {
            return fail(written.error());
        }
    }
    if (options.json) {
        return printJson(sweepDocument(*swept, options.command()));
    }
    const bool toFile = options.csv == "-" || options.out == "-";
    return toFile ? exitDone : printText(sweepText(*swept));
}

} // namespace loadline::app
