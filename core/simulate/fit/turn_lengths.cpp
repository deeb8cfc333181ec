// Walks a workload's turns.
#include "core/simulate/fit/turn_lengths.h"

#include <algorithm>
#include <unordered_set>

namespace loadline {
namespace {

/// True if turns of sessions are served with their contexts.
bool servesContexts(const SimulationInputs& inputs) {
    return inputs.arrivals.order != TurnOrder::Sampled;
}

/// Calls use(prompt, output) for every turn of sessions or of a trace.
template <typename Use>
void eachTurn(const Workload& workload, bool withContexts, const Use& use) {
    for (const WorkloadSession& session : workload.sessions) {
        for (const WorkloadTurn& turn : session.turns) {
            use((withContexts ? turn.context : 0) + turn.input, turn.output);
        }
    }
    for (const TraceRequest& request : workload.requests) {
        use(request.input, request.output);
    }
}

/// Calls use(prompt, output, weight) for every turn, or for every pair of sizes of a distribution.
template <typename Use>
void eachWeighedTurn(const SimulationInputs& inputs, const Use& use) {
    if (inputs.workload->kind != WorkloadKind::Distribution) {
        eachTurn(*inputs.workload, servesContexts(inputs),
                 [&](Tokens prompt, Tokens output) { use(prompt, output, 1.0); });
        return;
    }
    const TokenDistribution& sizes = inputs.workload->distribution;
    for (const auto& [input, often] : sizes.input.frequency) {
        for (const auto& [output, frequency] : sizes.output.frequency) {
            use(input, output, often * frequency);
        }
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
        const double mean = std::min(found.mean, static_cast<double>(most));
        return {.longest = std::min(found.longest, most), .mean = mean, .meanConversation = mean};
    }
    const auto meanOf = [&](bool withContexts, Tokens& longest) {
        double mean = 0;
        double turns = 0;
        eachTurn(workload, withContexts, [&](Tokens prompt, Tokens output) {
            const Tokens tokens = std::min(prompt + output, most);
            longest = std::max(longest, tokens);
            turns += 1;
            mean += (static_cast<double>(tokens) - mean) / turns;
        });
        return mean;
    };
    found.mean = found.meanConversation = meanOf(servesContexts(inputs), found.longest);
    if (!servesContexts(inputs)) {
        Tokens longestConversation = 0;
        found.meanConversation = meanOf(true, longestConversation);
    }
    return found;
}

double contextLeftOutOf(const SimulationInputs& inputs) {
    double mean = 0;
    double turns = 0;
    for (const WorkloadSession& session : inputs.workload->sessions) {
        for (const WorkloadTurn& turn : session.turns) {
            turns += 1;
            mean += (static_cast<double>(turn.context) - mean) / turns;
        }
    }
    return servesContexts(inputs) ? 0 : mean;
}

double meanAnswerOf(const SimulationInputs& inputs, Tokens longestRequest) {
    double all = 0;
    double sum = 0;
    eachWeighedTurn(inputs, [&](Tokens prompt, Tokens output, double weight) {
        const Tokens input = simulatedTokens(prompt);
        if (input < longestRequest) {
            all += weight;
            sum += weight * static_cast<double>(std::min(simulatedTokens(output), longestRequest - input));
        }
    });
    return all > 0 ? sum / all : 0;
}

double servedOutputShareOf(const SimulationInputs& inputs, Tokens longestRequest) {
    double all = 0;
    double served = 0;
    eachWeighedTurn(inputs, [&](Tokens prompt, Tokens output, double weight) {
        const auto tokens = static_cast<double>(simulatedTokens(output));
        const Tokens room = longestRequest - simulatedTokens(prompt);
        all += weight * tokens;
        served += room > 0 ? weight * std::min(tokens, static_cast<double>(room)) : 0;
    });
    return all > 0 ? served / all : 0;
}

double sharedPrefixShareOf(const Workload& workload) {
    std::unordered_set<std::uint32_t> seen;
    double all = 0;
    double shared = 0;
    for (const TraceRequest& request : workload.requests) {
        const Tokens prompt = simulatedTokens(request.input);
        all += static_cast<double>(prompt);
        Tokens left = prompt;
        bool leads = true;
        for (const std::uint32_t block : request.blocks) {
            leads = !seen.insert(block).second && leads;
            const Tokens tokens = std::clamp<Tokens>(left, 0, traceBlockTokens);
            shared += leads ? static_cast<double>(tokens) : 0;
            left -= tokens;
        }
    }
    return all > 0 ? shared / all : 0;
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
        eachTurn(*inputs.workload, servesContexts(inputs),
                 [&](Tokens prompt, Tokens /*output*/) { count(prompt, 1); });
    }
    return all > 0 ? refused / all : 0;
}

} // namespace loadline
