// A recorded run, served again by the simulated engine from its arrivals and lengths.
#pragma once

#include "core/base/statistics.h"
#include "core/replay/engine_run.h"
#include "core/replay/kv_capacity.h"
#include "core/replay/step_times.h"
#include "core/text/parse_number.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline {

/// KV blocks of a run.
inline constexpr NumberRange<std::int64_t> replayedBlocks{2, std::int64_t{1} << 24};

struct ReplayOptions {
    std::optional<std::int64_t>
        kvBlocks; ///< in replayedBlocks; instead of the run's own, the null block included
};

/// How one request fared, in seconds.
struct Latencies {
    double ttftS = 0; ///< from arrival to the first token
    double tpotS = 0; ///< (last - first token) / (outputs - 1); 0 with one output
    double e2eS = 0;  ///< from arrival to the last token
    bool operator==(const Latencies&) const = default;
};

struct ReplayedRequest {
    Latencies predicted;
    std::optional<Latencies> recorded;
    std::int64_t preemptions = 0; ///< predicted
    Tokens cachedTokens = 0;      ///< predicted: prompt tokens found in the prefix cache at first admission
    bool operator==(const ReplayedRequest&) const = default;
};

/// Over all requests; TPOT over those with at least two outputs.
struct LatencySummary {
    Quantiles ttftS;
    Quantiles tpotS;
    Quantiles e2eS;
    double makespanS = 0; ///< from the first arrival to the last token
    bool operator==(const LatencySummary&) const = default;
};

/// Predicted time of the GPU by part, in seconds.
struct ReplayBudget {
    double denseS = 0;
    double attentionS = 0;
    double linksS = 0;
    double headS = 0;
    double idleS = 0; ///< no request was there

    [[nodiscard]] double busyS() const { return denseS + attentionS + linksS + headS; }

    bool operator==(const ReplayBudget&) const = default;
};

struct Replay {
    KvCapacity capacity;
    std::int64_t steps = 0;
    std::int64_t preemptions = 0;
    Tokens cachedTokens = 0;               ///< of all prompts, at first admissions
    std::vector<ReplayedRequest> requests; ///< in the order of EngineRun::requests
    LatencySummary predicted;
    std::optional<LatencySummary> recorded; ///< nothing where some request has no recorded times
    ReplayBudget budget;
    std::vector<std::string> notes; ///< what is assumed or not known, one sentence each
    bool operator==(const Replay&) const = default;
};

/// vLLM V1, exact, on the clock: with asynchronous scheduling step k is scheduled when step k - 2 has ended,
/// and runs when k - 1 has; a token is out when its step has ended. Nothing is fitted to the run: no constant
/// but those of its set-up, kernel tables and link figures. The Error: a request that the cache can never
/// hold, a set-up that cannot be scheduled, or `stop` was asked for.
Result<Replay> replayRun(const EngineRun& run, const ReplayOptions& options = {},
                         const std::stop_token& stop = {});

} // namespace loadline
