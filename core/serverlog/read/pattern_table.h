// All patterns with one scan for their anchors.
#pragma once

#include "core/serverlog/format/log_pattern.h"
#include "core/serverlog/read/anchor_scan.h"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace loadline {

/// The rows of all servers, in the order of the formats.
struct PatternTable {
    std::vector<const LogPattern*> patterns;
    std::vector<std::size_t> serverOf; ///< index into formatPatterns()
    std::vector<std::string_view> anchors;
    std::vector<std::vector<std::size_t>> patternsOf; ///< by anchor
    AnchorScan scan;
};

const PatternTable& patternTable();

/// A pattern, by its place in the table, and where it matched.
struct PatternMatch {
    std::size_t pattern = 0;
    LogMatch match;
};

/// Those of one line, in the order in which they begin; of each pattern they do not overlap.
void matchLine(std::string_view line, std::span<const AnchorHit> hits, std::vector<PatternMatch>& matches);

} // namespace loadline
