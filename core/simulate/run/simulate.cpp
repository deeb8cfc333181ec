// One setting, simulated: workload x policy x cost, replica by replica.
#include "core/simulate/run/simulate.h"

#include "core/base/parallel_for.h"
#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/run/provenance.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/run/settle.h"

#include <algorithm>
#include <chrono>
#include <optional>

namespace loadline {

namespace {

void finish(SimulationReplicas& replicas, const SimulationInputs& inputs,
            std::chrono::steady_clock::time_point begin) {
    replicas.wallS = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    replicas.modelled = modelledSharesOf(pooled(replicas.replicas).gemm);
    replicas.provenance = provenanceOf(inputs);
}

Result<SimulationReplicas> untilSettled(const SimulationInputs& inputs, const GemmRates& rates,
                                        const SettleGoal& goal, unsigned threads,
                                        const std::stop_token& stop) {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::vector<DrawnTurn>> turns(
        static_cast<std::size_t>(inputs.replicas / partsOf(inputs.replicas)));
    if (const std::size_t count = turnsToSettle(inputs, goal); count > 0) {
        parallelFor(turns.size(), threads, stop, [&](std::size_t i, unsigned) {
            turns[i] = turnsFor(*inputs.workload, count, inputs.seed + i);
        });
    }
    SimulationReplicas replicas;
    if (stop.stop_requested()) {
        return replicas;
    }
    auto settled = settle(inputs, rates, turns, goal, threads, stop);
    if (!settled) {
        return settled.error();
    }
    replicas.replicas = std::move(settled->replicas);
    replicas.steps = settled->report.steps;
    if (!replicas.replicas.empty()) {
        replicas.run = settled->report;
    }
    finish(replicas, inputs, begin);
    return replicas;
}

} // namespace

Result<SimulationReplicas> simulate(const SimulationInputs& inputs, unsigned threads,
                                    const std::stop_token& stop) {
    if (auto problem = problemOf(inputs)) {
        return *problem;
    }
    auto tables = CostTables::make(inputs, {inputs.cost.format},
                                   rowsReached(inputs.policy, inputs.arrivals.users, chunkOf(inputs.policy)));
    if (!tables) {
        return tables.error();
    }
    const GemmRates& rates = (*tables)->at(inputs.cost.format);
    if (isSettling(inputs) && !inputs.plan) {
        return untilSettled(inputs, rates, inputs.goal.value_or(SettleGoal()), threads, stop);
    }
    const auto begin = std::chrono::steady_clock::now();
    // A trace has one course, whatever the seed.
    const bool isOneCourse = inputs.arrivals.kind == ArrivalKind::Trace;
    const std::int64_t parts = inputs.plan ? inputs.plan->parts : 1;
    const auto count = static_cast<std::size_t>(isOneCourse ? 1 : (inputs.replicas + parts - 1) / parts);
    std::vector<std::optional<Result<std::vector<SimulationResult>>>> results(count);
    const unsigned workers =
        static_cast<unsigned>(std::min<std::size_t>(threads == 0 ? defaultThreads() : threads, count));
    std::vector<RowsEngine> engines(workers);
    const bool fast = goesFast(inputs);
    parallelFor(count, workers, stop, [&](std::size_t index, unsigned worker) {
        const std::uint64_t seed = inputs.seed + index;
        const auto turns = fast ? turnsFor(*inputs.workload, turnsNeeded(rowsSetupOf(inputs)), seed)
                                : std::vector<DrawnTurn>();
        results[index] = runParts(inputs, rates, turns, seed, engines[worker], stop);
    });
    SimulationReplicas replicas;
    for (auto& result : results) {
        if (!result) {
            break; // stopped
        }
        if (!*result) {
            return result->error();
        }
        for (SimulationResult& run : **result) {
            replicas.steps += run.rows.iterations();
            replicas.replicas.push_back(std::move(run));
        }
    }
    if (isOneCourse && !replicas.replicas.empty()) {
        replicas.replicas.resize(static_cast<std::size_t>(inputs.replicas), replicas.replicas.front());
    }
    finish(replicas, inputs, begin);
    return replicas;
}

} // namespace loadline
