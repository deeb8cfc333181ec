// From requests to the answer: counted once, read by all that is said of it.
#include "core/cache/study/cache_answer.h"

#include "core/session/corpus/losses.h"

#include <algorithm>
#include <span>

namespace loadline {
namespace {

/// Tokens of the longest prompt and of the longest answer of main chains.
double longestTurnOf(const BlockTrace& trace) {
    Tokens input = 0;
    Tokens output = 0;
    for (const BlockChain& chain : trace.chains) {
        for (const BlockRequest& request : trace.requestsOf(chain)) {
            input = chain.subAgent ? input : std::max(input, request.input);
            output = chain.subAgent ? output : std::max(output, request.output);
        }
    }
    return static_cast<double>(input + output);
}

template <typename Of, typename Shares>
CacheOverview lengthsOf(const Of& of, const Shares& shares) {
    return {of.input,           of.output,     of.newInput,          of.gapS,
            of.idleS,           of.heldTokens, shares.tokenWeighted, shares.meanPerRequest,
            of.readWriteRatio()};
}

CacheOverview overviewOf(const CacheFigure& figure) {
    const TraceFigures& caches = figure.caches;
    CacheOverview all;
    if (figure.ofProvider()) {
        const ProviderFigures& provider = *figure.requests.provider;
        all = lengthsOf(provider, provider.composition);
        all.mainChains = provider.mainLanes;
        all.subAgents = provider.subAgentLanes;
        all.subAgentHit = provider.subAgentHitRate;
        all.subAgentRequests = provider.subAgentCalls;
    } else {
        const PrefixReuse& agents = caches.unlimitedOfSubAgents;
        all = lengthsOf(caches.unlimited, caches.unlimited);
        all.mainChains = caches.mainChains;
        all.subAgents = caches.subAgents;
        all.subAgentHit = agents.share(agents.consecutive.blocks);
        all.subAgentRequests = agents.requests;
    }
    return all;
}

std::vector<TraceFileDiagnostic> diagnosticsOf(const CacheRequests& requests) {
    if (requests.files) {
        return requests.files->diagnostics;
    }
    std::vector<TraceFileDiagnostic> rows;
    const auto add = [&rows](const PathDiagnostic& one) {
        rows.push_back({one.path, one.diagnostic.line, diagnosticSentence(one.diagnostic),
                        losesData(one.diagnostic.kind)});
    };
    std::ranges::for_each(lossesIn(*requests.corpus), add);
    for (const FileInCorpus& entry : requests.corpus->files) {
        for (const Diagnostic& diagnostic : entry.file->diagnostics) {
            if (isGuess(diagnostic.kind)) {
                add({entry.file->path, diagnostic});
            }
        }
    }
    for (const PathDiagnostic& one : requests.corpus->diagnostics) {
        if (!losesData(one.diagnostic.kind)) {
            add(one);
        }
    }
    return rows;
}

ask::Grouped<BreakReason> reasonsOf(const ProviderFigures& provider) {
    ask::Grouped<BreakReason> reasons;
    for (const PrefixBreak& one : provider.breaks) {
        std::ranges::for_each(one.reasons, [&](const BreakReason& reason) { reasons.add(reason); });
        reasons.endGroup();
    }
    return reasons;
}

} // namespace

std::vector<Composition> compositionsOf(const Corpus& corpus, const Selection& selection) {
    return {compositionOf(corpus, selection, CompositionGroup::Session),
            compositionOf(corpus, selection, CompositionGroup::Agent),
            compositionOf(corpus, selection, CompositionGroup::Model)};
}

std::string CacheAnswer::incomplete() const {
    return files() != nullptr ? incompleteSentence(*files()) : incompleteSentence(*figure->requests.corpus);
}

std::vector<std::string> CacheAnswer::notes() const {
    std::vector<std::string> all = provider() != nullptr ? notRecordedNotes(*provider()) : files()->notes;
    if (caches().most) {
        all.push_back(openEndsNote());
    }
    return all;
}

Result<CacheAnswer> cacheAnswerOf(CacheInput input, const CacheQuestion& question, const ask::Run& run) {
    Result<TierQuestion> machine = question.machine.resolved(longestTurnOf(input.requests.trace));
    if (!machine) {
        return machine.error();
    }
    CacheAnswer answer{.paths = std::move(input.paths),
                       .figure = nullptr,
                       .by = std::move(input.by),
                       .machine = std::move(*machine),
                       .asked = nullptr,
                       .overview = {},
                       .split = {},
                       .tiers = {},
                       .breakReasons = {},
                       .diagnostics = diagnosticsOf(input.requests)};
    const std::size_t replicas = answer.machine.replicaCount();
    if (const std::optional<double>& sessions = answer.machine.sessions) {
        SharedCurve asked = sharedCurveOf(input.requests.trace, static_cast<std::size_t>(*sessions),
                                          run.threads, run.stop, replicas);
        if (asked.sessions > 0) {
            answer.asked = std::make_shared<const SharedCurve>(std::move(asked));
        }
    }
    WorkProgress unwatched;
    answer.figure = std::make_shared<const CacheFigure>(
        cacheFigureOf(std::move(input.requests), run.threads, run.stop,
                      run.progress != nullptr ? *run.progress : unwatched, std::span(&replicas, 1)));
    if (run.stop.stop_requested()) {
        return answer;
    }
    answer.overview = overviewOf(*answer.figure);
    answer.split = splitAnswerOf(answer, question);
    if (answer.figure->ofProvider()) {
        answer.breakReasons = reasonsOf(*answer.provider());
    }
    if (answer.figure->tellsReuse()) {
        answer.tiers = tierAnswerOf(answer, question);
    }
    return answer;
}

} // namespace loadline
