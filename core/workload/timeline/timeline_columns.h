// A timeline reduced to pixel columns, and the item under the cursor: painting and hovering at any size.
#pragma once

#include "core/workload/timeline/timeline.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace loadline {

/// Spans of one lane on one axis, by start; built once per timeline and axis, then searched.
struct LaneSpans {
    std::vector<double> start, end;  ///< axis units
    std::vector<double> latestEnd;   ///< running maximum of `end`: spans of a lane may overlap
    std::vector<std::uint32_t> item; ///< into Timeline::calls, or Timeline::tools for a tools lane
};

struct TimelineIndex {
    std::vector<LaneSpans> lanes; ///< parallel to Timeline::lanes
    std::vector<double> marks;    ///< parallel to Timeline::marks, ascending
};

TimelineIndex indexOf(const Timeline& timeline, const TimelineScale& scale);

/// Spans in one pixel column of one lane. Columns without a span are left out.
struct TimelineColumn {
    std::uint32_t column = 0;   ///< 0-based, from the view's start
    std::uint32_t starting = 0; ///< spans that start in it
    std::uint32_t touching = 0; ///< spans that touch it, those that started before included
    std::uint32_t largest = 0;  ///< of these, the call with most context + output, or the longest tool
    float covered = 0;          ///< share of its width under a span, 0 to 1
    Tokens minContext = 0;      ///< over the touching calls
    Tokens maxContext = 0;
    Usage started;              ///< sum over the calls that start in it: columns sum to the view's calls
    bool inexactOutput = false; ///< one of the starting calls has a lower bound or placeholder
    bool error = false;         ///< a touching tool failed
    bool hit = false;           ///< a touching call is behind the brushed bins (tools: always)
    bool inherited = false;     ///< all touching calls are inherited
};

/// The columns of one lane for the units [start, end) on `width` pixels, ascending. Time grows with the
/// spans in view and the columns they touch, not with the session.
std::vector<TimelineColumn> columnsOf(const Timeline& timeline, const TimelineIndex& index,
                                      std::uint32_t lane, double start, double end, std::uint32_t width);

/// The indices [first, last) into LaneSpans of spans that may touch the units [start, end).
struct IndexRange {
    std::size_t first = 0, last = 0;
};

IndexRange spansIn(const LaneSpans& lane, double start, double end);

/// The span at `units`, else the nearest one no further than `tolerance` away; of several the one that
/// starts last (the topmost painted). Index into Timeline::calls, or Timeline::tools for a tools lane.
std::optional<std::uint32_t> nearestItem(const TimelineIndex& index, std::uint32_t lane, double units,
                                         double tolerance);
/// The nearest mark no further than `tolerance` away, over all lanes. Index into Timeline::marks.
std::optional<std::uint32_t> nearestMark(const TimelineIndex& index, double units, double tolerance);

} // namespace loadline
