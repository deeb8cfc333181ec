// The inverse normal and the codebooks against published values, and the nearest code.
#include "gpu/format/codebook.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

using namespace loadline::gpu;

namespace {

TEST(InverseNormal, HasTheTabulatedQuantiles) {
    // Abramowitz and Stegun, table 26.5, and further digits.
    EXPECT_NEAR(inverseNormal(0.5), 0, 1e-16);
    EXPECT_NEAR(inverseNormal(0.75), 0.67448975019608171, 1e-14);
    EXPECT_NEAR(inverseNormal(0.9), 1.2815515655446004, 1e-14);
    EXPECT_NEAR(inverseNormal(0.975), 1.9599639845400543, 1e-13);
    EXPECT_NEAR(inverseNormal(0.999), 3.0902323061678134, 1e-11);
    EXPECT_NEAR(inverseNormal(0.001), -3.0902323061678134, 1e-11);
}

TEST(InverseNormal, UndoesTheProbability) {
    for (double p = 0.002; p < 0.999; p += 0.001) {
        EXPECT_NEAR(0.5 * std::erfc(-inverseNormal(p) / std::sqrt(2.0)), p, 1e-14) << p;
    }
}

TEST(Codebook, HasThePublishedValues) {
    const std::array<double, 2> two = {.2770, 1};
    const std::array<double, 4> three = {.1025, .3186, .5783, 1};
    const std::array<double, 8> four = {.0421, .1273, .2159, .3109, .4168, .5422, .7076, 1};
    const auto check = [](int bits, const auto& positive) {
        const float* book = codebookOf(bits);
        const int half = 1 << (bits - 1);
        ASSERT_EQ(static_cast<int>(positive.size()), half);
        for (int i = 0; i < half; ++i) {
            EXPECT_NEAR(book[half + i], positive[static_cast<std::size_t>(i)], 0.5e-4) << bits << " " << i;
        }
    };
    check(2, two);
    check(3, three);
    check(4, four);
}

TEST(Codebook, AscendsSymmetricallyFromMinusOneToOne) {
    for (int bits = 2; bits <= 5; ++bits) {
        const float* book = codebookOf(bits);
        const int count = 1 << bits;
        EXPECT_EQ(book[0], -1.0F);
        EXPECT_EQ(book[count - 1], 1.0F);
        for (int i = 0; i < count; ++i) {
            EXPECT_EQ(book[i], -book[count - 1 - i]);
            EXPECT_TRUE(i == 0 || book[i] > book[i - 1]);
        }
    }
}

TEST(NearestCode, IsTheFirstOfTheNearest) {
    const std::vector<float> book = {-1, -0.5F, 0.5F, 1};
    const std::vector<std::pair<float, int>> cases = {{-2, 0},     {-0.76F, 0},  {-0.75F, 0},
                                                      {-0.74F, 1}, {0, 1},       {1e-7F, 2},
                                                      {0.75F, 2},  {0.7501F, 3}, {100.0F, 3}};
    for (const auto& [value, code] : cases) {
        EXPECT_EQ(nearestCode(book.data(), 2, value), code) << value;
    }
}

TEST(NearestCode, IsNeverFartherThanAnother) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> uniform(-1.2F, 1.2F);
    for (int bits = 2; bits <= 5; ++bits) {
        const float* book = codebookOf(bits);
        for (int i = 0; i < 2000; ++i) {
            const float value = uniform(random);
            const float chosen = std::abs(value - book[nearestCode(book, bits, value)]);
            for (int code = 0; code < 1 << bits; ++code) {
                ASSERT_LE(chosen, std::abs(value - book[code]));
            }
        }
    }
}

} // namespace
