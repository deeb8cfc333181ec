// Where a curve over rates passes 1, and what is said of it.
#include "core/simulate/study/rate_crossings.h"

#include "core/simulate/answer/simulator_figure.h"
#include "tests/core/simulate/made_inputs.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace loadline {
namespace {

std::vector<SweepPoint> curveOf(const std::vector<std::pair<double, double>>& ratios) {
    std::vector<SweepPoint> curve;
    for (const auto& [rate, ratio] : ratios) {
        SweepPoint& point = curve.emplace_back();
        point.ratePerS = rate;
        point.timeVsFp16.value = ratio;
    }
    return curve;
}

TEST(RateCrossings, LieBetweenTheRatesThatWereSimulated) {
    const auto curve = curveOf({{0.5, 0.6}, {1, 0.8}, {4, 1.2}});
    const std::vector<RateCrossing> crossings = rateCrossingsOf(curve);
    ASSERT_EQ(crossings.size(), 1U);
    EXPECT_EQ(crossings[0].fromPerS, 1);
    EXPECT_EQ(crossings[0].toPerS, 4);
    EXPECT_NEAR(crossings[0].nearPerS, 2, 1e-9); // half way over log rate
    EXPECT_TRUE(crossings[0].quantisedFasterBelow);
    EXPECT_EQ(rateSentenceOf(curve, Storage::K4, fp16Format, false),
              "Quantised kernels (k = 4) win up to 1 turn a second, by up to 40.0 %, and lose from 4 turns a "
              "second on, by up to 20.0 %.");
    EXPECT_TRUE(rateCrossingsOf({}).empty());
    std::vector<SweepPoint> overUsers = curve;
    for (SweepPoint& point : overUsers) {
        point.ratePerS = 0;
    }
    EXPECT_TRUE(rateCrossingsOf(overUsers).empty());
    EXPECT_EQ(rateSentenceOf(overUsers, Storage::K4, fp16Format, false), "");
}

TEST(RateCrossings, AreSaidWhereThereAreNoneOrSeveral) {
    EXPECT_EQ(rateSentenceOf(curveOf({{0.5, 0.6}, {2, 0.9}}), Storage::K3, fp16Format, false),
              "Quantised kernels (k = 3) win from 0.5 to 2 turns a second: by 10.0 % to 40.0 %.");
    EXPECT_EQ(rateSentenceOf(curveOf({{0.5, 1.2}, {2, 0.9}, {4, 1.1}}), Storage::K4, fp16Format, false),
              "Quantised kernels (k = 4) and fp16 change places between 0.5 and 2, between 2 and 4 turns a "
              "second: at most 10.0 % faster (at 2 turns a second), 20.0 % slower (at 0.5 turns a second).");
}

TEST(RateCrossings, RatesWhoseIntervalHolds1TellNothing) {
    std::vector<SweepPoint> curve = curveOf({{0.5, 0.97}, {1, 0.96}, {2, 0.95}, {4, 0.99}});
    const auto setBand = [&](std::size_t place, double low, double high) {
        curve[place].timeVsFp16.low = low;
        curve[place].timeVsFp16.high = high;
    };
    setBand(0, 0.96, 0.98);
    setBand(1, 0.95, 0.97);
    setBand(2, 0.78, 1.3);
    setBand(3, 0.97, 1.02);
    EXPECT_EQ(
        rateSentenceOf(curve, Storage::K4, fp16Format, false),
        "Quantised kernels (k = 4) win from 0.5 to 1 turn a second: by 3.0 % to 4.0 %. At 2 and 4 turns "
        "a second the two are not told apart.");
    setBand(1, 0.9, 1.01);
    EXPECT_EQ(
        rateSentenceOf(curve, Storage::K4, fp16Format, false),
        "Quantised kernels (k = 4) win at 0.5 turns a second: by 3.0 %. At 1, 2 and 4 turns a second the "
        "two are not told apart.");
    setBand(0, 0.9, 1.01);
    EXPECT_EQ(rateSentenceOf(curve, Storage::K4, fp16Format, false),
              "Quantised kernels (k = 4) and fp16 are not told apart from 0.5 to 4 turns a second.");
}

TEST(RateCrossings, OneTurnIsNoTurns) {
    EXPECT_EQ(rateText(1), "1 turn a second");
    EXPECT_EQ(rateText(1.4), "1.4 turns a second");
}

TEST(RateCrossings, StandInTheAnswerOfASettingAtARate) {
    SimulatorFigureInputs inputs;
    inputs.base = madeInputs();
    inputs.base.arrivals.kind = ArrivalKind::Poisson;
    inputs.base.arrivals.ratePerS = 2;
    inputs.base.length.iterations = 300;
    inputs.base.replicas = 2;
    inputs.stage = FigureStage::Refined;
    const auto figure = simulatorFigure(inputs);
    ASSERT_TRUE(figure) << figure.error().sentence();
    const std::string said = rateSentenceOf(figure->overUsers.points, Storage::K4, fp16Format, false);
    EXPECT_FALSE(said.empty());
    EXPECT_NE(figure->sentence.find(said), std::string::npos) << figure->sentence;
}

} // namespace
} // namespace loadline
