// Question and answer of `loadline cache`: repeated prompts, what keeps them cached, what that frees.
#pragma once

#include "core/ask/grouped.h"
#include "core/ask/study.h"
#include "core/cache/cache_requests.h"
#include "core/cache/figure/cache_figure.h"
#include "core/cache/reuse/cache_sharing.h"
#include "core/cache/study/cache_question.h"
#include "core/cache/study/split_answer.h"
#include "core/cache/study/tier_answer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// The requests that a CacheQuestion is about.
struct CacheInput {
    std::vector<std::string> paths;
    CacheRequests requests;
    std::vector<Composition> by; ///< of sessions: compositionsOf()
};

/// By session, agent and model.
std::vector<Composition> compositionsOf(const Corpus& corpus, const Selection& selection);

/// Lengths and shares: of the provider's cache where it is known, else of an unlimited one.
struct CacheOverview {
    RealSummary input, output, newInput, gapS, idleS, held;
    TokenShares tokenWeighted, meanPerRequest;
    double readWrite = 0;
    std::uint64_t mainChains = 0, subAgents = 0, subAgentRequests = 0;
    double subAgentHit = 0;
};

struct CacheAnswer {
    std::vector<std::string> paths;
    std::shared_ptr<const CacheFigure> figure;
    std::vector<Composition> by;
    TierQuestion machine;                     ///< with room for the longest turn
    std::shared_ptr<const SharedCurve> asked; ///< of as many sessions as were asked for; null: none were
    CacheOverview overview;
    SplitAnswer split;
    std::optional<TierAnswer> tiers; ///< nothing where nothing tells what is reused
    ask::Grouped<BreakReason> breakReasons;
    std::vector<TraceFileDiagnostic> diagnostics; ///< losses of data first
    double seconds = 0;                           ///< that reading and counting took

    [[nodiscard]] const TraceFigures& caches() const { return figure->caches; }

    /// Null for traces.
    [[nodiscard]] const ProviderFigures* provider() const {
        return figure->ofSessions() ? &*figure->requests.provider : nullptr;
    }

    /// Null for sessions.
    [[nodiscard]] const BlockTraceFiles* files() const {
        return figure->requests.files ? &*figure->requests.files : nullptr;
    }

    /// "the provider's cache", "an unlimited cache": which one CacheFigure::hitRate() is of.
    [[nodiscard]] std::string_view cacheWords() const {
        return figure->ofProvider() ? "the provider's cache" : "an unlimited cache";
    }

    /// Names the input that could not be read, without a full stop; "": none.
    [[nodiscard]] std::string incomplete() const;

    /// True if any output of the sessions' calls is a lower bound.
    [[nodiscard]] bool leastOutputs() const {
        return provider() != nullptr && provider()->outputBounds() > 0;
    }

    /// True if CacheFigure::hitRate() is a lower bound: the provider's is not.
    [[nodiscard]] bool leastHitRate() const { return caches().leastHits && !figure->ofProvider(); }

    /// Sentences, each without its end, on what the data do not record.
    [[nodiscard]] std::vector<std::string> notes() const;

    /// Whose blocks the machine's cache holds; points into `figure` and `asked`.
    [[nodiscard]] CacheSharing sharing() const {
        return cacheSharingOf(caches(), asked.get(), machine.replicaCount());
    }
};

/// The Error: TierOptions::resolved(). Means nothing when stopped.
Result<CacheAnswer> cacheAnswerOf(CacheInput input, const CacheQuestion& question, const ask::Run& run);

} // namespace loadline
