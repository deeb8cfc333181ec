// The Crossover page.
#include "app/pages/crossover_page.h"

#include "app/simulation_chart.h"

namespace loadline::app {

CrossoverPage::CrossoverPage(Workbench& bench)
    : SimulationPage(bench, Page::Crossover,
                     {{ChartKind::Crossover, tr("Time against fp16, and where it passes 1")}}) {}

std::vector<std::shared_ptr<const ui::PlotDrawing>>
CrossoverPage::drawingsOf(const SimulationShown& shown, const std::vector<ui::PlotExtents>& held,
                          const Simulated& pinned) const {
    const SimulationRequest& request = shown.question.request;
    return {ui::drawingOf(shown.sweep, shown.crossovers, request.kBits, request.arrivals.users, held[0],
                          pinnedCurves(request, pinned))};
}

std::vector<Quantity> CrossoverPage::quantitiesOf(const SimulationShown& shown) const {
    return loadline::quantitiesOf(shown.crossovers);
}

} // namespace loadline::app
