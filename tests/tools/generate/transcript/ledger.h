// Counts of what was generated.
#pragma once

#include "core/session/usage.h"

#include <cstdint>
#include <map>
#include <string>

namespace loadline {

/// Counts taken while writing: a correct reader must find the same.
struct GeneratedLedger {
    std::uint64_t files = 0;         ///< transcripts (*.jsonl)
    std::uint64_t subAgentFiles = 0; ///< of these
    std::uint64_t bytes = 0;         ///< of the transcripts
    std::uint64_t forks = 0;         ///< sessions that begin with a copy of another one
    std::uint64_t compactions = 0;   ///< distinct ones, as are API errors and pauses
    std::uint64_t apiErrors = 0;
    std::uint64_t longPauses = 0;                     ///< of an hour or more before a prompt
    UsageTotals totals;                               ///< distinct API calls (content estimate left 0)
    UsageTotals progressOnly;                         ///< calls in agent_progress records alone
    std::map<std::string, UsageTotals> byModel;       ///< parts of totals
    std::map<std::string, UsageTotals> byUtcDay;      ///< parts of totals
    std::map<std::string, std::uint64_t> recordTypes; ///< over all files, copies included
    std::uint64_t prompts = 0;                        ///< human ones, copies included
    std::uint64_t promptTurns = 0;                    ///< with slash commands and bash input
    bool complete = true; ///< false when stopped before the end: then nothing was written
    bool operator==(const GeneratedLedger&) const = default;
};

} // namespace loadline
