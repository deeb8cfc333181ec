// Rules of the state: the parts that apply to a page, and the parts that a change drops.
#include "app/workbench/workbench_state.h"

#include "app/asked/asked.h"
#include "app/page/page_spec.h"

#include <utility>

namespace loadline::app {

bool dropForeignBrush(const WorkbenchState& before, WorkbenchState& next) {
    Scope& scope = next.scope;
    const bool brushed = scope.turnInput || scope.turnOutput;
    const bool kept =
        scope.turnInput == before.scope.turnInput && scope.turnOutput == before.scope.turnOutput;
    if (!brushed || !kept ||
        next.asked.sessions.distribution.method == before.asked.sessions.distribution.method) {
        return false;
    }
    scope.turnInput.reset();
    scope.turnOutput.reset();
    return true;
}

bool dropForeignRows(const WorkbenchState& before, WorkbenchState& next) {
    if (!next.rows || next.rows != before.rows) {
        return false;
    }
    const bool otherSession = next.asked.sessions.session != before.asked.sessions.session;
    const bool otherCut =
        before.page == Page::Composition && next.asked.sessions.group != before.asked.sessions.group;
    const bool foreign = next.rows->group ? otherCut : otherSession;
    if (foreign) {
        next.rows.reset();
    }
    return foreign;
}

bool speaksOfPart(const WorkbenchState& state) {
    return !(state.scope == Scope{}) || (state.rows && showsRows(*state.rows, state));
}

bool showsRows(const ChosenRows& rows, const WorkbenchState& state) {
    switch (state.page) {
    case Page::Sessions:
        return rows.group && *rows.group != CompositionGroup::Project &&
               *rows.group != CompositionGroup::Agent;
    case Page::Composition:
        return rows.group == state.asked.sessions.group;
    case Page::Timeline:
        return !rows.group;
    default:
        return false;
    }
}

bool speaksOfSessions(const WorkbenchState& state) {
    const PageNeeds needs = specOf(state.page).needs;
    return needs == PageNeeds::Sessions ||
           (needs == PageNeeds::SessionsOrTrace && state.asked.cache.shownTrace().empty());
}

bool scopeApplies(const WorkbenchState& state) {
    return speaksOfSessions(state) ||
           (simulates(state.page) && speaksOfOpen(state.simulation, state.against));
}

void swapPinned(WorkbenchState& state) {
    if (!state.against) {
        return;
    }
    state.simulation.workload.pin(state.scope);
    std::swap(state.simulation, *state.against);
    if (const auto pinned = std::exchange(state.simulation.workload.scope, {})) {
        state.scope = *pinned;
    }
}

void forgetScopes(WorkbenchState& state) {
    state.scope = {};
    if (state.against && state.against->workload.isPart()) {
        state.against.reset(); // its sessions are not there any more
    }
    state.asked.sessions.session = "";
    state.asked.sessions.zoomed = "";
    state.pinned.reset();
    state.rows.reset();
}

} // namespace loadline::app
