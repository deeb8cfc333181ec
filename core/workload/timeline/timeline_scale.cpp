// The axes of a timeline: wall clock, wall clock with idle gaps cut, and turn index, each with its inverse.
#include "core/workload/timeline/timeline.h"

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

constexpr std::int64_t shortestCutMs = 1'000;

/// Units that stand for an idle gap: about 1.5 % of the time that is drawn in full, and never longer than
/// the shortest gap.
double cutLength(const Timeline& timeline) {
    std::int64_t drawn = timeline.last.ms - timeline.first.ms;
    for (const IdleGap& gap : timeline.gaps) {
        drawn -= gap.end.ms - gap.start.ms;
    }
    return static_cast<double>(std::clamp<std::int64_t>(drawn / 64, shortestCutMs, idleGapMs));
}

} // namespace

TimelineScale::TimelineScale(const Timeline& timeline, TimelineAxis axis) : axis_(axis) {
    if (axis == TimelineAxis::TurnIndex) {
        extent_ = std::max<double>(1, static_cast<double>(timeline.calls.size()));
        return;
    }
    if (!isKnown(timeline.first)) {
        return;
    }
    origin_ = timeline.first;
    double saved = 0;
    if (axis == TimelineAxis::CompressedGaps) {
        const double length = cutLength(timeline);
        for (const IdleGap& gap : timeline.gaps) {
            const double start = static_cast<double>(gap.start.ms - origin_.ms) - saved;
            cuts_.push_back({gap, start, start + length});
            saved += static_cast<double>(gap.end.ms - gap.start.ms) - length;
        }
    }
    extent_ = std::max(1.0, static_cast<double>(timeline.last.ms - timeline.first.ms) - saved);
}

double TimelineScale::unitsAt(TimeMs time) const {
    // The last gap that starts before `time`.
    const auto after = std::partition_point(cuts_.begin(), cuts_.end(),
                                            [&](const CutGap& cut) { return cut.gap.start < time; });
    if (after == cuts_.begin()) {
        return static_cast<double>(time.ms - origin_.ms);
    }
    const CutGap& cut = *(after - 1);
    if (time >= cut.gap.end) {
        return cut.end + static_cast<double>(time.ms - cut.gap.end.ms);
    }
    const double part = static_cast<double>(time.ms - cut.gap.start.ms) /
                        static_cast<double>(cut.gap.end.ms - cut.gap.start.ms);
    return cut.start + part * (cut.end - cut.start);
}

TimeMs TimelineScale::timeAt(double units) const {
    const auto after = std::partition_point(cuts_.begin(), cuts_.end(),
                                            [&](const CutGap& cut) { return cut.start < units; });
    if (after == cuts_.begin()) {
        return {origin_.ms + std::llround(units)};
    }
    const CutGap& cut = *(after - 1);
    if (units >= cut.end) {
        return {cut.gap.end.ms + std::llround(units - cut.end)};
    }
    const double part = (units - cut.start) / (cut.end - cut.start);
    return {cut.gap.start.ms + std::llround(part * static_cast<double>(cut.gap.end.ms - cut.gap.start.ms))};
}

double TimelineScale::startOf(const CallSpan& span) const {
    return axis_ == TimelineAxis::TurnIndex ? static_cast<double>(span.ordinal) : unitsAt(span.start);
}

double TimelineScale::endOf(const CallSpan& span) const {
    return axis_ == TimelineAxis::TurnIndex ? static_cast<double>(span.ordinal) + callWidthInTurns
                                            : unitsAt(span.end);
}

double TimelineScale::startOf(const ToolSpan& span) const {
    return axis_ == TimelineAxis::TurnIndex ? span.ordinalStart : unitsAt(span.start);
}

double TimelineScale::endOf(const ToolSpan& span) const {
    return axis_ == TimelineAxis::TurnIndex ? std::floor(span.ordinalStart) + 1 : unitsAt(span.end);
}

double TimelineScale::at(const TimelineMark& mark) const {
    return axis_ == TimelineAxis::TurnIndex ? mark.ordinal : unitsAt(mark.time);
}

} // namespace loadline
