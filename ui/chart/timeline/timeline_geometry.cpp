// Pixels of a timeline: axis units to pixels and back, zoom, pan, and where each lane lies.
#include "ui/chart/timeline/timeline_geometry.h"

#include <algorithm>
#include <cmath>

namespace loadline::ui {

TimelineGeometry TimelineGeometry::showing(double newStart, double newEnd) const {
    TimelineGeometry result = *this;
    if (newEnd - newStart >= extent * (1 - 1e-9)) { // zooming in and out again ends at the very whole
        result.start = 0;
        result.end = extent;
        return result;
    }
    const double wanted = std::clamp(newEnd - newStart, std::min(smallestSpan, extent), extent);
    const double middle = (newStart + newEnd) / 2;
    result.start = newEnd - newStart == wanted ? newStart : middle - wanted / 2;
    result.start = std::clamp(result.start, 0.0, extent - wanted);
    result.end = result.start + wanted;
    return result;
}

TimelineGeometry TimelineGeometry::zoomed(double pixel, double factor) const {
    const double newSpan = std::clamp(span() / factor, std::min(smallestSpan, extent), extent);
    const double share = (pixel - left) / width;
    const double newStart = toUnits(pixel) - share * newSpan;
    return showing(newStart, newStart + newSpan);
}

TimelineGeometry TimelineGeometry::panned(double pixels) const {
    const double units = pixels / pixelsPerUnit();
    const double newStart = std::clamp(start + units, 0.0, extent - span());
    return showing(newStart, newStart + span());
}

TimelineGeometry TimelineGeometry::revealing(double from, double to) const {
    if (to - from > span()) {
        return showing(from - (to - from) * 0.05, to + (to - from) * 0.05);
    }
    const double margin = std::min((span() - (to - from)) / 2, span() * 0.1);
    if (from < start) {
        return showing(from - margin, from - margin + span());
    }
    if (to > end) {
        return showing(to + margin - span(), to + margin);
    }
    return *this;
}

TimelineGeometry geometryOf(const TimelineScale& scale, const TimelineView& view, double left, double width) {
    TimelineGeometry whole;
    whole.extent = scale.extent();
    whole.left = left;
    whole.width = std::max(width, 1.0);
    whole.smallestSpan = scale.axis() == TimelineAxis::TurnIndex ? 2 : 50;
    whole.end = whole.extent;
    return view.end < view.start ? whole : whole.showing(view.start, view.end);
}

TimelineView viewOf(const TimelineGeometry& geometry, TimelineAxis axis) {
    if (geometry.showsAll()) {
        return {axis, 0, -1};
    }
    return {axis, geometry.start, geometry.end};
}

namespace {

TimeMs timeOf(const Timeline& timeline, const TimelineScale& scale, double units) {
    if (scale.axis() != TimelineAxis::TurnIndex) {
        return scale.timeAt(units);
    }
    if (timeline.calls.empty()) {
        return timeline.first;
    }
    const auto last = static_cast<double>(timeline.calls.size() - 1);
    if (units > last + 0.5) {
        return timeline.last;
    }
    return timeline.calls[static_cast<std::size_t>(std::clamp(std::floor(units), 0.0, last))].start;
}

double unitsOf(const Timeline& timeline, const TimelineScale& scale, TimeMs time) {
    if (scale.axis() != TimelineAxis::TurnIndex) {
        return scale.unitsAt(time);
    }
    const auto call = std::lower_bound(timeline.calls.begin(), timeline.calls.end(), time,
                                       [](const CallSpan& span, TimeMs at) { return span.start < at; });
    return static_cast<double>(call - timeline.calls.begin());
}

} // namespace

TimelineView viewOnAxis(const Timeline& timeline, const TimelineView& view, TimelineAxis axis) {
    if (axis == view.axis || view.end < view.start || !isKnown(timeline.first)) {
        return {axis, view.end < view.start ? 0 : view.start, view.end < view.start ? -1 : view.end};
    }
    const TimelineScale from(timeline, view.axis), to(timeline, axis);
    return {axis, unitsOf(timeline, to, timeOf(timeline, from, view.start)),
            unitsOf(timeline, to, timeOf(timeline, from, view.end))};
}

} // namespace loadline::ui
