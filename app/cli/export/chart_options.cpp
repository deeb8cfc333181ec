// Values that each option of `loadline export` accepts.
#include "app/cli/export/chart_options.h"

#include "app/cli/export/study_options.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/parse.h"
#include "app/faces/field_options.h"
#include "app/faces/number_option.h"
#include "app/options/literal_words.h"
#include "app/options/shell_words.h"
#include "app/options/simulation_options.h"
#include "app/page/page_picture.h"
#include "app/page/page_spec.h"

#include <CLI/CLI.hpp>

namespace loadline::app {
namespace {

constexpr const char* pageWord = "page";
constexpr std::int64_t msPerDay = 86'400'000;
constexpr NumberRange<Tokens> turnTokens{0, maxTokensPerCount};

std::optional<QSize> sizeFrom(const std::string& text) {
    const std::size_t x = text.find('x');
    if (x == std::string::npos) {
        return std::nullopt;
    }
    const auto width = parseNumber(std::string_view(text).substr(0, x), ui::exportSides);
    const auto height = parseNumber(std::string_view(text).substr(x + 1), ui::exportSides);
    return width && height ? std::optional(QSize(*width, *height)) : std::nullopt;
}

/// "A:B", "A:" or ":B".
std::optional<TokenRange> rangeFrom(const std::string& text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) {
        return std::nullopt;
    }
    const std::string low = text.substr(0, colon);
    const std::string high = text.substr(colon + 1);
    const std::optional<Tokens> first = low.empty() ? 0 : parseNumber(low, turnTokens);
    const std::optional<Tokens> last = high.empty() ? maxTokensPerCount : parseNumber(high, turnTokens);
    return first && last && *first <= *last ? std::optional(TokenRange{*first, *last}) : std::nullopt;
}

/// A day or an instant; a day means its beginning or, as an end, the beginning of the next.
std::optional<TimeMs> timeFrom(const std::string& text, bool asEnd) {
    if (text.size() == 10) {
        const std::optional<TimeMs> day = parseIso8601(text + "T00:00:00Z");
        return day ? std::optional(TimeMs{day->ms + (asEnd ? msPerDay : 0)}) : std::nullopt;
    }
    return parseIso8601(text);
}

/// An option whose text becomes a value; the error says what it should have been.
template <typename Convert, typename Set>
CLI::Option* addConverted(CLI::App& app, const std::string& name, const std::string& form,
                          const std::string& help, Convert convert, Set set, const std::string& limits = "") {
    const std::string takes = limits.empty() ? form : form + " of " + limits;
    return addTaken(app, name, form, help, "", [name, takes, convert, set](const std::string& text) {
        const auto value = convert(text);
        if (!value) {
            throw notTaken(name, takes, text);
        }
        set(*value);
    });
}

void addList(CLI::App& app, const std::string& name, std::vector<std::string>& values,
             const std::string& form, const std::string& help) {
    addWords(app, name, values, help)->allow_extra_args(false)->option_text(form)->group("What it is about");
}

void addScope(CLI::App& app, Scope& scope) {
    const std::string group = "What it is about";
    addList(app, "--session", scope.sessions, "ID",
            "A session's id or its beginning; may be given several times");
    addList(app, "--project", scope.projects, "NAME",
            "A project, as 'loadline sessions' names it, or a part of its name");
    addList(app, "--model", scope.models, "NAME", "A model, or a part of its name");
    addList(app, "--agent", scope.agents, "NAME", "main, sub-agent, a lane's or an agent program's name");
    app.add_option("--text", scope.text, "Part of a title, project, path, session id or model")
        ->option_text("TEXT")
        ->group(group);
    const auto instant = [](bool asEnd) {
        return [asEnd](const std::string& text) { return timeFrom(text, asEnd); };
    };
    const std::string form = "YYYY-MM-DD[Thh:mm:ssZ]";
    addConverted(app, "--from", form, "Calls from this time on (UTC)", instant(false), [&scope](TimeMs time) {
        scope.from = time;
    })->group(group);
    addConverted(app, "--to", form, "Calls before this time, or up to the end of this day", instant(true),
                 [&scope](TimeMs time) { scope.to = time; })
        ->group(group);
    addConverted(
        app, "--turn-input", "A:B", "Highlight turns with A to B input tokens", rangeFrom,
        [&scope](TokenRange range) { scope.turnInput = range; }, wordsOf(turnTokens))
        ->group(group);
    addConverted(
        app, "--turn-output", "A:B", "Highlight turns with A to B output tokens", rangeFrom,
        [&scope](TokenRange range) { scope.turnOutput = range; }, wordsOf(turnTokens))
        ->group(group);
}

/// `sameWorkload` is set where the other setting names none.
void addAgainst(CLI::App& app, ChartRequest& request, bool& sameWorkload) {
    app.add_option_function<std::string>(
           "--against",
           [&request, &sameWorkload](const std::string& line) {
               const auto words = wordsOfShell(line);
               if (!words) {
                   throw CLI::ValidationError("--against", words.error().sentence());
               }
               CLI::App other;
               Scope scope;
               addScope(other, scope);
               const CLI::Option* all = other.add_flag("--all-sessions");
               SimulationOptions simulation;
               simulation.add(other);
               try {
                   parseLiterally(other, *words);
               } catch (const CLI::ParseError& error) {
                   throw CLI::ValidationError("--against", error.what());
               }
               request.against = simulation.request();
               sameWorkload = other.count("--workload") == 0;
               if (!(scope == Scope{}) || all->count() > 0) {
                   request.against->workload.scope = scope;
               }
           },
           "simulations: draw them against this other setting, of the same sessions unless it names "
           "others or --all-sessions: --against='--users 14 --k 3'")
        ->option_text("OPTIONS");
}

void addPicture(CLI::App& app, ExportArguments& result) {
    const std::string group = "The picture";
    app.add_option("--out", result.out, "File to write: .png, .svg, .pdf or .csv")
        ->option_text("FILE")
        ->group(group);
    app.add_option("--out-dir", result.outDir, "With 'all': the folder to write to")
        ->option_text("DIR")
        ->group(group);
    addConverted(
        app, "--size", "WxH", "Logical pixels each way (1600x900) [" + wordsOf(ui::exportSides) + "]",
        sizeFrom, [&result](QSize size) { result.options.size = size; }, wordsOf(ui::exportSides))
        ->group(group);
    addNumber(app, "--scale", result.options.scale, ui::exportScales, "PNG pixels per logical pixel (1)")
        ->group(group);
    addConverted(
        app, "--theme", "light|dark", "Colours (light)",
        [](const std::string& text) {
            return text == "light"  ? std::optional(ui::ThemeKind::Light)
                   : text == "dark" ? std::optional(ui::ThemeKind::Dark)
                                    : std::nullopt;
        },
        [&result](ui::ThemeKind theme) { result.options.theme = theme; })
        ->group(group);
}

/// Returns the names of all charts in CLI11's notation of a set of words: "{a,b}".
std::string chartNames() {
    std::string names;
    for (const ChartSpec* chart : chartSpecs()) {
        names += std::string(chart->key) + ",";
    }
    return "{" + names + pageWord + ",all}";
}

int wrong(const std::string& what) {
    say("loadline export: " + what);
    say("loadline export --help tells how, --list names the charts.");
    return exitUsage;
}

/// "sessions, distributions, ...".
std::string pageNames() {
    std::string names;
    for (const PageSpec& page : pageSpecs()) {
        names += (names.empty() ? "" : ", ") + std::string(page.key);
    }
    return names;
}

/// Takes the page of `page NAME ...`, whose name came as the first path.
std::optional<int> takePage(ExportArguments& result) {
    std::vector<std::string>& paths = result.request.paths;
    const std::string name = paths.empty() ? "" : paths.front();
    result.page = pageNamed(name);
    if (!result.page) {
        return wrong((name.empty() ? "which page" : "there is no page '" + name + "'") +
                     (name.empty() ? "? " : ": ") + pageNames());
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
    return wrong(chart.empty() ? "which chart?" : "there is no chart '" + chart + "'");
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
    std::string chart;
    app.add_option("CHART", chart, "A chart that --list names; page NAME; or all")
        ->option_text(" ")
        ->type_name(chartNames()); // for completions: it is not checked here
    addWords(app, "PATH", result.request.paths,
             "Session files or folders (the sample); without --workload they are simulated, too")
        ->option_text("...");
    app.add_flag("--list", result.list, "Name the charts");
    SimulationOptions simulation;
    bool sameWorkload = false;
    addScope(app, result.request.scope);
    if (asked != nullptr) {
        addFields(app, asked->fields(), question.data());
    } else {
        for (const AskedPart& part : askedParts()) {
            addFields(app, part.fields(), part.in(result.request.asked));
        }
        simulation.add(app);
        addAgainst(app, result.request, sameWorkload);
    }
    addPicture(app, result);
    addThreads(app, result.threads);
    if (const std::optional<int> status = parse(app, arguments)) {
        return status;
    }
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
    if (simulates && !result.request.paths.empty() && app.count("--workload") == 0) {
        result.request.simulation.workload = openWorkload; // what is named is what is simulated
    }
    if (result.request.against) {
        settleAgainst(*result.request.against, result.request.simulation, sameWorkload);
    }
    return checkExport(chart, result);
}

} // namespace loadline::app
