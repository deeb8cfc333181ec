// loadline generate: made-up session folders.
#include "app/cli/commands.h"
#include "app/cli/sessions/sessions_document.h"
#include "app/cli/terminal/interruption.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/parse.h"
#include "app/cli/terminal/progress_line.h"
#include "app/options/number_option.h"
#include "core/session/generate.h"
#include "core/simulate/setup/setup_limits.h"
#include "core/text/number_format.h"
#include "core/text/visible_text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace loadline::app {
namespace {

/// Of calls whose content is not estimated and that nobody pays: they were made up.
nlohmann::ordered_json countedUsage(const UsageTotals& totals) {
    nlohmann::ordered_json document = usageDocument(totals);
    for (const char* key : {"content_est_tokens", "prompt_tokens_cache_untold", "cost_usd", "calls_unpriced",
                            "calls_partly_unpriced", "calls_fast", "web_search_requests", "earlier_tries"}) {
        document.erase(key);
    }
    return document;
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
            {"totals", countedUsage(ledger.totals)},
            {"progress_only", countedUsage(ledger.progressOnly)}};
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
    bool json = false;
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
        say("loadline: interrupted; nothing was written: " + folder);
        return *status;
    }
    if (!ledger) {
        return fail(ledger.error());
    }
    if (json) {
        return printJson(document(folder, options, *ledger));
    }
    return printText(fmt::format("{} files, {}, {} API calls in {}\n", ledger->files,
                                 formatBytes(ledger->bytes), ledger->totals.calls, visibleText(folder)));
}

} // namespace loadline::app
