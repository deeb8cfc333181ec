// Sums up a selection.
#include "core/workload/timeline/selection_sum.h"

#include "core/workload/scope/session_calls.h"
#include "core/workload/timeline/time_split.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace loadline {
namespace {

/// True if some of the session's own calls are selected, and others are not.
bool selectsSingleCalls(const Scope& scope, const Timeline& timeline) {
    return (scope.turnInput || scope.turnOutput || !scope.models.empty() || !scope.agents.empty()) &&
           !std::ranges::all_of(timeline.calls,
                                [](const CallSpan& call) { return call.hit || call.inherited; });
}

/// Returns the end of the inherited calls: the time before it was spent in the session that made them.
TimeMs ownTimeFrom(const Timeline& timeline) {
    TimeMs from = timeline.first;
    for (const CallSpan& call : timeline.calls) {
        if (!call.inherited) {
            return from;
        }
        from = std::max(from, call.end);
    }
    return timeline.calls.empty() ? from : timeline.last;
}

TimeSplit modelTimeOf(const Timeline& timeline, std::vector<TimeInterval> calls, TimeMs from, TimeMs to) {
    TimeAccount account{timeline.first, timeline.last, std::move(calls), {}, {}, {}, {}, {}};
    return {splitWithin(account, from, to).modelMs, 0, 0, 0};
}

TimeSplit timeWithin(const Timeline& timeline, const Scope& scope, TimeMs from, TimeMs to) {
    if (!isKnown(timeline.first)) {
        return {};
    }
    if (!selectsSingleCalls(scope, timeline)) {
        return splitWithin(accountOf(timeline), std::max(from, ownTimeFrom(timeline)), to);
    }
    std::vector<TimeInterval> inScope; // under way, and nothing else
    for (const CallSpan& call : timeline.calls) {
        if (call.hit && !call.inherited) {
            inScope.push_back({call.start, call.end});
        }
    }
    return modelTimeOf(timeline, std::move(inScope), from, to);
}

void addTime(TimeSplit& sum, const TimeSplit& part) {
    sum.modelMs += part.modelMs;
    sum.toolsMs += part.toolsMs;
    sum.humanMs += part.humanMs;
    sum.otherMs += part.otherMs;
}

} // namespace

SelectionSum& SelectionSum::operator+=(const SelectionSum& other) {
    totals += other.totals;
    addTime(time, other.time);
    modelTimeOnly = modelTimeOnly || other.modelTimeOnly;
    return *this;
}

SelectionSum sumOf(const Corpus& corpus, const Selection& selection, const std::stop_token& stop) {
    SelectionSum sum;
    const Scope& scope = selection.scope;
    sum.sessions = selection.sessions;
    for (std::size_t i = 0; i < corpus.calls.size(); ++i) {
        if (selection.callHit[i] != 0) {
            const CorpusCall& call = corpus.calls[i];
            sum.totals.add(call.usage, call.quality, call.contentCharacters / 4, call.cost);
        }
    }
    const CallsInScope inScope(corpus, selection);
    for (std::size_t i = 0; i < corpus.sessions.size() && !stop.stop_requested(); ++i) {
        if (selection.sessionIn[i] != 0) {
            const Timeline timeline = spansOf(corpus, selection, static_cast<SessionIndex>(i), inScope);
            sum.modelTimeOnly = sum.modelTimeOnly || selectsSingleCalls(scope, timeline);
            addTime(sum.time, timeWithin(timeline, scope, scope.from.value_or(timeline.first),
                                         scope.to.value_or(timeline.last)));
        }
    }
    return sum;
}

SelectionSum sumWithin(const Timeline& timeline, const Scope& scope, TimeMs from, TimeMs to) {
    SelectionSum sum;
    sum.sessions = 1;
    sum.modelTimeOnly = selectsSingleCalls(scope, timeline);
    const TimeMs first = std::max(from, scope.from.value_or(from));
    const TimeMs last = std::min(to, scope.to.value_or(to));
    sum.time = timeWithin(timeline, scope, first, last);
    if (from <= timeline.first && to >= timeline.last) {
        sum.totals = timeline.ownTotals;
        return sum;
    }
    for (const CallSpan& call : timeline.calls) {
        if (call.hit && !call.inherited && call.start >= from && call.start < to) {
            sum.totals.add(call.usage, call.quality, 0, call.cost);
        }
    }
    return sum;
}

SelectionSum sumOf(const Timeline& timeline, const Scope& scope, std::span<const SessionPromptTurn> turns) {
    SelectionSum sum;
    sum.sessions = turns.empty() ? 0 : 1;
    sum.modelTimeOnly = selectsSingleCalls(scope, timeline);
    std::vector<TimeInterval> stretches; // overlap: the next prompt may stand before the last call has ended
    for (const SessionPromptTurn& turn : turns) {
        sum.totals += turn.ownTotals;
        if (isKnown(turn.from) && isKnown(turn.end)) {
            stretches.push_back({turn.from, turn.end});
        }
    }
    std::ranges::sort(stretches, {}, &TimeInterval::start);
    TimeMs counted = unknownTime;
    for (const TimeInterval& stretch : stretches) {
        const TimeMs start = std::max(stretch.start, counted);
        if (start < stretch.end) {
            addTime(sum.time, timeWithin(timeline, scope, start, stretch.end));
            counted = stretch.end;
        }
    }
    return sum;
}

SelectionSum sumOfCalls(const Timeline& timeline, std::span<const std::uint32_t> calls) {
    SelectionSum sum;
    sum.sessions = calls.empty() ? 0 : 1;
    sum.modelTimeOnly = true;
    std::vector<TimeInterval> spans;
    for (const std::uint32_t i : calls) {
        const CallSpan& call = timeline.calls[i];
        sum.totals.add(call.usage, call.quality, 0, call.cost);
        spans.push_back({call.start, call.end});
    }
    std::ranges::sort(spans, {}, &TimeInterval::start);
    if (isKnown(timeline.first)) {
        sum.time = modelTimeOf(timeline, std::move(spans), timeline.first, timeline.last);
    }
    return sum;
}

} // namespace loadline
