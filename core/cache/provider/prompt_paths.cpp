// Paths of prompts, and what the next ones have of them.
#include "core/cache/provider/prompt_paths.h"

#include "core/cache/provider/call_before.h"
#include "core/cache/provider/session_cache.h"

#include <algorithm>
#include <utility>

namespace loadline {

void PromptPaths::begin(const LaneCalls& lane) {
    kept_.clear();
    keptBlocks_ = 0;
    const std::vector<PromptBefore> found = sameModelBefore(lane);
    before_.assign(found.size(), noCallBefore);
    most_.assign(found.size(), std::numeric_limits<Tokens>::max());
    users_.assign(lane.calls.size(), 0);
    std::unordered_map<ModelIndex, std::size_t> last; // of the session's own
    for (std::size_t i = 0; i < before_.size(); ++i) {
        if (lane.calls[i].place.inherited) {
            continue;
        }
        std::size_t& before = before_[i];
        before = found[i].call;
        if (found[i].chained != noCallBefore && found[i].chained != before) {
            most_[i] = lane.calls[found[i].chained].call->usage.context();
        }
        if (before != noCallBefore && lane.calls[before].place.inherited) {
            const auto own = last.find(lane.calls[i].call->model);
            before = own != last.end() ? own->second : noCallBefore;
        }
        if (before != noCallBefore) {
            ++users_[before];
        }
        last[lane.calls[i].call->model] = i;
    }
}

PromptPath PromptPaths::before(std::size_t call) {
    const auto found = kept_.find(before_[call]);
    if (found == kept_.end()) {
        return {};
    }
    const bool isLast = --found->second.users == 0;
    PromptPath path = isLast ? std::move(found->second.path) : found->second.path;
    if (isLast) {
        keptBlocks_ -= path.ids.size();
        kept_.erase(found);
    }
    path.most = most_[call];
    return path;
}

void PromptPaths::keep(std::size_t call, PromptPath path) {
    if (users_[call] > 0 && keptBlocks_ + path.ids.size() <= mostKeptBlocks) {
        keptBlocks_ += path.ids.size();
        kept_[call] = {std::move(path), users_[call]};
    }
}

SharedTokens SharedPrompts::between(const LaneCalls& lane, const LaneCall& before, const LaneCall& now,
                                    Tokens most) {
    if (!lane.recordsCache) {
        return {.tokens = sharedByGrowth(before, now, compactions_)}; // of what is read nothing is told
    }
    const Usage& was = before.call->usage;
    const Usage& is = now.call->usage;
    const Tokens both = std::min(was.context(), is.context());
    const Tokens lost = std::min(before.left, is.context()) - is.cacheRead;
    if (lost >= leastTokensLost && lostToPauseAlone(corpus_, before, now, compactions_)) {
        return {both, true};
    }
    if (end_ == ReuseEnd::Most && !continuesTheConversation(lane.lane.kind) &&
        mayGoOn(corpus_, before, now, compactions_)) {
        return {.tokens = std::min(both, std::max(most, is.cacheRead))};
    }
    return {.tokens = std::min(both, std::max(is.cacheRead, now.keptAllTheSame))};
}

} // namespace loadline
