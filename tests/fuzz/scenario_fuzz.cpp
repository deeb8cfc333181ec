// Any bytes as a scenario: run to its end, every token is computed and every request finishes once.
#include "core/ask/write_json.h"
#include "core/schedule/json/scenario_json.h"
#include "core/schedule/json/schedule_report.h"
#include "core/schedule/run/run_scenario.h"
#include "tests/fuzz/check.h"

#include <nlohmann/json.hpp>

#include <set>

namespace {

using namespace loadline;
using namespace loadline::fuzz;

/// Larger ones are as right, but no scheduler runs them in a moment.
bool isSmall(const Scenario& scenario) {
    constexpr std::int64_t most = 1 << 16;
    const bool blocks = std::visit(
        [](const auto& config) {
            if constexpr (requires { config.numGpuBlocks; }) {
                return config.numGpuBlocks <= most;
            } else {
                return true;
            }
        },
        scenario.config);
    Tokens tokens = 0;
    for (const ScheduleRequest& request : scenario.requests) {
        tokens = std::min(most + 1, tokens + request.promptTokens + request.outputTokens);
    }
    return blocks && tokens <= most;
}

void checkTrace(const Scenario& scenario, const ScheduleTrace& trace) {
    check(trace.requests.size() == scenario.requests.size());
    std::vector<Tokens> emitted(scenario.requests.size());
    std::set<RequestIndex> finished;
    std::int64_t before = -1;
    for (const Step& step : trace.steps) {
        check(step.t > before && step.total >= 0 && step.free >= 0 && step.freeScheduled >= 0);
        before = step.t;
        Tokens total = 0;
        for (const RequestTokens& scheduled : step.scheduled) {
            check(scheduled.tokens >= 1);
            total += scheduled.tokens;
        }
        check(step.scheduled.empty() || total == step.total);
        for (const RequestIndex request : step.emitted) {
            ++emitted[static_cast<std::size_t>(request)];
        }
        for (const RequestIndex request : step.finished) {
            check(finished.insert(request).second);
        }
    }
    check(finished.size() == scenario.requests.size());
    for (std::size_t i = 0; i < emitted.size(); ++i) {
        const RequestSummary& summary = trace.requests[i];
        check(emitted[i] >= 1 && emitted[i] <= scenario.requests[i].outputTokens);
        check(summary.arrivalStep <= summary.firstScheduledStep &&
              summary.firstScheduledStep <= summary.finishStep);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Result<Scenario> scenario = scenarioFromJson(fuzz::textOf(data, size), "x");
    if (!scenario) {
        check(!scenario.error().what.empty());
        return 0;
    }
    const Status checked = checkScenario(*scenario);
    if (!checked) {
        check(!checked.error().what.empty());
        return 0;
    }
    if (!isSmall(*scenario)) {
        return 0;
    }
    const Result<ScheduleTrace> trace = runScenario(*scenario, {.steps = 20'000, .entries = 200'000});
    if (!trace) {
        checkError(trace.error());
        return 0;
    }
    checkTrace(*scenario, *trace);
    const Result<Scenario> again =
        scenarioFromJson(ask::jsonOfReport(ask::scheduleReport(*scenario, *trace)), "x");
    if (!again) {
        std::fprintf(stderr, "%s\n", again.error().sentence().c_str());
    }
    check(again.hasValue());
    check(again->config == scenario->config && again->requests.size() == scenario->requests.size());
    const Result<ScheduleTrace> same = runScenario(*again, {.steps = 20'000, .entries = 200'000});
    check(same && *same == *trace);
    return 0;
}
