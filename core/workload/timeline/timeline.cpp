// Builds the timeline of one session: lanes, spans, marks, gaps and the account of its time.
#include "core/workload/timeline/timeline.h"

#include "core/text/number_format.h"
#include "core/workload/scope/session_calls.h"
#include "core/workload/timeline/time_split.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace loadline {
namespace {

constexpr std::uint32_t noLane = std::numeric_limits<std::uint32_t>::max();

/// Tools whose running time is the human's thinking time.
constexpr std::array<std::string_view, 2> askingTools = {"AskUserQuestion", "ExitPlanMode"};
/// Tools that take milliseconds once they are permitted.
constexpr std::array<std::string_view, 4> writingTools = {"Edit", "MultiEdit", "NotebookEdit", "Write"};

bool waitedForHuman(const ToolSpan& tool) {
    const auto isOneOf = [&](const auto& names) {
        return std::find(names.begin(), names.end(), tool.name) != names.end();
    };
    return isOneOf(askingTools) || (isOneOf(writingTools) && tool.end.ms - tool.start.ms > idleGapMs);
}

TimeMs earlier(TimeMs a, TimeMs b) {
    return !isKnown(a) ? b : !isKnown(b) ? a : std::min(a, b);
}

class TimelineBuilder {
public:
    TimelineBuilder(const Corpus& corpus, const Selection& selection, SessionIndex session,
                    const CallsInScope& inScope)
        : corpus_(corpus), selection_(selection), inScope_(inScope), session_(corpus.sessions[session]),
          lanes_(sessionLanesOf(corpus, session)) {
        timeline_.session = session;
        timeline_.title = session_.title;
    }

    /// All but the sentence.
    Timeline build() {
        addCalls();
        addTools();
        addEvents();
        addPrompts();
        addModelChanges();
        orderMarks();
        nameLanes();
        account();
        return std::move(timeline_);
    }

private:
    [[nodiscard]] const SessionFile& fileAt(std::size_t position) const {
        return *corpus_.files[session_.files[position]].file;
    }

    void include(TimeMs time) {
        timeline_.first = earlier(timeline_.first, time);
        timeline_.last = std::max(timeline_.last, time); // unknownTime is the smallest
    }

    void addCalls() {
        std::vector<std::size_t> positionOf(corpus_.files.size());
        for (std::size_t i = 0; i < session_.files.size(); ++i) {
            positionOf[session_.files[i]] = i;
        }
        const std::vector<SessionCall> calls = sessionCallsOf(corpus_, timeline_.session);
        timeline_.callsOfSession = calls.size();
        std::vector<std::pair<TimeMs, std::uint32_t>> order;
        order.reserve(calls.size());
        for (std::uint32_t i = 0; i < calls.size(); ++i) {
            const CorpusCall& merged = corpus_.calls[calls[i].call];
            const bool hit = inScope_(calls[i]);
            if (hit) {
                timeline_.totals.add(merged.usage, merged.quality, merged.contentCharacters / 4, merged.cost);
                if (!calls[i].inherited) {
                    timeline_.ownTotals.add(merged.usage, merged.quality, merged.contentCharacters / 4,
                                            merged.cost);
                }
            }
            const ApiCall& call = corpus_.files[calls[i].file].file->calls[calls[i].index];
            if (!isKnown(call.firstTime)) {
                timeline_.callsWithoutTime += hit ? 1 : 0;
                continue;
            }
            order.emplace_back(earlier(call.requestTime, call.firstTime), i);
        }
        std::sort(order.begin(), order.end());
        timeline_.calls.reserve(order.size());
        callAt_.resize(session_.files.size());
        for (std::size_t i = 0; i < session_.files.size(); ++i) {
            callAt_[i].assign(fileAt(i).calls.size(), noLane);
        }
        for (const auto& [start, i] : order) {
            const SessionCall& chosen = calls[i];
            const std::size_t position = positionOf[chosen.file];
            const ApiCall& call = corpus_.files[chosen.file].file->calls[chosen.index];
            const CorpusCall& merged = corpus_.calls[chosen.call];
            CallSpan span;
            span.start = start;
            span.firstLine = call.firstTime;
            span.end = std::max(call.firstTime, call.lastTime);
            span.lane = lanes_.laneOf[position][call.lane];
            span.ordinal = static_cast<std::uint32_t>(timeline_.calls.size());
            span.call = chosen.call;
            span.usage = merged.usage;
            span.quality = merged.quality;
            span.cost = merged.cost;
            span.model = merged.model;
            span.inherited = chosen.inherited;
            span.hit = inScope_(chosen);
            span.evidence = {chosen.file, call.place};
            include(span.start);
            include(span.end);
            callAt_[position][chosen.index] = span.ordinal;
            timeline_.calls.push_back(span);
        }
    }

