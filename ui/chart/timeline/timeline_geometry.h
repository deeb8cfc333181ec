// Pixels of a timeline: axis units to pixels and back, zoom, pan, and where each lane lies.
#pragma once

#include "core/workload/timeline/timeline.h"
#include "ui/chart/drawings.h"

#include <cstdint>
#include <vector>

namespace loadline::ui {

/// Horizontal map. `start < end` in axis units lie at `left` and `left + width` pixels.
struct TimelineGeometry {
    double extent = 1; ///< units of the whole session, > 0
    double start = 0, end = 1;
    double left = 0, width = 1;
    double smallestSpan = 1; ///< units: zooming in stops here

    [[nodiscard]] double span() const { return end - start; }
    [[nodiscard]] double pixelsPerUnit() const { return width / span(); }
    [[nodiscard]] double toPixel(double units) const { return left + (units - start) * pixelsPerUnit(); }
    [[nodiscard]] double toUnits(double pixel) const { return start + (pixel - left) / pixelsPerUnit(); }
    [[nodiscard]] bool showsAll() const { return start <= 0 && end >= extent; }

    /// The units under `pixel` stay there; `factor` > 1 zooms in.
    [[nodiscard]] TimelineGeometry zoomed(double pixel, double factor) const;
    [[nodiscard]] TimelineGeometry panned(double pixels) const; ///< > 0 shows what is later
    [[nodiscard]] TimelineGeometry showing(double newStart, double newEnd) const;
    [[nodiscard]] TimelineGeometry fitted() const { return showing(0, extent); }
    /// Moved (not zoomed unless it is larger than the view) so that [from, to] lies inside with some margin.
    [[nodiscard]] TimelineGeometry revealing(double from, double to) const;
};

/// `view.end < view.start` shows everything.
TimelineGeometry geometryOf(const TimelineScale& scale, const TimelineView& view, double left, double width);
/// The view that shows the same part; everything as `end < start`.
TimelineView viewOf(const TimelineGeometry& geometry, TimelineAxis axis);

/// The same stretch on another axis of the same session, by way of its moments or calls.
TimelineView viewOnAxis(const Timeline& timeline, const TimelineView& view, TimelineAxis axis);

} // namespace loadline::ui
