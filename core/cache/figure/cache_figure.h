// The figures behind the charts of caches, of sessions or of a trace: three caches that are never mixed.
#pragma once

#include "core/cache/cache_requests.h"
#include "core/cache/reuse/trace_figures.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline {

/// Cumulative distribution of durations: the share that took at most a given number of seconds.
class ShareWithin {
public:
    ShareWithin() = default;
    /// `of`: what shares are of; at least as many as there are parts.
    ShareWithin(std::span<const WeightedSample::Part> sorted, std::uint64_t of);

    [[nodiscard]] double at(double seconds) const;
    [[nodiscard]] double most() const { return upTo_.empty() ? 0 : upTo_.back().share; }
    [[nodiscard]] double longestS() const { return upTo_.empty() ? 0 : upTo_.back().seconds; }

private:
    struct Part {
        double seconds = 0;
        double share = 0; ///< up to there
    };

    std::vector<Part> upTo_;
};

struct CacheFigure {
    CacheRequests requests;
    TraceFigures caches; ///< an unlimited one's and an engine's
    /// Share of all block references that an unlimited cache hits, by the age in seconds of the block that
    /// they need. For a time to live: TraceFigures::ttlHit.
    ShareWithin ages;
    ShareWithin gaps;   ///< gapS() as a distribution
    std::string source; ///< "58 main lanes", "Mooncake: 12 031 requests"

    [[nodiscard]] bool ofSessions() const { return requests.provider.has_value(); }

    /// True if the provider's cache is known: of sessions whose logs record it.
    [[nodiscard]] bool ofProvider() const { return ofSessions() && requests.provider->recordsCache(); }

    /// Whether anything says what prompts share: usage records, or blocks. Traces of lengths do not.
    [[nodiscard]] bool tellsReuse() const { return ofSessions() || caches.blockTokens > 0; }

    /// Returns the share of prompt tokens read from the provider's cache; of traces, and of sessions whose
    /// logs record no cache, the share that the request before held.
    [[nodiscard]] double hitRate() const;
    [[nodiscard]] const RealSummary& input() const;
    [[nodiscard]] const RealSummary& output() const;
    /// Mean output that costs are counted with: ProviderFigures::servedOutput.
    [[nodiscard]] double servedOutput() const;
    /// The most tokens that each session or conversation had in the cache at once.
    [[nodiscard]] const RealSummary& heldTokens() const;
    [[nodiscard]] const RealSummary& gapS() const;
    [[nodiscard]] const std::vector<WeightedSample::Part>& gapsS() const; ///< those of gapS
    [[nodiscard]] double longestTurn() const; ///< tokens of the longest prompt and of the longest answer
    /// Calls that the figures leave out.
    [[nodiscard]] std::uint64_t subAgentRequests() const;
};

/// True if it is known which blocks prompts share.
bool tellsBlocks(const CacheFigure& figure);

/// CacheFigure::hitRate().
double cachedShareOf(const std::optional<ProviderFigures>& provider, const PrefixReuse& unlimited);

/// `threads` as in parallelFor; `replicas` as in traceFiguresOf(). What is there when stopped means nothing.
CacheFigure cacheFigureOf(CacheRequests requests, unsigned threads, const std::stop_token& stop,
                          WorkProgress& progress, std::span<const std::size_t> replicas = usualReplicas);

} // namespace loadline
