// Points that are no measurement write neither a line nor a headline.
#include "core/cost/figure/kernel_figure.h"
#include "tests/core/cost/timed_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace loadline {
namespace {

using testing::HasSubstr;
using testing::Not;

/// MMA against fp16 at M = 1 .. 1024: MMA is the faster one up to about 45.
Profile cleanProfile() {
    Profile profile;
    profile.name = "made up";
    profile.device = "no device";
    for (std::int64_t m = 1; m <= 1024; m *= 2) {
        for (const Kernel kernel : {Kernel::Mma, Kernel::CublasFp16}) {
            const auto rows = static_cast<double>(m);
            const double us = kernel == Kernel::Mma ? 20 + 0.5 * rows : 40 + 0.05 * rows;
            profile.points.push_back(test::densePoint(kernel, m, us));
        }
    }
    return profile;
}

ProfilePoint& pointOf(Profile& profile, Kernel kernel, std::int64_t m) {
    return *std::ranges::find_if(profile.points, [&](const ProfilePoint& point) {
        return point.kernel == kernel && point.rowsM == m;
    });
}

KernelFigure figureOf(Profile profile) {
    return kernelFigure({std::make_shared<const Profile>(std::move(profile)), nullptr, test::denseShape, 4});
}

TEST(PassedBy, AnInterruptedPointBetweenOthersDecidesNothing) {
    const KernelFigure clean = figureOf(cleanProfile());
    Profile profile = cleanProfile();
    ProfilePoint& odd = pointOf(profile, Kernel::Mma, 16);
    odd.timeUs *= 10;
    odd.flags = {"interrupted", "noisy"};
    const KernelFigure figure = figureOf(profile);
    EXPECT_EQ(figure.passedBy, 1U);
    ASSERT_TRUE(clean.fp16Wins && figure.fp16Wins);
    EXPECT_NEAR(static_cast<double>(figure.fp16Wins->rowsM), static_cast<double>(clean.fp16Wins->rowsM), 2);
    EXPECT_EQ(figure.fp16Starts.size(), 1U);
    EXPECT_THAT(figure.sentence, HasSubstr(" 1 interrupted or implausible point is left out of the lines."));
    EXPECT_THAT(clean.sentence, Not(HasSubstr("left out")));
    std::size_t marks = 0;
    for (const KernelCurve& curve : figure.curves) {
        marks += curve.marks.size();
    }
    EXPECT_EQ(marks, profile.points.size()) << "it is drawn, crossed out";
    odd.flags.clear(); // nobody says that it is no measurement
    EXPECT_GT(figureOf(profile).fp16Starts.size(), 1U);
}

TEST(PassedBy, AnImplausiblePointBetweenOthersDecidesNothing) {
    Profile profile = cleanProfile();
    ProfilePoint& odd = pointOf(profile, Kernel::CublasFp16, 2);
    odd.timeUs /= 20;
    odd.flags = {"implausible"};
    const KernelFigure figure = figureOf(profile);
    EXPECT_EQ(figure.passedBy, 1U);
    EXPECT_EQ(figure.fp16Starts.size(), 1U) << figure.sentence;
}

TEST(PassedBy, WhereNothingBetterIsKnownTheyStay) {
    Profile profile = cleanProfile();
    pointOf(profile, Kernel::Mma, 1024).flags = {"interrupted"}; // the last one
    pointOf(profile, Kernel::Mma, 64).flags = {"interrupted"};   // an upper bound below its neighbours' line
    pointOf(profile, Kernel::Mma, 64).timeUs = 30;
    EXPECT_EQ(figureOf(profile).passedBy, 0U);
    for (ProfilePoint& point : profile.points) {
        point.flags = {"implausible"};
    }
    EXPECT_EQ(figureOf(profile).passedBy, 0U);
}

} // namespace
} // namespace loadline
