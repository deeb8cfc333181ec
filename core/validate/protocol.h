// The requests that the benchmark client of a measured server sends.
#pragma once

#include "core/base/result.h"
#include "core/base/tokens.h"
#include "core/serving/server_settings.h"

#include <cstdint>
#include <vector>

namespace loadline {

/// Lengths of one request; the client has the server ignore the end token, so the output is never shorter.
struct PlannedRequest {
    Tokens prompt = 0;
    Tokens output = 0;
    bool operator==(const PlannedRequest&) const = default;
};

/// A closed loop on one engine: `users` requests are sent at once, each next one when one ends.
struct ServingPlan {
    std::vector<PlannedRequest> requests{}; ///< in the order in which they are sent
    std::int64_t users = 0;
    /// Copies of the first request that are sent and awaited before the measurement begins. They leave an
    /// idle engine, and change nothing after them, as it has no prefix cache (schedulerConfigOf).
    std::int64_t warmUpCopies = 0;
    bool operator==(const ServingPlan&) const = default;
};

/// Requests that a plan may hold, and tokens in all of them.
inline constexpr std::int64_t mostPlannedRequests = std::int64_t{1} << 20;
inline constexpr Tokens mostPlannedTokens = std::int64_t{1} << 34;
inline constexpr std::int64_t mostPlannedSteps = std::int64_t{1}
                                                 << 24; ///< at the least: tokens / token budget

/// Returns the plan of InferenceX's client (utils/bench_serving/benchmark_serving.py at 843c625): 10 requests
/// a user; lengths uniform from int(ratio * L) to L, all prompts drawn before all outputs, by NpRandom(0);
/// 2 * users copies of the first request before, since 2026-01-21 (d053ae24e). A length is at least 1.
/// With data parallelism the plan is that of one engine, which gets every dataParallel-th request and an
/// equal share of the users. The Error: more than the limits above.
Result<ServingPlan> servingPlanOf(const ServerSettings& settings);

} // namespace loadline
