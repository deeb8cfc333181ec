// loadline replay: a recorded engine run, served again by the simulated engine and compared.
#include "app/cli/commands.h"
#include "app/cli/terminal/interruption.h"
#include "app/cli/terminal/load.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/parse.h"
#include "app/faces/field_options.h"
#include "core/ask/field_row.h"
#include "core/replay/replay_question.h"
#include "core/replay/replay_report.h"
#include "core/trace/trace.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace loadline::app {
namespace {

struct ReplayOptions {
    ReplayQuestion question;
    bool perRequest = false;
};

/// The question's run, by position.
ask::Fields runFields() {
    static const std::array rows = [] {
        ask::Field run = ask::fieldOf(replayFields(), "run");
        run.words.help = "A folder with meta.json, requests.jsonl and profile/";
        run.words.group = {};
        run.traits.command = {.byPosition = true, .isRequired = true};
        return std::array{run};
    }();
    return rows;
}

ask::Fields answerFields() {
    static const std::array rows = {ask::row("per-request", ask::bound<&ReplayOptions::perRequest>(),
                                             {"requests", "Latencies of every request too"})};
    return rows;
}

} // namespace

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
    ReplayOptions options;
    const ReplayQuestion& question = options.question;
    Output output;
    addFields(app, runFields(), &options.question);
    addFields(app, replayFields(), &options.question,
              [](const ask::Field& field) { return field.key != "run"; });
    addFields(app, answerFields(), &options);
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
    const Replayed replayed{.question = question,
                            .run = std::move(*run),
                            .replay = std::move(*replay),
                            .wallS = std::max(wall.count(), shortest)};
    for (const Diagnostic& diagnostic : replayed.run.diagnostics) {
        say("loadline: requests.jsonl: " + sentenceOfLine(diagnostic));
    }
    const int written = printReport(ask::replayReport(replayed, options.perRequest), output.json);
    return endedWith(written, !replayed.run.diagnostics.empty()); // each is of lines left out
}

} // namespace loadline::app