    /// Returns the ordinal of the first call that starts at `time` or later.
    [[nodiscard]] std::size_t callsBefore(TimeMs time) const {
        return static_cast<std::size_t>(
            std::partition_point(timeline_.calls.begin(), timeline_.calls.end(),
                                 [&](const CallSpan& call) { return call.start < time; }) -
            timeline_.calls.begin());
    }

    void addTools() {
        std::unordered_set<Hash128, Hash128Hasher> known;
        for (std::size_t position = 0; position < session_.files.size(); ++position) {
            const SessionFile& file = fileAt(position);
            for (const ToolUse& use : file.tools) {
                if (!known.insert(use.id).second) {
                    continue;
                }
                if (!isKnown(use.useTime)) {
                    ++timeline_.toolsWithoutTime;
                    continue;
                }
                ToolSpan span;
                span.start = use.useTime;
                span.end = isKnown(use.resultTime) ? std::max(use.useTime, use.resultTime) : use.useTime;
                span.lane = lanes_.laneOf[position][use.lane];
                span.ordinalStart = ordinalOf(use, position);
                span.name = file.name(use.name);
                span.isError = use.isError;
                span.open = !isKnown(use.resultTime);
                span.forHuman = waitedForHuman(span);
                span.evidence = {session_.files[position], use.place};
                include(span.start);
                include(span.end);
                timeline_.tools.push_back(std::move(span));
            }
        }
        std::stable_sort(timeline_.tools.begin(), timeline_.tools.end(),
                         [](const ToolSpan& a, const ToolSpan& b) { return a.start < b.start; });
    }

    [[nodiscard]] double ordinalOf(const ToolUse& use, std::size_t position) const {
        const std::vector<std::uint32_t>& ordinals = callAt_[position];
        if (use.call < ordinals.size() && ordinals[use.call] != noLane) {
            return ordinals[use.call] + callWidthInTurns;
        }
        const std::size_t before = callsBefore(use.useTime);
        return before == 0 ? 0 : static_cast<double>(before - 1) + callWidthInTurns;
    }

    void addMark(MarkKind kind, TimeMs time, std::uint32_t lane, std::string text, EvidencePlace evidence) {
        if (!isKnown(time)) {
            ++timeline_.marksWithoutTime;
            return;
        }
        include(time);
        const auto ordinal = static_cast<double>(callsBefore(time));
        timeline_.marks.push_back({kind, time, ordinal, lane, std::move(text), evidence});
    }

    void addEvents() {
        std::set<std::tuple<EventKind, TimeMs, std::uint32_t, Tokens>>
            known; // copies in files of one session
        for (std::size_t position = 0; position < session_.files.size(); ++position) {
            const SessionFile& file = fileAt(position);
            for (const SessionEvent& event : file.events) {
                const std::uint32_t lane = lanes_.laneOf[position][event.lane];
                if (session_.files.size() > 1 && isKnown(event.time) &&
                    !known.emplace(event.kind, event.time, lane, event.tokens).second) {
                    continue;
                }
                addEvent(event, lane, file.name(event.detail), {session_.files[position], event.place});
            }
        }
    }

    void addEvent(const SessionEvent& event, std::uint32_t lane, const std::string& detail,
                  EvidencePlace evidence) {
        const auto withDetail = [&](const std::string& text) {
            return detail.empty() ? text : text.empty() ? detail : text + ", " + detail;
        };
        const std::string tokens =
            event.tokens > 0 ? formatCount(static_cast<double>(event.tokens)) + " tokens" : "";
        switch (event.kind) {
        case EventKind::Compaction:
            addMark(MarkKind::Compaction, event.time, lane,
                    withDetail(tokens.empty() ? "" : tokens + " before"), evidence);
            break;
        case EventKind::MicroCompaction:
            addMark(MarkKind::MicroCompaction, event.time, lane,
                    withDetail(tokens.empty() ? "" : tokens + " saved"), evidence);
            break;
        case EventKind::ApiError:
            addMark(MarkKind::ApiError, event.time, lane, detail.empty() ? "request failed" : detail,
                    evidence);
            break;
        case EventKind::Synthetic:
            addMark(MarkKind::Synthetic, event.time, lane, detail.empty() ? "written by the client" : detail,
                    evidence);
            break;
        case EventKind::Interrupt:
            addMark(MarkKind::Interrupt, event.time, lane, detail.empty() ? "stopped by the user" : detail,
                    evidence);
            break;
        case EventKind::ModelFallback:
            addMark(MarkKind::ModelChange, event.time, lane,
                    detail.empty() ? "refused, answered by another model" : "refused, answered by " + detail,
                    evidence);
            break;
        case EventKind::PromptQueued: // the prompt itself follows, when it is taken up
            break;
        }
    }

