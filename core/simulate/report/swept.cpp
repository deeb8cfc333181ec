// Simulates many settings, and the crossovers of their curves.
#include "core/simulate/report/swept.h"

#include "core/simulate/run/provenance.h"
#include "core/simulate/run/replica.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace loadline {
namespace {

Result<std::vector<Crossover>> crossoversIn(const SweepInputs& inputs, const SweepResult& result,
                                            std::int64_t draws, const std::stop_token& stop) {
    if (draws == 0 || inputs.users.size() < 2) {
        return crossoversOf(result, inputs.base.scope);
    }
    return crossoversOf(inputs, result, {draws, inputs.threads, inputs.progress}, stop);
}

/// In the scope asked for, and for whole steps of the GEMMs alone beside them.
Status findCrossovers(Swept& swept, std::int64_t draws, const std::stop_token& stop) {
    auto crossovers = crossoversIn(swept.inputs, swept.result, draws, stop);
    if (!crossovers) {
        return crossovers.error();
    }
    swept.crossovers = std::move(*crossovers);
    if (swept.request.scope == StepScope::GemmOnly || stop.stop_requested()) {
        return Done{};
    }
    SweepInputs gemms = swept.inputs;
    gemms.base.scope = StepScope::GemmOnly;
    gemms.latencies = false;
    const Result<SweepResult> alone = sweep(gemms, stop);
    if (!alone) {
        return alone.error();
    }
    auto beside = crossoversIn(gemms, *alone, draws, stop);
    if (!beside) {
        return beside.error();
    }
    swept.gemmCrossovers = std::move(*beside);
    return Done{};
}

double secondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

MemoryFit Swept::memoryAt(Storage weights) const {
    const auto found = std::ranges::find(result.memory, weights, &MemoryFit::weights);
    return found == result.memory.end() ? MemoryFit{} : *found;
}

const SweptPair* Swept::pairAt(Storage weights) const {
    const auto found = std::ranges::find_if(
        result.pairs, [weights](const SweptPair& pair) { return pair.format.weights == weights; });
    return found == result.pairs.end() ? nullptr : &*found;
}

Result<Swept> sweptOf(SimulationRequest request, SweepInputs inputs, std::int64_t draws,
                      const std::stop_token& stop) {
    const auto begin = std::chrono::steady_clock::now();
    Swept swept;
    swept.request = std::move(request);
    swept.inputs = std::move(inputs);
    Result<SweepResult> result = sweep(swept.inputs, stop);
    if (!result) {
        return result.error();
    }
    swept.result = std::move(*result);
    swept.provenance = provenanceOf(swept.inputs.base);
    swept.pointsWallS = secondsSince(begin);
    if (!swept.inputs.users.empty() && !stop.stop_requested()) {
        if (Status found = findCrossovers(swept, draws, stop); !found) {
            return found.error();
        }
    }
    swept.crossoversWallS = secondsSince(begin) - swept.pointsWallS;
    swept.inputs.progress = nullptr;
    return swept;
}

} // namespace loadline
