// What is found on a line: patterns, and where times may stand.
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
