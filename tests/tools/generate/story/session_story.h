// One session from its first record to its last: prompts, pauses, sub-agents, compactions, copies.
#pragma once

#include "tests/tools/generate/story/strand.h"

#include <cstdint>
#include <string>

namespace loadline::generate {

/// Everything that is decided about a session before it is written.
struct SessionPlan {
    std::uint64_t index = 0;
    std::uint64_t seed = 0;
    const CliVersion* version = nullptr;
    std::string project; ///< its folder's name
    TimeMs start;
    std::int64_t bytes = 0;
};

SessionPlan planSession(std::uint64_t seed, std::uint64_t index, std::int64_t bytes);

struct StoryOptions {
    std::string folder; ///< holds projects/
    bool odd = false;
    Tokens largestResult = 32'768;
};

/// Writes the session's files; the answer is their bytes. `original`: the session whose first part this one
/// copies, or null.
Result<std::int64_t> writeSession(const SessionPlan& plan, const SessionPlan* original,
                                  const StoryOptions& options, const Texts& texts, GeneratedLedger& ledger,
                                  const std::stop_token& stop);

} // namespace loadline::generate
