// Runs a scheduler over a scenario: arrivals in, steps out.
#pragma once

#include "core/base/result.h"
#include "core/schedule/scenario.h"
#include "core/schedule/step.h"

#include <cstddef>
#include <stop_token>

namespace loadline {

struct RunLimits {
    std::int64_t steps = 2'000'000;    ///< more are an Error
    std::int64_t entries = 10'000'000; ///< scheduled requests summed over all steps; more are an Error
    std::size_t listedQueues =
        40; ///< running and waiting are listed in scenarios of at most so many requests
};

/// An Error when a value makes no sense or the scenario could never end: unknown or cyclic `after`, the same
/// id twice, a request that is longer than the KV cache or the model's context, sizes that are zero or
/// absurd.
Status checkScenario(const Scenario& scenario);

/// Logical time: requests arrive before the step of their number; with nobody unfinished it jumps to the next
/// arrival. In one step first those with an arrival step, in the scenario's order, then those that follow
/// another, in the order in which the others finished. Fails where checkScenario() does, where a request
/// waits for ever (the Error says for what), and at the limits, where it can before the first step; when
/// stopped, the steps so far are the result.
Result<ScheduleTrace> runScenario(const Scenario& scenario, const RunLimits& limits = {},
                                  const std::stop_token& stop = {});

} // namespace loadline
