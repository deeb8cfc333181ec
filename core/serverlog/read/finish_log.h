// Last steps on a log when all of it, or all so far, was taken.
#pragma once

#include "core/serverlog/read/log_assembly.h"
#include "core/serverlog/read/log_pattern.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace loadline {

/// The server that wrote most of the lines; null: none. `lines` are counted by format; those of a server that
/// another one runs count for both.
const ServerFormat* serverOf(std::span<const FormatPatterns> formats, std::span<const std::uint64_t> lines);

/// Makes times count from the first of them; `firstS` and `lastS` are of all lines.
void finishTimes(ServerLog& log, double firstS, double lastS);

/// Sets the source of requests, and what a reader of the log has to know: `ofPatterns`, and of the assembly.
void finishNotes(ServerLog& log, const LogAssembly& assembly, std::span<const std::string_view> ofPatterns);

} // namespace loadline
