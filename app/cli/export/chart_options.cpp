// What each option of `loadline export` accepts.
#include "app/cli/export/chart_options.h"

#include "app/cli/terminal/output.h"
#include "app/cli/terminal/parse.h"
#include "app/options/number_option.h"
#include "app/options/shell_words.h"
#include "app/options/simulation_options.h"

#include <CLI/CLI.hpp>

#include <map>

namespace loadline::app {
namespace {

constexpr std::int64_t msPerDay = 86'400'000;
constexpr NumberRange<Tokens> turnTokens{0, maxTokensPerCount};
constexpr NumberRange<double> axisPlaces{-1e15, 1e15}; // ms since 1970, or turns

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

template <typename Value>
void addChoice(CLI::App& app, const std::string& name, Value& value, const std::vector<Value>& values,
               const std::string& help) {
    std::map<std::string, Value> byKey;
    std::string form;
    for (const Value each : values) {
        byKey[std::string(keyOf(each))] = each;
        form += (form.empty() ? "" : "|") + std::string(keyOf(each));
    }
    addConverted(
        app, name, form, help,
        [byKey](const std::string& text) {
            const auto found = byKey.find(text);
            return found == byKey.end() ? std::nullopt : std::optional<Value>(found->second);
        },
        [&value](Value chosen) { value = chosen; });
}

void addList(CLI::App& app, const std::string& name, std::vector<std::string>& values,
             const std::string& form, const std::string& help) {
    app.add_option(name, values, help)->allow_extra_args(false)->option_text(form)->group("What it is about");
}

void addScope(CLI::App& app, Scope& scope) {
    const std::string group = "What it is about";
    addList(app, "--session", scope.sessions, "ID",
            "A session's id or its beginning; may be given several times");
    addList(app, "--project", scope.projects, "NAME", "A project, as 'loadline sessions' names it");
    addList(app, "--model", scope.models, "NAME", "A model");
    addList(app, "--agent", scope.agents, "NAME", "main, sub-agent, or an agent program's name");
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

void addChart(CLI::App& app, ChartRequest& request) {
    addChoice(app, "--method", request.distribution.method,
              {TurnMethod::PerLine, TurnMethod::ApiCall, TurnMethod::Prompt}, "What a turn is (api-call)");
    addChoice(app, "--bins", request.distribution.bins, {BinKind::PowerOfTwo, BinKind::FineLog},
              "distributions: bins (power-of-two)");
    addChoice(app, "--measure", request.distribution.measure,
              {Measure::Count, Measure::Share, Measure::Cumulative},
              "distributions: height of a bar (share)");
    app.add_flag("--reference", request.distribution.reference,
                 "distributions: draw the published ones over them");
    app.add_option("--show", request.session,
                   "timeline: id of the session (the one with most tokens in scope)")
        ->option_text("ID");
    addChoice(app, "--axis", request.timeline.axis,
              {TimelineAxis::WallClock, TimelineAxis::CompressedGaps, TimelineAxis::TurnIndex},
              "timeline: what is even along it (compressed-gaps)");
    addNumber(app, "--view-start", request.timeline.start, axisPlaces,
              "timeline: first ms, or turn, on the axis");
    addNumber(app, "--view-end", request.timeline.end, axisPlaces, "timeline: last ms, or turn, on the axis");
    addChoice(app, "--group", request.group,
              {CompositionGroup::Session, CompositionGroup::Day, CompositionGroup::Model,
               CompositionGroup::Project},
              "composition: what a row is (session)");
    app.add_flag("--per-request", request.composition.perRequest,
                 "composition: mean over requests, not over tokens");
    app.add_option("--shape", request.timedShape, "kernels: a shape of the profile (the largest)")
        ->option_text("KxN[xEXPERTS]");
    app.add_option("--compare", request.comparedProfile, "kernels: another profile, drawn paler")
        ->option_text("P");
    app.add_flag_callback(
        "--tokens", [&request] { request.composition.shares = false; }, "composition: tokens, not shares");
}

void addAgainst(CLI::App& app, ChartRequest& request) {
    addNumber(app, "--at-step", request.batchStep, {0, limits::mostCount},
              "batch, batch-step: the step that is looked at (0)");
    app.add_option_function<std::string>(
           "--against",
           [&request](const std::string& line) {
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
               if (!(scope == Scope{}) || all->count() > 0) {
                   request.againstScope = scope;
               }
           },
           "simulations: draw them against this other setting, of the same sessions unless it names "
           "others or --all-sessions: --against='--users 14 --k 3'")
        ->option_text("OPTIONS");
}

void addSelfCheck(CLI::App& app, SelfCheckChoice& choice) {
    const std::string group = "The self-check";
    app.add_option("--run", choice.run, "Folder of the recorded run")->option_text("RUN_DIR")->group(group);
    app.add_option("--prompts", choice.prompts, "The dataset that was served")
        ->option_text("FILE")
        ->group(group);
    addNumber(app, "--blocks", choice.kvBlocks, replayedBlocks, "KV blocks, instead of the run's own")
        ->group(group);
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

/// As CLI11 writes a set of words.
std::string chartNames() {
    std::string names;
    for (const ChartKind kind : chartKinds) {
        names += std::string(keyOf(kind)) + ",";
    }
    return "{" + names + "all}";
}

int wrong(const std::string& what) {
    say("loadline export: " + what);
    say("loadline export --help tells how, --list names the charts.");
    return exitUsage;
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
    for (const ChartKind kind : chartKinds) {
        if (chart == keyOf(kind)) {
            result.request.kind = kind;
            return result.out.empty()      ? std::optional(wrong("--out FILE is missing"))
                   : result.outDir.empty() ? std::nullopt
                                           : std::optional(wrong("--out-dir goes with 'all'"));
        }
    }
    return wrong(chart.empty() ? "which chart?" : "there is no chart '" + chart + "'");
}

} // namespace

std::optional<int> parseExport(const Arguments& arguments, ExportArguments& result) {
    CLI::App app;
    setUp(app, "loadline export", "Writes a chart, or the numbers it shows, to a file; needs no display.",
          "  loadline export --list\n"
          "  loadline export distributions ~/.claude/projects --method prompt --reference --out turns.png\n"
          "  loadline export timeline ~/.claude/projects --show 5a4b5aa4 --size 2400x1000 --scale 2 --out "
          "day.png\n"
          "  loadline export crossover --policy single-prefill --chunk 512 --out crossover.png\n"
          "  loadline export self-check-e2e --run engine_runs/rtx4090-llama-3.1-8b --out check.png\n"
          "  loadline export kernels --profile rtx4090-published --shape 2048x5120 --k 3 --out kernels.svg\n"
          "  loadline export composition ~/.claude/projects --group day --from 2026-01-01 --out days.csv\n"
          "  loadline export all --out-dir charts        (every chart of the sample, as PNG and CSV)\n");
    std::string chart;
    app.add_option("CHART", chart, "A chart that --list names, or all")
        ->option_text(" ")
        ->type_name(chartNames()); // for completions: it is not checked here
    app.add_option("PATH", result.request.paths, "Session files or folders (the sample)")->option_text("...");
    app.add_flag("--list", result.list, "Name the charts");
    addChart(app, result.request);
    addScope(app, result.request.scope);
    SimulationOptions simulation;
    simulation.add(app);
    addAgainst(app, result.request);
    addSelfCheck(app, result.request.selfCheck);
    addPicture(app, result);
    addThreads(app, result.threads);
    if (const std::optional<int> status = parse(app, arguments)) {
        return status;
    }
    const bool needsTimes =
        chart == "all" || std::any_of(std::begin(chartKinds), std::end(chartKinds), [&](ChartKind kind) {
            const bool printed =
                kind == ChartKind::StudyUsers || kind == ChartKind::StudyTurn; // with its own
            return chart == keyOf(kind) && !printed && (simulates(kind) || showsKernels(kind));
        });
    if (needsTimes) {
        sayAny(simulation.takeLocalProfile());
    }
    result.request.simulation = simulation.request();
    return checkExport(chart, result);
}

} // namespace loadline::app
