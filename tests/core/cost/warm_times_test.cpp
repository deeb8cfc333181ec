// Times below the byte floor: marked, counted, told apart, and never changed under a published figure.
#include "core/cost/estimate/kernel_times.h"
#include "core/cost/estimate/least_time.h"
#include "core/cost/figure/kernel_figure.h"
#include "core/cost/profile/unsteady.h"
#include "core/simulate/answer/time_facts.h"
#include "core/text/number_format.h"
#include "tests/core/cost/bundled_profile.h"
#include "tests/core/cost/timed_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace loadline {
namespace {

using test::denseShape;
using testing::HasSubstr;
using testing::Not;

TEST(WarmTimes, TheBundledProfileMarksExactlyThoseBelowItsDatasheet) {
    const Profile& bundled = test::bundledProfile();
    Profile again = bundled;
    for (ProfilePoint& point : again.points) {
        point.flags.clear();
    }
    EXPECT_EQ(flagFasterThanDevice(again, warmFlag), 32U);
    EXPECT_EQ(again, bundled);
    for (const ProfilePoint& point : bundled.points) {
        if (isWarm(point)) { // the method says how: 200 calls in a row on the same operands
            EXPECT_FALSE(readsKBits(point.kernel));
            EXPECT_FALSE(isFlagged(point));
        }
    }
    EXPECT_EQ(warmText(bundled), "32 of 61 times of fp16 are warm");
    EXPECT_THAT(provenanceLines(bundled).front(), HasSubstr("367 points, 32 of them warm"));
}

TEST(WarmTimes, TheCostModelHasThemAsPublished) {
    const KernelTimes times(test::bundledProfile(), nullptr);
    const auto time = times.time(Kernel::CublasFp16, denseShape.size, 1, 4, fp16Bits);
    ASSERT_TRUE(time);
    EXPECT_EQ(time->us, 12.39);
}

TEST(WarmTimes, HeldToTheFloorNothingElseChanges) {
    const Profile& bundled = test::bundledProfile();
    const Profile held = heldToFloor(bundled);
    const DeviceRates rates = ratesOf(bundled);
    ASSERT_EQ(held.points.size(), bundled.points.size());
    for (std::size_t i = 0; i < held.points.size(); ++i) {
        const ProfilePoint& point = bundled.points[i];
        if (isWarm(point)) {
            EXPECT_DOUBLE_EQ(held.points[i].timeUs, leastUsOf(point, rates));
            EXPECT_GT(held.points[i].timeUs, point.timeUs);
        } else {
            EXPECT_EQ(held.points[i], point);
        }
    }
}

TEST(WarmTimes, TheHeadlineSaysFromWhereOnFp16WinsAtTheFloor) {
    const auto bundled = std::make_shared<const Profile>(test::bundledProfile());
    const KernelFigure figure = kernelFigure({bundled, nullptr, denseShape, 4});
    ASSERT_TRUE(figure.fp16Wins);
    EXPECT_EQ(figure.fp16Wins->rowsM, 2); // as published
    EXPECT_THAT(figure.sentence, HasSubstr("6 times are warm"));
    EXPECT_THAT(figure.sentence, HasSubstr("held to it, fp16 cuBLAS is faster from M = 6 (4 to 8)."));
    Profile clean = *bundled;
    std::erase_if(clean.points, isWarm);
    const KernelFigure without =
        kernelFigure({std::make_shared<const Profile>(clean), nullptr, denseShape, 4});
    EXPECT_THAT(without.sentence, Not(HasSubstr("warm")));
}

TEST(WarmTimes, TheHeadlineSaysWhereFp16WinsNowhereAtTheFloor) {
    Profile profile = *test::madeUpProfile(
        {test::densePoint(Kernel::Mma, 1, 16), test::densePoint(Kernel::Mma, 2, 16),
         test::densePoint(Kernel::CublasFp16, 1, 12), test::densePoint(Kernel::CublasFp16, 2, 12)});
    profile.hardware = "RTX4090"; // reads fp16's 21 MB in 20.8 us
    ASSERT_EQ(flagFasterThanDevice(profile, warmFlag), 2U);
    const KernelFigure figure =
        kernelFigure({std::make_shared<const Profile>(profile), nullptr, denseShape, 4});
    EXPECT_TRUE(figure.fp16Wins);
    EXPECT_THAT(figure.sentence,
                HasSubstr(" 2 times are warm, below the byte floor: from a cache. Held to it: From M = 1 to "
                          "2, where both were timed, fp16 cuBLAS is never faster."));
}

TEST(WarmTimes, AreNotComparedWithOthers) {
    const auto bundled = std::make_shared<const Profile>(test::bundledProfile());
    Profile cold = heldToFloor(*bundled);
    for (ProfilePoint& point : cold.points) {
        std::erase(point.flags, warmFlag);
    }
    const KernelFigure figure = kernelFigure({bundled, std::make_shared<const Profile>(cold), denseShape, 4});
    for (const KernelComparison& one : figure.comparisons) {
        EXPECT_EQ(one.ratio, 1) << keyOf(one.kernel);
    }
}

TEST(WarmTimes, ASimulationCountsThem) {
    SimulationInputs inputs;
    EXPECT_FALSE(warmFactOf(inputs));
    inputs.profile = std::make_shared<const Profile>(test::bundledProfile());
    const auto fact = warmFactOf(inputs);
    ASSERT_TRUE(fact);
    EXPECT_EQ(fact->words, "32 of 61 times of fp16 are warm");
    EXPECT_THAT(fact->more, HasSubstr(formatReal(1008, 4) + " GB/s"));
}

} // namespace
} // namespace loadline
