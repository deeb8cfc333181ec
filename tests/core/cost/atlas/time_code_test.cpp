// Codes of times lose nothing of five digits.
#include "core/cost/atlas/time_code.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

namespace loadline {
namespace {

TEST(TimeCodes, GiveTheDoubleThatStrtodReads) {
    for (std::int32_t code = 2; code <= mostTimeCode; ++code) {
        const int exponent = (code - 2) / 90'000 - 10;
        const double expected =
            std::strtod(fmt::format("{}e{}", (code - 2) % 90'000 + 10'000, exponent).c_str(), nullptr);
        ASSERT_EQ(timeOfCode(code), expected) << code;
        ASSERT_EQ(timeOfCode(-code), -expected) << code;
    }
}

TEST(TimeCodes, AreThoseOfTheirTimes) {
    for (std::int32_t code = 1; code <= mostTimeCode; code += 7) {
        ASSERT_EQ(timeCodeOf(*timeOfCode(code)), code);
        ASSERT_EQ(timeCodeOf(-*timeOfCode(code)), code == 1 ? 1 : -code);
    }
    EXPECT_EQ(timeCodeOf(*timeOfCode(mostTimeCode)), mostTimeCode);
}

TEST(TimeCodes, OfEdges) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(timeCodeOf(std::nan("")), 0);
    EXPECT_EQ(timeCodeOf(infinity), 0);
    EXPECT_EQ(timeCodeOf(-infinity), 0);
    EXPECT_EQ(timeCodeOf(1e13), 0);
    EXPECT_EQ(timeCodeOf(0), 1);
    EXPECT_EQ(timeCodeOf(-0.0), 1);
    EXPECT_EQ(timeCodeOf(9e-7), 1);
    EXPECT_EQ(timeCodeOf(std::numeric_limits<double>::denorm_min()), 1);
    EXPECT_EQ(timeCodeOf(-std::numeric_limits<double>::max()), 0);
    EXPECT_EQ(timeCodeOf(1e-6), 2);
    EXPECT_EQ(timeOfCode(timeCodeOf(9.99996)), 10); // rounds up to another power of ten
    EXPECT_EQ(timeOfCode(timeCodeOf(1.23456)), 1.2346);
    EXPECT_TRUE(std::isnan(timeOfCode(0).value()));
    EXPECT_EQ(timeOfCode(1), 0);
    for (const std::int64_t code :
         {std::int64_t{-1}, std::int64_t{mostTimeCode} + 1, -std::int64_t{mostTimeCode} - 1,
          std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min() + 1}) {
        EXPECT_EQ(timeOfCode(code), std::nullopt) << code;
    }
}

} // namespace
} // namespace loadline
