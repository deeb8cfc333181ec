// What `loadline cache` says: the document, and text for a terminal.
#pragma once

#include "app/cli/cache/tier_options.h"
#include "core/cache/provider/session_cache.h"
#include "core/cache/reuse/cache_sharing.h"
#include "core/cache/split/prefill_decode_split.h"
#include "core/trace/read_block_traces.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace loadline::app {

/// What was asked for.
struct CacheQuestion {
    std::vector<std::string> paths;
    std::vector<std::int64_t> capacitiesBlocks;
    std::vector<std::int64_t> ttlsS;
    SplitFleet fleet;
    bool splitGiven = false; ///< the fleet is the user's
    TierQuestion tiers = {};
};

/// What was found.
struct CacheAnswer {
    CacheQuestion question;
    TraceFigures trace; ///< of sessions: of the blocks rebuilt from their usage
    /// Of sessions alone.
    std::shared_ptr<const Corpus> corpus;
    std::optional<ProviderFigures> provider;
    std::vector<Composition> by; ///< session, agent, model
    /// Of traces alone.
    std::optional<BlockTraceFiles> files;
    std::uint64_t callsLeftOut = 0;   ///< RebuiltTrace
    std::optional<SharedCurve> asked; ///< of as many sessions as were asked for, or of all there are
    double seconds = 0;

    /// Whether anything says what prompts share: usage records, or blocks. Traces of lengths do not.
    [[nodiscard]] bool tellsReuse() const { return provider || trace.blockTokens > 0; }

    /// Names the input that could not be read, without a full stop; "": none.
    [[nodiscard]] std::string incomplete() const;

    /// True if the provider's cache is known: of sessions whose logs record it.
    [[nodiscard]] bool ofProvider() const { return provider && provider->recordsCache(); }

    /// True if any output of the sessions' calls is a lower bound.
    [[nodiscard]] bool leastOutputs() const { return provider && provider->outputBounds() > 0; }

    /// CacheFigure::hitRate().
    [[nodiscard]] double hitRate() const;

    /// True if hitRate() is a lower bound: the provider's is not.
    [[nodiscard]] bool leastHitRate() const { return trace.leastHits && !ofProvider(); }

    /// Sentences, each without its end, on what the data do not record.
    [[nodiscard]] std::vector<std::string> notes() const;

    /// Whose blocks the machine's cache holds.
    [[nodiscard]] CacheSharing sharing() const;
};

/// "chains": {"main", "sub_agents", "sub_agent_hit", "sub_agent_requests"}: the requests (of sessions, API
/// calls) of sub-agents are left out of all other figures; of sessions, "breaks" has theirs too.
nlohmann::ordered_json cacheDocument(const CacheAnswer& answer);
std::string cacheText(const CacheAnswer& answer);

} // namespace loadline::app
