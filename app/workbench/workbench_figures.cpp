// Computing what the page in sight shows.
#include "app/asked/asked.h"
#include "app/study/study_sources.h"
#include "app/workbench/workbench.h"

#include <utility>

namespace loadline::app {

void Workbench::corpusArrived(std::shared_ptr<const Corpus> corpus) {
    state_.pinned.reset(); // items are counted anew
    emit corpusChanged(std::move(corpus));
    refresh();
}

void Workbench::refreshSimulation() {
    if (state_.page == Page::Kernels) {
        kernels_.ask(state_.asked.kernels);
    } else {
        kernels_.rest();
    }
    if (!simulates(state_.page)) {
        simulation_.rest();
        return;
    }
    if (speaksOfOpen(state_.simulation, state_.against) && scoped_.isRunning()) {
        simulation_.expect();
        return; // asked when the scope has been applied
    }
    simulation_.ask(*specOf(state_.page).study, state_.simulation, scoped());
    if (compares(state_.page)) {
        pinned_.ask(*specOf(state_.page).study, state_.against, scoped(), pinnedAnswer());
    }
}

/// On the Timeline page what it shows of its session, elsewhere the scope; not while files are being read.
void Workbench::refreshSelected() {
    if (!speaksOfSessions(state_) || !scoped() || scoped_.isRunning() || loader_.isLoading()) {
        return;
    }
    SelectionQuestion question{scoped(), nullptr, {}, {}};
    if (state_.rows && showsRows(*state_.rows, state_)) {
        question.rows = state_.rows;
    }
    if (state_.page == Page::Timeline) {
        const auto shown = this->shown<TimelineShown>(Page::Timeline);
        if (!shown || shown->scoped != scoped()) {
            return; // asked when it has arrived
        }
        question.timeline = shown->timeline;
        question.view = state_.asked.sessions.timelineOf(shown->session);
        if (question.rows && (question.rows->session != shown->session || !shown->timeline)) {
            question.rows.reset();
        }
    }
    selected_.request(
        this, std::move(question),
        [](const SelectionQuestion& q, const std::stop_token& stop) { return selectionOf(q, stop); },
        [this](const std::shared_ptr<const SelectionShown>& shown) { showSelected(shown); });
    if (!selected_.isRunning() && selected_.value()) {
        emit selectedChanged(selected_.value()); // the page that shows it may be another
    }
}

void Workbench::showSelected(const std::shared_ptr<const SelectionShown>& selected) {
    if (!selected->lost) {
        emit selectedChanged(selected);
        return;
    }
    WorkbenchState next = state_;
    next.rows.reset();
    apply(std::move(next)); // no step of its own: undoing what narrowed the scope brings them back
    tellUndoable(tr("None of the selected rows is in scope: they are selected no longer."));
}

/// The visible page's own figure, if its question is another.
void Workbench::refreshFigure() {
    const PageSpec& page = specOf(state_.page);
    const bool ofSessions = speaksOfSessions(state_);
    if (!page.figure || (ofSessions && !scoped())) {
        return;
    }
    auto progress = std::make_shared<PageProgress>();
    const bool began = figures_[indexOf(page.page)].request(
        this, {ofSessions ? scoped() : nullptr, only(state_.asked, page.depends), progress}, page.figure,
        [this, which = page.page](const std::shared_ptr<const AnyFigure>& figure) {
            clearStale(which);
            emit figureChanged(which, *figure);
            refreshSelected();
        });
    if (began) {
        progress_[indexOf(page.page)] = std::move(progress);
        emit figureBegan(page.page);
    }
    if (!isSettled() && !staleTimer_.isActive()) {
        staleTimer_.start();
    }
}

void Workbench::stopFigure(Page page) {
    figures_[indexOf(page)].stop();
    clearStale(page);
}

void Workbench::computeAgain(Page page) {
    figures_[indexOf(page)].clear();
    refreshFigure();
}

void Workbench::refresh() {
    if (!corpus()) {
        refreshPage();
        return;
    }
    const bool brushed = state_.scope.turnInput || state_.scope.turnOutput;
    const TurnMethod method = brushed ? state_.asked.sessions.distribution.method : TurnMethod::ApiCall;
    refreshTree(method);
    scoped_.request(
        this, ScopeKey{corpus(), state_.scope, method, state_.asked.sessions.clock},
        [](const ScopeKey& k, std::stop_token) { return scopedCorpus(k.corpus, k.scope, k.method); },
        [this](const Scoped& scoped) {
            emit scopeApplied(scoped);
            refreshPage();
        });
    if (!scoped_.isRunning()) {
        refreshPage();
    } else {
        refreshSimulation();
    }
    if (!isSettled() && !staleTimer_.isActive() && speaksOfSessions(state_)) {
        staleTimer_.start();
    }
}

void Workbench::refreshTree(TurnMethod method) {
    TreeKey key{corpus(), state_.scope, method, state_.asked.sessions.clock};
    key.scope.sessions.clear();
    tree_.request(
        this, std::move(key),
        [](const TreeKey& k, std::stop_token) { return sessionTreeOf(k.corpus, k.scope, k.method); },
        [this](const std::shared_ptr<const SessionTree>& tree) { emit treeChanged(tree); });
}

void Workbench::clearStale(Page page) {
    if (std::exchange(stale_[indexOf(page)], char{})) {
        emit staleChanged(page, false);
    }
}

} // namespace loadline::app
