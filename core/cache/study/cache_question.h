// The question about caches of `loadline cache`, the Cache page and its charts: one struct, and its fields.
#pragma once

#include "core/ask/field.h"
#include "core/cache/cache_requests.h"
#include "core/cache/figure/cache_settings.h"
#include "core/cache/study/tier_question.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loadline {

struct CacheQuestion {
    std::vector<std::int64_t> capacitiesBlocks = {500,    1000,    2000,    4000,    5000,    8000,
                                                  10'000, 16'000,  20'000,  30'000,  32'000,  50'000,
                                                  64'000, 100'000, 128'000, 256'000, 512'000, 1'000'000};
    std::vector<std::int64_t> ttlsS = {60, 300, 600, 1800, 3600, 21'600, 86'400};
    SplitFleet fleet = {};
    bool splitGiven = false; ///< the fleet is the user's
    TierOptions machine = {};
    std::optional<Tokens> blockTokens = {}; ///< nothing: as the trace tells; for sessions 64
    bool subAgents = false;                 ///< their requests count too
    std::string trace = {};                 ///< a file, archive or folder; "": none
    bool traceShown = true;                 ///< where there is one: it, not the sessions
    LruCount lru = LruCount::Contiguous;
    double ttlS = usualTtlS; ///< seconds until a block that nobody held is forgotten
    std::string chain = {};  ///< CacheSettings::chain
    bool operator==(const CacheQuestion&) const = default;

    /// The trace that is shown; "": the sessions are.
    [[nodiscard]] std::string shownTrace() const { return traceShown ? trace : std::string(); }

    [[nodiscard]] SubAgents agents() const { return subAgents ? SubAgents::Count : SubAgents::Apart; }
};

/// `longestTurn`: tokens that a replica must have room for, where its GPUs were not given; 0: not known.
CacheSettings settingsOf(const CacheQuestion& question, double longestTurn = 0);
/// The same with the longest turn of the CacheFigure among the sources, if there is one.
CacheSettings settingsOf(const CacheQuestion& question, const ask::Sources& sources);
/// The question with these settings.
CacheQuestion withSettings(CacheQuestion question, const CacheSettings& settings);
/// After a hand has changed fields of `before`: what a node's memory has left beside the weights follows.
CacheQuestion settled(const CacheQuestion& before, CacheQuestion after, double longestTurn = 0);

/// Returns the fields of the page and its charts.
ask::Fields cacheFields();
/// Returns the fields of `loadline cache`: lists instead of slider values, and more fields for the machine.
ask::Fields cacheCommandFields();

} // namespace loadline
