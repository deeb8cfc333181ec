// Sums a session's calls by the prompt that set them off.
#include "core/workload/timeline/prompt_turns.h"

#include "core/text/table_columns.h"
#include "core/workload/scope/session_calls.h"
#include "core/workload/timeline/evidence.h"

#include <algorithm>
#include <concepts>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace loadline {
namespace {

std::string_view keyOf(UserKind kind) {
    switch (kind) {
    case UserKind::SlashCommand:
        return "slash_command";
    case UserKind::BashInput:
        return "bash_input";
    default:
        return "prompt";
    }
}

/// The turns of all files of a session by start, and where each file's turns went.
struct OrderedTurns {
    std::vector<SessionPromptTurn> turns; ///< [0] is the row without a prompt
    std::map<std::pair<FileIndex, std::size_t>, std::size_t> rowOf;
};

OrderedTurns orderedTurns(const Corpus& corpus, const Session& session) {
    OrderedTurns ordered;
    std::vector<std::pair<FileIndex, std::size_t>> order;
    const auto recordOf = [&](const std::pair<FileIndex, std::size_t>& at) -> const UserRecord& {
        const SessionFile& file = *corpus.files[at.first].file;
        return file.userRecords[file.promptTurns[at.second].userRecord];
    };
    for (const FileIndex file : session.files) {
        for (std::size_t i = 0; i < corpus.files[file].file->promptTurns.size(); ++i) {
            order.emplace_back(file, i);
        }
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](const auto& a, const auto& b) { return recordOf(a).time < recordOf(b).time; });
    ordered.turns.emplace_back();
    ordered.turns[0].isPrompt = false;
    for (const auto& at : order) {
        const UserRecord& record = recordOf(at);
        const std::string& preview = corpus.files[at.first].file->promptTurns[at.second].preview;
        const SessionPromptTurn& previous = ordered.turns.back();
        const bool copy = previous.isPrompt && previous.evidence.file != at.first && isKnown(record.time) &&
                          previous.start == record.time && previous.preview == preview;
        if (!copy) {
            SessionPromptTurn turn;
            turn.start = turn.end = record.time;
            turn.preview = preview;
            turn.kind = record.kind;
            turn.evidence = {at.first, record.place};
            ordered.turns.push_back(std::move(turn));
        }
        ordered.rowOf[at] = ordered.turns.size() - 1;
    }
    return ordered;
}

/// The last turn that starts no later than `time`; 0 when there is none.
std::size_t turnAt(const std::vector<SessionPromptTurn>& turns, TimeMs time) {
    if (!isKnown(time)) {
        return 0;
    }
    const auto after = std::partition_point(
        turns.begin() + 1, turns.end(), [&](const SessionPromptTurn& turn) { return turn.start <= time; });
    return static_cast<std::size_t>(after - turns.begin()) - 1;
}

TimeMs beginOf(const ApiCall& call) {
    return isKnown(call.requestTime) && call.requestTime < call.firstTime ? call.requestTime : call.firstTime;
}

void addCall(SessionPromptTurn& turn, const SessionCall& chosen, const ApiCall& call,
             const CorpusCall& merged, bool mainLane) {
    UsageTotals& totals = mainLane ? turn.totals : turn.subAgents;
    const TimeMs begin = beginOf(call);
    if (!turn.isPrompt && (turn.totals.calls + turn.subAgents.calls == 0 || begin < turn.start)) {
        turn.start = begin;
        turn.evidence = {chosen.file, call.place};
    }
    totals.add(merged.usage, merged.quality, merged.contentCharacters / 4, merged.cost);
    turn.end = std::max({turn.end, call.firstTime, call.lastTime});
    turn.inherited += chosen.inherited ? 1 : 0;
    if (!chosen.inherited) {
        turn.ownTotals.add(merged.usage, merged.quality, merged.contentCharacters / 4, merged.cost);
    }
    if (merged.usage.context() > turn.largestContext) {
        turn.largestContext = merged.usage.context();
        turn.largestAt = begin;
    }
}

/// Each row also with the number of its calls, whether they count or not.
template <typename Counts>
std::vector<SessionPromptTurn> turnsOf(const Corpus& corpus, SessionIndex session, Counts counts,
                                       std::vector<std::uint64_t>& callsOfRow) {
    OrderedTurns ordered = orderedTurns(corpus, corpus.sessions[session]);
    std::vector<SessionPromptTurn>& turns = ordered.turns;
    callsOfRow.assign(turns.size(), 0);
    std::map<FileIndex, std::vector<std::size_t>> rowOfCall; // tools belong to the turn of their call
    for (const SessionCall& chosen : sessionCallsOf(corpus, session)) {
        const SessionFile& file = *corpus.files[chosen.file].file;
        const ApiCall& call = file.calls[chosen.index];
        const bool mainLane = file.lanes[call.lane].kind == LaneKind::Main;
        std::size_t row = 0;
        if (mainLane) {
            row = call.promptTurn < 0
                      ? 0
                      : ordered.rowOf.at({chosen.file, static_cast<std::size_t>(call.promptTurn)});
        } else {
            row = turnAt(turns, isKnown(call.requestTime) ? call.requestTime : call.firstTime);
        }
        ++callsOfRow[row];
        if (!counts(chosen)) {
            continue;
        }
        addCall(turns[row], chosen, call, corpus.calls[chosen.call], mainLane);
        std::vector<std::size_t>& rows = rowOfCall[chosen.file];
        rows.resize(file.calls.size(), turns.size());
        rows[chosen.index] = row;
    }
    for (const auto& [fileIndex, rows] : rowOfCall) {
        const SessionFile& file = *corpus.files[fileIndex].file;
        for (const ToolUse& use : file.tools) {
            if (file.lanes[use.lane].kind == LaneKind::Main && use.call < rows.size() &&
                rows[use.call] < turns.size()) {
                ++turns[rows[use.call]].tools;
            }
        }
    }
    for (SessionPromptTurn& turn : turns) {
        turn.from = turn.start;
    }
    return std::move(turns);
}

