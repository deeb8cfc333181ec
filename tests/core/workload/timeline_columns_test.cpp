// Pixel columns lose nothing, and hit testing finds what a search through everything finds.
#include "core/workload/timeline/timeline_columns.h"

#include "tests/core/everything_selected.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

namespace loadline {
namespace {

struct Shown {
    Corpus corpus;
    Timeline timeline;
    TimelineScale scale;
    TimelineIndex index;

    Shown(unsigned seed, int calls, TimelineAxis axis)
        : corpus(test::randomSession(seed, calls)),
          timeline(timelineOf(corpus, test::everythingOf(corpus), 0)), scale(timeline, axis),
          index(indexOf(timeline, scale)) {}
};

void forEachCase(const std::function<void(const Shown&, std::mt19937_64&)>& check) {
    for (unsigned seed = 1; seed <= 8; ++seed) {
        for (const TimelineAxis axis :
             {TimelineAxis::WallClock, TimelineAxis::CompressedGaps, TimelineAxis::TurnIndex}) {
            const Shown shown(seed, 150, axis);
            std::mt19937_64 random(seed);
            check(shown, random);
        }
    }
}

double unitsIn(const Shown& shown, std::mt19937_64& random) {
    return std::uniform_real_distribution<double>(0, shown.scale.extent())(random);
}

TEST(TimelineColumns, TheWholeViewHoldsEveryCallOnce) {
    forEachCase([](const Shown& shown, std::mt19937_64&) {
        for (const std::uint32_t width : {1U, 7U, 640U}) {
            std::size_t calls = 0;
            std::size_t tools = 0;
            Usage sum;
            for (std::uint32_t lane = 0; lane < shown.timeline.lanes.size(); ++lane) {
                std::uint32_t before = 0;
                bool isFirst = true;
                for (const TimelineColumn& column :
                     columnsOf(shown.timeline, shown.index, lane, 0, shown.scale.extent() + 1, width)) {
                    EXPECT_LT(column.column, width);
                    EXPECT_TRUE(isFirst || column.column > before);
                    EXPECT_GT(column.touching, 0U);
                    EXPECT_LE(column.minContext, column.maxContext);
                    isFirst = false;
                    before = column.column;
                    (shown.timeline.lanes[lane].tools ? tools : calls) += column.starting;
                    sum.input += column.started.input;
                    sum.cacheRead += column.started.cacheRead;
                    sum.output += column.started.output;
                }
            }
            EXPECT_EQ(calls, shown.timeline.calls.size());
            EXPECT_EQ(tools, shown.timeline.tools.size());
            EXPECT_EQ(sum.input, shown.timeline.totals.usage.input);
            EXPECT_EQ(sum.cacheRead, shown.timeline.totals.usage.cacheRead);
            EXPECT_EQ(sum.output, shown.timeline.totals.usage.output);
        }
    });
}

TEST(TimelineColumns, EachColumnEqualsASearchThroughAllCalls) {
    forEachCase([](const Shown& shown, std::mt19937_64& random) {
        double start = unitsIn(shown, random);
        double end = unitsIn(shown, random);
        if (end < start) {
            std::swap(start, end);
        }
        constexpr std::uint32_t width = 50;
        const double step = (end - start) / width;
        for (std::uint32_t lane = 0; lane < shown.timeline.lanes.size(); ++lane) {
            if (shown.timeline.lanes[lane].tools) {
                continue;
            }
            std::map<std::uint32_t, TimelineColumn> columns;
            for (const TimelineColumn& column :
                 columnsOf(shown.timeline, shown.index, lane, start, end, width)) {
                columns[column.column] = column;
            }
            for (std::uint32_t c = 0; c < width; ++c) {
                const double left = start + c * step;
                const double right = left + step;
                Tokens largest = 0;
                bool touched = false;
                bool near = false; // on a column's edge rounding decides
                double covered = 0;
                double reach = left;
                for (const CallSpan& call : shown.timeline.calls) {
                    const double from = shown.scale.startOf(call);
                    const double to = shown.scale.endOf(call);
                    const double slack = step * 1e-6;
                    if (call.lane != lane) {
                        continue;
                    }
                    near |= std::abs(from - left) < slack || std::abs(from - right) < slack ||
                            std::abs(to - left) < slack || std::abs(to - right) < slack;
                    if (from < right && (to > left || from >= left)) {
                        touched = true;
                        largest = std::max(largest, call.usage.context());
                        covered += std::max(0.0, std::min(to, right) - std::max(from, reach));
                        reach = std::max(reach, to);
                    }
                }
                if (near) {
                    continue;
                }
                const auto found = columns.find(c);
                ASSERT_EQ(found != columns.end(), touched) << "column " << c;
                if (touched) {
                    EXPECT_EQ(found->second.maxContext, largest);
                    EXPECT_NEAR(found->second.covered, covered / step, 1e-3);
                    const CallSpan& item = shown.timeline.calls[found->second.largest];
                    EXPECT_EQ(item.lane, lane);
                }
            }
        }
    });
}

TEST(TimelineColumns, NothingOutsideOfTheSession) {
    const Shown shown(1, 20, TimelineAxis::WallClock);
    const double far = shown.scale.extent() + 1000;
    EXPECT_TRUE(columnsOf(shown.timeline, shown.index, 0, far, far + 10, 100).empty());
    EXPECT_TRUE(columnsOf(shown.timeline, shown.index, 0, 10, 10, 100).empty());
    EXPECT_TRUE(columnsOf(shown.timeline, shown.index, 0, 0, 10, 0).empty());
    EXPECT_TRUE(columnsOf(shown.timeline, shown.index, 99, 0, 10, 10).empty());
}

TEST(NearestItem, EqualsASearchThroughAllSpans) {
    forEachCase([](const Shown& shown, std::mt19937_64& random) {
        for (int i = 0; i < 300; ++i) {
            const double units = unitsIn(shown, random);
            const double tolerance = i % 3 == 0 ? 0 : unitsIn(shown, random) / 100;
            const auto lane = static_cast<std::uint32_t>(random() % shown.timeline.lanes.size());
            const bool tools = shown.timeline.lanes[lane].tools;
            double nearest = tolerance;
            bool any = false;
            const auto distanceOf = [&](const auto& span) {
                return std::max({0.0, shown.scale.startOf(span) - units, units - shown.scale.endOf(span)});
            };
            const auto consider = [&](const auto& spans) {
                for (const auto& span : spans) {
                    if (span.lane == lane && distanceOf(span) <= nearest) {
                        nearest = distanceOf(span);
                        any = true;
                    }
                }
            };
            tools ? consider(shown.timeline.tools) : consider(shown.timeline.calls);
            const std::optional<std::uint32_t> found = nearestItem(shown.index, lane, units, tolerance);
            ASSERT_EQ(found.has_value(), any);
            if (found) {
                const double distance = tools ? distanceOf(shown.timeline.tools[*found])
                                              : distanceOf(shown.timeline.calls[*found]);
                EXPECT_EQ(distance, nearest);
            }
        }
    });
}

TEST(NearestItem, OfSpansOnTopOfEachOtherTheLastStarted) {
    Timeline timeline;
    timeline.first = {0};
    timeline.last = {1000};
    timeline.lanes = {{"tools of main", LaneKind::Main, true}};
    timeline.tools.resize(3);
    timeline.tools[0].start = {0};
    timeline.tools[0].end = {1000};
    timeline.tools[1].start = {100};
    timeline.tools[1].end = {300};
    timeline.tools[2].start = {500};
    timeline.tools[2].end = {500};
    const TimelineIndex index = indexOf(timeline, TimelineScale(timeline, TimelineAxis::WallClock));
    EXPECT_EQ(nearestItem(index, 0, 200, 0), 1U);
    EXPECT_EQ(nearestItem(index, 0, 400, 0), 0U);
    EXPECT_EQ(nearestItem(index, 0, 500, 0), 2U);
    EXPECT_EQ(nearestItem(index, 0, 1004, 5), 0U);
    EXPECT_EQ(nearestItem(index, 0, 1006, 5), std::nullopt);
}

TEST(NearestMark, WithinTolerance) {
    TimelineIndex index;
    index.marks = {10, 20, 20, 40};
    EXPECT_EQ(nearestMark(index, 12, 3), 0U);
    EXPECT_EQ(nearestMark(index, 16, 5), 1U);
    EXPECT_EQ(nearestMark(index, 30, 3), std::nullopt);
    EXPECT_EQ(nearestMark(index, 100, 60), 3U);
    EXPECT_EQ(nearestMark({}, 0, 1e9), std::nullopt);
}

} // namespace
} // namespace loadline
