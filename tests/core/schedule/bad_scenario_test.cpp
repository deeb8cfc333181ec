// Scenarios that make no sense end with a sentence, at once.
#include "core/ask/write_json.h"
#include "core/schedule/json/scenario_json.h"
#include "core/schedule/json/schedule_report.h"
#include "make_scenario.h"

#include <nlohmann/json.hpp>

#include <stop_token>

namespace loadline {
namespace {

struct Bad {
    const char* name;
    const char* json; ///< the whole, or the part behind "engine": "vllm"
    const char* said;
};

class BadScenarioTest : public testing::TestWithParam<Bad> {};

TEST_P(BadScenarioTest, IsSaidInASentence) {
    const Bad& bad = GetParam();
    const std::string text =
        bad.json[0] == ',' ? std::string(R"({"engine": "vllm")") + bad.json + "}" : bad.json;
    const Result<Scenario> scenario = scenarioFromJson(text, "s.json");
    std::string sentence;
    if (!scenario) {
        sentence = scenario.error().sentence();
        EXPECT_EQ(scenario.error().where, "s.json");
    } else {
        const Result<ScheduleTrace> trace = runScenario(*scenario, {.steps = 1000});
        ASSERT_FALSE(trace);
        sentence = trace.error().sentence();
    }
    EXPECT_NE(sentence.find(bad.said), std::string::npos) << sentence;
}

constexpr auto oneRequest =
    R"("requests": [{"id": 0, "arrival_step": 0, "prompt_tokens": 5, "output_tokens": 5}])";

const Bad badOnes[] = {
    {"NotJson", "{]", "not JSON"},
    {"Array", "[1]", "not a JSON object"},
    {"NoEngine", R"({"requests": []})", "names no engine"},
    {"Engine", R"({"engine": "orca", "requests": []})", "\"orca\" is not known"},
    {"EngineNumber", R"({"engine": 3, "requests": []})", "\"engine\" is not text"},
    {"Schema", R"(,"schema": "batching-oracle/9", "requests": [])", "batching-oracle/9"},
    {"TopField", R"(,"request": [], "requests": [])", "\"request\" is not a known key"},
    {"NoRequests", R"(,"config": {})", "no list of requests"},
    {"Empty", R"(,"requests": [])", "there are no requests"},
    {"RequestNumber", R"(,"requests": [5])", "request number 1: it is not an object"},
    {"ConfigList", R"(,"config": [], "requests": [])", "\"config\" is not an object"},
    {"ConfigField", R"(,"config": {"max_seqs": 3}, "requests": [])",
     "\"config.max_seqs\" is not a known key"},
    {"Half", R"(,"config": {"block_size": 1.5}, "requests": [])",
     "\"config.block_size\" is not a whole number"},
    {"Huge", R"(,"config": {"block_size": 18446744073709551615}, "requests": [])", "not a whole number"},
    {"Flag", R"(,"config": {"async_scheduling": 1}, "requests": [])", "neither true nor false"},
    {"Policy", R"(,"config": {"policy": "lifo"}, "requests": [])", "one of fcfs, priority"},
    {"Version", R"(,"config": {"version": "2019"}, "requests": [])", "2025-10"},
    {"NoId", R"(,"requests": [{"arrival_step": 0, "prompt_tokens": 5, "output_tokens": 5}])", "has no id"},
    {"RequestField", R"(,"requests": [{"id": 0, "prio": 1}])", "\"prio\" is not a known key"},
    {"NoPrompt", R"(,"requests": [{"id": 0, "arrival_step": 0, "output_tokens": 5}])", "prompt_tokens is 0"},
    {"NoOutput", R"(,"requests": [{"id": 0, "arrival_step": 0, "prompt_tokens": 5}])", "output_tokens is 0"},
    {"Negative", R"(,"requests": [{"id": 0, "arrival_step": -1, "prompt_tokens": 5, "output_tokens": 5}])",
     "arrival_step is -1"},
    {"NeverArrives", R"(,"requests": [{"id": 0, "prompt_tokens": 5, "output_tokens": 5}])",
     "neither arrival_step nor after"},
    {"After", R"(,"requests": [{"id": 0, "after": 4, "prompt_tokens": 5, "output_tokens": 5}])",
     "there is no such request"},
    {"AfterItself", R"(,"requests": [{"id": 0, "after": 0, "prompt_tokens": 5, "output_tokens": 5}])",
     "follows itself"},
    {"Circle", R"(,"requests": [{"id": 0, "after": 1, "prompt_tokens": 5, "output_tokens": 5},
                                {"id": 1, "after": 0, "prompt_tokens": 5, "output_tokens": 5}])",
     "follows itself"},
    {"Twice", R"(,"requests": [{"id": 3, "arrival_step": 0, "prompt_tokens": 5, "output_tokens": 5},
                               {"id": 3, "arrival_step": 0, "prompt_tokens": 5, "output_tokens": 5}])",
     "the id 3 stands twice"},
    {"Runs", R"(,"requests": [{"id": 0, "arrival_step": 0, "prompt": [[1, 2, 3]], "output_tokens": 5}])",
     "not a list of runs"},
    {"RunsLength",
     R"(,"requests": [{"id": 0, "arrival_step": 0, "prompt": [[1, 2]], "prompt_tokens": 3, "output_tokens": 5}])",
     "2 token ids, and prompt_tokens is 3"},
    {"RunBackwards",
     R"(,"requests": [{"id": 0, "arrival_step": 0, "prompt": [[1, -2], [4, 9]], "output_tokens": 5}])",
     "a prompt run of -2 tokens"},
    {"LongerThanCache",
     R"(,"config": {"num_gpu_blocks": 11}, "requests": [{"id": 0, "arrival_step": 0, "prompt_tokens": 160, "output_tokens": 2}])",
     "longer than the cache: its 161 tokens need 11 blocks of 16, and 10 can be used"},
    {"LongerThanContext",
     R"(,"config": {"max_model_len": 160}, "requests": [{"id": 0, "arrival_step": 0, "prompt_tokens": 160, "output_tokens": 2}])",
     "max_model_len is 160"},
    {"WaitsForEver",
     R"(,"config": {"enable_chunked_prefill": false, "max_num_batched_tokens": 9}, "requests": [{"id": 6, "arrival_step": 0, "prompt_tokens": 10, "output_tokens": 2}])",
     "request 6 waits for ever: it has 10 tokens to compute at once"},
    {"TooManySteps",
     R"(,"requests": [{"id": 0, "arrival_step": 0, "prompt_tokens": 5, "output_tokens": 100000}])",
     "too much to list"},
    {"MlxCached",
     R"({"engine": "mlx", "requests": [{"id": 0, "arrival_step": 0, "prompt_tokens": 5, "output_tokens": 5, "cached_tokens": 2}]})",
     "without reuse_cache"},
    {"MlxPriority", R"({"engine": "mlx", "requests": [{"id": 0, "priority": 5}]})",
     "\"priority\" is not a known key"},
    {"Vidur", R"({"engine": "vidur", "requests": []})", "engine"},
};

