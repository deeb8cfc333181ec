// loadline simulate: a workload, a batching policy and kernel times give the time of every step.
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
#include "core/simulate/report/simulated.h"
#include "core/text/number_format.h"

#include <CLI/CLI.hpp>

#include <array>
#include <string>
#include <utility>

namespace loadline::app {
namespace {

constexpr const char* simulateName = "loadline simulate";

struct StudyTables {
    bool wanted = false;
};

ask::Fields tableFields() {
    static const std::array rows = {
        ask::row("study", ask::bound<&StudyTables::wanted>(),
                 {"the study's tables", "Add the published study's two tables beside ours, with these kernel "
                                        "times, this k and 16 seeds"})};
    return rows;
}

/// The words of the command line that runs it again.
std::vector<std::string> commandOf(const SimulationRequest& request, const StudyTables& tables) {
    std::vector<std::string> words = {"loadline", "simulate"};
    for (std::string& word : commandWordsOf(request)) {
        words.push_back(std::move(word));
    }
    if (tables.wanted) {
        words.emplace_back("--study");
    }
    return words;
}

} // namespace

int runSimulate(const Arguments& arguments) {
    CLI::App app;
    setUp(
        app, simulateName,
        "Simulates continuous batching: what each step holds, which kernel serves it, how long it takes with "
        "quantised weights and with fp16.",
        "  loadline simulate --users 16\n"
        "  loadline simulate --shapes study --policy single-prefill --chunk 512 --users 64 --json | jq "
        ".avg_m\n"
        "  loadline simulate --workload ~/.claude/projects --turn-order replayed --kv-blocks 20000\n"
        "  loadline simulate --shapes qwen3-32b --profile roofline:H100-SXM --users 64\n");
    SimulationOptions options;
    Output output;
    StudyTables tables;
    unsigned threads = 0;
    options.add(app);
    addFields(app, tableFields(), &tables);
    addOutput(app, output, {.out = "Write the JSON document to FILE"});
    addThreads(app, threads, "simulate");
    if (const std::optional<int> status = parse(app, arguments)) {
        return *status;
    }
    sayAny(options.takeLocalProfile());
    SimulationRequest request = options.request();
    if (const std::optional<Error> problem = problemOf(request)) {
        return wrongValue(simulateName, *problem);
    }

    const Interruption interruption;
    Result<SimulationInputs> inputs = resolveInputs(request, threads, {output.out}, interruption);
    if (const std::optional<int> status = interruption.exitStatus()) {
        return *status;
    }
    if (!inputs) {
        return fail(inputs.error());
    }
    request = resolved(std::move(request), *inputs);
    const Result<Simulated> simulated = [&] {
        const ProgressLine line(
            [](std::int64_t elapsedMs) { return "simulating, " + formatDuration(elapsedMs); });
        return simulatedOf(request, *inputs, tables.wanted, threads, interruption.token());
    }();
    if (const std::optional<int> status = interruption.exitStatus()) {
        return *status;
    }
    if (!simulated) {
        return fail(simulated.error());
    }
    const ask::Report report = ask::simulateReport(*simulated, joinedForShell(commandOf(request, tables)));
    if (!output.out.empty()) {
        const Status written = writeReportTo(output.out, report);
        if (!written) {
            return fail(written.error());
        }
    }
    const int written = output.out == standardOutput ? exitDone : printReport(report, output.json);
    return endedWith(written, !simulated->inputs.workload->incomplete.empty());
}

} // namespace loadline::app
