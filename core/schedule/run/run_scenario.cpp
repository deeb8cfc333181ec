// Checks, limits, and the scheduler of the scenario's engine.
#include "core/schedule/run/run_scenario.h"

#include "core/schedule/run/engines.h"
#include "core/schedule/run/run_loop.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace loadline {
namespace {

/// True if a limit is surely exceeded, before the first step: a step gives a request one token at most.
bool isTooMuch(const Scenario& scenario, const RunLimits& limits) {
    const auto* vllm = std::get_if<VllmConfig>(&scenario.config);
    std::int64_t entries = 0;
    for (const ScheduleRequest& request : scenario.requests) {
        const Tokens tokens = vllm != nullptr
                                  ? std::min(request.outputTokens, vllm->maxModelLen - request.promptTokens)
                                  : request.outputTokens;
        entries += tokens;
        if (tokens > limits.steps || entries > limits.entries) {
            return true;
        }
    }
    return false;
}

} // namespace

Result<ScheduleTrace> runScenario(const Scenario& scenario, const RunLimits& limits,
                                  const std::stop_token& stop) {
    if (const Status checked = checkScenario(scenario); !checked) {
        return checked.error();
    }
    if (isTooMuch(scenario, limits)) {
        return RunLoop::tooMuch(limits);
    }
    RunLoop loop(scenario.requests, limits, stop);
    const bool listed = scenario.requests.size() <= limits.listedQueues;
    return withEngine(scenario.config, [&](auto engine, const auto& config) {
        return engine.begin(config, listed, [&](auto scheduler) { return loop.with(std::move(scheduler)); });
    });
}

} // namespace loadline
