// Reads a part of a file, line by line, into facts.
#pragma once

#include "core/base/progress.h"
#include "core/session/claude/record_facts.h"
#include "core/session/json/json_tokens.h"
#include "core/session/line_reader.h"

#include <cstdint>
#include <stop_token>

namespace loadline::claude {

/// What one thread keeps from part to part.
struct Workspace {
    LineBuffer buffer;
    JsonTokens tokens;
};

/// Reads the lines that start in [begin, end) of `source`, which had `size` bytes when it was opened (a
/// shorter one vanished while it was read). Returns early, with less, when stop is requested.
PartFacts readPart(const ByteSource& source, std::uint64_t begin, std::uint64_t end, std::uint64_t size,
                   const ReaderLimits& limits, Workspace& workspace, const std::stop_token& stop,
                   Progress& progress);

} // namespace loadline::claude
