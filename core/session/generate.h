// Made-up Claude Code session folders of realistic shape, for demos, tests and benchmarks.
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/session/usage.h"
#include "core/text/parse_number.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>

namespace loadline {

inline constexpr NumberRange<std::uint64_t> generatedSessions{1, 1'000'000};
inline constexpr NumberRange<Tokens> largestResults{16, 32'768};
inline constexpr NumberRange<std::uint64_t> generatedBytes{0, std::uint64_t{1} << 42};

struct GenerateOptions {
    std::uint64_t sessions = 8;      ///< main files; sub-agent files come on top
    std::uint64_t bytes = 4'000'000; ///< of all files together; met within 4 % from 50,000 per session on
    std::uint64_t seed = 1;          ///< same seed, sessions and bytes: the same files, byte for byte
    Tokens largestResult = 32'768;   ///< of one tool; smaller: more calls in the same number of bytes
    bool odd = false;                ///< also broken lines, glued objects, byte order marks, cut ends ...
};

/// Smallest number of bytes per session that still holds a prompt and its answer.
inline constexpr std::uint64_t minBytesPerSession = 6000;

/// What was written, counted while writing: what a correct reader must find again.
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

/// Writes FOLDER/projects/<slug>/<session>.jsonl and what belongs to them, all or nothing. The folder is made
/// when it does not exist and must be empty when it does. Needs little memory whatever the number of bytes.
/// Deterministic on every platform: whole-number arithmetic only. Advances `progress`.
Result<GeneratedLedger> generateSessions(const std::string& folder, const GenerateOptions& options,
                                         const std::stop_token& stop, Progress& progress);

} // namespace loadline
