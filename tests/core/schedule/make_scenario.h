// Short scenarios for tests.
#pragma once

#include "core/schedule/run/run_scenario.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace loadline::test {

/// A request whose prompt shares no token with any other.
inline ScheduleRequest request(std::int64_t id, std::int64_t arrival, Tokens prompt, Tokens outputs) {
    return {.id = id,
            .arrivalStep = arrival,
            .prompt = {{.first = 1'000'000 * (id + 1), .count = prompt}},
            .promptTokens = prompt,
            .outputTokens = outputs,
            .firstOutputToken = 1'000'000 * (id + 1) + 500'000};
}

inline ScheduleRequest follower(std::int64_t id, std::int64_t after, std::int64_t delay, Tokens prompt,
                                Tokens outputs) {
    ScheduleRequest result = request(id, 0, prompt, outputs);
    result.arrivalStep.reset();
    result.after = after;
    result.delay = delay;
    return result;
}

inline Scenario scenario(ScheduleConfig config, std::vector<ScheduleRequest> requests) {
    return {.name = {}, .description = {}, .config = config, .requests = std::move(requests)};
}

/// The steps; a failure of the test if there are none.
inline std::vector<Step> stepsOf(const Scenario& scenario) {
    Result<ScheduleTrace> trace = runScenario(scenario);
    if (!trace) {
        ADD_FAILURE() << trace.error().sentence();
        return {};
    }
    return std::move(trace->steps);
}

/// "0:10 1:1" for each step, with "-2" for who was preempted, "!0" for who finished.
inline std::vector<std::string> described(const std::vector<Step>& steps) {
    std::vector<std::string> lines;
    for (const Step& step : steps) {
        std::string line;
        const auto add = [&line](const std::string& word) { line += (line.empty() ? "" : " ") + word; };
        for (const RequestTokens& scheduled : step.scheduled) {
            add(std::to_string(scheduled.request) + ":" + std::to_string(scheduled.tokens));
        }
        for (const RequestIndex preempted : step.preempted) {
            add("-" + std::to_string(preempted));
        }
        for (const RequestIndex finished : step.finished) {
            add("!" + std::to_string(finished));
        }
        lines.push_back(line);
    }
    return lines;
}

} // namespace loadline::test
