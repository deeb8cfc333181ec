// A timeline on one axis, prepared for painting and pointing: built once, then only read.
#pragma once

#include "core/workload/timeline/timeline.h"
#include "core/workload/timeline/timeline_columns.h"
#include "ui/chart/timeline/timeline_item.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace loadline::ui {

/// Figures of one lane that its layout and scales need.
struct LaneFigures {
    std::uint64_t spans = 0;
    Tokens largestContext = 0;
    Tokens largestOutput = 0;
    bool inexactOutput = false;       ///< some are lower bounds, so the largest is one
    int toolRows = 1;                 ///< so that parallel tools lie beside each other, 1 to mostToolRows
    std::vector<std::uint32_t> marks; ///< into Timeline::marks, by time
    std::vector<double> contextAt;    ///< units at which the context changes, ascending (agent lanes)
    std::vector<Tokens> context;      ///< from contextAt on; parallel
};

/// An agent besides the main one; compactions and prompt suggestions are calls about the conversation.
inline bool isSubAgent(const TimelineLane& lane) {
    return !lane.tools && (lane.kind == LaneKind::SubAgent || lane.kind == LaneKind::InlineSidechain);
}

inline constexpr int mostToolRows = 4;

struct TimelineScene {
    std::shared_ptr<const Timeline> timeline; ///< never null
    std::shared_ptr<const Corpus> corpus;     ///< names the models; may be null
    TimelineScale scale;
    TimelineIndex index;
    std::vector<LaneFigures> lanes;    ///< parallel to Timeline::lanes
    std::vector<std::uint8_t> toolRow; ///< parallel to Timeline::tools, below mostToolRows
    Tokens largestSubAgentContext = 0;
    Tokens largestSubAgentOutput = 0;
    std::uint64_t openTools = 0;
    std::vector<double> agentsAt; ///< units at which the number of living sub-agents changes
    std::vector<Tokens> agents;   ///< how many there are from then on; parallel
    Tokens mostAgents = 0;
    /// There are such calls: waiting ones are drawn paler until their first line, missed ones are out of
    /// scope.
    bool inexactOutputs = false, inheritedCalls = false, waitingCalls = false, missedCalls = false;
};

std::shared_ptr<const TimelineScene> sceneOf(std::shared_ptr<const Timeline> timeline,
                                             std::shared_ptr<const Corpus> corpus, TimelineAxis axis);

/// Lane and extent of an item.
struct ItemPlace {
    std::uint32_t lane = 0;
    double start = 0, end = 0; ///< units
};

ItemPlace placeOf(const TimelineScene& scene, TimelineItem item);

enum class WalkStep { Before, After, LaneAbove, LaneBelow };

/// The item an arrow key leads to: before and after within the calls, tools or marks of a lane; above and
/// below to the nearest in time of the neighbouring strand (marks, calls, then tools of each lane).
/// From nothing: the first item that starts at or after `units`. Nothing at the ends.
std::optional<TimelineItem> walkFrom(const TimelineScene& scene, std::optional<TimelineItem> from,
                                     WalkStep step, double units);

} // namespace loadline::ui
