// Orders the calls of a lane by what their prompts go on from, as branches of one conversation can be in it.
#include "core/cache/provider/chain_of_calls.h"

#include "core/session/automatic_cache.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

namespace loadline {
namespace {

/// True if a call that read `read` tokens may have read the `left` tokens of another: exactly these, or whole
/// blocks of an automatic cache.
bool isReadOf(Tokens read, Tokens left, bool isAutomatic) {
    return isAutomatic ? isWholeBlocksOf(read, left) : read == left;
}

bool livesUntil(const LaneCall& call, const LaneCall& later) {
    const std::int64_t livesMs = call.livesMs > 0 ? call.livesMs : fiveMinutesMs;
    return isKnown(call.start) && isKnown(later.start) && later.start.ms - call.start.ms <= livesMs;
}

/// Returns by call the nearest one to the same model up its chain: a walk over all chains from their first
/// calls, as a lane can have as many models and branches as calls.
std::vector<std::size_t> sameModelUpChain(const std::vector<LaneCall>& calls) {
    struct Step {
        std::size_t call = 0;
        bool isBack = false; ///< from all that go on from it
    };
    std::vector<Step> steps;
    std::vector<std::vector<std::size_t>> goingOn(calls.size()); // from each call
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (calls[i].before == noCallBefore) {
            steps.push_back({.call = i});
        } else {
            goingOn[calls[i].before].push_back(i);
        }
    }
    std::vector<std::size_t> nearest(calls.size(), noCallBefore);
    std::unordered_map<ModelIndex, std::size_t> onTheWay; // the last call to each model up to here
    while (!steps.empty()) {
        const Step step = steps.back();
        steps.pop_back();
        std::size_t& last = onTheWay.try_emplace(calls[step.call].call->model, noCallBefore).first->second;
        if (step.isBack) {
            last = nearest[step.call];
            continue;
        }
        nearest[step.call] = std::exchange(last, step.call);
        steps.push_back({.call = step.call, .isBack = true});
        for (const std::size_t next : goingOn[step.call]) {
            steps.push_back({.call = next});
        }
    }
    return nearest;
}

} // namespace

void tellBefore(std::vector<LaneCall>& calls) {
    std::map<std::pair<FileIndex, std::uint32_t>, std::size_t> positions;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        positions.emplace(std::pair(calls[i].place.file, calls[i].place.index), i);
    }
    for (std::size_t i = 1; i < calls.size(); ++i) {
        const auto found = positions.find({calls[i].place.file, calls[i].copy->before});
        const bool isChained = found != positions.end() && found->second < i;
        calls[i].before = isChained ? found->second : i - 1;
    }
}

std::vector<PromptBefore> sameModelBefore(const LaneCalls& lane) {
    const auto holds = [&](std::size_t call, Tokens read) {
        return call != noCallBefore && read <= lane.calls[call].call->usage.context();
    };
    const std::vector<std::size_t> upChain = sameModelUpChain(lane.calls);
    std::vector<std::size_t> lastFrom(lane.calls.size(), noCallBefore); // that goes on from a call
    std::unordered_map<ModelIndex, std::size_t> last;
    std::vector<PromptBefore> result;
    for (std::size_t i = 0; i < lane.calls.size(); ++i) {
        const LaneCall& call = lane.calls[i];
        const Tokens read = call.call->usage.cacheRead;
        const std::size_t chained = upChain[i];
        std::size_t& latest = last.try_emplace(call.call->model, noCallBefore).first->second;
        PromptBefore before{chained != noCallBefore ? chained : latest, chained};
        for (const std::size_t other : {chained != noCallBefore ? lastFrom[chained] : noCallBefore, latest}) {
            if (!holds(before.call, read) && holds(other, read)) {
                before.call = other;
            }
        }
        if (chained != noCallBefore) {
            lastFrom[chained] = i;
        }
        result.push_back(before);
        latest = i;
    }
    return result;
}

void tellKept(LaneCalls& lane) {
    std::vector<std::size_t> before;
    std::ranges::transform(sameModelBefore(lane), std::back_inserter(before), &PromptBefore::call);
    for (std::size_t i = 0; i < lane.calls.size(); ++i) {
        const Tokens read = lane.calls[i].call->usage.cacheRead;
        const std::size_t parent = before[i];
        if (read == 0 || parent == noCallBefore ||
            read >= lane.calls[parent].left - (lane.isAutomatic ? automaticBlock : 0)) {
            continue; // the call before may have written what was read
        }
        std::size_t holder = before[parent];
        std::size_t back = 1;
        const auto mayHold = [&] {
            return holder != noCallBefore && back <= mostCallsBack &&
                   livesUntil(lane.calls[holder], lane.calls[i]);
        };
        for (; mayHold() && !isReadOf(read, lane.calls[holder].left, lane.isAutomatic); ++back) {
            holder = before[holder];
        }
        if (!mayHold()) {
            continue;
        }
        for (std::size_t between = parent; between != holder; between = before[between]) {
            LaneCall& call = lane.calls[between];
            call.keptAllTheSame = std::max(call.keptAllTheSame, read);
        }
    }
}

} // namespace loadline
