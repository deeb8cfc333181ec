// Half precision in plain C++, by definition.
#include "gpu/host/kernel/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

using namespace loadline::gpu;

namespace {

double definedHalf(int half) {
    const int exponent = half >> 10 & 31;
    const int mantissa = half & 1023;
    const double magnitude =
        exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    return half >> 15 != 0 ? -magnitude : magnitude;
}

TEST(Half, DecodesByDefinitionAndReturns) {
    for (int half = 0; half < 0x10000; ++half) {
        const auto bits = static_cast<std::uint16_t>(half);
        const float value = floatOfHalf(bits);
        if ((half & 0x7C00) == 0x7C00) {
            EXPECT_EQ(std::isnan(value), (half & 0x3FF) != 0);
            EXPECT_EQ(std::isnan(floatOfHalf(halfOfFloat(value))), std::isnan(value));
            continue;
        }
        ASSERT_EQ(static_cast<double>(value), definedHalf(half));
        ASSERT_EQ(halfOfFloat(value), bits);
    }
}

TEST(Half, RoundsToTheNearestAndThenToEven) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> exponent(-27, 15.9F);
    const auto check = [](float value) {
        const std::uint16_t half = halfOfFloat(value);
        const double error = std::abs(definedHalf(half) - value);
        for (const int other : {half - 1, half + 1}) {
            if (other >= 0 && other < 0x7C00) {
                const double otherError = std::abs(definedHalf(other) - value);
                ASSERT_LE(error, otherError) << value;
                ASSERT_TRUE(error < otherError || half % 2 == 0) << value;
            }
        }
    };
    for (int i = 0; i < 200'000; ++i) {
        check(std::exp2(exponent(random)));
    }
    for (int half = 0; half < 0x7BFF; ++half) { // every tie
        check(static_cast<float>((definedHalf(half) + definedHalf(half + 1)) / 2));
    }
    EXPECT_EQ(halfOfFloat(65519.99F), 0x7BFF);
    EXPECT_EQ(halfOfFloat(65520), 0x7C00);
    EXPECT_EQ(halfOfFloat(-std::numeric_limits<float>::infinity()), 0xFC00);
}

} // namespace
