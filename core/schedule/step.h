// The decisions of one step of a scheduler: who computes how many tokens, who waits, who ended.
#pragma once

#include "core/base/tokens.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace loadline {

/// The caller's number of a request: in a Scenario its index in `requests`.
using RequestIndex = std::int32_t;

struct RequestTokens {
    RequestIndex request = 0;
    std::int32_t tokens = 0;
    bool operator==(const RequestTokens&) const = default;
};

enum class ForwardKind : std::uint8_t { Decode, Last, Prefill };

/// One forward pass of MLX: a rectangle of rows x length, padded to the longest row.
struct MlxForward {
    ForwardKind kind = ForwardKind::Decode;
    std::vector<RequestIndex> rows;
    Tokens length = 0;          ///< padded
    Tokens kvWidth = 0;         ///< padded width of the KV after the forward
    std::vector<Tokens> tokens; ///< Prefill: real tokens of each row
    bool operator==(const MlxForward&) const = default;
};

/// One schedule-and-forward. For vLLM the first group counts, for MLX the last.
struct Step {
    std::int64_t t = 0;
    std::vector<RequestIndex> arrived;
    std::vector<RequestTokens> scheduled; ///< in scheduling order; a decode is one token
    std::vector<RequestIndex> admitted;   ///< for the first time
    std::vector<RequestIndex> resumed;    ///< admitted again after a preemption
    std::vector<RequestTokens> hits; ///< prompt tokens found in the prefix cache, of all who were admitted
    std::vector<RequestIndex> preempted;
    Tokens total = 0;                  ///< tokens of `scheduled`: the rows M of the step's GEMMs
    std::int64_t freeScheduled = 0;    ///< free blocks after scheduling
    std::int64_t besideScheduled = 0;  ///< of those held then, beside tokens (BlocksBeside)
    std::int64_t runningCount = 0;     ///< after scheduling
    std::int64_t waitingCount = 0;     ///< the same
    std::vector<RequestIndex> running; ///< in order; filled only when asked for
    std::vector<RequestIndex> waiting;
    std::vector<RequestIndex> emitted; ///< got one output token
    std::vector<RequestIndex> finished;
    std::int64_t free = 0;                ///< free blocks after the update
    std::optional<std::int64_t> updateOf; ///< asynchronous: the step that emitted and finished belong to

    std::vector<MlxForward> forwards;
    std::vector<RequestIndex> generating; ///< row order after the step
    std::vector<RequestIndex> prompting;
    Tokens generationKvWidth = 0; ///< 0 if no row generates

    bool operator==(const Step&) const = default;
};

/// Steps and counts of one request; steps are -1 if they did not happen.
struct RequestSummary {
    std::int64_t arrivalStep = -1;
    std::int64_t firstScheduledStep = -1;
    std::int64_t firstTokenStep = -1;
    std::int64_t finishStep = -1;
    std::int64_t preemptions = 0;
    Tokens firstHitTokens = 0; ///< prefix-cache hit at the first admission
    bool operator==(const RequestSummary&) const = default;
};

/// A whole run: every step, and every request in the scenario's order.
struct ScheduleTrace {
    std::vector<Step> steps;
    std::vector<RequestSummary> requests;
    bool operator==(const ScheduleTrace&) const = default;
};

} // namespace loadline
