// What the user has chosen, as one value: views write it and listen to it, never to each other.
#pragma once

#include "app/kernels/kernels_view.h"
#include "app/simulation/self_check.h"
#include "core/cache/composition.h"
#include "core/simulate/setup/simulation_request.h"
#include "core/workload/distribution/distribution_figure.h"
#include "core/workload/scope/scope.h"
#include "ui/chart/drawings.h"
#include "ui/chart/timeline/timeline_item.h"

#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace loadline::app {

/// In the order of the rail. A new page is named here, in pageKeys, in ActionId with a line in its table, and
/// made in Workspace::page.
enum class Page : std::uint8_t {
    Sessions,
    Distributions,
    Timeline,
    Composition,
    Simulator,
    Crossover,
    WhatPays,
    Batch,
    Published,
    SelfCheck,
    Kernels,
};
inline constexpr Page pages[] = {Page::Sessions,  Page::Distributions, Page::Timeline, Page::Composition,
                                 Page::Simulator, Page::Crossover,     Page::WhatPays, Page::Batch,
                                 Page::Published, Page::SelfCheck,     Page::Kernels};
/// What settings call them.
inline constexpr std::string_view pageKeys[] = {"sessions",  "distributions", "timeline",  "composition",
                                                "simulator", "crossover",     "what-pays", "batch",
                                                "published", "self-check",    "kernels"};
inline constexpr std::size_t pageCount = std::size(pages);
static_assert(std::size(pageKeys) == pageCount);

constexpr std::size_t indexOf(Page page) {
    return static_cast<std::size_t>(page);
}

/// Pages that speak of session files.
constexpr bool needsSessions(Page page) {
    return page < Page::Simulator;
}

/// Pages that simulate a workload.
constexpr bool simulates(Page page) {
    return page >= Page::Simulator && page <= Page::Published;
}

/// Pages whose charts can be drawn against a pinned simulation.
constexpr bool compares(Page page) {
    return page >= Page::Simulator && page <= Page::WhatPays;
}

/// An item of the timeline of one session.
struct PinnedItem {
    std::string session; ///< Session::key
    ui::TimelineItem item;
    bool operator==(const PinnedItem&) const = default;
};

/// Choices that decide what the views show. All but `page` and `pinned` can be undone.
struct WorkbenchState {
    Page page = Page::Sessions;
    Scope scope;
    DistributionOptions distribution;
    CompositionGroup group = CompositionGroup::Session;
    ui::CompositionView composition;
    std::string
        session; ///< Session::key the timeline shows; outside of the scope or "": most tokens in scope
    ui::TimelineView timeline; ///< its range is that of `zoomedSession`; others are shown whole
    std::string zoomedSession; ///< Session::key
    std::optional<PinnedItem> pinned;
    SimulationRequest simulation;
    std::optional<SimulationRequest> against; ///< pinned: simulations are drawn against it
    Scope againstScope; ///< of pinned sessions: the one when they were pinned; else empty
    SelfCheckChoice selfCheck;
    KernelsView kernels;
    bool operator==(const WorkbenchState&) const = default;

    /// The part of this session's timeline that is shown.
    [[nodiscard]] ui::TimelineView viewOf(const std::string& sessionKey) const {
        return sessionKey == zoomedSession ? timeline : ui::TimelineView{timeline.axis, 0, -1};
    }
};

/// Whether the pinned simulation is of sessions that are not those in scope.
bool pinsOtherSessions(const WorkbenchState& state);
/// The present and the pinned simulation change places, and the sessions that they speak of.
void swapPinned(WorkbenchState& state);
/// Forgets what speaks of sessions that are loaded.
void forgetScopes(WorkbenchState& state);

} // namespace loadline::app
