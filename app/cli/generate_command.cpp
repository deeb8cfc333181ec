// loadline generate: made-up session folders.
#include "app/cli/commands.h"
#include "app/cli/terminal/interruption.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/parse.h"
#include "app/cli/terminal/progress_line.h"
#include "app/faces/number_option.h"
#include "core/session/generate/generate.h"
#include "core/session/study/usage_columns.h"
#include "core/simulate/setup/setup_limits.h"
#include "core/text/number_format.h"
#include "core/text/visible_text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace loadline::app {
namespace {

ask::Report reportOf(const std::string& folder, const GenerateOptions& options,
                     const GeneratedLedger& ledger) {
    constexpr std::size_t counted = 9; // what follows speaks of content and costs, which made-up calls lack
    ask::Report report;
    report.schema = "loadline.generate/1";
    report.add("folder", folder);
    report.add("sessions", options.sessions);
    report.add("seed", options.seed);
    report.add("files", ledger.files);
    report.add("sub_agent_files", ledger.subAgentFiles);
    report.add("bytes", ledger.bytes);
    report.add("copied_sessions", ledger.forks);
    report.add("compactions", ledger.compactions);
    report.add("api_errors", ledger.apiErrors);
    ask::addUsage(report, "totals", ledger.totals, ask::usageFigures().first(counted));
    ask::addUsage(report, "progress_only", ledger.progressOnly, ask::usageFigures().first(counted));
    return report;
}

/// "2000000", "2MB", "2 GB".
std::uint64_t bytesIn(const std::string& option, const std::string& text) {
    constexpr std::array<std::pair<std::string_view, std::uint64_t>, 5> units = {
        {{"kb", 1'000}, {"mb", 1'000'000}, {"gb", 1'000'000'000}, {"tb", 1'000'000'000'000}, {"b", 1}}};
    std::string number = text;
    std::transform(number.begin(), number.end(), number.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::uint64_t unit = 1;
    for (const auto& [word, bytes] : units) {
        if (number.ends_with(word)) {
            unit = bytes;
            number.resize(number.find_last_not_of(' ', number.size() - word.size() - 1) + 1);
            break;
        }
    }
    const auto count = parseNumber<std::uint64_t>(number, {0, generatedBytes.most / unit});
    if (!count) {
        throw notTaken(option, wordsOf(generatedBytes), text);
    }
    return *count * unit;
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
    Output output;
    app.add_option("DIR", folder, "A folder that does not exist yet or is empty")->required();
    addNumber(app, "--sessions", options.sessions, generatedSessions,
              "Sessions; sub-agents have files of their own (8)");
    addTaken(app, "--bytes", "N[kB|MB|GB]", "Bytes of all files together, met within a few percent (4 MB)",
             wordsOf(generatedBytes),
             [&options](const std::string& text) { options.bytes = bytesIn("--bytes", text); });
    addNumber(app, "--seed", options.seed, limits::seed, "The same seed gives the same files (1)");
    addNumber(app, "--largest-result", options.largestResult, largestResults,
              "Tokens of a tool's largest answer; smaller means more calls in the same bytes (32768)");
    app.add_flag("--odd", options.odd, "Also broken lines, glued objects, byte order marks, cut ends");
    addOutput(app, output, {.json = "What was written, as one JSON document"});
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
        say("loadline: interrupted; nothing was written: " + folder);
        return *status;
    }
    if (!ledger) {
        return fail(ledger.error());
    }
    if (output.json) {
        return printReport(reportOf(folder, options, *ledger), true);
    }
    return printText(fmt::format("{} files, {}, {} API calls in {}\n", ledger->files,
                                 formatBytes(ledger->bytes), ledger->totals.calls, visibleText(folder)));
}

} // namespace loadline::app
