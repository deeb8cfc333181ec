// Walks a workload's turns.
#include "core/simulate/answer/turn_lengths.h"

#include <algorithm>
#include <unordered_set>

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

/// Calls use(prompt, output, weight) for every turn, or for every pair of sizes of a distribution.
template <typename Use>
void eachWeighedTurn(const SimulationInputs& inputs, const Use& use) {
    if (inputs.workload->kind != WorkloadKind::Distribution) {
        eachTurn(inputs, [&](Tokens prompt, Tokens output) { use(prompt, output, 1.0); });
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
    double turns = 0;
    eachTurn(inputs, [&](Tokens prompt, Tokens output) {
        const Tokens tokens = std::min(prompt + output, most);
        found.longest = std::max(found.longest, tokens);
        turns += 1;
        found.mean += (static_cast<double>(tokens) - found.mean) / turns;
    });
    SimulationInputs replayed = inputs;
    replayed.arrivals.order = TurnOrder::Replayed;
    turns = 0;
    eachTurn(replayed, [&](Tokens prompt, Tokens output) {
        turns += 1;
        const auto tokens = static_cast<double>(std::min(prompt + output, most));
        found.meanConversation += (tokens - found.meanConversation) / turns;
    });
    return found;
}

double contextLeftOutOf(const SimulationInputs& inputs) {
    double sum = 0;
    double turns = 0;
    for (const WorkloadSession& session : inputs.workload->sessions) {
        for (const WorkloadTurn& turn : session.turns) {
            sum += static_cast<double>(turn.context);
            turns += 1;
        }
    }
    return turns > 0 && inputs.arrivals.order == TurnOrder::Sampled ? sum / turns : 0;
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
        eachTurn(inputs, [&](Tokens prompt, Tokens /*output*/) { count(prompt, 1); });
    }
    return all > 0 ? refused / all : 0;
}

} // namespace loadline
