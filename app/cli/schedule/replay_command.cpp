// loadline replay: a recorded engine run, served again by the simulated engine and compared.
#include "app/cli/commands.h"
#include "app/cli/terminal/interruption.h"
#include "app/cli/terminal/load.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/parse.h"
#include "app/faces/field_options.h"
#include "core/replay/replay_question.h"
#include "core/replay/replay_report.h"
#include "core/trace/trace.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace loadline::app {

int runReplay(const Arguments& arguments) {
    CLI::App app;
    setUp(
        app, "loadline replay",
        "Serves a recorded run of a real engine again with the simulated one, from its arrivals, lengths and "
        "kernel tables, and compares. No constant is fitted to the run.",
        "  loadline replay engine_runs/rtx4090-llama-3.1-8b\n"
        "  loadline replay engine_runs/rtx4090-llama-3.1-8b --json | jq .error\n"
        "  loadline replay RUN_DIR --prompts sharegpt.jsonl     # the dataset served: shared prefixes are "
        "known\n");
    ReplayQuestion question;
    Output output;
    bool perRequest = false;
    app.add_option("RUN_DIR", question.run, "A folder with meta.json, requests.jsonl and profile/")
        ->required();
    addFields(app, replayFields(), &question, [](const ask::Field& field) { return field.key != "run"; });
    app.add_flag("--per-request", perRequest, "Latencies of every request too");
    addOutput(app, output, {.json = "One JSON document (schema loadline.replay/1) instead of text"});
    if (const std::optional<int> status = parse(app, arguments)) {
        return *status;
    }

    Result<EngineRun> run = readEngineRun(question.run, question.prompts);
    if (!run) {
        return fail(run.error());
    }
    const Interruption interruption;
    const auto start = std::chrono::steady_clock::now();
    Result<Replay> replay = replayRun(*run, {.kvBlocks = question.kvBlocks}, interruption.token());
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    if (const std::optional<int> status = interruption.exitStatus()) {
        return *status;
    }
    if (!replay) {
        return fail(replay.error());
    }
    constexpr double shortest = 1e-9;
    const Replayed replayed{.path = question.run,
                            .run = std::move(*run),
                            .replay = std::move(*replay),
                            .wallS = std::max(wall.count(), shortest)};
    for (const Diagnostic& diagnostic : replayed.run.diagnostics) {
        say("loadline: requests.jsonl: " + sentenceOfLine(diagnostic));
    }
    const int written = printReport(ask::replayReport(replayed, perRequest), output.json);
    return endedWith(written, !replayed.run.diagnostics.empty()); // each is of lines left out
}

} // namespace loadline::app
