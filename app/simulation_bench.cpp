// When simulation pages are computed, previewed and refined.
#include "app/simulation_bench.h"

#include <utility>

namespace loadline::app {
namespace {

/// Charts that are outdated for less than this do not say so.
constexpr int staleAfterMs = 200;
/// A preview that has run for so long is given up for a newer question.
constexpr int giveUpAfterMs = 120;
/// Refining begins when the hand rests.
constexpr int restMs = 150;

} // namespace

SimulationBench::SimulationBench(QObject* parent) : QObject(parent) {
    for (QTimer* timer : {&refineTimer_, &staleTimer_}) {
        timer->setSingleShot(true);
    }
    refineTimer_.setInterval(restMs);
    staleTimer_.setInterval(staleAfterMs);
    connect(&refineTimer_, &QTimer::timeout, this, &SimulationBench::startRefining);
    connect(&staleTimer_, &QTimer::timeout, this, [this] { setStale(!isSettled()); });
    const auto fail = [this](const Error& error) {
        running_.reset();
        setStale(false);
        emit refiningChanged(false);
        emit failed(error);
    };
    sources_.onFailure(fail);
    preview_.onFailure(fail);
    refine_.onFailure(fail);
}

SimulationBench::~SimulationBench() = default;

void SimulationBench::ask(Page page, const SimulationRequest& request, const Scoped& open) {
    SourcesKey key{namesOf(request), nullptr};
    if (key.names.workload == openWorkload) {
        key.open = open;
    }
    SimulationQuestion question{page, request, nullptr};
    sources_.request(
        this, key, [](const SourcesKey& k, std::stop_token stop) { return sourcesOf(k.names, k.open, stop); },
        [this](const Sources& sources) {
            emit sourcesChanged(sources);
            if (asked_) {
                asked_->sources = sources;
                startPreview();
            }
        });
    if (!sources_.isRunning()) {
        question.sources = sources_.value();
    }
    if (asked_ == question) {
        return;
    }
    asked_ = std::move(question);
    refineTimer_.stop();
    refine_.stop();
    if (!staleTimer_.isActive() && !isSettled()) {
        staleTimer_.start();
    }
    startPreview();
}

void SimulationBench::rest() {
    asked_.reset();
    preview_.stop();
    running_.reset();
    refineTimer_.stop();
    refine_.stop();
    setStale(false);
}

bool SimulationBench::isSettled() const {
    return !asked_ || (asked_->sources && answered_ == asked_);
}

bool SimulationBench::isRefined() const {
    return !asked_ || (asked_->sources && refined_ == asked_);
}

Simulated SimulationBench::shown(Page page) const {
    return shown_[indexOf(page)];
}

/// A preview of the exact scheduler has no curves over users. Where the users alone were changed, those that
/// are shown still hold.
void SimulationBench::keepCurves(SimulationShown& shown) const {
    const Simulated last = shown_[indexOf(shown.question.page)];
    if (!shown.simulator || !shown.simulator->overUsers.points.empty() || !last || !last->simulator) {
        return;
    }
    SimulationQuestion question = last->question;
    question.request.arrivals.users = shown.question.request.arrivals.users;
    if (question == shown.question) {
        SimulatorFigure kept = *shown.simulator;
        kept.overUsers = last->simulator->overUsers;
        kept.map = last->simulator->map;
        kept.crossovers = last->simulator->crossovers;
        shown.simulator = std::make_shared<const SimulatorFigure>(std::move(kept));
    }
}

void SimulationBench::startPreview() {
    if (!asked_ || !asked_->sources || answered_ == asked_) {
        if (asked_ && asked_->sources && refined_ != asked_) {
            refineTimer_.start();
        }
        return;
    }
    if (running_ && since_.elapsed() < giveUpAfterMs) {
        return; // its answer is nearly there; this one is next
    }
    running_ = asked_;
    since_.start();
    preview_.start(
        this,
        [question = *asked_, tables = tables_](std::stop_token stop) {
            return simulated(question, FigureStage::Preview, tables, stop);
        },
        [this](SimulationShown shown) { take(std::move(shown), FigureStage::Preview); });
}

void SimulationBench::startRefining() {
    if (!asked_ || answered_ != asked_ || refined_ == asked_) {
        return;
    }
    emit refiningChanged(true);
    refine_.start(
        this,
        [question = *asked_, tables = tables_](std::stop_token stop) {
            return simulated(question, FigureStage::Refined, tables, stop);
        },
        [this](SimulationShown shown) { take(std::move(shown), FigureStage::Refined); });
}

void SimulationBench::take(SimulationShown shown, FigureStage stage) {
    const bool refined = stage == FigureStage::Refined || shown.error;
    answered_ = shown.question;
    if (stage == FigureStage::Preview) {
        running_.reset();
    }
    if (refined) {
        refined_ = shown.question;
        emit refiningChanged(false);
    }
    if (shown.simulator) {
        tables_ = shown.simulator->inputs.tables;
    }
    keepCurves(shown);
    const Simulated value = shareValue(std::move(shown));
    shown_[indexOf(value->question.page)] = value;
    staleTimer_.stop();
    setStale(false);
    emit answered(value);
    if (!isSettled()) {
        staleTimer_.start();
    }
    startPreview();
}

void SimulationBench::setStale(bool stale) {
    if (std::exchange(stale_, stale) != stale) {
        emit staleChanged(stale);
    }
}

} // namespace loadline::app
