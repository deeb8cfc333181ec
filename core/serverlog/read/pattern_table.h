// All patterns with one scan for their anchors.
#pragma once

#include "core/serverlog/read/anchor_scan.h"
#include "core/serverlog/read/log_pattern.h"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace loadline {

/// The rows of all servers, in the order of the formats.
struct PatternTable {
    std::vector<const LogPattern*> patterns;
    std::vector<std::size_t> serverOf;                ///< index into formats
    std::vector<std::string_view> anchors;            ///< timeAnchor first, then uptimeAnchors
    std::vector<std::vector<std::size_t>> patternsOf; ///< by anchor
    AnchorScan scan;
    std::span<const FormatPatterns> formats;
};

/// Keeps a reference to the formats.
PatternTable tableOf(std::span<const FormatPatterns> formats);

/// A pattern, by its place in the table, and where it matched.
struct PatternMatch {
    std::size_t pattern = 0;
    LogMatch match;
};

/// Finds the matches of one line, in the order in which they begin; matches of one pattern do not overlap.
void matchLine(const PatternTable& table, std::string_view line, std::span<const AnchorHit> hits,
               std::vector<PatternMatch>& matches);

} // namespace loadline
