// loadline schedule: a scheduler's decisions on given requests, step by step.
#include "app/cli/commands.h"
#include "app/cli/terminal/interruption.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/parse.h"
#include "core/text/text_table.h"
#include "core/base/file/read_file.h"
#include "core/schedule/json/scenario_json.h"
#include "core/schedule/run/engines.h"
#include "core/schedule/run/run_scenario.h"
#include "core/schedule/scenario.h"
#include "core/schedule/step.h"
#include "core/text/number_format.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <utility>

namespace loadline::app {
namespace {

constexpr std::size_t listWidth = 60;

/// Turns a trace's indices into the scenario's ids.
class Words {
public:
    explicit Words(const Scenario& scenario) : scenario_(scenario) {}

    [[nodiscard]] std::string work(const Step& step) const {
        std::string text;
        for (const RequestTokens& scheduled : step.scheduled) {
            text += fmt::format("{}{}:{}", text.empty() ? "" : " ", id(scheduled.request), scheduled.tokens);
        }
        for (const MlxForward& forward : step.forwards) {
            const char* kind = forward.kind == ForwardKind::Decode ? "decode"
                               : forward.kind == ForwardKind::Last ? "last"
                                                                   : "prefill";
            text += fmt::format("{}{} {}x{} [{}]", text.empty() ? "" : ", ", kind, forward.rows.size(),
                                forward.length, ids(forward.rows));
        }
        return shortened(text, listWidth);
    }

    [[nodiscard]] std::string events(const Step& step) const {
        std::string text;
        append(text, "arrived", step.arrived);
        append(text, "preempted", step.preempted);
        append(text, "resumed", step.resumed);
        for (const RequestTokens& hit : step.hits) {
            if (hit.tokens > 0) {
                text += fmt::format("{}{} hit {}", text.empty() ? "" : ", ", id(hit.request), hit.tokens);
            }
        }
        append(text, "finished", step.finished);
        return shortened(text, listWidth);
    }

private:
    [[nodiscard]] std::int64_t id(RequestIndex request) const { return scenario_.requests[request].id; }

    [[nodiscard]] std::string ids(std::span<const RequestIndex> requests) const {
        std::string text;
        for (const RequestIndex request : requests) {
            text += fmt::format("{}{}", text.empty() ? "" : " ", id(request));
        }
        return text;
    }

    void append(std::string& text, const char* what, std::span<const RequestIndex> requests) const {
        if (!requests.empty()) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, ids(requests));
        }
    }

    const Scenario& scenario_;
};

/// One line per step, and a line of totals.
std::string scheduleText(const Scenario& scenario, const ScheduleTrace& trace) {
    const Words words(scenario);
    const bool blocks =
        withEngine(scenario.config, [](auto engine, const auto&) { return !engine.inRectangles; });
    TextTable table;
    table.columns = {{"Step", true}, {"Tokens", true}, {"Running", true}, {"Waiting", true}};
    if (blocks) {
        table.columns.push_back({"Free blocks", true});
    }
    table.columns.push_back({blocks ? "Request:tokens" : "Forwards"});
    table.columns.push_back({"What happened"});
    Tokens tokens = 0;
    std::size_t preemptions = 0;
    std::size_t outputs = 0;
    for (const Step& step : trace.steps) {
        std::vector<std::string> row{fmt::format("{}", step.t), formatExact(step.total),
                                     fmt::format("{}", step.runningCount),
                                     fmt::format("{}", step.waitingCount)};
        if (blocks) {
            row.push_back(formatExact(step.free));
        }
        row.push_back(words.work(step));
        row.push_back(words.events(step));
        table.rows.push_back(std::move(row));
        tokens += step.total;
        preemptions += step.preempted.size();
        outputs += step.emitted.size();
    }
    return alignedText(table) +
           fmt::format("\n{} requests, {} steps, {} tokens computed{}, {} output tokens, "
                       "{} preemptions\n",
                       scenario.requests.size(), formatExact(static_cast<std::int64_t>(trace.steps.size())),
                       formatExact(tokens), blocks ? "" : " with padding",
                       formatExact(static_cast<std::int64_t>(outputs)), preemptions);
}

constexpr std::size_t mostBytes = std::size_t{64} << 20;

} // namespace

int runSchedule(const Arguments& arguments) {
    CLI::App app;
    setUp(
        app, "loadline schedule",
        "Runs a batching scheduler (vLLM V1, MLX, Vidur's Sarathi and old vLLM) on given requests and shows "
        "what each step decided.",
        "  loadline schedule scenario.json\n"
        "  loadline schedule scenario.json --json | jq '.steps[] | .total'\n"
        "\nA small scenario:\n"
        "  {\"engine\": \"vllm\", \"config\": {\"max_num_batched_tokens\": 64, \"num_gpu_blocks\": 33},\n"
        "   \"requests\": [{\"id\": 0, \"arrival_step\": 0, \"prompt_tokens\": 100, \"output_tokens\": 8},\n"
        "                {\"id\": 1, \"after\": 0, \"prompt_tokens\": 40, \"output_tokens\": 4}]}\n");
    std::string path;
    bool json = false;
    app.add_option("SCENARIO", path, "A JSON file with engine, config and requests, of at most 64 MiB")
        ->required();
    app.add_flag("--json", json, "One JSON document (schema batching-oracle/1) instead of a table");
    if (const std::optional<int> status = parse(app, arguments)) {
        return *status;
    }

    const Result<std::string> content = readWholeFile(path, "the scenario", mostBytes);
    if (!content) {
        return fail(content.error());
    }
    const Result<Scenario> scenario = scenarioFromJson(*content, path);
    if (!scenario) {
        return fail(scenario.error());
    }
    const Interruption interruption;
    const Result<ScheduleTrace> trace = runScenario(*scenario, {}, interruption.token());
    if (const std::optional<int> status = interruption.exitStatus()) {
        return *status;
    }
    if (!trace) {
        Error error = trace.error();
        error.where = path;
        return fail(error);
    }
    return json ? printJson(traceToJson(*scenario, *trace)) : printText(scheduleText(*scenario, *trace));
}

} // namespace loadline::app
