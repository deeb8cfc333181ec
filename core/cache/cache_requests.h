// Requests to caches: the calls of sessions, or a request trace.
#pragma once

#include "core/base/progress.h"
#include "core/cache/cache_files.h"
#include "core/cache/provider/session_cache.h"
#include "core/cache/reuse/trace_figures.h"
#include "core/trace/read_block_traces.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace loadline {

/// `corpus`, `lanes` and `provider` are set for sessions, `files` for a trace.
struct CacheRequests {
    BlockTrace trace;               ///< of sessions: rebuilt from their usage, at the lower end
    std::optional<BlockTrace> most; ///< of sessions: at the upper end, where it is another that matters
    std::shared_ptr<const Corpus> corpus;
    std::vector<LaneCalls> lanes; ///< point into the corpus
    std::optional<ProviderFigures> provider;
    std::uint64_t callsLeftOut = 0;       ///< RebuiltTrace
    std::optional<BlockTraceFiles> files; ///< its trace is `trace`
    std::uint64_t agentsCounted = 0;      ///< sub-agents whose chains count as main ones
    bool brushLeftAside = false; ///< all calls in scope of the sessions that the brush chose are here
};

/// Blocks of sessions, where nobody asks for others: as kv-cache-tester cuts prompts.
inline constexpr Tokens sessionBlockTokens = 64;

/// Returns the requests of the calls in scope. A brush chooses sessions, not calls: the content of a cache at
/// a call depends on every call before it. Incomplete when stopped.
CacheRequests cacheRequestsOf(std::shared_ptr<const Corpus> corpus, const Selection& selection,
                              Tokens blockTokens, const std::stop_token& stop,
                              SubAgents agents = SubAgents::Apart);

/// Returns traceFiguresOf() of the requests' trace, with what the requests tell of them:
/// TraceFigures::leastHits, agentsCounted and most.
TraceFigures figuresOfRequests(const CacheRequests& requests, unsigned threads, const std::stop_token& stop,
                               WorkProgress& progress, std::span<const std::size_t> replicas = usualReplicas);

/// Reads `found.traces`; the diagnostics of `found` are added to those of the files.
Result<CacheRequests> cacheRequestsIn(const CacheFiles& found, const BlockTraceOptions& options,
                                      const std::stop_token& stop, Progress& progress,
                                      SubAgents agents = SubAgents::Apart);

} // namespace loadline
