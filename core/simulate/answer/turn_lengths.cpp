// Walks a workload's turns.
#include "core/simulate/answer/turn_lengths.h"

#include <algorithm>

namespace loadline {
namespace {

/// Calls use(prompt, output) for every turn of sessions or of a trace.
template <typename Use>
void eachTurn(const SimulationInputs& inputs, const Use& use) {
    const bool replayed = inputs.arrivals.order != TurnOrder::Sampled;
    for (const WorkloadSession& session : inputs.workload->sessions) {
        for (const WorkloadTurn& turn : session.turns) {
            use((replayed ? turn.context : 0) + turn.input, turn.output);
        }
    }
    for (const TraceRequest& request : inputs.workload->requests) {
        use(request.input, request.output);
    }
}

} // namespace

TurnLengths turnLengthsOf(const SimulationInputs& inputs) {
    const Workload& workload = *inputs.workload;
    const Tokens most = inputs.policy.maxModelLen;
    TurnLengths found;
    if (workload.kind == WorkloadKind::Distribution) {
        for (const BucketFrequencies* sizes : {&workload.distribution.input, &workload.distribution.output}) {
            double all = 0;
            double sum = 0;
            for (const auto& [tokens, frequency] : sizes->frequency) {
                all += frequency;
                sum += frequency * static_cast<double>(tokens);
            }
            found.longest += sizes->frequency.empty() ? 0 : sizes->frequency.rbegin()->first;
            found.mean += all > 0 ? sum / all : 0;
        }
        return {.longest = std::min(found.longest, most),
                .mean = std::min(found.mean, static_cast<double>(most))};
    }
    double turns = 0;
    eachTurn(inputs, [&](Tokens prompt, Tokens output) {
        const Tokens tokens = std::min(prompt + output, most);
        found.longest = std::max(found.longest, tokens);
        turns += 1;
        found.mean += (static_cast<double>(tokens) - found.mean) / turns;
    });
    return found;
}

double meanAnswerOf(const SimulationInputs& inputs, Tokens longestRequest) {
    double all = 0;
    double sum = 0;
    const auto add = [&](Tokens prompt, Tokens output, double weight) {
        const Tokens input = simulatedTokens(prompt);
        if (input < longestRequest) {
            all += weight;
            sum += weight * static_cast<double>(std::min(simulatedTokens(output), longestRequest - input));
        }
    };
    if (inputs.workload->kind == WorkloadKind::Distribution) {
        const TokenDistribution& sizes = inputs.workload->distribution;
        for (const auto& [input, often] : sizes.input.frequency) {
            for (const auto& [output, frequency] : sizes.output.frequency) {
                add(input, output, often * frequency);
            }
        }
    } else {
        eachTurn(inputs, [&](Tokens prompt, Tokens output) { add(prompt, output, 1); });
    }
    return all > 0 ? sum / all : 0;
}

double refusedShareOf(const SimulationInputs& inputs, Tokens longestRequest) {
    double all = 0;
    double refused = 0;
    const auto count = [&](Tokens prompt, double weight) {
        all += weight;
        refused += prompt >= longestRequest ? weight : 0;
    };
    if (inputs.workload->kind == WorkloadKind::Distribution) {
        for (const auto& [tokens, frequency] : inputs.workload->distribution.input.frequency) {
            count(tokens, frequency);
        }
    } else {
        eachTurn(inputs, [&](Tokens prompt, Tokens /*output*/) { count(prompt, 1); });
    }
    return all > 0 ? refused / all : 0;
}

} // namespace loadline
