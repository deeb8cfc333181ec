// Reduces the spans of a lane to pixel columns, and finds the one under the cursor by binary search.
#include "core/workload/timeline/timeline_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace loadline {
namespace {

constexpr std::uint32_t noEntry = std::numeric_limits<std::uint32_t>::max();

template <typename Span>
void addSpans(std::vector<LaneSpans>& lanes, const std::vector<Span>& spans, const TimelineScale& scale) {
    for (std::uint32_t i = 0; i < spans.size(); ++i) {
        LaneSpans& lane = lanes[spans[i].lane];
        lane.start.push_back(scale.startOf(spans[i]));
        lane.end.push_back(scale.endOf(spans[i]));
        lane.item.push_back(i);
    }
}

/// Sorts spans by start on this axis; by time they nearly are sorted already.
void order(LaneSpans& lane) {
    if (!std::is_sorted(lane.start.begin(), lane.start.end())) {
        std::vector<std::size_t> by(lane.start.size());
        std::iota(by.begin(), by.end(), std::size_t{0});
        std::stable_sort(by.begin(), by.end(),
                         [&](std::size_t a, std::size_t b) { return lane.start[a] < lane.start[b]; });
        LaneSpans sorted;
        for (const std::size_t i : by) {
            sorted.start.push_back(lane.start[i]);
            sorted.end.push_back(lane.end[i]);
            sorted.item.push_back(lane.item[i]);
        }
        lane = std::move(sorted);
    }
    double latest = -std::numeric_limits<double>::infinity();
    lane.latestEnd.reserve(lane.end.size());
    for (const double end : lane.end) {
        latest = std::max(latest, end);
        lane.latestEnd.push_back(latest);
    }
}

/// Collects the columns of one lane while its spans pass by start.
class ColumnCollector {
public:
    ColumnCollector(const Timeline& timeline, bool tools, double start, double end, std::uint32_t width)
        : timeline_(timeline), tools_(tools), start_(start), end_(end),
          unitsPerColumn_((end - start) / width), width_(width), reach_(start), entryOf_(width, noEntry) {}

    void add(double start, double end, std::uint32_t item) {
        const std::uint32_t first = columnAt(start);
        std::uint32_t last = columnAt(end);
        if (last > first && static_cast<double>(last) * unitsPerColumn_ + start_ >= end) {
            --last; // it ends on the column's left edge
        }
        for (std::uint32_t column = first; column <= last; ++column) {
            touch(entry(column), item);
        }
        if (start >= start_) {
            begin(entry(first), item);
        }
        cover(std::max(start, reach_), std::min(end, end_));
        reach_ = std::max(reach_, end);
    }

    std::vector<TimelineColumn> take() {
        const auto byColumn = [](const TimelineColumn& a, const TimelineColumn& b) {
            return a.column < b.column;
        };
        if (!std::is_sorted(columns_.begin(), columns_.end(), byColumn)) {
            std::sort(columns_.begin(), columns_.end(), byColumn);
        }
        return std::move(columns_);
    }

private:
    [[nodiscard]] std::uint32_t columnAt(double units) const {
        const double column = std::floor((units - start_) / unitsPerColumn_);
        return static_cast<std::uint32_t>(std::clamp(column, 0.0, static_cast<double>(width_ - 1)));
    }

    TimelineColumn& entry(std::uint32_t column) {
        std::uint32_t& at = entryOf_[column];
        if (at == noEntry) {
            at = static_cast<std::uint32_t>(columns_.size());
            columns_.push_back({});
            columns_.back().column = column;
        }
        return columns_[at];
    }

    void touch(TimelineColumn& column, std::uint32_t item) const {
        const bool isFirst = column.touching++ == 0;
        if (isFirst || weight(item) > weight(column.largest)) {
            column.largest = item;
        }
        if (tools_) {
            column.error |= timeline_.tools[item].isError;
            column.hit = true;
            return;
        }
        const CallSpan& call = timeline_.calls[item];
        const Tokens context = call.usage.context();
        column.minContext = isFirst ? context : std::min(column.minContext, context);
        column.maxContext = std::max(column.maxContext, context);
        column.hit |= call.hit;
        column.inherited = (isFirst || column.inherited) && call.inherited;
    }

    void begin(TimelineColumn& column, std::uint32_t item) const {
        ++column.starting;
        if (tools_) {
            return;
        }
        const CallSpan& call = timeline_.calls[item];
        column.started.input += call.usage.input;
        column.started.cacheWrite += call.usage.cacheWrite;
        column.started.cacheWrite5m += call.usage.cacheWrite5m;
        column.started.cacheWrite1h += call.usage.cacheWrite1h;
        column.started.cacheRead += call.usage.cacheRead;
        column.started.output += call.usage.output;
        column.inexactOutput |= call.quality != OutputQuality::Final;
    }

