// What prompts are made of: cache read, cache write, uncached input, output; by session, day, model or
// project.
#pragma once

#include "core/text/table.h"
#include "core/workload/scope.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loadline {

enum class CompositionGroup : std::uint8_t { Session, Day, Model, Project };
std::string_view keyOf(CompositionGroup group); ///< "session", "day", "model", "project"
std::optional<CompositionGroup> compositionGroupFromKey(std::string_view key);

/// Shares of cached input, new input and output; they sum to 1 (all 0 without tokens).
struct TokenShares {
    double cached = 0;   ///< cache read
    double newInput = 0; ///< cache write + uncached input
    double output = 0;
    bool operator==(const TokenShares&) const = default;
};

struct CompositionRow {
    std::string key;   ///< Session::key, "2026-01-20", model or project name
    std::string label; ///< for people
    UsageTotals totals;
    TokenShares tokenWeighted;    ///< of the sums
    TokenShares meanPerRequest;   ///< mean of each request's own shares
    double hitRate = 0;           ///< token-weighted: cacheRead / context
    double hitRatePerRequest = 0; ///< mean over requests
    double readWriteRatio = 0;    ///< cacheRead / cacheWrite; infinity without writes, 0 without both
};

struct Composition {
    CompositionGroup group = CompositionGroup::Session;
    std::vector<CompositionRow>
        rows; ///< sessions and projects by descending context; days by date; models by calls
    CompositionRow all;
    std::string sentence;
};

Composition compositionOf(const Corpus& corpus, const Selection& selection, CompositionGroup group);
Table tableOf(const Composition& composition);

} // namespace loadline
