// Values that each option of `loadline export` accepts.
#include "app/cli/export/chart_options.h"

#include "app/cli/export/study_options.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/parse.h"
#include "app/faces/field_options.h"
#include "app/options/literal_words.h"
#include "app/options/scope_words.h"
#include "app/options/shell_words.h"
#include "app/options/simulation_options.h"
#include "app/options/simulation_words.h"
#include "app/page/page_picture.h"
#include "app/page/page_spec.h"
#include "core/ask/field_row.h"
#include "core/text/plain_words.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace loadline::app {
namespace {

constexpr const char* pageWord = "page";

struct ExportWords {
    std::string chart;
    std::string against; ///< the words of another setting
    ExportArguments result;
};

bool readSize(ExportWords& options, std::string_view text) {
    const std::size_t x = std::min(text.find('x'), text.size());
    const auto width = parseNumber(text.substr(0, x), ui::exportSides);
    const auto height = parseNumber(text.substr(std::min(x + 1, text.size())), ui::exportSides);
    if (width && height) {
        options.result.options.size = QSize(*width, *height);
    }
    return width && height;
}

std::string sizeText(const ExportWords& options) {
    const QSize size = options.result.options.size;
    return fmt::format("{}x{}", size.width(), size.height());
}

std::vector<std::string> chartNames(const ask::Sources& /*sources*/) {
    std::vector<std::string> names;
    for (const ChartSpec* chart : chartSpecs()) {
        names.emplace_back(chart->key);
    }
    names.insert(names.end(), {pageWord, "all"});
    return names;
}

constexpr std::size_t askedRows = 3; ///< of exportFields(): what stands before all else in the help

/// The chart and its paths; the setting that it is drawn against.
ask::Fields exportFields() {
    using Q = ExportWords;
    using ask::row;
    static const std::array rows = {
        row("chart", ask::bound<&Q::chart>(), {"chart", "A chart that --list names; page NAME; or all"}, {},
            {}, {}, {.text = {.form = "CHART"}, .choicesOf = chartNames, .command = {.byPosition = true}}),
        row("paths", ask::inWords<Q>(),
            {"paths", "Session files or folders (the sample; a simulation of none takes the reference "
                      "workload); without --workload they are simulated, too"},
            {}, {}, {},
            {.text = ask::textsOf<&Q::result, &ExportArguments::request, &ChartRequest::paths>("PATH"),
             .command = {.byPosition = true, .words = 0}}),
        row("list", ask::bound<&Q::result, &ExportArguments::list>(), {"list", "Name the charts"}),
        row("against", ask::bound<&Q::against>(),
            {"other setting",
             "simulations: draw them against this other setting, of the same sessions unless it names "
             "others or --all-sessions: --against='--users 14 --k 3'"},
            {}, {}, {}, {.text = {.form = "OPTIONS"}})};
    return rows;
}

ask::Fields pictureFields() {
    using Q = ExportWords;
    using A = ExportArguments;
    using ask::row;
    static constexpr std::array<ask::Choice, 2> themes = {{{"light"}, {"dark"}}}; // in the order of ThemeKind
    static const std::string sides = fmt::format("{}..{}", ui::exportSides.least, ui::exportSides.most);
    static const std::vector<ask::Field> rows = ask::inGroup(
        "The picture",
        {row("out", ask::bound<&Q::result, &A::out>(), {"file", "File to write: .png, .svg, .pdf or .csv"},
             {}, {}, {}, {.text = {.form = "FILE"}}),
         row("out-dir", ask::bound<&Q::result, &A::outDir>(),
             {"folder", "With 'all': the folder to write to"}, {}, {}, {}, {.text = {.form = "DIR"}}),
         row("size", ask::inWords<Q>(), {"size", "Logical pixels each way (1600x900)"}, {}, {}, {},
             {.text = {.form = "WxH",
                       .text = ask::textBy<sizeText, Q>,
                       .read = ask::readBy<readSize, Q>,
                       .limits = sides}}),
         row("scale", ask::bound<&Q::result, &A::options, &ui::ExportOptions::scale>(),
             {"scale", "PNG pixels per logical pixel (1)"}, ui::exportScales),
         row("theme", ask::bound<&Q::result, &A::options, &ui::ExportOptions::theme>(themes),
             {"theme", "Colours (light)"})});
    return rows;
}

/// A setting that a chart is drawn against, read from its words.
struct OtherSetting {
    Scope scope;
    bool allSessions = false;
    SimulationOptions simulation;
};

ask::Fields otherFields() {
    static const std::array rows = {ask::row("all-sessions", ask::bound<&OtherSetting::allSessions>(),
                                             {"all sessions", "Of all sessions, whatever the scope is"})};
    return rows;
}

/// `sameWorkload` is set where the other setting names none.
void takeAgainst(const std::string& line, ChartRequest& request, bool& sameWorkload) {
    const auto words = wordsOfShell(line);
    if (!words) {
        throw CLI::ValidationError("--against", words.error().sentence());
    }
    CLI::App app;
    OtherSetting other;
    addFields(app, scopeFields(), &other.scope);
    addFields(app, otherFields(), &other);
    other.simulation.add(app);
    try {
        parseLiterally(app, *words);
    } catch (const CLI::ParseError& error) {
        throw CLI::ValidationError("--against", error.what());
    }
    request.against = other.simulation.request();
    sameWorkload = app.count("--workload") == 0;
    if (!(other.scope == Scope{}) || other.allSessions) {
        request.against->workload.scope = other.scope;
    }
}

int wrong(const std::string& what) {
    say("loadline export: " + what);
    say("loadline export --help tells how, --list names the charts.");
    return exitUsage;
}

int noSuchChart(const std::string& name) {
    return wrong("there is no chart '" + name + "'");
}

int noSuchPage(const std::string& name) {
    return wrong("there is no page '" + name + "': " + commaList(pageSpecs(), &PageSpec::key));
}

/// Takes the page of `page NAME ...`, whose name came as the first path.
std::optional<int> takePage(ExportArguments& result) {
    std::vector<std::string>& paths = result.request.paths;
    const std::string name = paths.empty() ? "" : paths.front();
    result.page = pageNamed(name);
    if (!result.page) {
        return name.empty() ? wrong("which page? " + commaList(pageSpecs(), &PageSpec::key))
                            : noSuchPage(name);
    }
    paths.erase(paths.begin());
    result.request.chart = specOf(*result.page).charts.front();
    return std::nullopt;
}

std::optional<int> checkExport(const std::string& chart, ExportArguments& result) {
    if (result.list) {
        return std::nullopt;
    }
    if (chart == "all") {
        result.all = true;
        return result.outDir.empty() ? std::optional(wrong("'all' needs --out-dir DIR"))
               : result.out.empty()  ? std::nullopt
                                     : std::optional(wrong("'all' takes --out-dir, not --out"));
    }
    if (!result.page) {
        result.request.chart = chartNamed(chart);
    }
    if (result.request.chart != nullptr) {
        return result.out.empty()      ? std::optional(wrong("--out FILE is missing"))
               : result.outDir.empty() ? std::nullopt
                                       : std::optional(wrong("--out-dir goes with 'all'"));
    }
    return chart.empty() ? wrong("which chart?") : noSuchChart(chart);
}

/// Refuses a chart or a page that there is not before the options are parsed: which there are depends on it.
std::optional<int> refuseUnknown(const Arguments& arguments) {
    const auto explains = [](const std::string& word) {
        return word == "--help" || word == "-h" || word == "--list";
    };
    if (arguments.empty() || arguments[0].starts_with('-') || std::ranges::any_of(arguments, explains)) {
        return std::nullopt;
    }
    if (arguments[0] == pageWord) {
        const bool isNamed = arguments.size() > 1 && !arguments[1].starts_with('-');
        return isNamed && !pageNamed(arguments[1]) ? std::optional(noSuchPage(arguments[1])) : std::nullopt;
    }
    return arguments[0] == "all" || chartNamed(arguments[0]) ? std::nullopt
                                                             : std::optional(noSuchChart(arguments[0]));
}

void settleAgainst(SimulationRequest& against, const SimulationRequest& now, bool sameWorkload) {
    Source& workload = against.workload;
    if (sameWorkload) {
        workload.name = now.workload.name;
    }
    if (!workload.isOpen()) {
        workload.scope.reset();
    }
}

} // namespace

