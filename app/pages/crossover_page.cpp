// The Crossover page.
#include "app/pages/crossover_page.h"

#include "app/chart/simulation_chart.h"

namespace loadline::app {

CrossoverPage::CrossoverPage(Workbench& bench)
    : SimulationPage(bench, Page::Crossover,
                     {{ChartKind::Crossover, tr("Time against fp16, and where it passes 1")}}) {}

std::vector<std::shared_ptr<const ui::PlotDrawing>>
CrossoverPage::drawingsOf(const SimulationShown& shown, const std::vector<ui::PlotExtents>& held,
                          const Simulated& pinned) const {
    return {ui::drawingOf(curvesOf(shown), held[0], pinnedCurves(shown, pinned))};
}

std::vector<Quantity> CrossoverPage::quantitiesOf(const SimulationShown& shown) const {
    std::vector<Crossover> all = shown.crossovers;
    all.insert(all.end(), shown.otherCrossovers.begin(), shown.otherCrossovers.end());
    return loadline::quantitiesOf(all);
}

} // namespace loadline::app
