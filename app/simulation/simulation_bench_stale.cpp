// When figures on a simulation page are outdated, and dimmed.
#include "app/simulation/simulation_bench.h"

namespace loadline::app {

void SimulationBench::expect() {
    isExpected_ = true;
    dimsAtOnce_ = dimsAtOnce_ || !asked_;
    judgeStale();
}

bool SimulationBench::isOutdated() const {
    if (isSettled()) {
        return isExpected_;
    }
    const Simulated last = shown(*asked_->study);
    return isExpected_ || !last || last->question != *asked_;
}

/// After every change of what is asked for, and of what is shown.
void SimulationBench::judgeStale() {
    if (!isOutdated()) {
        dimsAtOnce_ = false;
        staleTimer_.stop();
        setStale(false);
    } else if (dimsAtOnce_) {
        setStale(true);
    } else if (!staleTimer_.isActive()) {
        staleTimer_.start();
    }
}

/// Emits also where nothing changed: the visible page may be another one.
void SimulationBench::setStale(bool stale) {
    stale_ = stale;
    emit staleChanged(stale);
}

} // namespace loadline::app
