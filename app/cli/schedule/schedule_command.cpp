// loadline schedule: a scheduler's decisions on given requests, step by step.
#include "app/cli/commands.h"
#include "app/cli/terminal/interruption.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/parse.h"
#include "app/faces/field_options.h"
#include "core/ask/field_row.h"
#include "core/base/file/read_file.h"
#include "core/schedule/json/scenario_json.h"
#include "core/schedule/json/schedule_report.h"
#include "core/schedule/run/run_scenario.h"

#include <CLI/CLI.hpp>

#include <array>
#include <string>

namespace loadline::app {
namespace {

constexpr std::size_t mostBytes = std::size_t{64} << 20;

struct ScheduleOptions {
    std::string path;
};

ask::Fields scheduleFields() {
    static const std::array rows = {
        ask::row("scenario", ask::bound<&ScheduleOptions::path>(),
                 {"scenario", "A JSON file with engine, config and requests, of at most 64 MiB"}, {}, {}, {},
                 {.text = {.form = "SCENARIO"}, .command = {.byPosition = true, .isRequired = true}})};
    return rows;
}

} // namespace

int runSchedule(const Arguments& arguments) {
    CLI::App app;
    setUp(
        app, "loadline schedule",
        "Runs a batching scheduler (vLLM V1, MLX) on given requests and shows what each step decided.",
        "  loadline schedule scenario.json\n"
        "  loadline schedule scenario.json --json | jq '.steps[] | .total'\n"
        "\nA small scenario:\n"
        "  {\"engine\": \"vllm\", \"config\": {\"max_num_batched_tokens\": 64, \"num_gpu_blocks\": 33},\n"
        "   \"requests\": [{\"id\": 0, \"arrival_step\": 0, \"prompt_tokens\": 100, \"output_tokens\": 8},\n"
        "                {\"id\": 1, \"after\": 0, \"prompt_tokens\": 40, \"output_tokens\": 4}]}\n");
    ScheduleOptions options;
    const std::string& path = options.path;
    Output output;
    addFields(app, scheduleFields(), &options);
    addOutput(app, output, {.json = "One JSON document (schema batching-oracle/1) instead of a table"});
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
    return printReport(ask::scheduleReport(*scenario, *trace), output.json);
}

} // namespace loadline::app
