// When the pinned simulation is computed.
#include "app/simulation/pinned_bench.h"

#include "core/simulate/run/schedule_memo.h"

#include <utility>

namespace loadline::app {

Simulated knownAnswer(const Simulated& shown, const SimulationRequest& asPinned,
                      const std::shared_ptr<const Corpus>& corpus, const Scope& scope,
                      const SimulationRequest& pinned) {
    if (shown->error || shown->stage != FigureStage::Refined || asPinned != pinned) {
        return nullptr;
    }
    const Scoped& open = shown->question.sources->open;
    if (pinned.workload.isOpen() != (open != nullptr)) {
        return nullptr; // "auto" came to another workload, as sessions were not open, or not yet closed
    }
    if (open && (open->corpus != corpus || !(open->scope == scope))) {
        return nullptr; // sessions that were open, or in scope, before
    }
    SimulationShown answer = *shown;
    answer.question.request = pinned;
    return shareValue(std::move(answer));
}

PinnedBench::PinnedBench(QObject* parent) : QObject(parent) {
    sources_.onFailure([this](const Error& error) { emit failed(error); });
}

void PinnedBench::ask(const Study& study, const std::optional<SimulationRequest>& request, const Scoped& open,
                      const Simulated& known) {
    study_ = study.pinnedAs;
    drawn_ = &study;
    if (!request) {
        if (asked_) {
            asked_.reset();
            sources_.clear();
            forget();
            emit changed();
        }
        return;
    }
    const bool other = asked_ != request;
    asked_ = request;
    if (other) { // never an older one's curve under the newer one's name
        forget();
        emit changed();
    }
    if (known) {
        take(known);
    }
    if (const auto found = known_.find(&study); found != known_.end()) {
        const SimulationQuestion& answered = found->second->question;
        if (sourcesKey(*request, open) == sourcesKey(answered.request, answered.sources->open)) {
            return;
        }
        known_.erase(found); // its sessions have grown
    }
    sources_.request(
        this, sourcesKey(*request, open),
        [open](const SourcesKey& k, std::stop_token stop) { return sourcesOf(k.names, open, nullptr, stop); },
        [this](const Sources&) { compute(); });
    if (!sources_.isRunning()) {
        compute();
    }
}

void PinnedBench::take(const Simulated& known) {
    if (!asked_ || known->question.request != *asked_) {
        return;
    }
    const Study* const study = known->question.study;
    Simulated& kept = known_[study];
    const bool same = kept && kept->simulator == known->simulator && kept->sweep == known->sweep &&
                      kept->otherSweep == known->otherSweep;
    if (!same) {
        kept = known;
        if (study->pinnedAs == study_ && figures_.contains(study_)) {
            figures_.at(study_).giveUp();
        }
        emit changed();
    }
}

void PinnedBench::forget() {
    known_.clear();
    for (auto& [study, figures] : figures_) {
        figures.clear(); // erasing it would wait for its job
    }
}

void PinnedBench::compute() {
    if (!asked_ || !sources_.value() || study_ == nullptr || known_.contains(drawn_)) {
        return;
    }
    Figures& figures = figures_[study_];
    figures.onFailure([this](const Error& error) { emit failed(error); });
    figures.request(
        this, SimulationQuestion{study_, *asked_, sources_.value()},
        [](const SimulationQuestion& q, std::stop_token stop) {
            return simulated(q, FigureStage::Refined, {nullptr, std::make_shared<ScheduleMemo>()}, stop);
        },
        [this](const Simulated&) { emit changed(); });
}

Simulated PinnedBench::shown(const Study& study) const {
    if (const auto known = known_.find(&study); asked_ && known != known_.end()) {
        return known->second;
    }
    const auto figures = figures_.find(study.pinnedAs);
    const Simulated value = figures == figures_.end() ? nullptr : figures->second.value();
    return asked_ && value && value->question.request == *asked_ && !value->error ? value : nullptr;
}

bool PinnedBench::isSettled() const {
    return !asked_ ||
           (!sources_.isRunning() && !(figures_.contains(study_) && figures_.at(study_).isRunning()));
}

} // namespace loadline::app
