// Reads traces, or rebuilds what sessions asked for.
#include "core/cache/cache_requests.h"

#include <algorithm>
#include <utility>

namespace loadline {
namespace {

Selection withoutBrush(const Corpus& corpus, Selection selection) {
    selection.scope.turnInput = selection.scope.turnOutput = std::nullopt;
    selection.callHit = selection.callIn;
    for (CallIndex i = 0; i < corpus.calls.size(); ++i) {
        if (selection.sessionIn[corpus.files[corpus.calls[i].file].session] == 0) {
            selection.callHit[i] = 0;
        }
    }
    selection.callsHit = static_cast<std::uint64_t>(std::ranges::count(selection.callHit, 1));
    return selection;
}

/// Different blocks of all scopes, those that scopes share once.
std::uint64_t uniqueBlocksOf(const BlockTrace& trace) {
    std::uint64_t blocks = 0;
    for (const std::uint32_t ofScope : trace.blocksOfScope) {
        blocks += ofScope;
    }
    for (const OutsideBlocks& one : trace.outside) {
        blocks -= one.count;
    }
    return blocks;
}

double shareOf(const TraceFigures& figures) {
    return figures.unlimited.share(figures.unlimited.prefix.blocks);
}

} // namespace

CacheRequests cacheRequestsOf(std::shared_ptr<const Corpus> corpus, const Selection& selected,
                              Tokens blockTokens, const std::stop_token& stop, SubAgents agents) {
    CacheRequests requests;
    requests.corpus = std::move(corpus);
    requests.brushLeftAside = selected.scope.turnInput || selected.scope.turnOutput;
    const Selection selection = requests.brushLeftAside ? withoutBrush(*requests.corpus, selected) : selected;
    requests.lanes = laneCallsOf(*requests.corpus, selection);
    if (stop.stop_requested()) {
        return requests;
    }
    requests.provider = providerFiguresOf(*requests.corpus, selection, requests.lanes, stop, agents);
    if (stop.stop_requested()) {
        return requests;
    }
    RebuiltTrace rebuilt = rebuiltTraceOf(*requests.corpus, requests.lanes, blockTokens, stop);
    requests.trace = std::move(rebuilt.trace);
    requests.callsLeftOut = rebuilt.callsLeftOut;
    BlockTrace most =
        rebuiltTraceOf(*requests.corpus, requests.lanes, blockTokens, stop, ReuseEnd::Most).trace;
    if (agents == SubAgents::Count) {
        requests.agentsCounted = countSubAgents(requests.trace);
        countSubAgents(most);
    }
    if (uniqueBlocksOf(most) != uniqueBlocksOf(requests.trace)) {
        requests.most = std::move(most);
    }
    return requests;
}

TraceFigures figuresOfRequests(const CacheRequests& requests, unsigned threads, const std::stop_token& stop,
                               WorkProgress& progress, std::span<const std::size_t> replicas) {
    progress.planned += traceFiguresParts * (requests.most ? 2 : 1); // or what is done would shrink midway
    TraceFigures figures = plannedTraceFiguresOf(requests.trace, threads, stop, progress, replicas);
    figures.leastHits = requests.provider && requests.provider->leavesReuseOpen();
    figures.agentsCounted = requests.agentsCounted;
    if (requests.most && !stop.stop_requested()) {
        auto most = std::make_shared<TraceFigures>(
            plannedTraceFiguresOf(*requests.most, threads, stop, progress, replicas));
        most->agentsCounted = requests.agentsCounted;
        if (shareOf(*most) - shareOf(figures) >= untoldMatters) {
            figures.leastHits = true;
            if (requests.provider->unrecordedTokens < untoldMatters) {
                figures.most = std::move(most);
            }
        }
    }
    return figures;
}

Result<CacheRequests> cacheRequestsIn(const CacheFiles& found, const BlockTraceOptions& options,
                                      const std::stop_token& stop, Progress& progress, SubAgents agents) {
    Result<BlockTraceFiles> files = readBlockTraces(found.traces, options, stop, progress);
    if (!files) {
        return files.error();
    }
    for (const PathDiagnostic& one : found.diagnostics) {
        files->diagnostics.push_back(
            {one.path, 0, diagnosticSentence(one.diagnostic), losesData(one.diagnostic.kind)});
    }
    CacheRequests requests;
    requests.trace = std::move(files->trace);
    requests.agentsCounted = agents == SubAgents::Count ? countSubAgents(requests.trace) : 0;
    requests.files = std::move(*files);
    return requests;
}

} // namespace loadline
