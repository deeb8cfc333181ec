// The prompt turns of a session: which prompt used how much, its sub-agents included.
#pragma once

#include "core/text/table.h"
#include "core/workload/timeline/timeline.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace loadline {

/// A turn from one human prompt, slash command or bash input to the next. Over a session, `totals` +
/// `subAgents` of all rows sum to Session::totals: calls outside of every prompt turn have a row of their
/// own.
struct SessionPromptTurn {
    TimeMs start = unknownTime; ///< of the prompt; of the first call for the row without a prompt
    TimeMs from = unknownTime;  ///< start; of a part of the turn where that part begins
    TimeMs end = unknownTime; ///< last line of its last call, sub-agents included; of a part no later than it
    std::string preview;      ///< first words; "" for the row of calls outside of every prompt turn
    bool isPrompt = true;     ///< false for that row
    UserKind kind = UserKind::Human;
    UsageTotals totals;             ///< main-lane calls
    UsageTotals subAgents;          ///< calls of other lanes that start before the next prompt does
    std::uint64_t tools = 0;        ///< distinct tool calls of its main lane
    std::uint64_t inherited = 0;    ///< of its calls, those that originate from another session's file
    UsageTotals ownTotals;          ///< of all its calls but these
    Tokens largestContext = 0;      ///< longest prompt of any of its calls, sub-agents included
    TimeMs largestAt = unknownTime; ///< when that call began
    EvidencePlace evidence;         ///< the prompt's record; the first call's for the row without a prompt

    /// Prompt tokens of all its calls: exact in every log.
    [[nodiscard]] Tokens promptTokens() const { return totals.usage.context() + subAgents.usage.context(); }

    /// Prompt and output tokens of all its calls; the output part is as good as their quality says.
    [[nodiscard]] Tokens tokens() const {
        return promptTokens() + totals.usage.output + subAgents.usage.output;
    }
};

/// Returns the turns by start; the row without a prompt first. Each distinct call of the session counts once.
std::vector<SessionPromptTurn> promptTurnsOf(const Corpus& corpus, SessionIndex session);
/// Returns the turns with their calls in scope alone, cut to the scope's dates. Turns whose calls are all out
/// of scope are left out, and so are turns without calls that begin outside of these dates.
std::vector<SessionPromptTurn> promptTurnsOf(const Corpus& corpus, const Selection& selection,
                                             SessionIndex session);

/// Returns the turns with those of these calls that start in [from, to), as a stretch of a timeline holds
/// them, cut to that time; turns without calls if their prompt lies in it.
std::vector<SessionPromptTurn> promptTurnsWithin(const Corpus& corpus, const Selection& selection,
                                                 SessionIndex session, TimeMs from, TimeMs to);

/// One row per prompt turn: start_utc, duration_ms, prompt, calls, tokens by class, output quality, ...
Table tableOf(std::span<const SessionPromptTurn> turns, const Corpus& corpus);

} // namespace loadline
