// Divides wall-clock time among model, tools, human and anything else, and finds the stretches without any
// record.
#pragma once

#include "core/workload/timeline/timeline.h"

#include <span>
#include <vector>

namespace loadline {

struct TimeInterval {
    TimeMs start, end;
    bool operator==(const TimeInterval&) const = default;
};

/// The records of a stretch of time. Intervals and moments ascending (by start), any overlap.
struct TimeAccount {
    TimeMs first, last; ///< the stretch: first <= last
    std::vector<TimeInterval> model;
    std::vector<TimeInterval> tools;
    std::vector<TimeInterval> asking; ///< tools that wait for the human
    std::vector<TimeMs> prompts;      ///< human prompts
    /// The ends of requests of which no line tells: failed, interrupted, or the summary of a compaction.
    std::vector<TimeMs> unrecordedRequests;
    std::vector<TimeMs> otherMoments; ///< anything else that was recorded
};

struct TimeAccounted {
    TimeSplit split;           ///< parts sum to last - first, exactly
    std::vector<IdleGap> gaps; ///< without model, tools and records, longer than idleGapMs, ascending
};

/// A request before a moment of `unrecordedRequests` is believed to have taken no longer than this, the
/// client's time limit.
inline constexpr std::int64_t longestRequestMs = 600'000;

/// One sweep over the unions of the intervals.
TimeAccounted accountFor(const TimeAccount& account);
/// The part of its split that lies between `from` and `to`; nothing where they do not ascend.
TimeSplit splitWithin(const TimeAccount& account, TimeMs from, TimeMs to);

/// Returns the account of a timeline, from its first to its last moment.
TimeAccount accountOf(const Timeline& timeline);

} // namespace loadline
