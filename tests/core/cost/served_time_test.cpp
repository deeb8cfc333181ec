// A pair's time: its parts corrected where both were timed in one go, or its own curve.
#include "core/cost/estimate/served_time.h"

#include "core/cost/estimate/cost_model.h"
#include "core/cost/figure/kernel_figure.h"
#include "tests/core/cost/bundled_profile.h"
#include "tests/core/cost/timed_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace loadline {
namespace {

constexpr GemmSize size{.k = 1024, .n = 1024};
constexpr Kernel pair = Kernel::DequantCublas;

ProfilePoint timed(Kernel kernel, std::int64_t rowsM, double us, int kBits = 4, int experts = 1,
                   GemmSize of = size) {
    return test::timedPoint(kernel, {of, experts}, rowsM, us, kBits);
}

/// Dequantise 30 us; the GEMM 20 us to M = 16 and 1.25 M us beyond.
std::vector<ProfilePoint> parts() {
    std::vector<ProfilePoint> points = {timed(Kernel::Dequantise, 0, 30), timed(Kernel::CublasFp16, 1, 20)};
    for (const std::int64_t m : {16, 64, 256, 1024}) {
        points.push_back(timed(Kernel::CublasFp16, m, 1.25 * static_cast<double>(m)));
    }
    return points;
}

Profile with(std::vector<ProfilePoint> points, std::vector<ProfilePoint> more = {}) {
    Profile profile;
    profile.name = "made up";
    profile.points = std::move(points);
    profile.points.insert(profile.points.end(), more.begin(), more.end());
    return profile;
}

ServedTime served(const Profile& profile, double rowsM, int kBits = 4, double experts = 1,
                  Kernel kernel = pair) {
    const auto time = servedTime(KernelTimes(profile, nullptr), kernel, size, experts, rowsM, kBits);
    EXPECT_TRUE(time) << (time ? "" : time.error().sentence());
    return time ? *time : ServedTime{};
}

TEST(ServedTime, APairThatContradictsItsPartsCorrectsNothing) {
    // At M = 256 the sum is 350 us: 1000 us is another story. At 16 it is 50 us, and 40 us is believed.
    const ServedTime wild = served(with(parts(), {timed(pair, 256, 1000)}), 256);
    EXPECT_DOUBLE_EQ(wild.sum().us, 350);
    EXPECT_NEAR(wild.sum().relativeError, std::log(1000.0 / 350), 1e-9) << "the bar holds both";
    const Profile both = with(parts(), {timed(pair, 16, 40), timed(pair, 256, 100)});
    EXPECT_DOUBLE_EQ(served(both, 16).sum().us, 40);
    EXPECT_DOUBLE_EQ(served(both, 1024).sum().us, served(with(parts()), 1024).sum().us);
    EXPECT_GE(served(both, 1024).sum().relativeError, std::log(3.5));
}

TEST(ServedTime, WithoutPairsIsTheSumOfTheParts) {
    const KernelTimes times(with(parts()), nullptr);
    for (const double m : {1.0, 7.0, 16.0, 100.0, 1024.0, 5000.0}) {
        const auto sum = servedTime(times, pair, size, 1, m, 4);
        const auto one = times.time(Kernel::Dequantise, size, 1, m, 4);
        const auto other = times.time(Kernel::CublasFp16, size, 1, m, 4);
        ASSERT_TRUE(sum && one && other);
        EXPECT_EQ(sum->count, 2);
        EXPECT_EQ(sum->parts[0], *one);
        EXPECT_EQ(sum->parts[1], *other);
        EXPECT_EQ(sum->sum().us, one->us + other->us);
    }
}

TEST(ServedTime, AtAPairIsThePairAndBetweenThemTheFactorRunsStraightInLogarithms) {
    // At M = 16 the sum is 50 us and the pair 40 (x 0.8); at 256 it is 350 us and the pair 420 (x 1.2).
    ProfilePoint first = timed(pair, 16, 40);
    first.p25Us = 36; // a bar of 10 %
    first.p75Us = 44;
    const Profile profile = with(parts(), {first, timed(pair, 256, 420)});
    const ServedTime at = served(profile, 16);
    EXPECT_DOUBLE_EQ(at.sum().us, 40);
    EXPECT_DOUBLE_EQ(at.parts[0].us, 30 * 0.8); // both parts alike
    EXPECT_DOUBLE_EQ(at.parts[1].us, 20 * 0.8);
    EXPECT_EQ(at.kernels, (std::array{Kernel::Dequantise, Kernel::CublasFp16}));
    EXPECT_EQ(at.sum().kind, EstimateKind::AtPoint);
    EXPECT_NEAR(at.sum().relativeError, 0.1, 1e-12); // the pair's own
    EXPECT_DOUBLE_EQ(served(profile, 256).sum().us, 420);
    EXPECT_NEAR(served(profile, 256).sum().relativeError, 0.02, 1e-12);

    const ServedTime half = served(profile, 64); // half way from 16 to 256 in log M; the sum is 110 us
    EXPECT_NEAR(half.sum().us, 110 * std::sqrt(0.8 * 1.2), 1e-9);
    EXPECT_NEAR(half.parts[0].us / half.parts[1].us, 30.0 / 80, 1e-9);
    EXPECT_EQ(half.sum().kind, EstimateKind::Interpolated);
    // Two pairs: the factor may be off by half of |ln 1.2 / 0.8|.
    EXPECT_NEAR(half.sum().relativeError, 0.02 + std::log(1.5) / 2, 1e-9);
}

TEST(ServedTime, BeyondThePairsTheFactorIsHeldAndTheBarReachesTheUncorrectedSum) {
    const Profile profile = with(parts(), {timed(pair, 16, 40), timed(pair, 256, 420)});
    const ServedTime below = served(profile, 1);
    EXPECT_DOUBLE_EQ(below.sum().us, 50 * 0.8);
    EXPECT_NEAR(below.sum().relativeError, std::log(1 / 0.8), 1e-12);
    EXPECT_EQ(below.sum().kind, EstimateKind::Interpolated); // its parts were timed here, the pair was not
    const ServedTime above = served(profile, 1024);
    EXPECT_DOUBLE_EQ(above.sum().us, 1310 * 1.2);
    EXPECT_NEAR(above.sum().relativeError, std::log(1.2), 1e-12);
    // Without the pairs the bar is narrower: a correction never makes it so.
    EXPECT_LT(served(with(parts()), 1024).sum().relativeError, above.sum().relativeError);
}

TEST(ServedTime, AwayFromAPairTheBarIsNoNarrowerThanThatOfTheSum) {
    std::vector<ProfilePoint> wide = parts();
    for (ProfilePoint& point : wide) {
        point.p25Us = point.timeUs * 0.7; // +- 30 %
        point.p75Us = point.timeUs * 1.3;
    }
    const Profile profile = with(wide, {timed(pair, 16, 49), timed(pair, 1024, 1300)});
    const double ofSum = served(with(wide), 100).sum().relativeError;
    EXPECT_GT(ofSum, 0.2);
    EXPECT_NEAR(served(profile, 100).sum().relativeError, ofSum, 1e-12);
    EXPECT_NEAR(served(profile, 16).sum().relativeError, 0.02, 1e-12);
}

TEST(ServedTime, OneKDoesNotCorrectAnother) {
    std::vector<ProfilePoint> both = parts();
    both.push_back(timed(Kernel::Dequantise, 0, 25, 2));
    const Profile profile = with(both, {timed(pair, 16, 40, 4)});
    EXPECT_DOUBLE_EQ(served(profile, 16, 4).sum().us, 40);
    EXPECT_DOUBLE_EQ(served(profile, 16, 2).sum().us, 45);
    EXPECT_DOUBLE_EQ(served(with(both, {timed(pair, 16, 40, 4), timed(pair, 16, 54, 2)}), 16, 2).sum().us,
                     54);
}

TEST(ServedTime, PairsOfAnotherSizeDoNotCorrect) {
    const GemmSize other{.k = 1024, .n = 2048};
    const Profile profile =
        with(parts(), {timed(Kernel::Dequantise, 0, 60, 4, 1, other),
                       timed(Kernel::CublasFp16, 16, 40, 4, 1, other), timed(pair, 16, 70, 4, 1, other)});
    EXPECT_DOUBLE_EQ(served(profile, 16).sum().us, 50);
}

TEST(ServedTime, ExpertsAreCorrectedByTheNearestNumberOfThem) {
    const std::vector<ProfilePoint> grouped = {
        timed(Kernel::Dequantise, 0, 80, 4, 8),    timed(Kernel::BatchedFp16, 1, 40, 4, 8),
        timed(Kernel::BatchedFp16, 64, 120, 4, 8), timed(Kernel::Dequantise, 0, 300, 4, 32),
        timed(Kernel::BatchedFp16, 1, 160, 4, 32), timed(Kernel::BatchedFp16, 64, 500, 4, 32)};
    const Profile profile = with(grouped, {timed(Kernel::GroupedDequant, 64, 180, 4, 8),    // x 0.9
                                           timed(Kernel::GroupedDequant, 64, 960, 4, 32)}); // x 1.2
    const auto at = [&](const Profile& of, double experts) {
        return served(of, 64, 4, experts, Kernel::GroupedDequant);
    };
    EXPECT_DOUBLE_EQ(at(profile, 8).sum().us, 180);
    EXPECT_DOUBLE_EQ(at(profile, 32).sum().us, 960);
    EXPECT_EQ(at(profile, 8).kernels, (std::array{Kernel::Dequantise, Kernel::BatchedFp16}));
    EXPECT_NEAR(at(profile, 10).sum().us, at(with(grouped), 10).sum().us * 0.9, 1e-9);
    EXPECT_EQ(at(profile, 10).sum().kind, EstimateKind::Modelled); // so many were not timed
    EXPECT_NEAR(at(profile, 30).sum().us, at(with(grouped), 30).sum().us * 1.2, 1e-9);
    EXPECT_GE(at(profile, 30).sum().relativeError, at(with(grouped), 30).sum().relativeError - 1e-12);
}

TEST(ServedTime, WherePartsAreMissingThePairsOwnCurveIsTheTime) {
    const Profile alone = with({timed(pair, 1, 40), timed(pair, 16, 160)});
    for (const Profile& profile :
         {alone, with(alone.points, {timed(Kernel::Dequantise, 0, 30)}),
          with(alone.points, {timed(Kernel::CublasFp16, 1, 20), timed(Kernel::CublasFp16, 16, 20)})}) {
        const KernelTimes times(profile, nullptr);
        EXPECT_FALSE(missingToServe(times, pair, 4));
        EXPECT_TRUE(missingToServe(times, pair, 3));
        const ServedTime at = served(profile, 1);
        EXPECT_EQ(at.count, 1);
        EXPECT_EQ(at.kernels[0], pair);
        EXPECT_DOUBLE_EQ(at.sum().us, 40);
        EXPECT_NEAR(served(profile, 4).sum().us, 80, 1e-9); // its own curve, straight in log-log
        EXPECT_EQ(served(profile, 4).sum().kind, EstimateKind::Interpolated);
    }
}

TEST(ServedTime, PartsOfOtherShapesDoNotStandInForAPairThatWasTimed) {
    const GemmSize other{.k = 512, .n = 512};
    Profile profile =
        with({timed(pair, 1, 40), timed(pair, 16, 160), timed(Kernel::Dequantise, 0, 9, 4, 1, other),
              timed(Kernel::CublasFp16, 1, 8, 4, 1, other)});
    profile.hardware = "H100-SXM"; // so that both parts could be modelled
    EXPECT_EQ(served(profile, 4).count, 1);
    EXPECT_NEAR(served(profile, 4).sum().us, 80, 1e-9);
}

TEST(ServedTime, NothingTimedIsAnError) {
    const KernelTimes times(with({timed(Kernel::Scalar, 1, 5)}), nullptr);
    EXPECT_TRUE(missingToServe(times, pair, 4));
    EXPECT_FALSE(servedTime(times, pair, size, 1, 1, 4));
    EXPECT_FALSE(missingToServe(times, Kernel::Scalar, 4));
    EXPECT_TRUE(missingToServe(times, Kernel::Mma, 4));
}

CostSetup oneGemm() {
    CostSetup setup;
    setup.model = {};
    setup.model.key = setup.model.name = "one";
    setup.model.gemms = {{.name = "up", .size = size}};
    setup.maxRows = 512;
    setup.rule.dense = {{.kernel = pair}};
    return setup;
}

TEST(ServedTime, TheCostTableAndTheFigureAgree) {
    const auto profile =
        std::make_shared<const Profile>(with(parts(), {timed(pair, 16, 40), timed(pair, 256, 420)}));
    const KernelTimes times(*profile, nullptr);
    const auto table = makeCostTable(times, oneGemm());
    ASSERT_TRUE(table) << table.error().sentence();
    const KernelFigure figure = kernelFigure({profile, nullptr, {size, 1}, 4});
    const auto curve = std::ranges::find(figure.curves, pair, &KernelCurve::kernel);
    ASSERT_NE(curve, figure.curves.end());
    EXPECT_EQ(curve->marks.size(), 2U);
    std::size_t compared = 0;
    for (const KernelSample& sample : curve->line) {
        const auto m = static_cast<std::int64_t>(sample.rowsM);
        if (m <= table->maxRows()) {
            EXPECT_NEAR(table->us(m), sample.time.us, 1e-5 * sample.time.us) << m;
            EXPECT_NEAR(table->relativeError(m), sample.time.relativeError, 1e-5) << m;
            ++compared;
        }
    }
    EXPECT_GT(compared, 60U);
    // A faster part still is a faster part: half of dequantise, corrected as before.
    CostSetup faster = oneGemm();
    faster.timeScale[static_cast<std::size_t>(Kernel::Dequantise)] = 0.5;
    const auto scaled = makeCostTable(times, faster);
    ASSERT_TRUE(scaled);
    EXPECT_NEAR(scaled->us(16), 40 - 0.5 * 30 * 0.8, 1e-4);
}

TEST(ServedTime, ATableOfPairsAloneServes) {
    const Profile profile =
        with({timed(pair, 1, 40), timed(pair, 512, 160), timed(Kernel::CublasFp16, 1, 20)});
    const auto table = makeCostTable(KernelTimes(profile, nullptr), oneGemm());
    ASSERT_TRUE(table) << table.error().sentence();
    EXPECT_NEAR(table->us(1), 40, 1e-4);
    ASSERT_EQ(table->services(1).size(), 1U);
    EXPECT_EQ(table->services(1)[0].partCount, 1);
    EXPECT_EQ(table->services(1)[0].parts[0].kernel, pair);
    EXPECT_NEAR(table->kernelUs(1, pair), 40, 1e-4);
}

TEST(ServedTime, EveryPairOfAProfileReadsBackExactly) {
    Profile profile = test::bundledProfile();
    const KernelTimes before(profile, nullptr);
    std::vector<ProfilePoint> pairs;
    double factor = 0.8;
    for (const ProfilePoint& point : test::bundledProfile().points) {
        if (point.kernel == Kernel::Dequantise) {
            const bool grouped = point.experts > 1;
            for (const std::int64_t m : {2, 16, 40}) {
                ProfilePoint made = timed(grouped ? Kernel::GroupedDequant : pair, m, 1, point.kBits,
                                          point.experts, point.size);
                const auto sum = servedTime(before, made.kernel, made.size, made.experts,
                                            static_cast<double>(m), made.kBits);
                ASSERT_TRUE(sum);
                made.timeUs = sum->sum().us * factor;
                made.origin = PointOrigin::Published;
                factor = factor > 1.2 ? 0.8 : factor + 0.03;
                pairs.push_back(made);
            }
        }
    }
    ASSERT_GT(pairs.size(), 10U);
    profile.points.insert(profile.points.end(), pairs.begin(), pairs.end());
    const KernelTimes times(profile, nullptr);
    for (const ProfilePoint& made : pairs) {
        const auto time = servedTime(times, made.kernel, made.size, made.experts,
                                     static_cast<double>(made.rowsM), made.kBits);
        ASSERT_TRUE(time);
        EXPECT_NEAR(time->sum().us, made.timeUs, 1e-9 * made.timeUs) << textOf(made.size) << made.rowsM;
        EXPECT_EQ(time->sum().origin, PointOrigin::Published);
    }
}

} // namespace
} // namespace loadline