std::optional<int> parseExport(const Arguments& arguments, ExportArguments& result) {
    if (const std::optional<int> status = refuseUnknown(arguments)) {
        return status;
    }
    const ask::Study* const asked = studyOfChart(arguments);
    ask::Question question = asked != nullptr ? asked->defaults() : ask::Question();
    CLI::App app;
    setUp(app, "loadline export", "Writes a chart, or the numbers it shows, to a file; needs no display.",
          "  loadline export --list\n"
          "  loadline export distributions ~/.claude/projects --method prompt --reference --out turns.png\n"
          "  loadline export timeline ~/.claude/projects --show 5a4b5aa4 --size 2400x1000 --scale 2 --out "
          "day.png\n"
          "  loadline export crossover --policy single-prefill --chunk 512 --out crossover.png\n"
          "  loadline export self-check-e2e --run engine_runs/rtx4090-llama-3.1-8b --out check.png\n"
          "  loadline export cache-capacity --trace conversation_trace.jsonl --tiers h100-node --out "
          "misses.png\n"
          "  loadline export log-rate --log server.log --log-device M3-Max-40c --out rate.png\n"
          "  loadline export kernels --profile rtx4090-published --shape 2048x5120 --k 3 --out kernels.svg\n"
          "  loadline export composition ~/.claude/projects --group day --from 2026-01-01 --out days.csv\n"
          "  loadline export page simulator --users 14 --out simulator.png\n"
          "  loadline export all --out-dir charts        (every chart of the sample, as PNG and CSV)\n");
    ExportWords options;
    SimulationOptions simulation;
    bool sameWorkload = false;
    addFields(app, exportFields().first(askedRows), &options);
    addFields(app, scopeFields(), &options.result.request.scope);
    if (asked != nullptr) {
        addFields(app, asked->fields(), question.data());
    } else {
        for (const AskedPart& part : askedParts()) {
            addFields(app, part.fields(), part.in(options.result.request.asked));
        }
        simulation.add(app, true, exportedFields());
        addFields(app, exportFields().subspan(askedRows), &options);
        app.callback([&] {
            if (app.count("--against") > 0) {
                takeAgainst(options.against, options.result.request, sameWorkload);
            }
        });
    }
    addFields(app, pictureFields(), &options);
    addThreads(app, options.result.threads);
    if (const std::optional<int> status = parse(app, arguments)) {
        return status;
    }
    const std::string& chart = options.chart;
    result = std::move(options.result);
    if (asked != nullptr) {
        result.request.questions.set(*asked, question);
    }
    if (chart == pageWord && !result.list) {
        if (const std::optional<int> status = takePage(result)) {
            return status;
        }
    }
    const ChartSpec* const spec = result.page ? result.request.chart : chartNamed(chart);
    if (spec != nullptr && spec->asks != asked) {
        return wrong(fmt::format("'{}' has options of its own: name it first, before them", spec->key));
    }
    const bool needsTimes =
        chart == "all" ||
        (spec != nullptr && !spec->hasOwnTimes &&
         (spec->subject == ChartSubject::Simulation || spec->subject == ChartSubject::Kernels));
    if (needsTimes) {
        const bool drawsAnyK = spec != nullptr && spec->subject == ChartSubject::Kernels;
        sayAny(drawsAnyK ? simulation.takeAnyLocalProfile() : simulation.takeLocalProfile());
    }
    result.request.simulation = simulation.request();
    const bool simulates = chart == "all" || (spec != nullptr && spec->subject == ChartSubject::Simulation);
    if (simulates && spec != nullptr && app.count("--tp") > 0) {
        return wrong(fmt::format("--tp is an option of cache charts: '{}' takes --simulate-tp", spec->key));
    }
    if (simulates && !result.request.paths.empty() && app.count("--workload") == 0) {
        result.request.simulation.workload = openWorkload; // what is named is what is simulated
    }
    if (result.request.against) {
        settleAgainst(*result.request.against, result.request.simulation, sameWorkload);
    }
    return checkExport(chart, result);
}

} // namespace loadline::app
