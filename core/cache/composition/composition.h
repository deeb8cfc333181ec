// The parts of prompts: cache read, cache write, uncached input, output; by session, day, model, project or
// agent.
#pragma once

#include "core/text/table.h"
#include "core/workload/scope/scope.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

enum class CompositionGroup : std::uint8_t { Session, Day, Model, Project, Agent };
std::string_view keyOf(CompositionGroup group); ///< "session", "day", "model", "project", "agent"
std::optional<CompositionGroup> compositionGroupFromKey(std::string_view key);

/// Shares of cached input, new input and output; they sum to 1 (all 0 without tokens).
struct TokenShares {
    double cached = 0;   ///< cache read
    double newInput = 0; ///< cache write + uncached input
    double output = 0;
    bool operator==(const TokenShares&) const = default;
};

struct CompositionRow {
    std::string key;   ///< Session::key, "2026-01-20", name of model, project or agent; "" without
    std::string label; ///< for people; "(no time)", "(no model)", "(no project)" for the empty key
    UsageTotals totals;
    TokenShares tokenWeighted;    ///< of the sums
    TokenShares meanPerRequest;   ///< mean of each request's own shares
    double hitRate = 0;           ///< UsageTotals::hitRate()
    double hitRatePerRequest = 0; ///< mean over requests of sessions that tell of a cache
    double readWriteRatio = 0;    ///< cacheRead / cacheWrite; infinity without writes, 0 without both
};

struct Composition {
    CompositionGroup group = CompositionGroup::Session;
    std::vector<CompositionRow> rows; ///< days by date, others by descending context
    CompositionRow all;
    std::uint64_t sessions = 0;             ///< that the calls are of
    std::uint64_t sessionsWithoutCache = 0; ///< of them, those whose logs record no cache: in no hit rate
    std::string sentence;
};

/// Over the calls in scope behind the brushed bins (Selection::callHit), each under the session of its home.
Composition compositionOf(const Corpus& corpus, const Selection& selection, CompositionGroup group);
/// `Composition::sentence`, from the rest of it.
std::string compositionSentence(const Composition& composition);
/// One row per group ("part" in the last column), and a last row "all" ("sum").
Table tableOf(const Composition& composition);

} // namespace loadline
