// Main chains and sub-agents apart, one figure after the other.
#include "core/cache/reuse/trace_figures.h"

#include <algorithm>

namespace loadline {
namespace {

void countTimes(const BlockTrace& trace, std::span<const BlockChain> chains, TraceFigures& figures) {
    WeightedSample gaps;
    for (const BlockChain& chain : chains) {
        const auto requests = trace.requestsOf(chain);
        figures.durationS = std::max(figures.durationS, requests.back().startS - requests.front().startS);
        figures.distinctTimes += 1;
        for (std::size_t i = 1; i < requests.size(); ++i) {
            const double gapS = requests[i].startS - requests[i - 1].startS;
            figures.distinctTimes += gapS > 0;
            gaps.add(gapS);
        }
    }
    if (!trace.conversations) {
        figures.interArrivalS = summaryOf(gaps.sorted());
    }
}

} // namespace

TraceFigures traceFiguresOf(const BlockTrace& trace, unsigned threads, const std::stop_token& stop,
                            WorkProgress& progress) {
    std::vector<BlockChain> main;
    std::vector<BlockChain> agents;
    for (const BlockChain& chain : trace.chains) {
        (chain.subAgent ? agents : main).push_back(chain);
    }
    TraceFigures figures{.blockTokens = trace.blockTokens,
                         .conversations = trace.conversations,
                         .mainChains = main.size(),
                         .subAgents = agents.size(),
                         .unlimited = {},
                         .unlimitedOfSubAgents = {},
                         .engine = {},
                         .shared = {},
                         .active = activeSessionsOf(trace),
                         .recorded = {},
                         .workingSet = {},
                         .interArrivalS = {}};
    progress.planned += 4;
    figures.unlimited = prefixReuseOf(trace, main, threads, stop);
    figures.unlimitedOfSubAgents = prefixReuseOf(trace, agents, threads, stop);
    ++progress.done;
    figures.engine = capacityCurvesOf(trace, main, threads, stop);
    ++progress.done;
    figures.shared = sharedCurvesOf(trace, threads, stop);
    if (figures.active.recorded) {
        figures.recorded = recordedCurveOf(trace, stop);
    }
    ++progress.done;
    figures.workingSet = workingSetOf(trace, main);
    countTimes(trace, main, figures);
    ++progress.done;
    return figures;
}

} // namespace loadline
