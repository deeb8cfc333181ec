// Every recorded trace of a real scheduler, step by step and field by field.
#include "core/ask/write_json.h"
#include "core/schedule/json/scenario_json.h"
#include "core/schedule/json/schedule_report.h"
#include "core/schedule/run/run_scenario.h"
#include "traces.h"

#include <string>
#include <vector>

namespace loadline {
namespace {

using test::expectSameSteps;
using test::Json;
using test::textOfTrace;
using test::tracesFolder;
using test::tracesOf;

void compare(const std::string& name) {
    const std::string text = textOfTrace(name);
    const Json expected = Json::parse(text);
    const Result<Scenario> scenario = scenarioFromJson(text, name);
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    const Result<ScheduleTrace> trace = runScenario(*scenario);
    ASSERT_TRUE(trace) << name << ": " << trace.error().sentence();
    const Json got = Json::parse(ask::jsonOfReport(ask::scheduleReport(*scenario, *trace)));
    expectSameSteps(expected, got, name);
    for (const char* part : {"engine", "config", "summary_columns", "summary", "totals"}) {
        ASSERT_EQ(got[part], expected[part]) << name << ": " << part;
    }
}

class TraceTest : public testing::TestWithParam<const char*> {};

TEST_P(TraceTest, EveryFieldOfEveryStepIsReproduced) {
    const std::vector<std::string> names = tracesOf(GetParam());
    if (names.empty()) {
        GTEST_SKIP() << "there are no traces in " << tracesFolder() / GetParam();
    }
    int compared = 0;
    for (const std::string& name : names) {
        compare(name);
        compared += HasFailure() ? 0 : 1;
    }
    RecordProperty("compared", compared);
}

INSTANTIATE_TEST_SUITE_P(Engines, TraceTest, testing::Values("vllm", "mlx"),
                         [](const auto& engine) { return std::string(engine.param); });

} // namespace
} // namespace loadline
