// loadline generate: made-up session folders.
#include "app/cli/generate_command.h"

#include "app/cli/interruption.h"
#include "app/cli/output.h"
#include "app/cli/parse.h"
#include "app/cli/progress_line.h"
#include "core/session/generate.h"
#include "core/text/number_format.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace loadline::app {
namespace {

nlohmann::ordered_json usageDocument(const UsageTotals& totals) {
    return {{"calls", totals.calls},
            {"input_tokens", totals.usage.input},
            {"cache_creation_input_tokens", totals.usage.cacheWrite},
            {"cache_creation_5m", totals.usage.cacheWrite5m},
            {"cache_creation_1h", totals.usage.cacheWrite1h},
            {"cache_read_input_tokens", totals.usage.cacheRead},
            {"output_tokens", totals.usage.output},
            {"calls_final_output", totals.callsFinalOutput},
            {"output_tokens_of_final_calls", totals.outputOfFinalCalls}};
}

nlohmann::ordered_json document(const std::string& folder, const GenerateOptions& options,
                                const GeneratedLedger& ledger) {
    return {{"schema", "loadline.generate/1"},
            {"folder", folder},
            {"sessions", options.sessions},
            {"seed", options.seed},
            {"files", ledger.files},
            {"sub_agent_files", ledger.subAgentFiles},
            {"bytes", ledger.bytes},
            {"copied_sessions", ledger.forks},
            {"compactions", ledger.compactions},
            {"api_errors", ledger.apiErrors},
            {"totals", usageDocument(ledger.totals)},
            {"progress_only", usageDocument(ledger.progressOnly)}};
}

} // namespace

int runGenerate(const Arguments& arguments) {
    CLI::App app;
    setUp(app, "loadline generate",
          "Writes made-up Claude Code sessions of realistic shape into a new folder: for demos, tests, "
          "benchmarks.",
          "  loadline generate demo\n"
          "  loadline generate /tmp/big --sessions 800 --bytes 2000000000 --seed 7\n"
          "  loadline generate odd --sessions 20 --odd\n");
    std::string folder;
    GenerateOptions options;
    bool json = false;
    app.add_option("DIR", folder, "A folder that does not exist yet or is empty")->required();
    app.add_option("--sessions", options.sessions, "Sessions; sub-agents have files of their own")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    app.add_option("--bytes", options.bytes, "Bytes of all files together, met within a few percent")
        ->transform(CLI::AsSizeValue(true))
        ->capture_default_str();
    app.add_option("--seed", options.seed, "The same seed gives the same files")->capture_default_str();
    app.add_option("--largest-result", options.largestResult,
                   "Tokens of a tool's largest answer; smaller means more calls in the same bytes")
        ->check(CLI::Range(16, 32768))
        ->capture_default_str();
    app.add_flag("--odd", options.odd, "Also broken lines, glued objects, byte order marks, cut ends");
    app.add_flag("--json", json, "What was written, as one JSON document");
    if (const std::optional<int> status = parse(app, arguments)) {
        return *status;
    }

    Interruption interruption;
    Progress progress;
    Result<GeneratedLedger> ledger = [&] {
        const ProgressLine line("writing", progress);
        return generateSessions(folder, options, interruption.token(), progress);
    }();
    if (const std::optional<int> status = interruption.exitStatus()) {
        say("loadline: interrupted; the sessions written so far are whole: " + folder);
        return *status;
    }
    if (!ledger) {
        return fail(ledger.error());
    }
    if (json) {
        return printJson(document(folder, options, *ledger));
    }
    return printText(fmt::format("{} files, {}, {} API calls in {}\n", ledger->files,
                                 formatBytes(ledger->bytes), ledger->totals.calls, folder));
}

} // namespace loadline::app
