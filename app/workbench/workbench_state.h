// The user's choices as one value: views write it and listen to it, never to each other.
#pragma once

#include "app/asked/asked.h"
#include "app/asked/chosen_rows.h"
#include "app/page/page.h"
#include "app/study/questions.h"
#include "core/simulate/request/simulation_request.h"
#include "core/workload/scope/scope.h"
#include "ui/chart/timeline/timeline_item.h"

#include <optional>
#include <string>

namespace loadline::app {

/// An item of the timeline of one session.
struct PinnedItem {
    std::string session; ///< Session::key
    ui::TimelineItem item;
    bool operator==(const PinnedItem&) const = default;
};

/// Everything that decides what the views show. All but `page` and `pinned` can be undone.
struct WorkbenchState {
    Page page = Page::Sessions;
    Scope scope;
    Asked asked;         ///< what pages and charts have to themselves
    Questions questions; ///< of studies
    std::optional<PinnedItem> pinned;
    std::optional<ChosenRows> rows; ///< at least one
    SimulationRequest simulation = firstRequest();
    std::optional<SimulationRequest> against; ///< pinned, its sessions too: simulations are drawn against it
    bool operator==(const WorkbenchState&) const = default;
};

/// Whether the page shown speaks of session files.
bool speaksOfSessions(const WorkbenchState& state);
/// Whether the scope narrows what the page shows: files of sessions, or a simulation of those that are open.
bool scopeApplies(const WorkbenchState& state);
/// Bins of one method mean nothing under another. True where the brush was taken off.
bool dropForeignBrush(const WorkbenchState& before, WorkbenchState& next);
/// Rows of one cut or session are not those of another. True where they were taken off.
bool dropForeignRows(const WorkbenchState& before, WorkbenchState& next);
/// Whether the page shows such rows.
bool showsRows(const ChosenRows& rows, const WorkbenchState& state);
/// Whether less than everything that is loaded is spoken of: a scope, or rows that are selected.
bool speaksOfPart(const WorkbenchState& state);
/// The present and the pinned simulation change places, and the sessions that they speak of.
void swapPinned(WorkbenchState& state);
/// Forgets what speaks of sessions that are loaded.
void forgetScopes(WorkbenchState& state);

} // namespace loadline::app
