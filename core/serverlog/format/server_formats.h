// The table of servers whose logs are read.
#pragma once

#include "core/serverlog/read/pattern_table.h"
#include "core/serverlog/server_log.h"

#include <span>

namespace loadline {

/// Returns the formats in the order in which matches are listed.
std::span<const ServerFormat> serverFormats();

/// Returns the patterns in the order of serverFormats().
std::span<const FormatPatterns> formatPatterns();

/// Returns the patterns of all servers.
const PatternTable& patternTable();

} // namespace loadline
