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

/// Where writes are recorded, reads are exact.
bool isReadOf(Tokens read, Tokens left, bool isAutomatic) {
    return isAutomatic ? isWholeBlocksOf(read, left) : read == left;
}

bool livesUntil(const LaneCall& call, const LaneCall& later) {
    const std::int64_t livesMs = call.livesMs > 0 ? call.livesMs : fiveMinutesMs;
    return isKnown(call.start) && isKnown(later.start) && later.start.ms - call.start.ms <= livesMs;
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
    using Nearest = std::vector<std::pair<ModelIndex, std::size_t>>; // a lane calls few models
    const auto in = [](Nearest& nearest, ModelIndex model) -> std::size_t& {
        const auto found = std::ranges::find(nearest, model, &Nearest::value_type::first);
        return found != nearest.end() ? found->second : nearest.emplace_back(model, noCallBefore).second;
    };
    const auto holds = [&](std::size_t call, Tokens read) {
        return call != noCallBefore && read <= lane.calls[call].call->usage.context();
    };
    std::vector<Nearest> upChain(lane.calls.size());
    std::vector<std::size_t> lastFrom(lane.calls.size(), noCallBefore); // that goes on from a call
    Nearest last;
    std::vector<PromptBefore> result;
    for (std::size_t i = 0; i < lane.calls.size(); ++i) {
        const LaneCall& call = lane.calls[i];
        const Tokens read = call.call->usage.cacheRead;
        if (call.before != noCallBefore) {
            upChain[i] = upChain[call.before];
        }
        std::size_t& chained = in(upChain[i], call.call->model);
        std::size_t& latest = in(last, call.call->model);
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
        chained = latest = i;
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
        while (holder != noCallBefore && livesUntil(lane.calls[holder], lane.calls[i]) &&
               !isReadOf(read, lane.calls[holder].left, lane.isAutomatic)) {
            holder = before[holder];
        }
        if (holder == noCallBefore || !livesUntil(lane.calls[holder], lane.calls[i])) {
            continue;
        }
        for (std::size_t between = parent; between != holder; between = before[between]) {
            LaneCall& call = lane.calls[between];
            call.keptAllTheSame = std::max(call.keptAllTheSame, read);
        }
    }
}

} // namespace loadline