bool hasCalls(const SessionPromptTurn& turn) {
    return turn.totals.calls + turn.subAgents.calls > 0;
}

/// [from, to), each where it is set.
struct Dates {
    std::optional<TimeMs> from, to;

    [[nodiscard]] bool contain(TimeMs time) const {
        return (!from && !to) || (isKnown(time) && (!from || time >= *from) && (!to || time < *to));
    }

    void cut(SessionPromptTurn& turn) const {
        if (isKnown(turn.start) && isKnown(turn.end)) {
            turn.from = std::max(turn.start, from.value_or(turn.start));
            turn.end = std::max(turn.from, std::min(turn.end, to.value_or(turn.end)));
        }
    }
};

/// Turns with calls that count, and those without any whose prompt lies in the dates; cut to these.
template <typename Counts>
std::vector<SessionPromptTurn> turnsIn(const Corpus& corpus, SessionIndex session, Counts counts,
                                       const Dates& dates) {
    std::vector<std::uint64_t> calls;
    std::vector<SessionPromptTurn> all = turnsOf(corpus, session, counts, calls);
    std::vector<SessionPromptTurn> turns;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (hasCalls(all[i]) || (all[i].isPrompt && calls[i] == 0 && dates.contain(all[i].start))) {
            dates.cut(all[i]);
            turns.push_back(std::move(all[i]));
        }
    }
    return turns;
}

} // namespace

std::vector<SessionPromptTurn> promptTurnsOf(const Corpus& corpus, SessionIndex session) {
    std::vector<std::uint64_t> calls;
    std::vector<SessionPromptTurn> turns = turnsOf(
        corpus, session, [](const SessionCall&) { return true; }, calls);
    if (!hasCalls(turns[0])) {
        turns.erase(turns.begin());
    }
    return turns;
}

std::vector<SessionPromptTurn> promptTurnsOf(const Corpus& corpus, const Selection& selection,
                                             SessionIndex session) {
    const CallsInScope inScope(corpus, selection);
    return turnsIn(corpus, session, [&](const SessionCall& call) { return inScope(call); },
                   {selection.scope.from, selection.scope.to});
}

std::vector<SessionPromptTurn> promptTurnsWithin(const Corpus& corpus, const Selection& selection,
                                                 SessionIndex session, TimeMs from, TimeMs to) {
    const CallsInScope inScope(corpus, selection);
    const Scope& scope = selection.scope;
    const Dates within{std::max(from, scope.from.value_or(from)), std::min(to, scope.to.value_or(to))};
    return turnsIn(
        corpus, session,
        [&](const SessionCall& call) {
            return within.contain(beginOf(corpus.files[call.file].file->calls[call.index])) && inScope(call);
        },
        within);
}

Table tableOf(std::span<const SessionPromptTurn> turns, const Corpus& corpus) {
    Table table = tableWith("start_utc duration_ms kind prompt calls sub_agent_calls inherited_calls tools "
                            "input_tokens cache_write_tokens cache_read_tokens output_tokens output_quality "
                            "all_tokens largest_context_tokens place");
    const auto whole = [](std::integral auto n) { return Cell(static_cast<std::int64_t>(n)); };
    for (const SessionPromptTurn& turn : turns) {
        UsageTotals sum = turn.totals;
        sum += turn.subAgents;
        const bool timed = isKnown(turn.start) && isKnown(turn.end);
        table.rows.push_back({formatIso8601(turn.start), timed ? whole(turn.end.ms - turn.from.ms) : Cell(),
                              turn.isPrompt ? std::string(keyOf(turn.kind)) : std::string("outside"),
                              turn.isPrompt ? turn.preview : std::string("(outside of every prompt turn)"),
                              whole(sum.calls), whole(turn.subAgents.calls), whole(turn.inherited),
                              whole(turn.tools), whole(sum.usage.input), whole(sum.usage.cacheWrite),
                              whole(sum.usage.cacheRead), whole(sum.usage.output),
                              std::string(keyOf(sum.outputQuality())), whole(turn.tokens()),
                              whole(turn.largestContext), placeOf(turn.evidence, corpus)});
    }
    return table;
}

} // namespace loadline