    void addPrompts() {
        std::set<std::pair<TimeMs, std::string>> known;
        for (std::size_t position = 0; position < session_.files.size(); ++position) {
            const SessionFile& file = fileAt(position);
            for (const PromptTurn& turn : file.promptTurns) {
                const UserRecord& record = file.userRecords[turn.userRecord];
                if (known.emplace(record.time, turn.preview).second) {
                    addMark(MarkKind::Prompt, record.time, lanes_.laneOf[position][record.lane], turn.preview,
                            {session_.files[position], record.place});
                }
            }
        }
    }

    void addModelChanges() {
        std::vector<const CallSpan*> previous(lanes_.lanes.size());
        for (const CallSpan& call : timeline_.calls) {
            const CallSpan* before = std::exchange(previous[call.lane], &call);
            if (before != nullptr && before->model != call.model) {
                addMark(MarkKind::ModelChange, call.start, call.lane,
                        corpus_.models[before->model] + " → " + corpus_.models[call.model], call.evidence);
            }
        }
    }

    void orderMarks() {
        std::stable_sort(timeline_.marks.begin(), timeline_.marks.end(),
                         [](const TimelineMark& a, const TimelineMark& b) { return a.time < b.time; });
    }

    /// Lanes that hold something, main first and the others as they begin; each with its tools below.
    void nameLanes() {
        struct LaneUse {
            TimeMs begin = unknownTime;
            bool tools = false;
        };
        std::vector<LaneUse> uses(lanes_.lanes.size());
        const auto use = [&](std::uint32_t lane, TimeMs time) {
            uses[lane].begin = earlier(uses[lane].begin, time);
        };
        for (const CallSpan& call : timeline_.calls) {
            use(call.lane, call.start);
        }
        for (const ToolSpan& tool : timeline_.tools) {
            use(tool.lane, tool.start);
            uses[tool.lane].tools = true;
        }
        for (const TimelineMark& mark : timeline_.marks) {
            use(mark.lane, mark.time);
        }
        std::vector<std::uint32_t> order;
        for (std::uint32_t lane = 0; lane < uses.size(); ++lane) {
            if (isKnown(uses[lane].begin)) {
                order.push_back(lane);
            }
        }
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            const auto rank = [&](std::uint32_t lane) {
                return std::pair(lanes_.lanes[lane].kind != LaneKind::Main, uses[lane].begin);
            };
            return rank(a) < rank(b);
        });
        std::vector<std::uint32_t> place(uses.size());
        for (const std::uint32_t lane : order) {
            place[lane] = static_cast<std::uint32_t>(timeline_.lanes.size());
            timeline_.lanes.push_back({lanes_.lanes[lane].name, lanes_.lanes[lane].kind, false});
            if (uses[lane].tools) {
                timeline_.lanes.push_back(
                    {"tools of " + lanes_.lanes[lane].name, lanes_.lanes[lane].kind, true});
            }
        }
        for (CallSpan& call : timeline_.calls) {
            call.lane = place[call.lane];
        }
        for (ToolSpan& tool : timeline_.tools) {
            tool.lane = place[tool.lane] + 1;
        }
        for (TimelineMark& mark : timeline_.marks) {
            mark.lane = place[mark.lane];
        }
    }

    void account() {
        if (!isKnown(timeline_.first)) {
            return;
        }
        include(session_.firstTime);
        include(session_.lastTime);
        const TimeAccount time = accountOf(timeline_);
        TimeAccounted accounted = accountFor(time);
        const Scope& scope = selection_.scope;
        timeline_.split = scope.from || scope.to ? splitWithin(time, scope.from.value_or(timeline_.first),
                                                               scope.to.value_or(timeline_.last))
                                                 : accounted.split;
        timeline_.gaps = std::move(accounted.gaps);
    }

    const Corpus& corpus_;
    const Selection& selection_;
    const CallsInScope& inScope_;
    const Session& session_;
    SessionLanes lanes_;
    std::vector<std::vector<std::uint32_t>> callAt_; ///< by position of the file, then call: its ordinal
    Timeline timeline_;
};

} // namespace

Timeline timelineOf(const Corpus& corpus, const Selection& selection, SessionIndex session) {
    Timeline timeline = spansOf(corpus, selection, session);
    timeline.sentence = timelineSentence(timeline, corpus, selection);
    return timeline;
}

Timeline spansOf(const Corpus& corpus, const Selection& selection, SessionIndex session) {
    return spansOf(corpus, selection, session, CallsInScope(corpus, selection));
}

Timeline spansOf(const Corpus& corpus, const Selection& selection, SessionIndex session,
                 const CallsInScope& inScope) {
    return TimelineBuilder(corpus, selection, session, inScope).build();
}

} // namespace loadline
