// loadline turns: turns and their tokens by one of three methods.
#include "app/cli/commands.h"
#include "app/cli/terminal/load.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/parse.h"
#include "app/faces/field_options.h"
#include "core/workload/study/sessions_question.h"
#include "core/workload/study/turns_report.h"

#include <CLI/CLI.hpp>

namespace loadline::app {

int runTurns(const Arguments& arguments) {
    CLI::App app;
    setUp(app, "loadline turns",
          "Turns and how many tokens they take in and give out, counted by one of three methods.",
          "  loadline turns ~/.claude/projects --method prompt\n"
          "  loadline turns ~/.claude/projects --method per-line --json\n"
          "  loadline turns ~/.claude/projects --out mine.json    (a distribution file of the published "
          "form)\n");
    std::vector<std::string> paths;
    SessionsQuestion question;
    Output output;
    unsigned threads = 0;
    addPaths(app, paths);
    addFields(app, sessionsFields(), &question,
              [](const ask::Field& field) { return field.key == "method"; });
    addThreads(app, threads);
    addOutput(app, output, {.out = "Write a distribution file of the published form"});
    if (const std::optional<int> status = parse(app, arguments)) {
        return *status;
    }
    const TurnMethod turnMethod = question.distribution.method;

    Interruption interruption;
    const Result<Loaded> loaded = load(paths, threads, {output.out}, interruption);
    if (const std::optional<int> status = interruption.exitStatus()) {
        return *status;
    }
    if (!loaded) {
        return fail(loaded.error());
    }
    sayIfEmpty(*loaded);
    const TurnsAnswer answer = turnsAnswer(loaded->corpus, turnMethod);
    if (!output.out.empty()) {
        if (const Status written = writeOutput(output.out, toJson(turnsDistribution(answer))); !written) {
            return fail(written.error());
        }
    }
    const int written =
        output.out == standardOutput ? exitDone : printReport(ask::turnsReport(answer), output.json);
    return endedWith(written, loaded->losesData);
}

} // namespace loadline::app
