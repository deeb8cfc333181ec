// The part of a timeline that is drawn.
#pragma once

#include "core/workload/timeline/timeline.h"

namespace loadline {

struct TimelineView {
    TimelineAxis axis = TimelineAxis::CompressedGaps;
    double start = 0; ///< axis units (see TimelineScale)
    double end = -1;  ///< below start: everything
    bool operator==(const TimelineView&) const = default;
};

} // namespace loadline
