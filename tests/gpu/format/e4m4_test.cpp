// E4M4 by its definition, byte by byte, and its rounding rule by hand.
#include "gpu/format/e4m4.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

using namespace loadline::gpu;

namespace {

double definedValue(int byte) {
    const int e = byte >> 4;
    const int m = byte & 15;
    return e == 0 ? std::ldexp(m / 16.0, -10) : std::ldexp(1 + m / 16.0, e - 11);
}

TEST(E4m4, EveryByteDecodesAsDefinedAndReturns) {
    for (int byte = 0; byte < 256; ++byte) {
        const auto stored = static_cast<std::uint8_t>(byte);
        EXPECT_EQ(static_cast<double>(decodeE4m4(stored)), definedValue(byte)) << byte;
        EXPECT_EQ(encodeE4m4(decodeE4m4(stored)), stored) << byte;
    }
    EXPECT_EQ(decodeE4m4(255), e4m4Max);
    EXPECT_EQ(decodeE4m4(1), e4m4Least);
}

TEST(E4m4, BranchlessDiffersOnlyInSubnormals) {
    for (int byte = 0; byte < 256; ++byte) {
        const auto stored = static_cast<std::uint8_t>(byte);
        if (byte == 0 || byte >= 16) {
            EXPECT_EQ(decodeE4m4Branchless(stored), decodeE4m4(stored)) << byte;
        } else {
            EXPECT_EQ(static_cast<double>(decodeE4m4Branchless(stored)), std::ldexp(1 + byte / 16.0, -11));
            EXPECT_NE(decodeE4m4Branchless(stored), decodeE4m4(stored)) << byte;
        }
    }
}

TEST(E4m4, RoundsTheMantissaWithoutCarry) {
    const std::vector<std::pair<float, int>> cases = {
        {0, 0},
        {-1, 0},
        {1, 11 << 4},
        {1 + 1.0F / 32, 11 << 4},       // halfway between m = 0 and 1: even
        {1 + 3.0F / 32, 11 << 4 | 2},   // halfway between 1 and 2: even
        {1 + 1.1F / 32, 11 << 4 | 1},   //
        {1.9999F, 11 << 4 | 15},        // rounds to 16: held at 15, no carry to 2
        {2, 12 << 4},                   //
        {31, 255},                      //
        {31.9F, 255},                   //
        {32, 255},                      // beyond the range: the largest
        {1e30F, 255},                   //
        {e4m4LeastNormal, 1 << 4},      //
        {e4m4LeastNormal * 0.999F, 15}, // the subnormals' mantissa is held as well
        {e4m4Least, 1},                 //
        {e4m4Least / 2, 0},             // halfway to 0: even
        {e4m4Least * 0.51F, 1},         //
        {std::numeric_limits<float>::min(), 0},
        {std::numeric_limits<float>::quiet_NaN(), 0},
        {std::numeric_limits<float>::infinity(), 255},
    };
    for (const auto& [value, byte] : cases) {
        EXPECT_EQ(static_cast<int>(encodeE4m4(value)), byte) << value;
    }
}

TEST(E4m4, ErrsByAtMostOneSixteenthInItsRange) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> exponent(-10, 4.9F);
    for (int i = 0; i < 100'000; ++i) {
        const float value = std::exp2(exponent(random));
        const float decoded = decodeE4m4(encodeE4m4(value));
        // Half a step of 1/16, or a whole one just below a power of two (no carry): 1/31 of the value.
        ASSERT_NEAR(decoded / value, 1, 1.0 / 31) << value;
    }
}

} // namespace