    [[nodiscard]] std::int64_t weight(std::uint32_t item) const {
        return tools_ ? timeline_.tools[item].end.ms - timeline_.tools[item].start.ms
                      : timeline_.calls[item].usage.context() + timeline_.calls[item].usage.output;
    }

    /// Adds the part [from, to) that no earlier span covers.
    void cover(double from, double to) {
        if (to <= from) {
            return;
        }
        for (std::uint32_t column = columnAt(from); column <= columnAt(to); ++column) {
            const double left = start_ + column * unitsPerColumn_;
            const double part = std::min(to, left + unitsPerColumn_) - std::max(from, left);
            if (part > 0) {
                TimelineColumn& covered = entry(column);
                covered.covered =
                    std::min(1.0F, covered.covered + static_cast<float>(part / unitsPerColumn_));
            }
        }
    }

    const Timeline& timeline_;
    bool tools_;
    double start_, end_, unitsPerColumn_;
    std::uint32_t width_;
    double reach_; ///< latest end of the spans so far
    std::vector<std::uint32_t> entryOf_;
    std::vector<TimelineColumn> columns_;
};

} // namespace

TimelineIndex indexOf(const Timeline& timeline, const TimelineScale& scale) {
    TimelineIndex index;
    index.lanes.resize(timeline.lanes.size());
    addSpans(index.lanes, timeline.calls, scale);
    addSpans(index.lanes, timeline.tools, scale);
    for (LaneSpans& lane : index.lanes) {
        order(lane);
    }
    index.marks.reserve(timeline.marks.size());
    for (const TimelineMark& mark : timeline.marks) {
        index.marks.push_back(scale.at(mark));
    }
    return index;
}

IndexRange spansIn(const LaneSpans& lane, double start, double end) {
    const auto first = std::partition_point(lane.latestEnd.begin(), lane.latestEnd.end(),
                                            [&](double latest) { return latest < start; });
    const auto last =
        std::partition_point(lane.start.begin(), lane.start.end(), [&](double begin) { return begin < end; });
    const auto from = static_cast<std::size_t>(first - lane.latestEnd.begin());
    const auto to = static_cast<std::size_t>(last - lane.start.begin());
    return {std::min(from, to), to};
}

std::vector<TimelineColumn> columnsOf(const Timeline& timeline, const TimelineIndex& index,
                                      std::uint32_t lane, double start, double end, std::uint32_t width) {
    if (lane >= index.lanes.size() || width == 0 || !(end > start)) {
        return {};
    }
    const LaneSpans& spans = index.lanes[lane];
    const IndexRange range = spansIn(spans, start, end);
    if (range.first == range.last) {
        return {};
    }
    ColumnCollector collector(timeline, timeline.lanes[lane].tools, start, end, width);
    for (std::size_t i = range.first; i < range.last; ++i) {
        if (spans.end[i] > start || spans.start[i] >= start) {
            collector.add(spans.start[i], spans.end[i], spans.item[i]);
        }
    }
    return collector.take();
}

std::optional<std::uint32_t> nearestItem(const TimelineIndex& index, std::uint32_t lane, double units,
                                         double tolerance) {
    if (lane >= index.lanes.size()) {
        return std::nullopt;
    }
    const LaneSpans& spans = index.lanes[lane];
    const auto after = std::partition_point(spans.start.begin(), spans.start.end(),
                                            [&](double begin) { return begin <= units + tolerance; });
    std::optional<std::uint32_t> best;
    double bestDistance = tolerance;
    for (auto i = static_cast<std::size_t>(after - spans.start.begin()); i-- > 0;) {
        if (spans.latestEnd[i] < units - bestDistance) {
            break; // neither this span nor an earlier one reaches so far
        }
        const double distance = std::max({0.0, spans.start[i] - units, units - spans.end[i]});
        if (best ? distance < bestDistance : distance <= bestDistance) {
            best = spans.item[i];
            bestDistance = distance;
        }
        if (best && bestDistance == 0) {
            break;
        }
    }
    return best;
}

std::optional<std::uint32_t> nearestMark(const TimelineIndex& index, double units, double tolerance) {
    const auto after = std::lower_bound(index.marks.begin(), index.marks.end(), units);
    std::optional<std::uint32_t> best;
    double bestDistance = tolerance;
    const auto consider = [&](std::vector<double>::const_iterator at) {
        if (const double distance = std::abs(*at - units);
            best ? distance < bestDistance : distance <= tolerance) {
            best = static_cast<std::uint32_t>(at - index.marks.begin());
            bestDistance = distance;
        }
    };
    if (after != index.marks.end()) {
        consider(after);
    }
    if (after != index.marks.begin()) {
        consider(after - 1);
    }
    return best;
}

} // namespace loadline