INSTANTIATE_TEST_SUITE_P(All, BadScenarioTest, testing::ValuesIn(badOnes),
                         [](const auto& bad) { return std::string(bad.param.name); });

TEST(BadConfigTest, EveryNumberHasItsLimits) {
    const auto refused = [](const char* engine, const char* field, const char* value) {
        const std::string text = std::string(R"({"engine": ")") + engine + R"(", "config": {")" + field +
                                 "\": " + value + "}, " + oneRequest + "}";
        const Result<Scenario> scenario = scenarioFromJson(text, "s.json");
        ASSERT_TRUE(scenario) << scenario.error().sentence();
        const Status checked = checkScenario(*scenario);
        ASSERT_FALSE(checked) << field << " = " << value;
        EXPECT_NE(checked.error().sentence().find(field), std::string::npos) << checked.error().sentence();
    };
    for (const char* value : {"0", "-1", "9000000000000000000"}) {
        for (const char* field :
             {"max_num_batched_tokens", "max_num_seqs", "block_size", "num_gpu_blocks", "max_model_len"}) {
            refused("vllm", field, value);
        }
        for (const char* field : {"completion_batch_size", "prefill_batch_size", "prefill_step_size"}) {
            refused("mlx", field, value);
        }
    }
    for (const char* value : {"-0.1", "1", "1e300"}) {
        refused("vllm", "watermark", value);
    }
}

TEST(ScenarioLimitsTest, WhatCannotBeListedIsKnownBeforeTheFirstStep) {
    Scenario scenario = test::scenario(MlxConfig{}, {});
    for (std::int64_t id = 0; id < 1000; ++id) {
        scenario.requests.push_back(test::request(id, 0, 5, 1'000'000));
    }
    std::stop_source stopped; // a run would end with what there is
    stopped.request_stop();
    const Result<ScheduleTrace> many = runScenario(scenario, {}, stopped.get_token());
    ASSERT_FALSE(many);
    EXPECT_NE(many.error().what.find("more than 2000000 steps, or 10000000 entries"), std::string::npos);
    scenario.requests = {test::request(0, 0, 5, 1'000'000'000)};
    EXPECT_FALSE(runScenario(scenario, {}, stopped.get_token()));
    scenario.requests = {test::request(0, 0, 5, 1'000'000)};
    EXPECT_TRUE(runScenario(scenario, {}, stopped.get_token()));
    scenario.requests.assign(1'000'001, test::request(0, 0, 5, 5));
    const Status checked = checkScenario(scenario);
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().what, "the number of requests is 1000001, and must be between 0 and 1000000");
}

TEST(ScenarioLimitsTest, NoEngineListsTheQueuesOfManyRequestsInEveryStep) {
    for (const ScheduleConfig& config : {ScheduleConfig(VllmConfig{}), ScheduleConfig(MlxConfig{})}) {
        Scenario scenario = test::scenario(config, {});
        for (std::int64_t id = 0; id < 41; ++id) {
            scenario.requests.push_back(test::request(id, 0, 1000, 5));
        }
        for (const Step& step : test::stepsOf(scenario)) {
            EXPECT_TRUE(step.running.empty() && step.waiting.empty()) << config.index();
        }
    }
}

TEST(ScenarioJsonTest, WhatIsWrittenIsReadBack) {
    Scenario scenario = test::scenario(VllmConfig{.blockSize = 4, .version = VllmVersion::March2026},
                                       {test::request(3, 1, 9, 2), test::follower(4, 3, 5, 2, 1)});
    scenario.name = "two";
    const Result<ScheduleTrace> trace = runScenario(scenario);
    ASSERT_TRUE(trace);
    const Result<Scenario> again =
        scenarioFromJson(ask::jsonOfReport(ask::scheduleReport(scenario, *trace)), "s.json");
    ASSERT_TRUE(again) << again.error().sentence();
    EXPECT_TRUE(*again == scenario);
}

} // namespace
} // namespace loadline
