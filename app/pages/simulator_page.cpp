// The Simulator page.
#include "app/pages/simulator_page.h"

#include "app/chart/simulation_chart.h"

namespace loadline::app {
namespace {

using ui::SimulationChart;

} // namespace

SimulatorPage::SimulatorPage(Workbench& bench)
    : SimulationPage(bench, Page::Simulator,
                     {{ChartKind::SimulatorUsers, titleOf(SimulationChart::Users)},
                      {ChartKind::SimulatorRows, titleOf(SimulationChart::Rows)},
                      {ChartKind::KernelShare, titleOf(SimulationChart::Kernels)},
                      {ChartKind::SimulatorDecode, titleOf(SimulationChart::Decode)},
                      {ChartKind::SimulatorLatency, titleOf(SimulationChart::Latency)},
                      {ChartKind::SimulatorMap, titleOf(SimulationChart::Map)}}) {}

std::vector<std::shared_ptr<const ui::PlotDrawing>>
SimulatorPage::drawingsOf(const SimulationShown& shown, const std::vector<ui::PlotExtents>& held,
                          const Simulated& pinned) const {
    const ui::PinnedFigure against = pinnedFigure(shown, pinned);
    std::vector<std::shared_ptr<const ui::PlotDrawing>> drawings;
    drawings.reserve(std::size(ui::simulationCharts));
    for (const SimulationChart chart : ui::simulationCharts) {
        drawings.push_back(ui::drawingOf(chart, shown.simulator, held[drawings.size()], against));
    }
    return drawings;
}

} // namespace loadline::app
