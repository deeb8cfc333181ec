// Interpolation between points and the bar around it.
#include "core/cost/estimate/log_curve.h"

#include <gtest/gtest.h>

#include <cmath>

namespace loadline {
namespace {

TEST(LogCurve, IsExactAtPointsAndAPowerLawBetweenThem) {
    const LogCurve curve({{.x = 16, .y = 80, .error = 0.02},
                          {.x = 1, .y = 10, .error = 0.02},
                          {.x = 4, .y = 20, .error = 0.05}});
    EXPECT_DOUBLE_EQ(curve.at(1).y, 10);
    EXPECT_TRUE(curve.at(4).exact);
    EXPECT_DOUBLE_EQ(curve.at(4).error, 0.05);
    EXPECT_NEAR(curve.at(2).y, 10 * std::sqrt(2.0), 1e-9); // half way from 1 to 4 in log, y doubles
    EXPECT_NEAR(curve.at(8).y, 40, 1e-9);
    EXPECT_FALSE(curve.at(8).exact);
}

TEST(LogCurve, BarIsTwoPercentAndOneAndAHalfLeaveOneOutErrors) {
    // Without its middle point the curve would read 10 * (160/10)^(1/2) = 40 at x = 4, not 20: error ln 2.
    const LogCurve three({{.x = 1, .y = 10}, {.x = 4, .y = 20}, {.x = 16, .y = 160}});
    EXPECT_NEAR(three.at(2).error, 0.02 + 1.5 * std::log(2.0), 1e-12);
    EXPECT_NEAR(three.at(8).error, 0.02 + 1.5 * std::log(2.0), 1e-12);
    const LogCurve straight({{.x = 1, .y = 1}, {.x = 2, .y = 2}, {.x = 4, .y = 4}});
    EXPECT_NEAR(straight.at(1.5).error, 0.02, 1e-12);
    const LogCurve two({{.x = 1, .y = 10}, {.x = 4, .y = 20}});
    EXPECT_NEAR(two.at(2).error, 0.02 + std::log(2.0) / 2, 1e-12);
}

TEST(LogCurve, BarBetweenPointsIsNeverBelowTheirOwn) {
    const LogCurve curve(
        {{.x = 1, .y = 1, .error = 0.02}, {.x = 2, .y = 2, .error = 0.4}, {.x = 4, .y = 4, .error = 0.02}});
    EXPECT_DOUBLE_EQ(curve.at(1.5).error, 0.4);
    EXPECT_DOUBLE_EQ(curve.at(3).error, 0.4);
    for (double x = 1; x <= 4; x += 0.01) {
        EXPECT_GE(curve.at(x).error, 0.02);
    }
}

TEST(LogCurve, EndsHoldAndTheLastOfEqualPointsStands) {
    const LogCurve curve({{.x = 2, .y = 1}, {.x = 8, .y = 9}, {.x = 2, .y = 3}});
    EXPECT_EQ(curve.points().size(), 2U);
    EXPECT_DOUBLE_EQ(curve.at(1).y, 3);
    EXPECT_DOUBLE_EQ(curve.at(100).y, 9);
    EXPECT_FALSE(curve.covers(1.9));
    EXPECT_TRUE(curve.covers(2));
    EXPECT_TRUE(LogCurve().empty());
    EXPECT_DOUBLE_EQ(LogCurve({{.x = 3, .y = 7}}).at(5).y, 7);
}

} // namespace
} // namespace loadline
