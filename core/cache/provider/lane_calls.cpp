// Sorts the calls of sessions into lanes.
#include "core/cache/provider/lane_calls.h"

#include "core/cache/provider/chain_of_calls.h"

#include <algorithm>
#include <utility>

namespace loadline {
namespace {

/// Sorts by time; a call without one stays behind the call before it.
void sortByStart(std::vector<LaneCall>& calls) {
    std::vector<std::pair<TimeMs, LaneCall>> order;
    TimeMs before = unknownTime;
    for (const LaneCall& call : calls) {
        before = isKnown(call.start) ? call.start : before;
        order.emplace_back(before, call);
    }
    std::ranges::stable_sort(order, {}, [](const auto& entry) { return entry.first; });
    std::ranges::transform(order, calls.begin(), [](const auto& entry) { return entry.second; });
}

/// Sets LaneCall::livesMs: cached tokens that are read live on for as long as they were written for.
void tellLives(std::vector<LaneCall>& calls) {
    std::int64_t livesMs = 0;
    for (LaneCall& call : calls) {
        const Usage& usage = call.call->usage;
        livesMs = usage.cacheWrite1h > 0 ? oneHourMs : usage.cacheWrite5m > 0 ? fiveMinutesMs : livesMs;
        call.livesMs = livesMs;
    }
}

/// True if a call read more than the call that it goes on from, and that had read something: the tokens
/// between them were cached without a record of it.
bool readsGrow(const std::vector<LaneCall>& calls) {
    return std::ranges::any_of(calls, [&](const LaneCall& call) {
        const Tokens before = call.before == noCallBefore ? 0 : calls[call.before].call->usage.cacheRead;
        return before > 0 && call.call->usage.cacheRead > before;
    });
}

void tellLeft(std::vector<LaneCall>& calls, bool isAutomatic) {
    for (LaneCall& call : calls) {
        const Usage& usage = call.call->usage;
        call.left = isAutomatic ? usage.context() : usage.cacheRead + usage.cacheWrite;
    }
}

LaneCall laneCallOf(const Corpus& corpus, const SessionCall& place) {
    const ApiCall& copy = corpus.files[place.file].file->calls[place.index];
    return {.place = place,
            .call = &corpus.calls[place.call],
            .copy = &copy,
            .start = isKnown(copy.requestTime) ? copy.requestTime : copy.firstTime};
}

void addLanes(const Corpus& corpus, SessionIndex index, const CallsInScope& inScope,
              std::vector<LaneCalls>& all) {
    const Session& session = corpus.sessions[index];
    const SessionLanes lanes = sessionLanesOf(corpus, index);
    std::vector<std::vector<LaneCall>> callsOf(lanes.lanes.size());
    const bool records = session.recordsCache;
    bool writes = false;
    for (const SessionCall& place : sessionCallsOf(corpus, index)) {
        const LaneCall call = laneCallOf(corpus, place);
        writes = writes || call.call->usage.cacheWrite > 0;
        if (inScope(place) && call.call->usage.context() + call.call->usage.output > 0) {
            const auto file = std::ranges::find(session.files, place.file) - session.files.begin();
            callsOf[lanes.laneOf[static_cast<std::size_t>(file)][call.copy->lane]].push_back(call);
        }
    }
    for (std::size_t lane = 0; lane < callsOf.size(); ++lane) {
        if (!callsOf[lane].empty()) {
            sortByStart(callsOf[lane]);
            tellLives(callsOf[lane]);
            tellBefore(callsOf[lane]);
            const bool isAutomatic = records && !writes && readsGrow(callsOf[lane]);
            tellLeft(callsOf[lane], isAutomatic);
            all.push_back({index, lanes.lanes[lane], std::move(callsOf[lane]), records, isAutomatic});
            tellKept(all.back());
        }
    }
}

} // namespace

std::vector<LaneCalls> laneCallsOf(const Corpus& corpus, const Selection& selection) {
    const CallsInScope inScope(corpus, selection);
    std::vector<LaneCalls> all;
    for (SessionIndex i = 0; i < corpus.sessions.size(); ++i) {
        addLanes(corpus, i, inScope, all);
    }
    return all;
}

} // namespace loadline
