// The sum of a selection: calls, tokens by kind, and the wall-clock time by who spent it.
#pragma once

#include "core/workload/timeline/prompt_turns.h"
#include "core/workload/timeline/timeline.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace loadline {

struct SelectionSum {
    std::uint64_t sessions = 0;
    UsageTotals totals; ///< each call once
    /// Time of the sessions, one after the other, within the selection's dates. A session that begins with
    /// inherited calls counts from the end of the last of these before its first own call: the time until
    /// then was spent in the session that made them. If single calls are selected (by model, agent or bins),
    /// it is the model's time alone: the time of tools and people cannot be divided among calls.
    TimeSplit time;
    bool modelTimeOnly = false;
    /// Adds a selection that shares no call and no time with this one. Leaves `sessions` to the caller, who
    /// knows which are the same.
    SelectionSum& operator+=(const SelectionSum& other);
    bool operator==(const SelectionSum&) const = default;
};

/// Returns the sum of everything that is selected.
SelectionSum sumOf(const Corpus& corpus, const Selection& selection, const std::stop_token& stop);

/// Returns the sum of the calls in scope of one session that start in [from, to), without inherited ones.
/// Calls without a time count only in the whole: a stretch from timeline.first to timeline.last or beyond.
SelectionSum sumWithin(const Timeline& timeline, const Scope& scope, TimeMs from, TimeMs to);

/// Returns the sum of prompt turns of one session, by start: their own calls, sub-agents included, and the
/// time of each turn up to its end, once where turns overlap.
SelectionSum sumOf(const Timeline& timeline, const Scope& scope, std::span<const SessionPromptTurn> turns);

/// Returns the sum of single calls, each once, and the time during which at least one of them was under way.
SelectionSum sumOfCalls(const Timeline& timeline, std::span<const std::uint32_t> calls);

} // namespace loadline
