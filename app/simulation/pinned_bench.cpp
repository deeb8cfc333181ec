// When the pinned simulation is computed.
#include "app/simulation/pinned_bench.h"

namespace loadline::app {

PinnedBench::PinnedBench(QObject* parent) : QObject(parent) {
    const auto fail = [this](const Error& error) { emit failed(error); };
    sources_.onFailure(fail);
    simulator_.onFailure(fail);
    crossover_.onFailure(fail);
}

void PinnedBench::ask(Page page, const std::optional<SimulationRequest>& request, const Scoped& open) {
    page_ = page;
    if (!request) {
        if (asked_) {
            asked_.reset();
            sources_.clear();
            simulator_.clear();
            crossover_.clear();
            emit changed();
        }
        return;
    }
    const bool other = asked_ != request;
    asked_ = request;
    if (other) { // never an older one's curve under the newer one's name
        simulator_.clear();
        crossover_.clear();
        emit changed();
    }
    SourcesKey key{namesOf(*request), nullptr};
    if (key.names.workload == openWorkload) {
        key.open = open;
    }
    sources_.request(
        this, key,
        [](const SourcesKey& k, std::stop_token stop) { return sourcesOf(k.names, k.open, nullptr, stop); },
        [this](const Sources&) { compute(); });
    if (!sources_.isRunning()) {
        compute();
    }
}

void PinnedBench::compute() {
    if (!asked_ || !sources_.value()) {
        return;
    }
    const bool curves = page_ == Page::Crossover;
    SimulationQuestion question{curves ? Page::Crossover : Page::Simulator, *asked_, sources_.value()};
    (curves ? crossover_ : simulator_)
        .request(
            this, std::move(question),
            [](const SimulationQuestion& q, std::stop_token stop) {
                return simulated(q, FigureStage::Refined, nullptr, stop);
            },
            [this](const Simulated&) { emit changed(); });
}

const PinnedBench::Figures& PinnedBench::figuresOf(Page page) const {
    return page == Page::Crossover ? crossover_ : simulator_;
}

Simulated PinnedBench::shown(Page page) const {
    const Simulated& value = figuresOf(page).value();
    return asked_ && value && value->question.request == *asked_ && !value->error ? value : nullptr;
}

bool PinnedBench::isSettled() const {
    return !asked_ || (!sources_.isRunning() && !figuresOf(page_).isRunning());
}

} // namespace loadline::app
