// The correction that a pair timed in one go makes to the sum of its parts, and its error.
#include "core/cost/estimate/cost_model.h"
#include "core/cost/estimate/served_time.h"
#include "core/cost/figure/kernel_figure.h"
#include "core/cost/profile/unsteady.h"
#include "tests/core/cost/timed_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace loadline {
namespace {

using testing::HasSubstr;

constexpr GemmSize pairSize{.k = 1024, .n = 1024};
constexpr Kernel bothInOneGo = Kernel::DequantCublas;

ProfilePoint pairPoint(Kernel kernel, std::int64_t rowsM, double us, std::vector<std::string> flags = {}) {
    ProfilePoint point = test::timedPoint(kernel, {pairSize, 1}, rowsM, us);
    point.flags = std::move(flags);
    return point;
}

/// Dequantise 30 us, the GEMM 70 us at every M: a pair takes 100.
Profile pairedWith(std::vector<ProfilePoint> more, std::vector<std::string> gemmFlagsAt64 = {}) {
    Profile profile;
    profile.name = "made up";
    profile.points = {pairPoint(Kernel::Dequantise, 0, 30)};
    for (const std::int64_t m : {1, 16, 64, 256}) {
        profile.points.push_back(
            pairPoint(Kernel::CublasFp16, m, 70, m == 64 ? gemmFlagsAt64 : std::vector<std::string>()));
    }
    profile.points.insert(profile.points.end(), more.begin(), more.end());
    return profile;
}

TimeEstimate pairAt(const Profile& profile, double rowsM) {
    const auto time = servedTime(KernelTimes(profile, nullptr), bothInOneGo, pairSize, 1, rowsM, 4);
    EXPECT_TRUE(time);
    return time ? time->sum() : TimeEstimate{};
}

TEST(PairFactor, APairTakesNoLessThanItsGemmAlone) {
    const Profile profile = pairedWith({pairPoint(bothInOneGo, 64, 60)});
    for (const double m : {1.0, 16.0, 40.0, 64.0, 256.0}) {
        EXPECT_NEAR(pairAt(profile, m).us, 70, 1e-9) << m;
        EXPECT_GE(pairAt(profile, m).relativeError, std::log(70.0 / 60) - 1e-9)
            << "the bar holds what was timed";
    }
    EXPECT_NE(pairAt(profile, 64).kind, EstimateKind::AtPoint) << "no point has this time";
    // A factor held to where the GEMM is most of the sum: 0.8 is possible at M = 16, not at 256.
    Profile steep = pairedWith({pairPoint(bothInOneGo, 16, 80)});
    steep.points[4].timeUs = 700; // M = 256: 730 apart, 584 at 0.8
    EXPECT_NEAR(pairAt(steep, 16).us, 80, 1e-9);
    EXPECT_NEAR(pairAt(steep, 256).us, 700, 1e-9);
}

TEST(PairFactor, FlaggedPairsAndPartsCorrectNothing) {
    const ProfilePoint quiet = pairPoint(bothInOneGo, 16, 110);
    const Profile both = pairedWith({quiet, pairPoint(bothInOneGo, 64, 140, {"interrupted", "noisy"})});
    EXPECT_NEAR(pairAt(both, 64).us, 110, 1e-9);
    EXPECT_NEAR(pairAt(both, 256).us, 110, 1e-9);
    const Profile part = pairedWith({quiet, pairPoint(bothInOneGo, 64, 140)}, {"interrupted"});
    EXPECT_NEAR(pairAt(part, 64).us, 110, 1e-9) << "its GEMM was interrupted";
    const Profile alone = pairedWith({pairPoint(bothInOneGo, 64, 140, {"interrupted"})});
    EXPECT_NEAR(pairAt(alone, 64).us, 100, 1e-9);
    EXPECT_GE(pairAt(alone, 64).relativeError, std::log(1.4) - 1e-9) << "the bar holds what was timed";
    const KernelFigure figure =
        kernelFigure({std::make_shared<const Profile>(both), nullptr, {pairSize, 1}, 4});
    EXPECT_THAT(figure.sentence,
                HasSubstr("take in one go at M = 16: 1.1 of the sum (1 left out, flagged)."));
}

TEST(PairFactor, APairThatCorrectsNothingIsNotCalledACorrection) {
    const auto sentence = [](std::vector<ProfilePoint> pairs) {
        const auto profile = std::make_shared<const Profile>(pairedWith(std::move(pairs)));
        return kernelFigure({profile, nullptr, {pairSize, 1}, 4}).sentence;
    };
    EXPECT_THAT(sentence({pairPoint(bothInOneGo, 64, 140, {"interrupted"})}),
                HasSubstr(" is its parts' sum; what both take in one go corrects nothing (1 left out, "
                          "flagged)."));
    EXPECT_THAT(sentence({pairPoint(bothInOneGo, 64, 300)}),
                HasSubstr("corrects nothing (1 left out, contradicting their parts)."));
    EXPECT_THAT(sentence({pairPoint(bothInOneGo, 16, 110), pairPoint(bothInOneGo, 64, 300)}),
                HasSubstr("take in one go at M = 16: 1.1 of the sum (1 left out, contradicting their "
                          "parts)."));
    EXPECT_THAT(sentence({pairPoint(bothInOneGo, 16, 110), pairPoint(bothInOneGo, 64, 300),
                          pairPoint(bothInOneGo, 256, 120, {"noisy"})}),
                HasSubstr("(2 left out, flagged or contradicting their parts)."));
    EXPECT_THAT(sentence({pairPoint(bothInOneGo, 16, 100)}), HasSubstr("at M = 16: 1 of the sum."));
}

TEST(PairFactor, ItsErrorIsInTheRatioToFp16) {
    // 30 % between runs: the parts' errors cancel in the ratio to fp16, the factor's does not.
    Profile profile = pairedWith({pairPoint(bothInOneGo, 64, 140)});
    for (ProfilePoint& point : profile.points) {
        point.betweenRuns = point.kernel == bothInOneGo ? 0.3 : 0.02;
    }
    CostSetup setup;
    setup.model.key = setup.model.name = "one";
    setup.model.gemms = {{.name = "up", .size = pairSize}};
    setup.maxRows = 128;
    setup.rule.dense = {{.kernel = bothInOneGo}};
    const auto table = makeCostTable(KernelTimes(profile, nullptr), setup);
    ASSERT_TRUE(table) << table.error().sentence();
    double least = 10;
    double most = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const CostTable drawn = table->drawn(seed);
        const double ratio = drawn.us(std::int64_t{128}) / drawn.fp16Us(std::int64_t{128});
        least = std::min(least, ratio);
        most = std::max(most, ratio);
    }
    EXPECT_LT(least, 2.0 / 1.25);
    EXPECT_GT(most, 2.0 * 1.25);
    EXPECT_LT(most, 2.0 * 2.5);
}

TEST(PairFactor, ProvenanceSaysHowManyPointsAreFlagged) {
    const Profile profile = pairedWith({pairPoint(bothInOneGo, 64, 140, {"interrupted", "noisy"}),
                                        pairPoint(Kernel::Mma, 1, 10, {"noisy"})});
    EXPECT_EQ(flaggedText(profile), "2 of 7 points flagged (1 interrupted)");
    ASSERT_EQ(provenanceLines(profile).size(), 1U);
    EXPECT_EQ(
        provenanceLines(profile)[0],
        "measured: 7 points, 2 of them flagged (1 interrupted), 7 of them with an assumed error of 2 %, "
        "as none is stated, on an unnamed device");
    EXPECT_EQ(flaggedText(pairedWith({})), "");
    ProfilePoint calculated = pairPoint(Kernel::Mma, 1, 10, {"implausible"});
    calculated.origin = PointOrigin::Modelled;
    EXPECT_EQ(flaggedText(pairedWith({calculated})), "");
}

} // namespace
} // namespace loadline
