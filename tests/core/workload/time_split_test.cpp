// Time accounting: examples by hand, and equality with counting every single moment.
#include "core/workload/timeline/time_split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace loadline {
namespace {

TimeMs atMs(std::int64_t ms) {
    return {ms};
}

TEST(AccountFor, ModelGoesBeforeToolsAndHumanIsWhatLeadsToAPrompt) {
    TimeAccount account;
    account.first = atMs(0);
    account.last = atMs(1000);
    account.model = {{atMs(100), atMs(300)}, {atMs(200), atMs(400)}, {atMs(800), atMs(900)}};
    account.tools = {{atMs(350), atMs(500)}};
    account.prompts = {atMs(100), atMs(800)};
    const TimeAccounted result = accountFor(account);
    EXPECT_EQ(result.split, (TimeSplit{.modelMs = 400, .toolsMs = 100, .humanMs = 400, .otherMs = 100}));
    EXPECT_TRUE(result.gaps.empty()) << "nothing is longer than idleGapMs";
}

TEST(SplitWithin, PartsSumToTheWhole) {
    TimeAccount account;
    account.first = atMs(0);
    account.last = atMs(1000);
    account.model = {{atMs(100), atMs(300)}, {atMs(800), atMs(900)}};
    account.tools = {{atMs(350), atMs(500)}};
    account.prompts = {atMs(100), atMs(800)};
    EXPECT_EQ(splitWithin(account, atMs(250), atMs(600)),
              (TimeSplit{.modelMs = 50, .toolsMs = 150, .humanMs = 100, .otherMs = 50}))
        << "what leads to a prompt is the human's, wherever the stretch ends";
    EXPECT_EQ(splitWithin(account, atMs(600), atMs(250)), TimeSplit{});
    EXPECT_EQ(splitWithin(account, atMs(-5), atMs(2000)), accountFor(account).split);
}

TEST(AccountFor, PauseBeforeSomethingElseIsNotTheHumans) {
    TimeAccount account;
    account.first = atMs(0);
    account.last = atMs(100);
    account.model = {{atMs(0), atMs(10)}, {atMs(60), atMs(70)}};
    account.prompts = {atMs(90)};
    account.otherMoments = {atMs(30), atMs(80)};
    EXPECT_EQ(accountFor(account).split,
              (TimeSplit{.modelMs = 20, .toolsMs = 0, .humanMs = 10, .otherMs = 70}));
}

TEST(AccountFor, AnUnrecordedRequestIsTheModelsTimeUpToItsLimit) {
    TimeAccount account;
    account.first = atMs(0);
    account.last = atMs(2'000'000);
    account.unrecordedRequests = {atMs(300'000), atMs(300'000 + longestRequestMs + 1)};
    const TimeAccounted result = accountFor(account);
    EXPECT_EQ(result.split.modelMs, 300'000);
    EXPECT_EQ(result.split.otherMs, 1'700'000);
    ASSERT_EQ(result.gaps.size(), 2U);
    EXPECT_EQ(result.gaps[0].start, atMs(300'000));
}

TEST(AccountFor, AToolThatAsksIsTheHumansTimeAndIdle) {
    TimeAccount account;
    account.first = atMs(0);
    account.last = atMs(1'000'000);
    account.model = {{atMs(0), atMs(100'000)}, {atMs(900'000), atMs(1'000'000)}};
    account.asking = {{atMs(100'000), atMs(900'000)}};
    const TimeAccounted result = accountFor(account);
    EXPECT_EQ(result.split.humanMs, 800'000);
    ASSERT_EQ(result.gaps.size(), 1U);
    EXPECT_EQ(result.gaps[0].start, atMs(100'000));
    EXPECT_EQ(result.gaps[0].end, atMs(900'000));
}

TEST(AccountFor, GapsEndWhereAnythingIsRecorded) {
    TimeAccount account;
    account.first = atMs(0);
    account.last = atMs(3 * idleGapMs);
    account.otherMoments = {atMs(idleGapMs), atMs(2 * idleGapMs - 1)};
    const TimeAccounted result = accountFor(account);
    ASSERT_EQ(result.gaps.size(), 1U) << "a pause of exactly idleGapMs is none";
    EXPECT_EQ(result.gaps[0].start, atMs(2 * idleGapMs - 1));
}

TEST(AccountFor, NothingToAccountFor) {
    TimeAccount account;
    account.first = account.last = atMs(5);
    account.model = {{atMs(5), atMs(5)}};
    EXPECT_EQ(accountFor(account).split, TimeSplit{});
}

TEST(AccountFor, EqualsCountingEveryMoment) {
    for (unsigned seed = 1; seed <= 200; ++seed) {
        std::mt19937 random(seed);
        const auto upTo = [&](int n) {
            return static_cast<std::int64_t>(random() % static_cast<unsigned>(n + 1));
        };
        TimeAccount account;
        account.first = atMs(0);
        account.last = atMs(upTo(300));
        const auto fill = [&](std::vector<TimeInterval>& intervals) {
            for (std::int64_t n = upTo(6); n > 0; --n) {
                const std::int64_t start = upTo(320);
                intervals.push_back({atMs(start), atMs(start + upTo(60))});
            }
            std::sort(intervals.begin(), intervals.end(),
                      [](const TimeInterval& a, const TimeInterval& b) { return a.start < b.start; });
        };
        fill(account.model);
        fill(account.tools);
        fill(account.asking);
        for (std::vector<TimeMs>* moments :
             {&account.prompts, &account.unrecordedRequests, &account.otherMoments}) {
            for (std::int64_t n = upTo(6); n > 0; --n) {
                moments->push_back(atMs(upTo(320)));
            }
            std::sort(moments->begin(), moments->end());
        }

        const auto covered = [](const std::vector<TimeInterval>& intervals, std::int64_t ms) {
            return std::any_of(intervals.begin(), intervals.end(),
                               [&](const TimeInterval& i) { return i.start.ms <= ms && ms < i.end.ms; });
        };
        const auto contains = [](const std::vector<TimeMs>& moments, std::int64_t ms) {
            return std::find(moments.begin(), moments.end(), atMs(ms)) != moments.end();
        };
        const auto starts = [](const std::vector<TimeInterval>& intervals, std::int64_t ms) {
            return std::any_of(intervals.begin(), intervals.end(),
                               [&](const TimeInterval& i) { return i.start.ms == ms; });
        };
        TimeSplit expected;
        for (std::int64_t ms = 0; ms < account.last.ms; ++ms) {
            if (covered(account.model, ms)) {
                ++expected.modelMs;
            } else if (covered(account.tools, ms)) {
                ++expected.toolsMs;
            } else if (covered(account.asking, ms)) {
                ++expected.humanMs;
            } else {
                std::int64_t next = ms + 1;
                const auto happens = [&](std::int64_t t) {
                    return contains(account.prompts, t) || contains(account.otherMoments, t) ||
                           contains(account.unrecordedRequests, t) || starts(account.model, t) ||
                           starts(account.tools, t) || starts(account.asking, t);
                };
                while (next < account.last.ms && !happens(next)) {
                    ++next;
                }
                ++(contains(account.prompts, next)              ? expected.humanMs
                   : contains(account.unrecordedRequests, next) ? expected.modelMs
                                                                : expected.otherMs);
            }
        }
        const TimeSplit split = accountFor(account).split;
        EXPECT_EQ(split, expected) << "seed " << seed;
        EXPECT_EQ(split.totalMs(), account.last.ms - account.first.ms);
    }
}

} // namespace
} // namespace loadline
