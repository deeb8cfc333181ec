// loadline turns: turns and their tokens by one of three methods.
#include "app/cli/commands.h"
#include "app/cli/load.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/parse.h"
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
    std::string method = "api-call";
    bool json = false;
    std::string out;
    unsigned threads = 0;
    addPaths(app, paths);
    app.add_option("--method", method,
                   "per-line: the published script's turns, each user record one;\n"
                   "api-call: each API call once; prompt: from one human prompt to the next")
        ->check(CLI::IsMember({"per-line", "api-call", "prompt"}))
        ->capture_default_str();
    addThreads(app, threads);
    app.add_flag("--json", json, "One JSON document instead of text");
    app.add_option("--out", out, "Write a distribution file of the published form")->option_text("FILE");
    if (const std::optional<int> status = parse(app, arguments)) {
        return *status;
    }
    const TurnMethod turnMethod = turnMethodFromKey(method).value_or(TurnMethod::ApiCall);

    Interruption interruption;
    const Result<Loaded> loaded = load(paths, threads, {out}, interruption);
    if (const std::optional<int> status = interruption.exitStatus()) {
        return *status;
    }
    if (!loaded) {
        return fail(loaded.error());
    }
    sayIfEmpty(*loaded);
    const TurnsAnswer answer = turnsAnswer(loaded->corpus, turnMethod);
    if (!out.empty()) {
        if (const Status written = writeOutput(out, toJson(turnsDistribution(answer))); !written) {
            return fail(written.error());
        }
    }
    const int written =
        out == standardOutput && !json ? exitDone : printReport(ask::turnsReport(answer), json);
    return endedWith(written, loaded->losesData);
}

} // namespace loadline::app
