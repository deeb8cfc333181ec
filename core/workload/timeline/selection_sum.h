// What a selection holds, in one sum: calls, tokens by kind, and where the time went.
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
    /// Of the sessions, one after the other, within the selection's dates; of one that begins with inherited
    /// calls from the end of the last of these before its first own call: until then it was spent where they
    /// were made. Where single calls are selected (by model, agent or bins) tools and people cannot be told
    /// apart from the others': the model's time alone.
    TimeSplit time;
    bool modelTimeOnly = false;
    /// As if selected beside it; `sessions` is left to who knows which are the same.
    SelectionSum& operator+=(const SelectionSum& other);
    bool operator==(const SelectionSum&) const = default;
};

/// Of everything that is selected.
SelectionSum sumOf(const Corpus& corpus, const Selection& selection, const std::stop_token& stop);

/// Of the calls in scope of one session that start in [from, to), without inherited ones. Calls without a
/// time are in none but the whole: a stretch from timeline.first to timeline.last or beyond.
SelectionSum sumWithin(const Timeline& timeline, const Scope& scope, TimeMs from, TimeMs to);

/// Of prompt turns of one session, by start: their own calls, sub-agents included, and the time of each up to
/// its end, once where they overlap.
SelectionSum sumOf(const Timeline& timeline, const Scope& scope, std::span<const SessionPromptTurn> turns);

/// Of single calls, each once; of the time, while at least one of them was under way.
SelectionSum sumOfCalls(const Timeline& timeline, std::span<const std::uint32_t> calls);

} // namespace loadline
