// Answers that are there in part: what they keep of the answer before, and when they are shown.
#include "app/simulation/simulation_bench.h"

#include <memory>
#include <utility>

namespace loadline::app {

/// A preview of the exact scheduler has no curves over users, and none has those of the other scope. Where
/// the users alone were changed, those that are shown still hold.
void SimulationBench::keepCurves(SimulationShown& shown) const {
    const Simulated last = this->shown(*shown.question.study);
    if (!last || last->error || shown.error) {
        return;
    }
    SimulationQuestion question = last->question;
    question.request.arrivals.users = shown.question.request.arrivals.users;
    if (question != shown.question) {
        return;
    }
    shown.otherSweep = last->otherSweep;
    shown.otherCrossovers = last->otherCrossovers;
    shown.otherWhyNot = last->otherWhyNot;
    if (shown.simulator && shown.simulator->overUsers.points.empty() && last->simulator) {
        SimulatorFigure kept = *shown.simulator;
        kept.overUsers = last->simulator->overUsers;
        kept.map = last->simulator->map;
        kept.crossovers = last->simulator->crossovers;
        const bool isPreview = last->simulator->stage == FigureStage::Preview;
        for (SweepPoint& point : kept.overUsers.points) {
            point.isPreview = point.isPreview || isPreview;
        }
        if (isPreview && kept.stage == FigureStage::Refined) { // one setting has one answer
            putPresentInto(kept);
        }
        shown.simulator = std::make_shared<const SimulatorFigure>(std::move(kept));
    }
}

void SimulationBench::showPartial() {
    const Simulated answer = partial_ ? partial_->take() : nullptr;
    if (!answer || !asked_ || answer->question != *asked_) {
        return;
    }
    SimulationShown shown = *answer;
    keepCurves(shown);
    if (followsSoon(shown)) {
        return;
    }
    const Simulated value = shareValue(std::move(shown));
    shown_[value->question.study] = value;
    judgeStale();
    emit answered(value);
}

/// True if the charts keep what they show until the preview is complete: an answer without curves would empty
/// them, and under a drag draw everything twice. Those of another workload are of no use.
bool SimulationBench::followsSoon(const SimulationShown& shown) const {
    const Simulated last = this->shown(*shown.question.study);
    return shown.simulator && shown.simulator->stage == FigureStage::Preview && last && last->simulator &&
           last->question.sources == shown.question.sources;
}

std::shared_ptr<PartialAnswers> SimulationBench::partialAnswers(const Simulated& preview) {
    return std::make_shared<PartialAnswers>(preview, [this] {
        QMetaObject::invokeMethod(this, &SimulationBench::showPartial, Qt::QueuedConnection);
    });
}

} // namespace loadline::app
