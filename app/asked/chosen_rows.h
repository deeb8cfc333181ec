// Rows of bars or of a table that are chosen to be summed: what they are, and what of a scope they hold.
#pragma once

#include "core/cache/composition/composition.h"
#include "core/workload/scope/scope.h"
#include "core/workload/timeline/prompt_turns.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace loadline::app {

/// They narrow nothing.
struct ChosenRows {
    std::optional<CompositionGroup> group; ///< what a row is; nothing: a prompt turn of `session`, or a call
    std::string session = {};              ///< Session::key
    std::vector<std::string> keys = {};    ///< CompositionRow::key; of a turn or call keyOf(it)
    bool calls = false;                    ///< API calls of `session`
    bool operator==(const ChosenRows&) const = default;
};

/// Returns the key of a turn within its session: the time at which it began.
std::string keyOf(const SessionPromptTurn& turn);
/// Returns the key of a call within its session: its file and line.
std::string keyOf(const CallSpan& call, const Corpus& corpus);

/// Convert rows to the words of a setting and back; nothing if the words are not rows.
std::vector<std::string> wordsOf(const ChosenRows& rows);
std::optional<ChosenRows> chosenRowsFrom(std::span<const std::string> words);

/// The scope narrowed to these rows: one scope, or one for each day; none for what has no time.
std::vector<Scope> narrowed(const Scope& scope, CompositionGroup group, const std::vector<std::string>& keys);

} // namespace loadline::app
