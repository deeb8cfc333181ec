// loadline sessions: who used what.
#include "app/cli/commands.h"
#include "app/cli/terminal/load.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/parse.h"
#include "app/faces/field_options.h"
#include "app/options/price_option.h"
#include "core/ask/write_csv.h"
#include "core/session/study/sessions_report.h"

#include <CLI/CLI.hpp>

namespace loadline::app {

int runSessions(const Arguments& arguments) {
    CLI::App app;
    setUp(app, "loadline sessions",
          "Who used what: tokens and their cost by session, model and day, each API call counted once.",
          "  loadline sessions ~/.claude/projects\n"
          "  loadline sessions old.jsonl new.jsonl --csv sessions.csv\n"
          "  loadline sessions ~/.claude/projects --json | jq .totals\n");
    std::vector<std::string> paths;
    Output output;
    PriceOption own;
    unsigned threads = 0;
    addPaths(app, paths);
    addThreads(app, threads);
    addOutput(app, output,
              {.json = "One JSON document instead of a table",
               .csv = "Write one row per session file to FILE ('-': standard output)"});
    addFields(app, priceFields(), &own);
    if (const std::optional<int> status = parse(app, arguments)) {
        return *status;
    }

    const Result<PriceList> prices = resolvePrices(own.file);
    if (!prices) {
        return fail(prices.error());
    }
    if (Status allowed = refuseToOverwrite(std::vector{output.csv}, std::vector{own.file}); !allowed) {
        return fail(allowed.error());
    }
    Interruption interruption;
    const Result<Loaded> loaded = load(paths, threads, {output.csv}, interruption, *prices);
    if (const std::optional<int> status = interruption.exitStatus()) {
        return *status;
    }
    if (!loaded) {
        return fail(loaded.error());
    }
    sayIfEmpty(*loaded);
    const SessionsAnswer answer = sessionsAnswer(loaded->corpus, loaded->seconds);
    if (!output.csv.empty()) {
        if (const Status done = writeCsvTo(output.csv, ask::sessionFilesTable(answer)); !done) {
            return fail(done.error());
        }
    }
    const int written =
        output.json || output.csv.empty() ? printReport(ask::sessionsReport(answer), output.json) : exitDone;
    return endedWith(written, loaded->losesData);
}

} // namespace loadline::app
