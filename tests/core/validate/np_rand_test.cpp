// NumPy's legacy random numbers.
#include "core/validate/np_rand.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>
#include <vector>

namespace loadline {
namespace {

std::vector<std::int64_t> drawn(NpRandom& random, std::int64_t low, std::int64_t high, int count) {
    std::vector<std::int64_t> values;
    values.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        values.push_back(random.integer(low, high));
    }
    return values;
}

TEST(NpRandom, drawsAsRandint) {
    NpRandom random(0);
    EXPECT_EQ(drawn(random, 0, 10, 5), (std::vector<std::int64_t>{5, 0, 3, 3, 7}));
}

TEST(NpRandom, goesOnBeyondItsState) {
    // Python's random module with the state of init_genrand(0), masks and rejection as in randint.
    NpRandom random(0);
    const auto prompts = drawn(random, 819, 1025, 40);
    EXPECT_EQ((std::vector(prompts.begin(), prompts.begin() + 4)),
              (std::vector<std::int64_t>{991, 866, 936, 1011}));
    EXPECT_EQ(std::accumulate(prompts.begin(), prompts.end(), std::int64_t{0}), 37068);
    const auto longer = drawn(random, 6553, 8193, 40);
    EXPECT_EQ((std::vector(longer.begin(), longer.begin() + 4)),
              (std::vector<std::int64_t>{7865, 7842, 7250, 7192}));
    EXPECT_EQ(std::accumulate(longer.begin(), longer.end(), std::int64_t{0}), 290482);
}

TEST(NpRandom, itsBitsAreMt19937s) {
    NpRandom random(1234);
    EXPECT_EQ(random.next(), 822569775U);
    EXPECT_EQ(random.next(), 2137449171U);
    EXPECT_EQ(random.next(), 2671936806U);
    NpRandom standard(5489);
    std::uint32_t bits = 0;
    for (int i = 0; i < 10'000; ++i) {
        bits = standard.next();
    }
    EXPECT_EQ(bits, 4123659995U); // the value that C++ requires of std::mt19937
}

TEST(NpRandom, drawsNothingForOneValue) {
    NpRandom random(0);
    EXPECT_EQ(random.integer(7, 8), 7);
    EXPECT_EQ(drawn(random, 0, 10, 5), (std::vector<std::int64_t>{5, 0, 3, 3, 7}));
}

} // namespace
} // namespace loadline
