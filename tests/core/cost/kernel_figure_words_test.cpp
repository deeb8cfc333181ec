// The sentence of one shape's figure: the fastest kernel, where that changes, and what limits the claim.
#include "core/cost/figure/kernel_figure.h"
#include "core/cost/profile/bench_event.h"
#include "core/cost/profile/bench_run.h"
#include "core/cost/profile/profile_naming.h"
#include "core/cost/profile/unsteady.h"
#include "tests/core/cost/timed_points.h"

#include <gtest/gtest.h>

#include <cmath>

namespace loadline {
namespace {

using test::densePoint;
using test::denseShape;
using test::figureOfTimes;
using test::madeUpProfile;

TEST(KernelFigure, TheOnlyKernelIsNotCalledTheFastest) {
    std::vector<ProfilePoint> points = {densePoint(Kernel::Mma, 1, 5), densePoint(Kernel::Mma, 64, 6),
                                        densePoint(Kernel::CublasFp16, 1, 9)};
    const auto said = [&] { return kernelFigure({madeUpProfile(points), nullptr, denseShape, 4}).sentence; };
    EXPECT_EQ(said().find("MMA is the only k-bit kernel that was timed."), 0U) << said();
    points.push_back(densePoint(Kernel::Scalar, 1, 7));
    EXPECT_EQ(said().find("only k-bit"), std::string::npos) << said();
    EXPECT_NE(said().find("MMA is the fastest k-bit kernel"), std::string::npos) << said();
}

TEST(KernelFigure, SaysThatTimesAreUnsteadyBeforeItRanksThem) {
    Profile profile = *madeUpProfile(
        {densePoint(Kernel::Mma, 1, 5), densePoint(Kernel::Mma, 2, 6), densePoint(Kernel::CublasFp16, 1, 9)});
    const auto said = [&] {
        return kernelFigure({std::make_shared<const Profile>(profile), nullptr, denseShape, 4}).sentence;
    };
    EXPECT_EQ(said().find("unsteady"), std::string::npos) << said();
    profile.points[1].p25Us = 3; // of 6 us
    profile.points[1].p75Us = 12;
    EXPECT_TRUE(isUnsteady(profile.points[1]));
    EXPECT_TRUE(
        said().starts_with("These times are unsteady, as if other work ran beside them: 1 of 3 vary by "
                           "10.0 % or more, up to "))
        << said();
    profile.points[1].p25Us = 5.8; // as noisy as times are
    profile.points[1].p75Us = 6.2;
    EXPECT_EQ(said().find("unsteady"), std::string::npos) << said();
    profile.points[1].repeatUs = 9;
    EXPECT_TRUE(said().starts_with("These times are unsteady")) << said();
    profile.points[1].origin = PointOrigin::Published;
    EXPECT_EQ(said().find("unsteady"), std::string::npos) << "of others nobody knows what else ran";
}

TEST(KernelFigure, SaysWhichKernelsThePresetLeftOut) {
    Profile profile = *madeUpProfile({densePoint(Kernel::Mma, 1, 5), densePoint(Kernel::CublasFp16, 1, 9)});
    const auto sentenceWith = [&](const std::string& leftOut) {
        profile.methodFacts = {{"preset", "\"quick\""}, {"left_out_for_time", leftOut}};
        return kernelFigure({std::make_shared<const Profile>(profile), nullptr, denseShape, 4}).sentence;
    };
    const KernelNaming naming = namingOf(&profile, {denseShape.size}, 4);
    const std::string scalar(nameOf(Kernel::Scalar, naming));
    const std::string both(nameOf(Kernel::DequantCublas, naming));
    const std::string mma(nameOf(Kernel::Mma, naming));
    EXPECT_NE(sentenceWith("[\"" + scalar + ", 2048x5120, k = 4, M = 1\", \"" + both +
                           ", 2048x5120, k = 4, M = 1\", \"" + scalar + ", 2048x5120, k = 4, M = 4\"]")
                  .find(" Left out, as too long for the quick preset: " + scalar + ", " + both +
                        "; a longer one times them."),
              std::string::npos);
    for (const std::string& other :
         {mma + ", 2048x5120, k = 4, M = 64",
          scalar + ", 2048x512, k = 4, M = 1", // some were timed; another shape
          scalar + ", 2048x5120 x 8 experts, k = 4, M = 1", scalar + ", 2048x5120, k = 3, M = 1"}) {
        EXPECT_EQ(sentenceWith("[\"" + other + "\"]").find("Left out"), std::string::npos) << other;
    }
    const std::string one = "[\"" + scalar + ", 2048x5120, k = 4, M = 1\"]";
    profile.methodFacts = {{"preset", "\"quick\""}, {"left_out_for_time", one}};
    markCut(profile, "the run has not ended");
    const std::string early =
        kernelFigure({std::make_shared<const Profile>(profile), nullptr, denseShape, 4}).sentence;
    EXPECT_NE(early.find(" Not timed so far: " + scalar + "."), std::string::npos) << early;
    EXPECT_EQ(early.find("Left out"), std::string::npos) << early;
    for (const char* odd : {"", "[", "3", "[3, null]", "{}"}) {
        EXPECT_EQ(sentenceWith(odd).find("Left out"), std::string::npos) << odd;
    }
}

TEST(KernelFigure, CrossingsAreWhereTheFastestChanges) {
    // 10 M against 40: equal at M = 4, the other is faster from 5 on.
    const KernelFigure figure = figureOfTimes({{Kernel::Scalar, {{1, 10}, {64, 640}}},
                                               {Kernel::Mma, {{1, 40}, {64, 40}}},
                                               {Kernel::CublasFp16, {{1, 100}, {64, 100}}}});
    ASSERT_EQ(figure.crossings.size(), 1U);
    EXPECT_EQ(figure.crossings[0].from, Kernel::Scalar);
    EXPECT_EQ(figure.crossings[0].to, Kernel::Mma);
    EXPECT_EQ(figure.crossings[0].rowsM, 5);
    EXPECT_LE(figure.crossings[0].low, 4); // at 4 they are equal: the bars overlap
    EXPECT_GE(figure.crossings[0].high, 5);
    EXPECT_FALSE(figure.crossings[0].pointsEnd);
    EXPECT_FALSE(figure.fp16Wins);
    EXPECT_NE(figure.sentence.find("Up to M = 4 scalar GEMV is the fastest"), std::string::npos)
        << figure.sentence;
    EXPECT_NE(figure.sentence.find("fp16 cuBLAS is never faster"), std::string::npos) << figure.sentence;
}

TEST(KernelFigure, AKernelThatWasNotTimedFurtherDidNotLose) {
    const KernelFigure figure = figureOfTimes({{Kernel::Scalar, {{1, 5}, {4, 6}}},
                                               {Kernel::Mma, {{1, 40}, {64, 80}}},
                                               {Kernel::CublasFp16, {{1, 70}, {64, 70}}}});
    ASSERT_EQ(figure.crossings.size(), 1U);
    EXPECT_EQ(figure.crossings[0].rowsM, 5);
    EXPECT_TRUE(figure.crossings[0].pointsEnd);
    EXPECT_NE(figure.sentence.find("(not timed beyond), from 5 MMA"), std::string::npos) << figure.sentence;
    ASSERT_TRUE(figure.fp16Wins);
    // MMA: 40 at 1 and 80 at 64, straight in log-log: 70 where M = 64^(log(70/40) / log 2).
    const double exact = std::pow(64, std::log(70.0 / 40) / std::log(2.0));
    EXPECT_EQ(figure.fp16Wins->rowsM, static_cast<std::int64_t>(std::floor(exact)) + 1);
    EXPECT_EQ(figure.fp16Wins->from, Kernel::Mma);
    EXPECT_EQ(figure.fp16Wins->to, Kernel::CublasFp16);
}

TEST(KernelFigure, FpSixteenThatWasNotTimedFurtherStillOvertook) {
    const KernelFigure figure = figureOfTimes(
        {{Kernel::Mma, {{1, 40}, {64, 80}, {256, 300}}}, {Kernel::CublasFp16, {{1, 70}, {64, 70}}}});
    ASSERT_TRUE(figure.fp16Wins);
    EXPECT_LE(figure.fp16Wins->rowsM, 64);
    EXPECT_EQ(figure.sentence.find("never faster"), std::string::npos) << figure.sentence;
}

TEST(KernelFigure, TimesJoinedToAModelAreNoSurer) {
    std::vector<ProfilePoint> points = {
        densePoint(Kernel::Mma, 64, 500), densePoint(Kernel::Mma, 1024, 585.73),
        densePoint(Kernel::CublasFp16, 64, 500.5), densePoint(Kernel::CublasFp16, 1024, 584.26)};
    const auto alone = kernelFigure({madeUpProfile(points), nullptr, denseShape, 4});
    ASSERT_EQ(alone.fp16Spans.size(), 1U);
    EXPECT_EQ(alone.fp16Spans[0].standing, Fp16Standing::Alike);
    ProfilePoint modelled = densePoint(Kernel::Scalar, 1, 9);
    modelled.size.k *= 2;
    modelled.flags = {unvalidatedFlag};
    points.push_back(modelled);
    const auto joined = kernelFigure({madeUpProfile(points), nullptr, denseShape, 4});
    EXPECT_EQ(joined.fp16Spans, alone.fp16Spans) << joined.sentence;
}

TEST(KernelFigure, WhatIsNotThereIsSaid) {
    const auto nothing = kernelFigure({madeUpProfile({}), nullptr, denseShape, 4});
    EXPECT_TRUE(nothing.curves.empty());
    EXPECT_EQ(nothing.sentence, "made up has no times of 2048x5120 at k = 4.");
    const auto otherK =
        kernelFigure({madeUpProfile({densePoint(Kernel::CublasFp16, 1, 9)}), nullptr, denseShape, 3});
    EXPECT_NE(otherK.sentence.find("no k-bit kernel was timed at k = 3"), std::string::npos);
    ProfilePoint five = densePoint(Kernel::Scalar, 1, 9);
    five.kBits = 5;
    const auto onlyFive =
        kernelFigure({madeUpProfile({densePoint(Kernel::CublasFp16, 1, 9), five}), nullptr, denseShape, 4});
    EXPECT_NE(onlyFive.sentence.find("no k-bit kernel was timed at k = 4 (the profile has k = 5)."),
              std::string::npos)
        << onlyFive.sentence;
    Profile cut = *madeUpProfile({densePoint(Kernel::Scalar, 1, 10)});
    markCut(cut, "stopped by the user");
    cut.source = madeUpSource;
    const auto figure = kernelFigure({std::make_shared<const Profile>(cut), nullptr, denseShape, 4});
    EXPECT_NE(figure.sentence.find("Not complete: stopped by the user."), std::string::npos);
    EXPECT_NE(figure.sentence.find("invented"), std::string::npos);
}

} // namespace
} // namespace loadline
