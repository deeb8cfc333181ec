// One setting, simulated: workload x policy x cost, replica by replica.
#include "core/simulate/run/simulate.h"

#include "core/base/parallel_for.h"
#include "core/simulate/run/replica.h"

#include <algorithm>
#include <chrono>
#include <optional>

namespace loadline {

Result<SimulationReplicas> simulate(const SimulationInputs& inputs, unsigned threads,
                                    const std::stop_token& stop) {
    if (auto problem = problemOf(inputs)) {
        return *problem;
    }
    const int k = inputs.cost.kBits;
    auto tables = CostTables::make(inputs, {k},
                                   rowsReached(inputs.policy, inputs.arrivals.users, chunkOf(inputs.policy)));
    if (!tables) {
        return tables.error();
    }
    const GemmRates& rates = (*tables)->at(k);
    const auto begin = std::chrono::steady_clock::now();
    const auto count = static_cast<std::size_t>(inputs.replicas);
    std::vector<std::optional<Result<SimulationResult>>> results(count);
    const unsigned workers =
        static_cast<unsigned>(std::min<std::size_t>(threads == 0 ? defaultThreads() : threads, count));
    std::vector<RowsEngine> engines(workers);
    const bool fast = goesFast(inputs);
    parallelFor(count, workers, stop, [&](std::size_t index, unsigned worker) {
        const std::uint64_t seed = inputs.seed + index;
        const auto turns = fast ? turnsFor(*inputs.workload, turnsNeeded(rowsSetupOf(inputs)), seed)
                                : std::vector<DrawnTurn>();
        results[index] = runReplica(inputs, rates, turns, seed, engines[worker], stop);
    });
    SimulationReplicas replicas;
    for (auto& result : results) {
        if (!result) {
            break; // stopped
        }
        if (!*result) {
            return result->error();
        }
        replicas.steps += (**result).rows.iterations();
        replicas.replicas.push_back(std::move(**result));
    }
    replicas.wallS = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    replicas.modelled = modelledSharesOf(pooled(replicas.replicas).gemm);
    replicas.provenance = provenanceOf(inputs);
    return replicas;
}

} // namespace loadline
