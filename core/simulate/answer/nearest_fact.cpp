// A run's place on the axes of measured servers.
#include "core/simulate/answer/nearest_fact.h"

#include "core/serving/nearest_servers.h"

#include <algorithm>
#include <string>

namespace loadline {
namespace {

constexpr double rarely = 0.01; // preemptions a turn, up to which memory does not decide

/// Mean tokens before a generated token, of turns with their sessions' contexts or drawn singly.
double contextOf(const SimulationInputs& inputs) {
    const WorkloadSummary summary = summaryOf(*inputs.workload);
    if (inputs.arrivals.order != TurnOrder::Replayed || inputs.workload->sessions.empty()) {
        return summary.meanInput + summary.meanOutput / 2;
    }
    double contexts = 0; // of all generated tokens
    double outputs = 0;
    for (const WorkloadSession& session : inputs.workload->sessions) {
        for (const WorkloadTurn& turn : session.turns) {
            const auto output = static_cast<double>(turn.output);
            contexts += output * (static_cast<double>(turn.context + turn.input) + (output - 1) / 2);
            outputs += output;
        }
    }
    return outputs > 0 ? contexts / outputs : 0;
}

} // namespace

ServerPoint serverPointOf(const SimulationInputs& inputs, const SimulationResult& run) {
    const ServedEngine& engine = inputs.engine;
    const Format& format = inputs.cost.format;
    const ModelBytes bytes =
        modelBytesOf(*engine.model, bytesEach(format.weights), bytesEach(format.experts));
    const auto computed = static_cast<double>(run.tokensIn);
    const auto cached = static_cast<double>(run.cachedTokens);
    const double inSystem = run.turnsPerS() * run.e2eS.mean; // Little's law
    return {.gpu = engine.surfaces->atlas().gpu(),
            .totalBytes = bytes.total,
            .activeBytes = bytes.active,
            .weights = std::string(specOf(format.weights).key),
            .experts = engine.model->experts ? std::string(specOf(format.experts).key) : "",
            .kv = std::string(specOf(format.kv).key),
            .tensorParallel = engine.parallel.tensor,
            .context = contextOf(inputs),
            .newTokens = computed / static_cast<double>(run.turns),
            .cachedShare = computed + cached > 0 ? cached / (computed + cached) : 0,
            .batch = std::min(inSystem, static_cast<double>(seqsOf(inputs.policy))),
            .isKvBound = static_cast<double>(run.preemptions) > rarely * static_cast<double>(run.turns)};
}

std::optional<CountedFact> nearestFactOf(const SimulationInputs& inputs, const SimulationResult* present) {
    const bool isAsked = inputs.engine.surfaces && inputs.judged && inputs.workload && present != nullptr &&
                         present->turns > 0 && inputs.scope == StepScope::WholeStep;
    if (!isAsked) {
        return std::nullopt;
    }
    if (inputs.judged->servers.empty()) { // the program carries some
        return CountedFact{"measured_servers", "the list of measured servers cannot be read",
                           "Install the program again.", true};
    }
    const NearestServers nearest = nearestServers(inputs.judged->servers, serverPointOf(inputs, *present));
    return CountedFact{"measured_servers", nearest.words, nearest.more, nearest.n == 0};
}

} // namespace loadline
