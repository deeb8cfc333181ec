// What each simulation page computes: compositions of core's functions.
#include "app/simulation_bench.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace loadline::app {
namespace {

constexpr std::int64_t usersLooked = 256;
constexpr std::int64_t previewReplicas = 2;

template <typename T>
std::shared_ptr<const T> shared(T value) {
    return std::make_shared<const T>(std::move(value));
}

void simulateOne(SimulationShown& shown, SimulationInputs inputs, std::vector<Tokens> chunks,
                 const std::stop_token& stop) {
    SimulatorFigureInputs wanted;
    wanted.base = std::move(inputs);
    wanted.users = userGrid(std::max(usersLooked, wanted.base.arrivals.users));
    wanted.chunks = std::move(chunks);
    wanted.stage = shown.stage;
    Result<SimulatorFigure> figure = simulatorFigure(wanted, stop);
    if (figure) {
        shown.simulator = shared(std::move(*figure));
    } else {
        shown.error = figure.error();
    }
}

void findCrossovers(SimulationShown& shown, const SimulationInputs& inputs, const std::stop_token& stop) {
    SweepInputs wanted;
    wanted.base = inputs;
    wanted.users = userGrid(usersLooked);
    wanted.kBits = {2, 3, 4, 5};
    const bool preview = shown.stage == FigureStage::Preview;
    if (preview) {
        wanted.base.replicas = previewReplicas;
    }
    Result<SweepResult> curves = sweep(wanted, stop);
    if (!curves) {
        shown.error = curves.error();
        return;
    }
    if (preview) {
        shown.crossovers = crossoversOf(*curves, inputs.scope);
    } else {
        Result<std::vector<Crossover>> found = crossoversOf(wanted, {}, stop);
        if (!found) {
            shown.error = found.error();
            return;
        }
        shown.crossovers = std::move(*found);
    }
    shown.sweep = shared(std::move(*curves));
}

/// With the kernels' times at the present setting and the curve over users, which follow a drag at once.
void findWhatPays(SimulationShown& shown, SimulationInputs inputs, const std::stop_token& stop) {
    simulateOne(shown, inputs, {}, stop);
    if (shown.error) {
        return;
    }
    if (shown.stage == FigureStage::Preview) {
        inputs.replicas = previewReplicas;
    }
    Result<WhatPays> pays = whatPays(inputs, userGrid(usersLooked), stop);
    if (pays) {
        shown.whatPays = shared(std::move(*pays));
    } else {
        shown.error = pays.error();
    }
}

} // namespace

SimulationShown simulated(const SimulationQuestion& question, FigureStage stage,
                          std::shared_ptr<const CostTables> tables, std::stop_token stop) {
    SimulationShown shown;
    shown.question = question;
    shown.stage = stage;
    if (question.sources->error) {
        shown.error = question.sources->error;
        return shown;
    }
    SimulationInputs inputs = inputsOf(question.request, question.sources->sources);
    inputs.tables = std::move(tables);
    switch (question.page) {
    case Page::Crossover:
        findCrossovers(shown, inputs, stop);
        break;
    case Page::WhatPays:
        findWhatPays(shown, std::move(inputs), stop);
        break;
    default:
        simulateOne(shown, std::move(inputs), chunkGrid(), stop);
        break;
    }
    return shown;
}

} // namespace loadline::app
