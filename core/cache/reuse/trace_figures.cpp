// Main chains and sub-agents apart, one figure after the other.
#include "core/cache/reuse/trace_figures.h"

#include "core/base/parallel_for.h"

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

std::vector<DealtCurve> dealtCurvesOf(const BlockTrace& trace, const TraceFigures& figures,
                                      std::span<const std::size_t> replicas, unsigned threads,
                                      const std::stop_token& stop) {
    if (trace.blockTokens == 0) {
        return {};
    }
    std::vector<DealtCurve> dealt{{.replicas = 1, .curve = {}}};
    for (const std::size_t count : replicas) {
        if (count > 1) {
            dealt.push_back({.replicas = count, .curve = {}});
        }
    }
    parallelFor(dealt.size(), threads, stop, [&](std::size_t i, unsigned) {
        DealtCurve& one = dealt[i];
        if (!figures.conversations) {
            one.curve = roundRobinCurveOf(trace, one.replicas, stop);
        } else if (figures.active.recorded) {
            one.curve = recordedCurveOf(trace, stop, one.replicas);
        } else {
            one.curve = atOnceCurveOf(trace, stop, one.replicas);
        }
    });
    return dealt;
}

} // namespace

const CapacityCurve& TraceFigures::dealtTo(std::size_t replicas) const {
    static const CapacityCurve none;
    const auto found = std::ranges::find(dealt, replicas, &DealtCurve::replicas);
    return found == dealt.end() ? none : found->curve;
}

double TraceFigures::ttlHit(double seconds) const {
    return unlimited.share(hitsWithin(agesS, seconds));
}

std::uint64_t countSubAgents(BlockTrace& trace) {
    std::uint64_t counted = 0;
    for (BlockChain& chain : trace.chains) {
        counted += chain.subAgent ? 1 : 0;
        chain.subAgent = false;
    }
    return counted;
}

TraceFigures traceFiguresOf(const BlockTrace& trace, unsigned threads, const std::stop_token& stop,
                            WorkProgress& progress, std::span<const std::size_t> replicas) {
    progress.planned += traceFiguresParts;
    return plannedTraceFiguresOf(trace, threads, stop, progress, replicas);
}

TraceFigures plannedTraceFiguresOf(const BlockTrace& trace, unsigned threads, const std::stop_token& stop,
                                   WorkProgress& progress, std::span<const std::size_t> replicas) {
    std::vector<BlockChain> main;
    std::vector<BlockChain> agents;
    for (const BlockChain& chain : trace.chains) {
        (chain.subAgent ? agents : main).push_back(chain);
    }
    TraceFigures figures{.blockTokens = trace.blockTokens,
                         .conversations = trace.conversations,
                         .mainChains = main.size(),
                         .subAgents = agents.size(),
                         .agentsCounted = 0,
                         .unlimited = {},
                         .unlimitedOfSubAgents = {},
                         .engine = {},
                         .shared = {},
                         .active = activeSessionsOf(trace),
                         .dealt = {},
                         .agesS = {},
                         .workingSet = {},
                         .interArrivalS = {}};
    figures.unlimited = prefixReuseOf(trace, main, threads, stop);
    figures.unlimitedOfSubAgents = prefixReuseOf(trace, agents, threads, stop);
    ++progress.done;
    figures.engine = capacityCurvesOf(trace, main, threads, stop);
    ++progress.done;
    figures.shared = sharedCurvesOf(trace, threads, stop);
    ++progress.done;
    figures.dealt = dealtCurvesOf(trace, figures, replicas, threads, stop);
    figures.agesS = figures.active.recorded ? figures.dealtTo(1).agesS() : figures.unlimited.prefixAgesS;
    ++progress.done;
    figures.workingSet = workingSetOf(trace, main);
    countTimes(trace, main, figures);
    ++progress.done;
    return figures;
}

} // namespace loadline
