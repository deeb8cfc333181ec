// The Simulator page.
#include "app/pages/simulator_page.h"

#include "ui/chart/simulation_drawings.h"

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
SimulatorPage::drawingsOf(const SimulationShown& shown, const std::vector<ui::PlotExtents>& held) const {
    std::vector<std::shared_ptr<const ui::PlotDrawing>> drawings;
    for (const SimulationChart chart : ui::simulationCharts) {
        drawings.push_back(ui::drawingOf(chart, shown.simulator, held[drawings.size()]));
    }
    return drawings;
}

} // namespace loadline::app
