// Which figure follows from which choice, and when it is computed.
#include "app/workbench/workbench.h"

#include "app/asked/asked.h"
#include "app/study/study_sources.h"
#include "app/workbench/state_command.h"

#include <QKeySequence>

#include <utility>

namespace loadline::app {
namespace {

/// A page that is outdated for less than this does not say so: nothing blinks.
constexpr int staleAfterMs = 150;

} // namespace

Workbench::Workbench(QObject* parent)
    : QObject(parent), stale_(pageCount()), figures_(pageCount()), progress_(pageCount()) {
    setShownZone(state_.asked.sessions.clock);
    undo_.setUndoLimit(200);
    staleTimer_.setSingleShot(true);
    staleTimer_.setInterval(staleAfterMs);
    connect(&staleTimer_, &QTimer::timeout, this, [this] {
        if (char& stale = stale_[indexOf(state_.page)]; !stale && isOutdated()) {
            stale = true;
            emit staleChanged(state_.page, true);
        }
    });
    connect(&loader_, &Loader::corpusReady, this, &Workbench::corpusArrived);
    connect(&loader_, &Loader::finished, this, &Workbench::refreshSelected);
    connect(&loader_, &Loader::failed, this, &Workbench::failed);
    const auto fail = [this](const Error& error) {
        clearStale(state_.page);
        emit failed(error);
    };
    tree_.onFailure(fail);
    scoped_.onFailure(fail);
    selected_.onFailure(fail);
    for (auto& figure : figures_) {
        figure.onFailure(fail);
    }
    connect(&simulation_, &SimulationBench::failed, this, &Workbench::failed);
    connect(&kernels_, &KernelBench::failed, this, &Workbench::failed);
    connect(&pinned_, &PinnedBench::failed, this, &Workbench::failed);
    connect(&kernels_, &KernelBench::listsChanged, this, &Workbench::renewStudies);
    connect(&simulation_, &SimulationBench::answered, this, [this] {
        if (const Simulated known = compares(state_.page) ? pinnedAnswer() : nullptr) {
            pinned_.take(known);
        }
    });
    connect(&simulation_, &SimulationBench::staleChanged, this, [this](bool stale) {
        for (const Page page : pages()) {
            if (simulates(page) && (page == state_.page || !stale)) {
                emit staleChanged(page, stale);
            }
        }
    });
}

Workbench::~Workbench() = default;

bool Workbench::isSettled() const {
    const PageSpec& page = specOf(state_.page);
    if (figures_[indexOf(state_.page)].isRunning()) {
        return false;
    }
    if (state_.page == Page::Kernels) {
        return kernels_.isSettled();
    }
    if (scopeApplies(state_) && (scoped_.isRunning() || tree_.isRunning())) {
        return false;
    }
    const auto asked = runners_.find(page.asks);
    return (asked == runners_.end() || asked->second->isSettled()) &&
           (!page.study || simulation_.isSettled());
}

void Workbench::change(const QString& what, WorkbenchState next, Merge merge) {
    if (next == state_) {
        return;
    }
    const bool unbrushed = dropForeignBrush(state_, next);
    const bool unselected = dropForeignRows(state_, next);
    undo_.push(new StateCommand(*this, what, std::move(next), merge));
    if (unbrushed) {
        tellUndoable(tr("The selected bins counted other turns: they are selected no longer."));
    } else if (unselected) {
        tellUndoable(tr("The selected rows are not shown any more: they are selected no longer."));
    }
}

void Workbench::beginDrag() {
    drag_ = Drag{state_, undo_.index()};
}

void Workbench::cancelDrag() {
    if (!drag_) {
        return;
    }
    Drag drag = *std::exchange(drag_, std::nullopt);
    drag.before.page = state_.page;
    drag.before.pinned = state_.pinned;
    if (undo_.index() == drag.steps) { // merged into the step before it, if there was a change
        change(undo_.undoText(), drag.before, Merge::Drag);
        return;
    }
    apply(drag.before);
    while (undo_.index() > drag.steps) { // an obsolete step is taken off the stack, not undone
        const_cast<QUndoCommand*>(undo_.command(undo_.index() - 1))->setObsolete(true);
        undo_.undo();
    }
}

void Workbench::tellUndoable(const QString& words) {
    emit said(tr("%1 Undo (%2) brings them back.")
                  .arg(words, QKeySequence(QKeySequence::Undo).toString(QKeySequence::NativeText)));
}

void Workbench::restore(WorkbenchState state) {
    undo_.clear();
    apply(std::move(state));
}

void Workbench::showPage(Page page) {
    WorkbenchState next = state_;
    next.page = page;
    apply(std::move(next));
}

void Workbench::pin(std::optional<PinnedItem> item) {
    WorkbenchState next = state_;
    next.pinned = std::move(item);
    apply(std::move(next));
}

void Workbench::setScope(const Scope& scope, const QString& what, Merge merge) {
    WorkbenchState next = state_;
    next.scope = scope;
    change(what, std::move(next), merge);
}

void Workbench::clearScope() {
    WorkbenchState next = state_;
    next.scope = {};
    next.rows.reset();
    change(tr("Clear the scope"), std::move(next));
}

void Workbench::setSimulation(const SimulationRequest& request, const QString& what, bool finished) {
    WorkbenchState next = state_;
    next.simulation = request;
    change(what, std::move(next), finished ? Merge::Parameter : Merge::Drag);
}

void Workbench::preview(const SimulationRequest& request) {
    WorkbenchState next = state_;
    next.simulation = request;
    apply(std::move(next));
}

SimulationRequest Workbench::asPinned(SimulationRequest request) const {
    request.workload.resolveAuto(corpus() != nullptr);
    request.workload.pin(state_.scope);
    return request;
}

Simulated Workbench::pinnedAnswer() const {
    const Simulated shown = simulation_.shown(*specOf(state_.page).study);
    return shown && state_.against ? knownAnswer(shown, asPinned(shown->question.request), corpus(),
                                                 state_.scope, *state_.against)
                                   : nullptr;
}

void Workbench::setAgainst(const std::optional<SimulationRequest>& request) {
    WorkbenchState next = state_;
    next.against = request;
    if (next.against) {
        next.against = asPinned(*next.against);
    }
    change(request ? tr("Pin the simulation") : tr("Unpin the simulation"), std::move(next));
}

void Workbench::setRows(ChosenRows rows) {
    WorkbenchState next = state_;
    next.rows = rows.keys.empty() ? std::nullopt : std::optional(std::move(rows));
    change(next.rows ? tr("Select rows") : tr("Select no rows"), std::move(next));
}

void Workbench::setAsked(const Asked& asked, const QString& what, Merge merge) {
    WorkbenchState next = state_;
    next.asked = asked;
    change(what, std::move(next), merge);
}

void Workbench::openTrace(const std::string& path, WorkbenchState next) {
    next.asked.cache.trace = path;
    next.asked.cache.traceShown = true;
    const bool again = next.asked == state_.asked; // the file may be another by now
    change(tr("Open a trace"), std::move(next));
    if (again) {
        computeAgain(Page::Cache);
    }
}

void Workbench::openLog(const std::vector<std::string>& files) {
    Asked next = state_.asked;
    next.log.files = files;
    if (const AskedField& log = askedField("log"); !log.read(next, log.textIn(next))) {
        emit failed(Error{"these are too many files for one log", files.front(), "fewer files"});
        return;
    }
    if (files != state_.asked.log.files) {
        next.log.served = {}; // what served the one before is not said of this one
    }
    next.log.stretch = {};
    const bool again = next == state_.asked; // the files may be others by now
    setAsked(next, tr("Open a server's log"));
    if (again) {
        computeAgain(Page::ServerLog);
    }
}

void Workbench::setKernels(const KernelsQuestion& view, const QString& what) {
    Asked next = state_.asked;
    next.kernels = view;
    setAsked(next, what);
}

void Workbench::openTimeline(const std::string& sessionKey) {
    WorkbenchState next = state_;
    next.asked.sessions.session = sessionKey;
    bool hidden = false;
    if (const Scoped& now = scoped(); now && sessionShown(*now, sessionKey)) {
        const SessionIndex shown = *sessionShown(*now, sessionKey);
        hidden = now->corpus->sessions[shown].key != sessionKey;
    }
    if (hidden) {
        next.scope = {};
    }
    change(tr("Show a session"), std::move(next));
    if (hidden) {
        tellUndoable(tr("The filters would have hidden this session: they are cleared."));
    }
    showPage(Page::Timeline);
}

void Workbench::close() {
    loader_.close();
    tree_.clear();
    scoped_.clear();
    selected_.clear();
    for (const Page page : pages()) {
        if (specOf(page).needs != PageNeeds::Nothing) {
            figures_[indexOf(page)].clear();
        }
    }
    clearStudies();
    undo_.clear();
    WorkbenchState next = state_;
    forgetScopes(next);
    next.asked.cache.trace = "";
    next.asked.log.files = {};
    next.asked.log.served = {};
    next.asked.log.stretch = {};
    apply(std::move(next));
    emit corpusChanged(nullptr);
}

void Workbench::apply(WorkbenchState next) {
    if (next == state_) {
        return;
    }
    state_ = std::move(next);
    setShownZone(state_.asked.sessions.clock);
    emit stateChanged(state_);
    refresh();
}

} // namespace loadline::app
