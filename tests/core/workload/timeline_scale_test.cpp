// Axes of a timeline: monotone, exact in both directions, gaps cut to one length.
#include "core/workload/timeline/timeline.h"
#include "tests/core/everything_selected.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

Timeline timelineWithGap() {
    Timeline timeline;
    timeline.first = {1000};
    timeline.last = {1000 + 4'000'000};
    timeline.gaps = {{{101'000}, {3'101'000}}};
    return timeline;
}

TEST(TimelineScale, WallClockIsMilliseconds) {
    const TimelineScale scale(timelineWithGap(), TimelineAxis::WallClock);
    EXPECT_EQ(scale.extent(), 4'000'000);
    EXPECT_EQ(scale.unitsAt({1500}), 500);
    EXPECT_EQ(scale.timeAt(500).ms, 1500);
    EXPECT_TRUE(scale.cutGaps().empty());
}

TEST(TimelineScale, GapsAreCut) {
    const TimelineScale scale(timelineWithGap(), TimelineAxis::CompressedGaps);
    ASSERT_EQ(scale.cutGaps().size(), 1U);
    const TimelineScale::CutGap& cut = scale.cutGaps()[0];
    EXPECT_EQ(cut.start, 100'000);
    EXPECT_LE(cut.end - cut.start, idleGapMs);
    EXPECT_EQ(scale.extent(), 1'000'000 + cut.end - cut.start);
    EXPECT_EQ(scale.unitsAt(cut.gap.start), cut.start);
    EXPECT_EQ(scale.unitsAt(cut.gap.end), cut.end);
    EXPECT_EQ(scale.unitsAt({1000 + 4'000'000}), scale.extent());
}

TEST(TimelineScale, MonotoneAndExactInBothDirections) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
        const Corpus corpus = test::randomSession(seed, 120);
        const Timeline timeline = timelineOf(corpus, test::everythingOf(corpus), 0);
        for (const TimelineAxis axis : {TimelineAxis::WallClock, TimelineAxis::CompressedGaps}) {
            const TimelineScale scale(timeline, axis);
            EXPECT_EQ(scale.unitsAt(timeline.first), 0);
            EXPECT_EQ(scale.unitsAt(timeline.last), scale.extent());
            std::mt19937_64 random(seed);
            std::vector<TimeMs> times;
            for (int i = 0; i < 2000; ++i) {
                const auto span = static_cast<std::uint64_t>(timeline.last.ms - timeline.first.ms) + 1;
                times.push_back({timeline.first.ms + static_cast<std::int64_t>(random() % span)});
            }
            for (const IdleGap& gap : timeline.gaps) {
                times.insert(times.end(), {gap.start, {gap.start.ms + 1}, {gap.end.ms - 1}, gap.end});
            }
            std::sort(times.begin(), times.end());
            for (std::size_t i = 0; i < times.size(); ++i) {
                const double units = scale.unitsAt(times[i]);
                EXPECT_EQ(scale.timeAt(units), times[i]);
                if (i > 0 && times[i - 1] < times[i]) {
                    EXPECT_LT(scale.unitsAt(times[i - 1]), units);
                }
            }
        }
    }
}

TEST(TimelineScale, TurnIndexPutsToolsBetweenCalls) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
        const Corpus corpus = test::randomSession(seed, 50);
        const Timeline timeline = timelineOf(corpus, test::everythingOf(corpus), 0);
        const TimelineScale scale(timeline, TimelineAxis::TurnIndex);
        EXPECT_EQ(scale.extent(), static_cast<double>(timeline.calls.size()));
        for (const CallSpan& call : timeline.calls) {
            EXPECT_EQ(scale.startOf(call), call.ordinal);
            EXPECT_LT(scale.endOf(call), call.ordinal + 1);
        }
        for (const ToolSpan& tool : timeline.tools) {
            EXPECT_LT(scale.startOf(tool), scale.endOf(tool));
            EXPECT_LE(scale.endOf(tool), scale.extent());
            EXPECT_EQ(scale.endOf(tool), std::floor(scale.endOf(tool)));
        }
        double before = 0;
        for (const TimelineMark& mark : timeline.marks) {
            EXPECT_GE(scale.at(mark), before);
            EXPECT_LE(scale.at(mark), scale.extent());
            before = scale.at(mark);
        }
    }
}

} // namespace
} // namespace loadline
