// Splits time in one sweep from edge to edge of the unions of all intervals.
#include "core/workload/timeline/time_split.h"

#include <algorithm>
#include <cstddef>

namespace loadline {
namespace {

/// Walks the union of intervals that ascend by start.
class UnionWalk {
public:
    explicit UnionWalk(std::span<const TimeInterval> intervals) : intervals_(intervals) { take(); }

    /// Moves on so that the current interval of the union ends after `now`.
    void advanceTo(TimeMs now) {
        while (!done_ && current_.end <= now) {
            take();
        }
    }

    [[nodiscard]] bool covers(TimeMs now) const { return !done_ && current_.start <= now; }

    /// First edge after `now`, or `limit`.
    [[nodiscard]] TimeMs nextEdge(TimeMs now, TimeMs limit) const {
        if (done_) {
            return limit;
        }
        return std::min(limit, current_.start > now ? current_.start : current_.end);
    }

private:
    void take() {
        done_ = at_ >= intervals_.size();
        if (done_) {
            return;
        }
        current_ = intervals_[at_++];
        while (at_ < intervals_.size() && intervals_[at_].start <= current_.end) {
            current_.end = std::max(current_.end, intervals_[at_++].end);
        }
    }

    std::span<const TimeInterval> intervals_;
    std::size_t at_ = 0;
    TimeInterval current_{};
    bool done_ = false;
};

class MomentWalk {
public:
    explicit MomentWalk(std::span<const TimeMs> moments) : moments_(moments) {}

    void advancePast(TimeMs now) {
        while (at_ < moments_.size() && moments_[at_] <= now) {
            ++at_;
        }
    }

    [[nodiscard]] TimeMs next(TimeMs limit) const {
        return at_ < moments_.size() ? std::min(limit, moments_[at_]) : limit;
    }

    [[nodiscard]] bool isAt(TimeMs time) const { return at_ < moments_.size() && moments_[at_] == time; }

private:
    std::span<const TimeMs> moments_;
    std::size_t at_ = 0;
};

} // namespace

TimeAccounted accountFor(const TimeAccount& account) {
    TimeAccounted result;
    UnionWalk model(account.model);
    UnionWalk tools(account.tools);
    UnionWalk asking(account.asking);
    MomentWalk prompts(account.prompts);
    MomentWalk requests(account.unrecordedRequests);
    MomentWalk others(account.otherMoments);
    TimeMs now = account.first;
    while (now < account.last) {
        model.advanceTo(now);
        tools.advanceTo(now);
        asking.advanceTo(now);
        prompts.advancePast(now);
        requests.advancePast(now);
        others.advancePast(now);
        TimeMs next = model.nextEdge(now, account.last);
        next = tools.nextEdge(now, next);
        next = asking.nextEdge(now, next);
        next = others.next(requests.next(prompts.next(next)));
        const std::int64_t length = next.ms - now.ms;
        const bool unrecorded = requests.isAt(next) && length <= longestRequestMs;
        if (model.covers(now)) {
            result.split.modelMs += length;
        } else if (tools.covers(now)) {
            result.split.toolsMs += length;
        } else {
            const bool human = asking.covers(now) || prompts.isAt(next);
            (human        ? result.split.humanMs
             : unrecorded ? result.split.modelMs
                          : result.split.otherMs) += length;
            if (length > idleGapMs && (human || !unrecorded)) {
                result.gaps.push_back({now, next});
            }
        }
        now = next;
    }
    return result;
}

} // namespace loadline
