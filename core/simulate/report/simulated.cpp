// Simulates one setting.
#include "core/simulate/report/simulated.h"

#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/run/provenance.h"
#include "core/simulate/run/replica.h"

#include <utility>

namespace loadline {
namespace {

/// Returns the memory that the KV cache needs; reuses the value of `served` if its fit was judged by it.
Result<KvNeed> kvNeedOf(const SimulationInputs& inputs, const ServedFormat* served,
                        const std::stop_token& stop) {
    return served != nullptr && served->kvNeed ? *served->kvNeed : kvNeed(inputs, kvNeedSteps, stop);
}

Status serveBoth(Simulated& simulated, unsigned threads, const std::stop_token& stop) {
    auto pair = serveFormats(simulated.inputs, threads, stop);
    if (!pair) {
        return pair.error();
    }
    if (auto done = serveWhole(*pair, simulated.inputs, threads, stop); !done) {
        return done.error();
    }
    SimulationReplicas& result = simulated.result = pair->own.runs;
    result.wallS += pair->against.runs.wallS;
    result.steps += pair->against.runs.steps;
    if (pair->whole) {
        result.wallS += pair->whole->runs.wallS;
        result.steps += pair->whole->runs.steps;
    }
    result.provenance = provenanceOf(simulated.inputs);
    simulated.pair = std::move(*pair);
    return Done{};
}

/// Sets the need of the KV cache where the own format does not fit.
Status addMisfitNeed(Simulated& simulated, const std::stop_token& stop) {
    const ServedFormat& own = simulated.pair->own;
    if (specOf(simulated.inputs.policy.policy).paged && !(own.memory.kvBytes > 0)) {
        simulated.kv = weightsAlone(simulated.inputs); // no run on this device holds any
        return Done{};
    }
    auto kv = kvNeedOf(simulated.inputs, &own, stop); // too much, or it would be beside the weights
    if (!kv) {
        return kv.error();
    }
    simulated.kv = withPeakOf(*kv, simulated.inputs, own.all);
    return Done{};
}

/// Sets the errors of kernel times and the need of the KV cache.
Status addErrorsAndNeed(Simulated& simulated, unsigned threads, const std::stop_token& stop) {
    const SimulationInputs asked = simulated.inputs;
    const bool bothRan = simulated.pair && simulated.pair->against.fits;
    const auto errors =
        kernelErrorsOf(asked, simulated.all, bothRan ? &simulated.pair->against.all : nullptr, threads, stop);
    if (!errors) {
        return errors.error();
    }
    simulated.kernelErrors = *errors;
    if (bothRan) {
        simulated.pair->setKernelErrors(*errors);
    }
    if (simulated.pair) { // the turns that its figures are of
        simulated.inputs.policy.maxModelLen = simulated.pair->longestRequest;
    }
    auto kv = kvNeedOf(simulated.inputs, simulated.pair ? &simulated.pair->own : nullptr, stop);
    if (!kv) {
        return kv.error();
    }
    simulated.kv = withPeakOf(*kv, asked, simulated.all);
    return Done{};
}

} // namespace

Result<Simulated> simulatedOf(const SimulationRequest& request, const SimulationInputs& inputs,
                              bool withStudyTables, unsigned threads, const std::stop_token& stop) {
    Simulated simulated{request, inputs, {}, {}, {}, {}};
    if (comparesFormats(inputs)) {
        if (Status served = serveBoth(simulated, threads, stop); !served) {
            return served.error();
        }
    } else {
        auto result = simulate(inputs, threads, stop);
        if (!result) {
            return result.error();
        }
        simulated.result = std::move(*result);
    }
    simulated.all = pooled(simulated.result.replicas);
    const Status added = simulated.pair && !simulated.pair->own.fits
                             ? addMisfitNeed(simulated, stop)
                             : addErrorsAndNeed(simulated, threads, stop);
    if (!added) {
        return added.error();
    }
    simulated.fit = simulated.all.peakKvBlocks > 0 // else taken from the recorded steps
                        ? memoryFitOf(simulated.inputs, simulated.all)
                        : memoryFitOf(simulated.inputs, simulated.kv.peakBytes);
    if (stop.stop_requested()) {
        return simulated;
    }
    if (const auto cost = ruleCostOf(simulated.inputs, simulated.all)) {
        simulated.ruleCost = *cost; // what cannot be told is not said
    }
    if (withStudyTables) {
        auto tables = studyTables(simulated.inputs, 16, studyIterations, threads, stop);
        if (!tables) {
            return tables.error();
        }
        simulated.tables = std::move(*tables);
    }
    return simulated;
}

} // namespace loadline
