// A measured server's run, simulated: the exact scheduler under a closed loop of clients.
#pragma once

#include "core/base/result.h"
#include "core/cost/engine/engine_settings.h"
#include "core/cost/engine/front_end.h"
#include "core/cost/engine/step_work.h"
#include "core/schedule/scenario.h"
#include "core/validate/protocol.h"

#include <cstdint>
#include <stop_token>

namespace loadline {

struct ServingSetup {
    EngineSettings engine;
    std::int64_t kvBlocks = 0; ///< of tokensPerKvBlock tokens, vLLM's null block among them
    FrontEndCosts frontEnd = {};
};

/// The results of a run. Means are over all requests, as the client saw them.
struct ServingFigures {
    double ttftMs = 0; ///< from sending the prompt to the first token
    double tpotMs =
        0; ///< (last token - first token) / (output tokens - 1), of requests with two tokens or more
    double burstTtftMs = 0; ///< mean of the first request of each user: all are sent at once
    double durationS = 0;   ///< until the last token
    std::int64_t steps = 0; ///< that computed something
    double busyS = 0;       ///< the sum of their times
    std::int64_t preemptions = 0;
    bool isKvBound = false; ///< a request waited or was preempted for want of KV blocks
    bool operator==(const ServingFigures&) const = default;
};

/// Returns the scheduler's configuration of such a server: rules as of its version; without a prefix cache,
/// as the client's prompts are random.
VllmConfig schedulerConfigOf(const ServingSetup& setup);

/// Runs a plan to its last token. With asynchronous scheduling step k + 1 is composed as soon as the tokens
/// of step k - 1 are known, so while step k runs: a request that ends in step k keeps its place in step
/// k + 1. The Error: a prompt that the server refuses, blocks that a request waits for in vain, no usable
/// time of a step, or `stop` was asked for.
Result<ServingFigures> runServing(const ServingPlan& plan, const ServingSetup& setup, StepPrices& prices,
                                  const std::stop_token& stop = {});

} // namespace loadline
