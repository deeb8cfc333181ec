// Where each lane of a timeline lies: rows from top to bottom, folded and scrolled.
#pragma once

#include "ui/chart/timeline/timeline_scene.h"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace loadline::ui {

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
