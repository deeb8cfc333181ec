// Made-up Claude Code session folders of realistic shape, for demos, tests and benchmarks.
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/text/parse_number.h"
#include "tests/tools/generate/transcript/ledger.h"

#include <cstdint>
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

/// Writes FOLDER/projects/<slug>/<session>.jsonl and what belongs to them, all or nothing. The folder is made
/// when it does not exist and must be empty when it does. Needs little memory whatever the number of bytes.
/// Deterministic on every platform: whole-number arithmetic only. Advances `progress`.
Result<GeneratedLedger> generateSessions(const std::string& folder, const GenerateOptions& options,
                                         const std::stop_token& stop, Progress& progress);

} // namespace loadline
