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

/// Calls visit(part of TimeSplit, start, end, whether it may be an idle gap) from edge to edge.
template <typename Visit>
void sweep(const TimeAccount& account, Visit visit) {
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
            visit(&TimeSplit::modelMs, now, next, false);
        } else if (tools.covers(now)) {
            visit(&TimeSplit::toolsMs, now, next, false);
        } else {
            const bool human = asking.covers(now) || prompts.isAt(next);
            visit(human        ? &TimeSplit::humanMs
                  : unrecorded ? &TimeSplit::modelMs
                               : &TimeSplit::otherMs,
                  now, next, human || !unrecorded);
        }
        now = next;
    }
}

} // namespace

TimeAccounted accountFor(const TimeAccount& account) {
    TimeAccounted result;
    sweep(account, [&](std::int64_t TimeSplit::*part, TimeMs start, TimeMs end, bool idle) {
        result.split.*part += end.ms - start.ms;
        if (idle && end.ms - start.ms > idleGapMs) {
            result.gaps.push_back({start, end});
        }
    });
    return result;
}

TimeSplit splitWithin(const TimeAccount& account, TimeMs from, TimeMs to) {
    TimeSplit split;
    sweep(account, [&](std::int64_t TimeSplit::*part, TimeMs start, TimeMs end, bool) {
        split.*part += std::max<std::int64_t>(std::min(end, to).ms - std::max(start, from).ms, 0);
    });
    return split;
}

TimeAccount accountOf(const Timeline& timeline) {
    TimeAccount account{timeline.first, timeline.last, {}, {}, {}, {}, {}, {}};
    account.model.reserve(timeline.calls.size());
    for (const CallSpan& call : timeline.calls) {
        account.model.push_back({call.start, call.end});
    }
    account.tools.reserve(timeline.tools.size());
    for (const ToolSpan& tool : timeline.tools) {
        (tool.forHuman ? account.asking : account.tools).push_back({tool.start, tool.end});
    }
    for (const TimelineMark& mark : timeline.marks) {
        const bool request = mark.kind == MarkKind::ApiError || mark.kind == MarkKind::Interrupt ||
                             mark.kind == MarkKind::Compaction;
        (mark.kind == MarkKind::Prompt ? account.prompts
         : request                     ? account.unrecordedRequests
                                       : account.otherMoments)
            .push_back(mark.time);
    }
    return account;
}

} // namespace loadline
