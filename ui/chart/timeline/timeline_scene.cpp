// A timeline on one axis, prepared for painting and pointing: built once, then only read.
#include "ui/chart/timeline/timeline_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace loadline::ui {

namespace {

/// First row that is free when a tool starts; the last row takes what is left over.
void packTools(TimelineScene& scene, std::uint32_t lane) {
    std::array<double, mostToolRows> freeFrom{};
    freeFrom.fill(-1);
    const LaneSpans& spans = scene.index.lanes[lane];
    int used = 1;
    for (std::size_t i = 0; i < spans.item.size(); ++i) {
        int row = 0;
        while (row < mostToolRows - 1 && freeFrom.at(static_cast<std::size_t>(row)) > spans.start[i]) {
            ++row;
        }
        freeFrom.at(static_cast<std::size_t>(row)) = std::max(spans.end[i], spans.start[i]);
        scene.toolRow[spans.item[i]] = static_cast<std::uint8_t>(row);
        used = std::max(used, row + 1);
    }
    scene.lanes[lane].toolRows = used;
}

void measureCalls(TimelineScene& scene, std::uint32_t lane) {
    LaneFigures& figures = scene.lanes[lane];
    const LaneSpans& spans = scene.index.lanes[lane];
    for (std::size_t i = 0; i < spans.item.size(); ++i) {
        const CallSpan& call = scene.timeline->calls[spans.item[i]];
        figures.largestContext = std::max(figures.largestContext, call.usage.context());
        figures.largestOutput = std::max(figures.largestOutput, call.usage.output);
        figures.inexactOutput = figures.inexactOutput || call.quality != OutputQuality::Final;
        if (call.usage.context() == 0) {
            continue; // a failed or made-up call says nothing about the context
        }
        if (!figures.context.empty() && figures.context.back() == call.usage.context()) {
            continue;
        }
        figures.contextAt.push_back(spans.start[i]);
        figures.context.push_back(call.usage.context());
    }
}

/// A sub-agent lives from its first span to the end of its last.
void countAgents(TimelineScene& scene) {
    std::vector<std::pair<double, int>> changes;
    for (std::uint32_t lane = 0; lane < scene.lanes.size(); ++lane) {
        const TimelineLane& source = scene.timeline->lanes[lane];
        const LaneSpans& spans = scene.index.lanes[lane];
        if (!isSubAgent(source) || spans.item.empty()) {
            continue;
        }
        changes.emplace_back(spans.start.front(), 1);
        changes.emplace_back(spans.latestEnd.back(), -1);
    }
    std::sort(changes.begin(), changes.end());
    Tokens living = 0;
    for (const auto& [at, change] : changes) {
        living += change;
        scene.mostAgents = std::max(scene.mostAgents, living);
        scene.agentsAt.push_back(at);
        scene.agents.push_back(living);
    }
}

/// A sequence that arrow keys walk along: marks, calls or tools of one lane.
struct Strand {
    std::uint32_t lane = 0;
    TimelineItem::Kind kind = TimelineItem::Kind::Call;
};

std::vector<Strand> strandsOf(const TimelineScene& scene) {
    std::vector<Strand> strands;
    for (std::uint32_t lane = 0; lane < scene.lanes.size(); ++lane) {
        if (!scene.lanes[lane].marks.empty()) {
            strands.push_back({lane, TimelineItem::Kind::Mark});
        }
        if (!scene.index.lanes[lane].item.empty()) {
            strands.push_back({lane, scene.timeline->lanes[lane].tools ? TimelineItem::Kind::Tool
                                                                       : TimelineItem::Kind::Call});
        }
    }
    return strands;
}

std::size_t sizeOf(const TimelineScene& scene, const Strand& strand) {
    return strand.kind == TimelineItem::Kind::Mark ? scene.lanes[strand.lane].marks.size()
                                                   : scene.index.lanes[strand.lane].item.size();
}

TimelineItem itemAt(const TimelineScene& scene, const Strand& strand, std::size_t i) {
    return {strand.kind, strand.kind == TimelineItem::Kind::Mark ? scene.lanes[strand.lane].marks[i]
                                                                 : scene.index.lanes[strand.lane].item[i]};
}

double unitsAt(const TimelineScene& scene, const Strand& strand, std::size_t i) {
    return strand.kind == TimelineItem::Kind::Mark ? scene.index.marks[scene.lanes[strand.lane].marks[i]]
                                                   : scene.index.lanes[strand.lane].start[i];
}

/// First position of the strand at or after `units`; its size when there is none.
std::size_t firstAt(const TimelineScene& scene, const Strand& strand, double units) {
    std::size_t low = 0, high = sizeOf(scene, strand);
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (unitsAt(scene, strand, middle) < units) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

std::size_t nearestTo(const TimelineScene& scene, const Strand& strand, double units) {
    const std::size_t after = std::min(firstAt(scene, strand, units), sizeOf(scene, strand) - 1);
    if (after > 0 &&
        units - unitsAt(scene, strand, after - 1) < std::abs(unitsAt(scene, strand, after) - units)) {
        return after - 1;
    }
    return after;
}

} // namespace

std::shared_ptr<const TimelineScene> sceneOf(std::shared_ptr<const Timeline> timeline,
                                             std::shared_ptr<const Corpus> corpus, TimelineAxis axis) {
    const TimelineScale scale(*timeline, axis);
    auto scene = std::make_shared<TimelineScene>(TimelineScene{
        std::move(timeline), std::move(corpus), scale, {}, {}, {}, 0, 0, 0, {}, {}, 0, false, false});
    const Timeline& source = *scene->timeline;
    scene->index = indexOf(source, scene->scale);
    scene->lanes.resize(source.lanes.size());
    scene->toolRow.resize(source.tools.size());
    for (std::uint32_t lane = 0; lane < source.lanes.size(); ++lane) {
        scene->lanes[lane].spans = scene->index.lanes[lane].item.size();
        if (source.lanes[lane].tools) {
            packTools(*scene, lane);
            continue;
        }
        measureCalls(*scene, lane);
        if (source.lanes[lane].kind != LaneKind::Main) {
            scene->largestSubAgentContext =
                std::max(scene->largestSubAgentContext, scene->lanes[lane].largestContext);
            scene->largestSubAgentOutput =
                std::max(scene->largestSubAgentOutput, scene->lanes[lane].largestOutput);
        }
    }
    countAgents(*scene);
    for (const CallSpan& call : source.calls) {
        scene->inexactOutputs = scene->inexactOutputs || call.quality != OutputQuality::Final;
        scene->inheritedCalls = scene->inheritedCalls || call.inherited;
        scene->missedCalls = scene->missedCalls || !call.hit;
        scene->waitingCalls = scene->waitingCalls || (scene->scale.axis() != TimelineAxis::TurnIndex &&
                                                      isKnown(call.firstLine) && call.firstLine > call.start);
    }
    for (std::uint32_t i = 0; i < source.marks.size(); ++i) {
        scene->lanes[source.marks[i].lane].marks.push_back(i);
    }
    scene->openTools = static_cast<std::uint64_t>(std::count_if(
        source.tools.begin(), source.tools.end(), [](const ToolSpan& tool) { return tool.open; }));
    return scene;
}

ItemPlace placeOf(const TimelineScene& scene, TimelineItem item) {
    const Timeline& timeline = *scene.timeline;
    switch (item.kind) {
    case TimelineItem::Kind::Call: {
        const CallSpan& call = timeline.calls[item.index];
        return {call.lane, scene.scale.startOf(call), scene.scale.endOf(call)};
    }
    case TimelineItem::Kind::Tool: {
        const ToolSpan& tool = timeline.tools[item.index];
        return {tool.lane, scene.scale.startOf(tool), scene.scale.endOf(tool)};
    }
    case TimelineItem::Kind::Mark:
        break;
    }
    const double at = scene.index.marks[item.index];
    return {timeline.marks[item.index].lane, at, at};
}

std::optional<TimelineItem> walkFrom(const TimelineScene& scene, std::optional<TimelineItem> from,
                                     WalkStep step, double units) {
    const std::vector<Strand> strands = strandsOf(scene);
    if (strands.empty()) {
        return std::nullopt;
    }
    if (!from) {
        const auto calls = std::find_if(strands.begin(), strands.end(), [](const Strand& strand) {
            return strand.kind == TimelineItem::Kind::Call;
        });
        const Strand& strand = calls == strands.end() ? strands.front() : *calls;
        return itemAt(scene, strand, std::min(firstAt(scene, strand, units), sizeOf(scene, strand) - 1));
    }
    const ItemPlace place = placeOf(scene, *from);
    const auto current = std::find_if(strands.begin(), strands.end(), [&](const Strand& strand) {
        return strand.lane == place.lane && strand.kind == from->kind;
    });
    if (current == strands.end()) {
        return std::nullopt;
    }
    if (step == WalkStep::LaneAbove || step == WalkStep::LaneBelow) {
        const bool above = step == WalkStep::LaneAbove;
        if (above ? current == strands.begin() : std::next(current) == strands.end()) {
            return std::nullopt;
        }
        const Strand& strand = above ? *std::prev(current) : *std::next(current);
        return itemAt(scene, strand, nearestTo(scene, strand, place.start));
    }
    std::size_t at = firstAt(scene, *current, place.start);
    while (at < sizeOf(scene, *current) && !(itemAt(scene, *current, at) == *from)) {
        ++at; // several may start at the same moment
    }
    if (step == WalkStep::After) {
        return at + 1 < sizeOf(scene, *current) ? std::optional(itemAt(scene, *current, at + 1))
                                                : std::nullopt;
    }
    return at > 0 ? std::optional(itemAt(scene, *current, at - 1)) : std::nullopt;
}

} // namespace loadline::ui
