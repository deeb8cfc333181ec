// Chains of requests as kv-cache-tester captured them, made into sessions.
#pragma once

#include "core/trace/block_trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

struct WekaRequest {
    double startS = 0;          ///< since the chain's own start
    std::optional<double> apiS; ///< how long the answer took; absent where the capture does not tell
    Tokens input = 0;           ///< the whole prompt
    Tokens output = 0;
    Tokens sharedTokens = 0; ///< of the prompt: in the leading blocks it shares with the request before
};

/// Collects requests by session and chain ("main", "agent_001"), in the order they come.
class WekaChains {
public:
    void add(std::string_view session, std::string_view chain, const WekaRequest& request);
    /// context = what is shared with the request before, input = the rest; gap = from the end of the one
    /// before, 0 where that had not ended, unknown where its end is.
    std::vector<WorkloadSession> finish(std::vector<std::string>& notes);

private:
    struct Chain {
        WorkloadSession session;
        std::optional<double> lastEndS;
    };

    std::vector<Chain> chains_;
    std::map<std::pair<std::string, std::string>, std::size_t> known_;
    std::size_t latest_ = 0; ///< rows of a chain stand together
    std::string latestSession_, latestChain_;
    std::uint64_t overlaps_ = 0;
    std::uint64_t unknownGaps_ = 0;
};

/// The chains of a trace of conversations, scope by scope.
std::vector<WorkloadSession> sessionsOf(const BlockTrace& trace, std::vector<std::string>& notes);

} // namespace loadline
