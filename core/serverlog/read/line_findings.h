// Findings on a line: patterns, and places where times may be.
#pragma once

#include "core/serverlog/read/anchor_scan.h"
#include "core/serverlog/read/pattern_table.h"

#include <vector>

namespace loadline {

struct LineFindings {
    std::vector<AnchorHit> times; ///< of the table's anchors: those of times
    std::vector<PatternMatch> matches;
};

} // namespace loadline
