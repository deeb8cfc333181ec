// How far the answer of a simulation page is: computing, preview, refined, stopped.
#include "app/pages/simulation/simulation_page.h"
#include "ui/panel/part/progress_strip.h"

#include <QLabel>

#include <algorithm>
#include <iterator>

namespace loadline::app {
namespace {

/// How far a curve is that is refined point by point.
QString partlyText(const SweepResult& sweep) {
    const auto curve = sweep.curve(0, 0);
    const auto previews = std::ranges::count_if(curve, &SweepPoint::isPreview);
    return previews == 0
               ? SimulationPage::tr("intervals follow")
               : SimulationPage::tr("%1 of %2 points").arg(std::ssize(curve) - previews).arg(curve.size());
}

} // namespace

/// Follows the answer: what takes longer than a moment shows its progress and can be stopped.
void SimulationPage::followRefining() {
    SimulationBench& simulation = workbench().simulation();
    const auto mine = [this] { return workbench().state().page == page_; };
    connect(&simulation, &SimulationBench::previewBegan, this, [this, mine] {
        if (mine()) {
            showComputing();
        }
    });
    connect(&simulation, &SimulationBench::progressed, this, [this, mine, &simulation](double share) {
        if (mine()) {
            progress_->setShare(share);
            if (simulation.isReading()) {
                note_->setText(tr("reading\u2026"));
            }
        }
    });
    connect(&simulation, &SimulationBench::workingChanged, this, [this, mine, &simulation](bool working) {
        if (working) {
            return; // the bar follows when it takes a while
        }
        if (mine() && simulation.isStopped()) {
            progress_->setStopped();
        } else {
            progress_->clear(); // where another page asks now, too: this one is not under way any more
        }
        if (mine() && simulation.isStopped() && !simulation.isAnswered()) {
            note_->setText(tr("stopped"));
            if (!hasAnswer()) {
                frame_->setEmpty(tr("Stopped before there was an answer."), tr("Compute"));
            }
        } else if (mine() && simulation.isAnswered() && hasAnswer()) {
            say(*shown_);
        }
    });
    connect(&simulation, &SimulationBench::failed, this, [this, mine] {
        if (mine() && !hasAnswer()) {
            frame_->setEmpty(tr("There is no answer: computing it failed."), tr("Compute"));
        }
    });
    connect(progress_, &ui::ProgressStrip::stopRequested, &simulation, &SimulationBench::stop);
    connect(progress_, &ui::ProgressStrip::resumeRequested, this, &SimulationPage::resume);
}

/// Takes up what was stopped.
void SimulationPage::resume() {
    progress_->clear();
    SimulationBench& simulation = workbench().simulation();
    if (!simulation.isAnswered()) {
        showComputing();
    }
    simulation.resume();
}

/// Says that the answer is not there; charts of an earlier question are dimmed.
void SimulationPage::showComputing() {
    note_->setText(tr("computing\u2026"));
    if (!hasAnswer()) {
        frame_->setEmpty(tr("Computing\u2026"));
    }
}

void SimulationPage::say(const SimulationShown& shown) {
    QString text;
    if (shown.stage == FigureStage::Preview) {
        text = shown.isPartly && shown.sweep ? partlyText(*shown.sweep)
               : shown.isPartly && shown.simulator && shown.simulator->stage == FigureStage::Refined
                   ? tr("curves: preview")
                   : tr("preview");
        if (shown.simulator && !shown.simulator->pair && shown.simulator->relativeError > 0) {
            text += tr(", \u00B1%1 %").arg(100 * shown.simulator->relativeError, 0, 'g', 2);
        }
    }
    note_->setText(text);
}

} // namespace loadline::app
