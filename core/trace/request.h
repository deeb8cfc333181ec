// The parts of a workload: requests at their times, and turns that follow each other in a session.
#pragma once

#include "core/base/tokens.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace loadline {

/// More tokens than any request holds; readers refuse larger counts.
inline constexpr Tokens maxTurnTokens = maxTokensPerCall;

/// A prompt's or an answer's tokens as they are simulated: one at least, and not beyond maxTurnTokens.
constexpr Tokens simulatedTokens(Tokens tokens) {
    return std::clamp<Tokens>(tokens, 1, maxTurnTokens);
}

/// One turn: what the prompt adds, what comes back.
struct WorkloadTurn {
    Tokens context = 0; ///< prompt tokens before this turn's new ones (earlier turns' KV); 0 if not known
    Tokens input = 0;   ///< prompt tokens to be computed
    Tokens output = 0;
    double gapS = -1; ///< seconds from the end of the turn before (tool and human time); < 0: not known
    bool operator==(const WorkloadTurn&) const = default;
};

/// Turns that wait for each other: those of one agent. Its sub-agents work beside it and are sessions too.
struct WorkloadSession {
    std::string id;
    std::vector<WorkloadTurn> turns;
    /// The conversation of the session; equal for an agent and its sub-agents, which are resampled together.
    /// "": `id`.
    std::string conversation = {};

    [[nodiscard]] const std::string& partOf() const { return conversation.empty() ? id : conversation; }

    bool operator==(const WorkloadSession&) const = default;
};

/// Tokens of a block in traces that tell what requests share (Mooncake's).
inline constexpr Tokens traceBlockTokens = 512;

/// One request of a trace.
struct TraceRequest {
    double arrivalS = 0; ///< after the first request; never negative
    Tokens input = 0;    ///< the whole prompt, what was cached included
    Tokens output = 0;
    Tokens cached = 0; ///< of `input`: shared with earlier requests, where the trace tells; 0 if not known
    /// Numbers of the prompt's blocks of traceBlockTokens, from 0 over the trace; the last block may be cut.
    /// Equal numbers stand for equal tokens after equal ones. Empty if the trace has none.
    std::vector<std::uint32_t> blocks = {};
    bool operator==(const TraceRequest&) const = default;
};

} // namespace loadline
