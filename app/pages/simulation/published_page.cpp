// The page of the published tables.
#include "app/pages/simulation/published_page.h"

#include "app/chart/simulation_chart.h"
#include "ui/chart/frame/notes_area.h"
#include "ui/panel/part/segments.h"
#include "ui/theme/format.h"

#include <vector>

namespace loadline::app {
namespace {

constexpr int notesLines = 8; ///< the others scroll

} // namespace

PublishedPage::PublishedPage(Workbench& bench)
    : SimulationPage(bench, Page::Published),
      notes_(new ui::NotesArea(tr("What is known about the differences"), notesLines)) {
    grid()->setLead(5, 3);
    addBelow(notes_);
    addControl(makeBits());
    hidePanel(); // of the parameters only the profile matters, and the study had one
}

/// Each k that can be simulated; the study printed the times of one.
QWidget* PublishedPage::makeBits() {
    std::vector<ui::Segments::Choice> choices;
    for (int k = minKBits; k <= maxKBits; ++k) {
        choices.push_back({QStringLiteral("k = %1").arg(k),
                           k == publishedKBits ? tr("Weights of %1 bits: what the study printed").arg(k)
                                               : tr("Weights of %1 bits: ours alone").arg(k)});
    }
    auto* bits = new ui::Segments(tr("Bits of a quantised weight"), choices);
    const auto follow = [bits](const WorkbenchState& state) {
        bits->setCurrent(quantisedK(state.simulation.weights).value_or(minKBits - 1) - minKBits);
    };
    connect(bits, &ui::Segments::chosen, this, [this](int index) {
        SimulationRequest next = workbench().state().simulation;
        next.weights = storageOfBits(minKBits + index);
        workbench().setSimulation(next, tr("Change k"));
    });
    connect(&workbench(), &Workbench::stateChanged, bits, follow);
    follow(workbench().state());
    return bits;
}

void PublishedPage::follow(const SimulationShown& shown) {
    QStringList lines{
        tr("Printed: %1.").arg(QString::fromUtf8(studySource.data(), qsizetype(studySource.size())))};
    lines << ui::listFromUtf8(studyNotes(*shown.figure.as<StudyTables>()));
    notes_->setNotes(lines);
}

} // namespace loadline::app
