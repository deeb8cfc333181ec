// Charts of simulations for exports: the same answers as in the window, refined.
#include "app/simulation_chart.h"

#include "app/simulation_bench.h"
#include "app/simulation_words.h"
#include "ui/chart/simulation_drawings.h"

#include <fmt/format.h>

namespace loadline::app {
namespace {

Page pageOf(ChartKind kind) {
    switch (kind) {
    case ChartKind::Crossover:
        return Page::Crossover;
    case ChartKind::WhatPays:
        return Page::WhatPays;
    default:
        return Page::Simulator;
    }
}

std::shared_ptr<const ui::Drawing> drawn(ChartKind kind, const SimulationShown& shown) {
    using ui::SimulationChart;
    const SimulationRequest& request = shown.question.request;
    switch (kind) {
    case ChartKind::Crossover:
        return ui::drawingOf(shown.sweep, shown.crossovers, request.kBits, request.arrivals.users);
    case ChartKind::WhatPays:
        return ui::drawingOf(shown.whatPays);
    case ChartKind::KernelTimes:
        return ui::kernelCurvesOf(shown.simulator);
    case ChartKind::SimulatorRows:
        return ui::drawingOf(SimulationChart::Rows, shown.simulator);
    case ChartKind::KernelShare:
        return ui::drawingOf(SimulationChart::Kernels, shown.simulator);
    case ChartKind::SimulatorDecode:
        return ui::drawingOf(SimulationChart::Decode, shown.simulator);
    case ChartKind::SimulatorLatency:
        return ui::drawingOf(SimulationChart::Latency, shown.simulator);
    case ChartKind::SimulatorMap:
        return ui::drawingOf(SimulationChart::Map, shown.simulator);
    default:
        return ui::drawingOf(SimulationChart::Users, shown.simulator);
    }
}

} // namespace

Result<std::shared_ptr<const ui::Drawing>> simulationDrawing(const ChartRequest& request,
                                                             const Scoped& scoped) {
    SimulationQuestion question{pageOf(request.kind), request.simulation, nullptr};
    question.sources =
        std::make_shared<const SourcesShown>(sourcesOf(namesOf(request.simulation), scoped, {}));
    const SimulationShown shown = simulated(question, FigureStage::Refined, nullptr, {});
    if (shown.error) {
        return *shown.error;
    }
    return drawn(request.kind, shown);
}

std::string simulationCaption(const SimulationRequest& request) {
    return fmt::format("workload {}; {}; {} users; shapes {}, k = {}; kernel times {}", request.workload,
                       nameOf(request.policy.policy), request.arrivals.users, request.shapes, request.kBits,
                       request.profile);
}

} // namespace loadline::app
