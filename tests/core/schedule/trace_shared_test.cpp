// Every recorded trace of a real scheduler, step by step and field by field.
#include "core/ask/write_json.h"
#include "core/schedule/json/scenario_json.h"
#include "core/schedule/json/schedule_report.h"
#include "core/schedule/run/run_scenario.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace loadline {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

fs::path folder() {
    return fs::path(LOADLINE_SHARED_DATA) / "schedules";
}

std::vector<std::string> tracesOf(const std::string& engine) {
    std::vector<std::string> names;
    std::error_code absent;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder() / engine, absent)) {
        names.push_back(engine + "/" + entry.path().stem().string());
    }
    std::ranges::sort(names);
    return names;
}

/// Absent optional lists are empty lists.
Json fieldOf(const Json& step, const std::string& key) {
    const auto found = step.find(key);
    return found == step.end() ? Json::array() : *found;
}

std::vector<std::string> fieldsOf(const Json& one, const Json& other) {
    std::vector<std::string> fields;
    for (const Json* step : {&one, &other}) {
        for (const auto& [key, value] : step->items()) {
            if (std::ranges::find(fields, key) == fields.end()) {
                fields.push_back(key);
            }
        }
    }
    return fields;
}

/// "" when the steps agree.
std::string firstDifference(const Json& expected, const Json& got, bool waitingIsSet) {
    for (const std::string& field : fieldsOf(expected, got)) {
        Json want = fieldOf(expected, field);
        Json have = fieldOf(got, field);
        if (field == "waiting" && waitingIsSet) {
            std::sort(want.begin(), want.end());
            std::sort(have.begin(), have.end());
        }
        if (want != have) {
            return field + ": expected " + want.dump() + ", got " + have.dump();
        }
    }
    return "";
}

void compare(const std::string& name) {
    std::ifstream file(folder() / (name + ".json"));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const Json expected = Json::parse(text);
    const Result<Scenario> scenario = scenarioFromJson(text, name);
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    const Result<ScheduleTrace> trace = runScenario(*scenario);
    ASSERT_TRUE(trace) << name << ": " << trace.error().sentence();
    const Json got = Json::parse(ask::jsonOfReport(ask::scheduleReport(*scenario, *trace)));
    const bool waitingIsSet = expected["config"].value("policy", "") == "priority";
    for (std::size_t i = 0; i < std::min(expected["steps"].size(), got["steps"].size()); ++i) {
        const std::string difference = firstDifference(expected["steps"][i], got["steps"][i], waitingIsSet);
        ASSERT_EQ(difference, "") << name << ": step " << expected["steps"][i]["t"] << ": " << difference;
    }
    ASSERT_EQ(got["steps"].size(), expected["steps"].size()) << name;
    for (const char* part : {"engine", "config", "summary_columns", "summary", "totals"}) {
        ASSERT_EQ(got[part], expected[part]) << name << ": " << part;
    }
}

class TraceTest : public testing::TestWithParam<const char*> {};

TEST_P(TraceTest, EveryFieldOfEveryStepIsReproduced) {
    const std::vector<std::string> names = tracesOf(GetParam());
    if (names.empty()) {
        GTEST_SKIP() << "there are no traces in " << folder() / GetParam();
    }
    int compared = 0;
    for (const std::string& name : names) {
        compare(name);
        compared += HasFailure() ? 0 : 1;
    }
    RecordProperty("compared", compared);
}

INSTANTIATE_TEST_SUITE_P(Engines, TraceTest, testing::Values("vllm", "mlx", "vidur"),
                         [](const auto& engine) { return std::string(engine.param); });

} // namespace
} // namespace loadline
