// loadline simulate: a workload, a batching policy and kernel times give the time of every step.
#include "app/cli/simulate/simulate_command.h"

#include "app/cli/simulate/simulate_document.h"
#include "app/cli/simulate/simulation_inputs.h"
#include "app/cli/simulate/study_document.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/parse.h"
#include "app/cli/terminal/progress_line.h"
#include "app/options/simulation_options.h"
#include "app/options/simulation_words.h"
#include "core/text/number_format.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace loadline::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* simulateName = "loadline simulate";
constexpr std::int64_t kvSteps = 20'000; // whose requests are looked at

/// The words of the command line that runs it again.
std::vector<std::string> commandOf(const SimulationRequest& request) {
    std::vector<std::string> words = {"loadline", "simulate"};
    for (std::string& word : commandWordsOf(request)) {
        words.push_back(std::move(word));
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
        "  loadline simulate --policy single-prefill --chunk 512 --users 64 --json | jq .time_vs_fp16\n"
        "  loadline simulate --workload ~/.claude/projects --turn-order replayed --prefix-cache --kv-blocks "
        "20000\n"
        "  loadline simulate --shapes llama-3.1-8b --profile roofline:H100-SXM --step whole-step\n");
    SimulationOptions options;
    bool json = false;
    bool study = false;
    std::string out;
    unsigned threads = 0;
    options.add(app);
    app.add_flag("--json", json, "One JSON document instead of text");
    app.add_flag("--study", study,
                 "Add the published study's two tables beside ours, with these kernel times and 16 seeds");
    app.add_option("--out", out, "Write the JSON document to FILE")->option_text("FILE");
    addThreads(app, threads, "simulate");
    if (const std::optional<int> status = parse(app, arguments)) {
        return *status;
    }
    sayAny(options.takeLocalProfile());
    const SimulationRequest request = options.request();
    if (const std::optional<Error> problem = problemOf(request)) {
        return wrongValue(simulateName, *problem);
    }

    const Interruption interruption;
    Result<SimulationInputs> inputs = resolveInputs(request, threads, {out}, interruption);
    if (const std::optional<int> status = interruption.exitStatus()) {
        return *status;
    }
    if (!inputs) {
        return fail(inputs.error());
    }
    Result<SimulationReplicas> result = [&] {
        const ProgressLine line(
            [](std::int64_t elapsedMs) { return "simulating, " + formatDuration(elapsedMs); });
        return simulate(*inputs, threads, interruption.token());
    }();
    if (const std::optional<int> status = interruption.exitStatus()) {
        return *status;
    }
    if (!result) {
        return fail(result.error());
    }
    Result<KvNeed> kv = kvNeed(*inputs, kvSteps, interruption.token());
    if (const std::optional<int> status = interruption.exitStatus()) {
        return *status;
    }
    if (!kv) {
        return fail(kv.error());
    }
    const Simulated simulated{request, std::move(*inputs), std::move(*result), *kv};
    Json document = simulateDocument(simulated, commandOf(request));
    std::string text = simulateText(simulated);
    if (study) {
        const auto tables = studyTables(simulated.inputs, 16, 10'000, threads, interruption.token());
        if (const std::optional<int> status = interruption.exitStatus()) {
            return *status;
        }
        if (!tables) {
            return fail(tables.error());
        }
        document["study"] = studyDocument(*tables);
        text += "\n" + studyText(*tables);
    }
    if (!out.empty()) {
        const Status written = writeOutput(out, textOf(document));
        if (!written) {
            return fail(written.error());
        }
    }
    if (json) {
        return printJson(document);
    }
    return out == "-" ? exitDone : printText(text);
}

} // namespace loadline::app
