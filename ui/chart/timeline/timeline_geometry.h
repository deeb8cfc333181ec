// Pixels of a timeline: axis units to pixels and back, zoom, pan, and where each lane lies.
#pragma once

#include "core/workload/timeline/timeline.h"
#include "ui/chart/drawings.h"
#include "ui/chart/timeline/timeline_scene.h"

#include <cstdint>
#include <optional>
#include <set>
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

/// Closed range of instants, from <= to.
struct TimeRange {
    TimeMs from, to;
    bool operator==(const TimeRange&) const = default;
};

/// The session's own calls whose first line stands in the range, as the scope's dates count them; of these,
/// where `inScope`, those in scope.
std::uint64_t callsWithin(const Timeline& timeline, const TimeRange& range, bool inScope);

/// A vertical stretch in pixels; empty when not shown.
struct Band {
    double top = 0, height = 0;

    [[nodiscard]] double bottom() const { return top + height; }
    [[nodiscard]] bool contains(double y) const { return y >= top && y < bottom(); }

    bool operator==(const Band&) const = default;
};

struct TimelineRow {
    enum class Kind : std::uint8_t {
        Main,    ///< the main agent: marks, context with a scale, spans, output
        Agent,   ///< a sub-agent, open: context, spans, output
        Compact, ///< a sub-agent, folded: context above a line of activity
        Tools,
        Heading, ///< "12 sub-agents": folds all of them
    };
    Kind kind = Kind::Agent;
    std::uint32_t lane = 0; ///< not of a heading
    Band band;              ///< as scrolled: may lie outside of the scrolled part
    bool scrolls = false;   ///< lies in the scrolled part below the main agent
};

struct LaneFolds {
    std::optional<bool> allCompact; ///< all sub-agents folded or open; nothing: folded when they are many
    std::set<std::uint32_t> other;  ///< agent lanes in the other state
    bool hidden = false;            ///< only the heading is left of the sub-agents
    bool operator==(const LaneFolds&) const = default;
};

struct TimelineRows {
    std::vector<TimelineRow> rows;
    Band fixed, scrolled; ///< what stays and what scrolls
    double contentHeight =
        0;             ///< of the scrolled part; more than scrolled.height: there is something to scroll
    double scroll = 0; ///< clamped
    bool othersShown = true; ///< the heading is open

    [[nodiscard]] const TimelineRow* at(double y) const;               ///< null between and outside of rows
    [[nodiscard]] const TimelineRow* ofLane(std::uint32_t lane) const; ///< null where it is hidden
    /// The scroll position nearest to the present one that shows the lane whole.
    [[nodiscard]] double scrollShowing(std::uint32_t lane) const;
};

/// Rows within `area`. `squeeze`: everything is to fit (exports), else rows that are too many scroll.
TimelineRows rowsOf(const TimelineScene& scene, Band area, const LaneFolds& folds, double scroll,
                    bool squeeze);

/// The parts of an agent's row.
struct AgentBands {
    Band events;  ///< compactions, errors, interrupts, model changes (main agent only)
    Band prompts; ///< (main agent only)
    Band context, spans, output;
};

AgentBands bandsOf(const TimelineRow& row);
/// One line of a tools row.
Band toolBand(const TimelineRow& row, int toolRow, int toolRows);

} // namespace loadline::ui
